"""The rota by hand: a line an umpire, a field a session, tables by number in each."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from scoring.engine.problems import Problem
from tournament.base.models.tournament import Tournament
from tournament.staff.selectors.rota import RotaNow, field_name
from tournament.web.forms.numbers import numbers_in, numbers_text
from tournament.web.forms.problems import add_problems
from tournament.web.forms.spoken import Form


class RotaForm(Form):
    """Where an umpire plays there is no field."""

    def __init__(self, tournament: Tournament, rota: RotaNow, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.tournament, self.rota = tournament, rota
        self._places: dict[str, tuple[int, int]] = {}
        for line in rota.lines:
            for session, tables in line.tables.items():
                if tables is not None:
                    name = field_name(session, line.membership.pk)
                    self._places[name] = session, line.membership.pk
                    self.fields[name] = forms.CharField(
                        label=format_lazy(_("Session {session}"), session=session),
                        initial=numbers_text(tables),
                        max_length=200,
                        required=False,
                        widget=forms.TextInput(attrs={"autocomplete": "off"}),
                    )

    def clean(self) -> dict[str, Any]:
        """Each field becomes the numbers in it."""
        for name in self._places:
            try:
                self.cleaned_data[name] = numbers_in(self.cleaned_data.get(name, ""))
            except ValueError as fault:
                add_problems(self, [Problem("not_table_numbers", name, {"text": str(fault)})])
        return self.cleaned_data

    def rows(self) -> dict[tuple[int, int], list[int]]:
        """As `set_rota` takes it; call when the form is valid."""
        found: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
        for name, (session, umpire) in self._places.items():
            for table in self.cleaned_data[name]:
                found[session, table].append(umpire)
        return dict(found)

    @property
    def lines(self) -> list[tuple[str, list[tuple[int, forms.BoundField | None]]]]:
        """(name, (session, its field or None where the umpire plays)) for the page."""
        return [
            (
                line.name,
                [
                    (session, None if tables is None else self[field_name(session, line.membership.pk)])
                    for session, tables in line.tables.items()
                ],
            )
            for line in self.rota.lines
        ]
