"""The columns of the results file for the EMA: fields order1, heading1, field1, text1 … a line a column."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django import forms
from django.forms import BoundField
from django.utils.translation import gettext_lazy as _

from tournament.base.errors import Refused
from tournament.ema.engine.ema_columns import LONGEST, MOST, Column
from tournament.ema.texts.ema import FIELDS
from tournament.web.forms.problems import add_problems
from tournament.web.forms.spoken import Form
from tournament.web.texts.problems import sentence

BLANK_LINES: Final = 2


@dataclass(frozen=True)
class Line:
    """A column on the page."""

    order: BoundField
    heading: BoundField
    field: BoundField
    text: BoundField

    @property
    def fields(self) -> tuple[BoundField, ...]:
        return self.order, self.heading, self.field, self.text


class ColumnsForm(Form):
    """A line whose heading is emptied goes away; the others stand in the order of their numbers."""

    sent = forms.BooleanField(widget=forms.HiddenInput, initial=True)
    """Required: an empty request changes no columns."""

    def __init__(self, columns: Sequence[Column], data: Mapping[str, Any] | None = None) -> None:
        super().__init__(data)
        self.count = len(columns) + BLANK_LINES
        if data is not None:
            self.count = next(n for n in range(MOST + 4) if f"heading{n + 1}" not in data or n > MOST + 2)
        for n in range(self.count):
            self._add(n + 1, columns[n] if n < len(columns) else None)

    def _add(self, n: int, column: Column | None) -> None:
        self.fields[f"order{n}"] = forms.IntegerField(
            label=_("Order"), required=False, initial=n, min_value=0, max_value=999
        )
        self.fields[f"heading{n}"] = forms.CharField(
            label=_("Heading"), max_length=LONGEST, required=False, initial=column and column.heading
        )
        self.fields[f"field{n}"] = forms.ChoiceField(
            label=_("What stands below"),
            required=False,
            choices=list(FIELDS.items()),
            initial=column.field if column else "text",
        )
        self.fields[f"text{n}"] = forms.CharField(
            label=_("The words"), max_length=LONGEST, required=False, initial=column and column.text
        )

    def lines(self) -> list[Line]:
        names = ("order", "heading", "field", "text")
        return [Line(*(self[f"{name}{n}"] for name in names)) for n in range(1, self.count + 1)]

    def columns(self) -> list[Column]:
        """Call when the form is valid."""
        data = self.cleaned_data
        return [Column(data[f"heading{n}"], data[f"field{n}"], data[f"text{n}"]) for n in self._said()]

    def say(self, refused: Refused) -> None:
        """Each problem at its line."""
        said = self._said()
        for problem in refused.problems:
            where, _dot, rest = problem.where.partition(".")
            at, _dot, name = rest.partition(".")
            if where == "columns" and at.isdecimal() and f"{name}{said[int(at)]}" in self.fields:
                self.add_error(f"{name}{said[int(at)]}", sentence(problem))
            else:
                add_problems(self, [problem])

    def _said(self) -> list[int]:
        """The lines with a heading or words, in order."""
        data = self.cleaned_data
        lines = [n for n in range(1, self.count + 1) if data.get(f"heading{n}") or data.get(f"text{n}")]
        last = self.count
        return sorted(lines, key=lambda n: last if (order := data.get(f"order{n}")) is None else order)
