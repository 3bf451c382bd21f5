"""Problems said in a form: each beside its field, all at once."""

from __future__ import annotations

from collections.abc import Iterable

from django import forms

from scoring.engine.problems import Problem
from tournament.base.errors import Refused
from tournament.web.texts.problems import sentence


def add_problems(form: forms.BaseForm, problems: Refused | Iterable[Problem]) -> None:
    """Say each problem beside the field named by its `where`; above the form when there is no such field."""
    for problem in problems.problems if isinstance(problems, Refused) else problems:
        form.add_error(problem.where if problem.where in form.fields else None, sentence(problem))


class ServiceChecked(forms.CharField):
    """A text that has to be there, as the service will say together with everything else that is wrong."""

    def validate(self, value: str) -> None:
        """Nothing here: one judge, and all its findings at once."""
