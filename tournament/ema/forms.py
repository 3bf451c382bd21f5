"""The columns of the results file, and reckoning with the European ranking."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from typing import Any, Final

from django import forms
from django.core.exceptions import ValidationError
from django.forms import BoundField
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournament.base.errors import Refused
from tournament.ema.engine import LONGEST as EMA_LONGEST
from tournament.ema.engine import MOST, Column, Nation, Result, base
from tournament.ema.texts import FIELDS
from tournament.web.forms import DayInput, Form, add_problems
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
    """Fields order1, heading1, field1, text1 … a line a column.

    A line whose heading is emptied goes away; the others stand in the order of their numbers.
    """

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
            label=_("Heading"), max_length=EMA_LONGEST, required=False, initial=column and column.heading
        )
        self.fields[f"field{n}"] = forms.ChoiceField(
            label=_("What stands below"),
            required=False,
            choices=list(FIELDS.items()),
            initial=column.field if column else "text",
        )
        self.fields[f"text{n}"] = forms.CharField(
            label=_("The words"), max_length=EMA_LONGEST, required=False, initial=column and column.text
        )

    def lines(self) -> list[Line]:
        names = ("order", "heading", "field", "text")
        return [Line(*(self[f"{name}{n}"] for name in names)) for n in range(1, self.count + 1)]

    def columns(self) -> list[Column]:
        """Call when the form is valid."""
        data = self.cleaned_data
        return [
            Column(data[f"heading{n}"], data[f"field{n}"], data[f"text{n}"]) for n in self._filled_lines()
        ]

    def say(self, refused: Refused) -> None:
        """Each problem at its line."""
        filled = self._filled_lines()
        for problem in refused.problems:
            where, _dot, rest = problem.where.partition(".")
            at, _dot, name = rest.partition(".")
            if where == "columns" and at.isdecimal() and f"{name}{filled[int(at)]}" in self.fields:
                self.add_error(f"{name}{filled[int(at)]}", sentence(problem))
            else:
                add_problems(self, [problem])

    def _filled_lines(self) -> list[int]:
        """The lines with a heading or words, in order."""
        data = self.cleaned_data
        lines = [n for n in range(1, self.count + 1) if data.get(f"heading{n}") or data.get(f"text{n}")]
        last = self.count
        return sorted(lines, key=lambda n: last if (order := data.get(f"order{n}")) is None else order)


MOST_LINES: Final = 200
LONGEST: Final = 8000
MOST_SEATS: Final = 2000
_SPACE = r"[\s,;|]+"
_RESULT = re.compile(
    rf"(?:(?P<place>\d{{1,4}})\s*/\s*(?P<players>\d{{1,4}})|(?P<base>\d{{1,4}})){_SPACE}"
    rf"(?P<weight>\d{{1,2}}(?:\.\d{{1,2}})?)(?:{_SPACE}(?P<ended>\d{{4}}-\d{{2}}-\d{{2}}))?",
    re.ASCII,
)
_NATION = re.compile(
    rf"(?P<name>.{{0,80}}?[^\s\d,;|]){_SPACE}(?P<players>\d{{1,5}}){_SPACE}(?P<strong>\d{{1,5}})"
    rf"(?:{_SPACE}(?P<above>\d{{1,5}}))?",
    re.ASCII,
)
_AREA: Final = {"rows": 8, "spellcheck": "false", "autocomplete": "off", "class": "code"}


class _LinesForm(Form):
    """Anything that is no line is said with its number, all of them."""

    def _lines(self, name: str) -> list[tuple[int, str]]:
        text = self.cleaned_data.get(name, "")
        lines = [(n, line.strip()) for n, line in enumerate(text.splitlines(), 1) if line.strip()]
        if len(lines) > MOST_LINES:
            raise ValidationError(gettext("At most {most} lines.").format(most=MOST_LINES))
        return lines

    def _read(self, name: str, read: Any, wrong: str) -> list[Any]:
        """Each line as it is read; `wrong` says of one that is none, with {n} and {line}, how it is written."""
        values, faults = [], []
        for n, line in self._lines(name):
            value = read(line)
            if value is None:
                faults.append(wrong.format(n=n, line=line[:60]))
            values.append(value)
        if faults:
            raise ValidationError(faults[:10])
        return values


class ScoreForm(_LinesForm):
    """Results of a player."""

    results = forms.CharField(
        label=_("Results, a line each"),
        help_text=_("A base or a place of so many, then the weight, and where wished the last day."),
        max_length=LONGEST,
        widget=forms.Textarea(attrs=_AREA | {"placeholder": "32/60 2.5 2026-03-15\n867 1"}),
    )
    on = forms.DateField(
        label=_("On the day"),
        help_text=_("Left out, no result is too old."),
        required=False,
        widget=DayInput(),
    )

    def clean_results(self) -> list[Result]:
        wrong = gettext("Line {n}, “{line}”: write for instance 475 2.5, or 32/60 2.5 2026-03-15.")
        results: list[Result] = self._read("results", _read_result, wrong)
        return results


def _read_result(line: str) -> Result | None:
    if (match := _RESULT.fullmatch(line)) is None:
        return None
    try:
        place = int(match["base"]) if match["base"] else base(int(match["place"]), int(match["players"]))
        ended = date.fromisoformat(match["ended"]) if match["ended"] else None
    except ValueError:
        return None
    weight = Fraction(match["weight"])
    if place > 1000 or not weight:
        return None
    return Result(place, weight, (ended.year, ended.month, ended.day) if ended else None)


class QuotasForm(_LinesForm):
    """Seats, and countries in the order of their ranking."""

    seats = forms.IntegerField(label=_("Seats"), min_value=1, max_value=MOST_SEATS, initial=70)
    nations = forms.CharField(
        label=_("Countries, the best first, a line each"),
        help_text=_(
            "Name, players in the ranking, those with 700 points or more, and where wished those above the mean of all."
        ),
        max_length=LONGEST,
        widget=forms.Textarea(attrs=_AREA | {"placeholder": "France 120 9 55\nItaly 60 4 31"}),
    )

    def clean_nations(self) -> list[Nation]:
        wrong = gettext("Line {n}, “{line}”: write for instance France 120 9, or France 120 9 55.")
        nations: list[Nation] = self._read("nations", _read_nation, wrong)
        return nations


def _read_nation(line: str) -> Nation | None:
    if (match := _NATION.fullmatch(line)) is None:
        return None
    above = int(match["above"]) if match["above"] else None
    return Nation(match["name"], int(match["players"]), int(match["strong"]), above)
