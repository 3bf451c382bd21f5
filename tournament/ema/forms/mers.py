"""Reckoning with the European ranking: results, or countries, a line each, as people write them."""

from __future__ import annotations

import re
from datetime import date
from fractions import Fraction
from typing import Any, Final

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.ema.engine.mers import Nation, Result, base
from tournament.web.forms.spoken import Form

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


class _Lines(Form):
    """Anything that is no line is said with its number, all of them."""

    def _lines(self, name: str) -> list[tuple[int, str]]:
        text = self.cleaned_data.get(name, "")
        found = [(n, line.strip()) for n, line in enumerate(text.splitlines(), 1) if line.strip()]
        if len(found) > MOST_LINES:
            raise ValidationError(_("At most {most} lines.").format(most=MOST_LINES))
        return found

    def _read(self, name: str, read: Any, wrong: str) -> list[Any]:
        """Each line as it is read; `wrong` says of one that is none, with {n} and {line}, how it is written."""
        found, faults = [], []
        for n, line in self._lines(name):
            told = read(line)
            if told is None:
                faults.append(wrong.format(n=n, line=line[:60]))
            found.append(told)
        if faults:
            raise ValidationError(faults[:10])
        return found


class ScoreForm(_Lines):
    """Results of a player."""

    results = forms.CharField(
        label=gettext_lazy("Results, a line each"),
        help_text=gettext_lazy(
            "A base or a place of so many, then the weight, and where wished the last day."
        ),
        max_length=LONGEST,
        widget=forms.Textarea(attrs=_AREA | {"placeholder": "32/60 2.5 2026-03-15\n867 1"}),
    )
    on = forms.DateField(
        label=gettext_lazy("On the day"),
        help_text=gettext_lazy("Left out, no result is too old."),
        required=False,
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
    )

    def clean_results(self) -> list[Result]:
        wrong = _("Line {n}, “{line}”: write for instance 475 2.5, or 32/60 2.5 2026-03-15.")
        found: list[Result] = self._read("results", _result, wrong)
        return found


class QuotasForm(_Lines):
    """Seats, and countries in the order of their ranking."""

    seats = forms.IntegerField(label=gettext_lazy("Seats"), min_value=1, max_value=MOST_SEATS, initial=70)
    nations = forms.CharField(
        label=gettext_lazy("Countries, the best first, a line each"),
        help_text=gettext_lazy(
            "Name, players in the ranking, those with 700 points or more, and where wished those above the mean of all."
        ),
        max_length=LONGEST,
        widget=forms.Textarea(attrs=_AREA | {"placeholder": "France 120 9 55\nItaly 60 4 31"}),
    )

    def clean_nations(self) -> list[Nation]:
        wrong = _("Line {n}, “{line}”: write for instance France 120 9, or France 120 9 55.")
        found: list[Nation] = self._read("nations", _nation, wrong)
        return found


def _result(line: str) -> Result | None:
    if (said := _RESULT.fullmatch(line)) is None:
        return None
    try:
        place = int(said["base"]) if said["base"] else base(int(said["place"]), int(said["players"]))
        ended = date.fromisoformat(said["ended"]) if said["ended"] else None
    except ValueError:
        return None
    weight = Fraction(said["weight"])
    if place > 1000 or not weight:
        return None
    return Result(place, weight, (ended.year, ended.month, ended.day) if ended else None)


def _nation(line: str) -> Nation | None:
    if (said := _NATION.fullmatch(line)) is None:
        return None
    above = int(said["above"]) if said["above"] else None
    return Nation(said["name"], int(said["players"]), int(said["strong"]), above)
