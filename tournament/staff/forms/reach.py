"""Where an umpire is let in, as a named umpire's form and that of a pass both ask it."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from django import forms
from django.utils.translation import gettext_lazy as _

from scoring.engine.problems import Problem
from tournament.base.models.play import Session
from tournament.web.forms.numbers import numbers_in
from tournament.web.forms.problems import add_problems

MOST_UNKNOWN = 5
"""So many tables that there are not are told at once."""


def sessions_field() -> forms.MultipleChoiceField:
    return forms.MultipleChoiceField(
        label=_("Sessions"),
        help_text=_("None ticked: all of them."),
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )


def offer_sessions(form: forms.Form, sessions: Iterable[Session]) -> None:
    """Make these the form's sessions to tick."""
    chooser = form.fields["sessions"]
    assert isinstance(chooser, forms.MultipleChoiceField)
    chooser.choices = [(str(one.number), str(one.number)) for one in sessions]


def table_numbers(form: forms.Form, known: Collection[int]) -> list[int] | None:
    """The numbers written in the form's tables, those that are not known told; None when they are not numbers."""
    try:
        numbers = numbers_in(form.cleaned_data["tables"])
    except ValueError as fault:
        add_problems(form, [Problem("not_table_numbers", "tables", {"text": str(fault)})])
        return None
    unknown = sorted(set(numbers) - set(known))[:MOST_UNKNOWN]
    add_problems(form, [Problem("no_such_table", "tables", {"table": number}) for number in unknown])
    return numbers
