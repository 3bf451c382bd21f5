"""How one session is seated, and its seats written by hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django import forms
from django.forms import BoundField
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.engine.problems import Problem
from tournament.base.engine.rotation import WINDS
from tournament.seating.engine import How
from tournament.seating.selectors.session_seats import SessionWish
from tournament.web.forms.problems import add_problems
from tournament.web.forms.spoken import Form
from tournament.web.texts.winds import NAMES

HAND = "hand"


class SeatsForm(Form):
    how = forms.ChoiceField(
        label=_("How"),
        choices=[
            (How.STANDING.value, _("By standing (Swiss): neighbours in the standings meet, nobody twice")),
            (How.INTERVAL.value, _("At intervals: one from each quarter of the standings at every table")),
            (How.LOT.value, _("By lot, nobody twice")),
            (HAND, _("By hand")),
        ],
        widget=forms.RadioSelect,
    )
    seed = forms.CharField(
        label=_("Seed"),
        help_text=_("By standing and by lot: the same standings and the same seed give the same seats."),
        max_length=80,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    @property
    def is_by_hand(self) -> bool:
        return bool(self.cleaned_data["how"] == HAND)

    def wish(self) -> SessionWish:
        """Call when the form is valid, and not by hand. At intervals nothing is drawn."""
        how = How(self.cleaned_data["how"])
        return SessionWish(how, "" if how is How.INTERVAL else self.cleaned_data["seed"])


class HandSeatsForm(Form):
    """A player's number for every seat of a session: fields t1E, t1S … in the order of the tables."""

    def __init__(self, tables: Sequence[Mapping[str, int]], *args: Any, **kwargs: Any) -> None:
        """`tables`: the seats to start from, as many as there are to be; 0 for nobody."""
        super().__init__(*args, **kwargs)
        self.tables = len(tables)
        for number, table in enumerate(tables, 1):
            for wind in WINDS:
                self.fields[f"t{number}{wind}"] = forms.IntegerField(
                    label=gettext("Table %(n)s, %(wind)s") % {"n": number, "wind": NAMES[wind]},
                    initial=table.get(wind) or None,
                    widget=forms.TextInput(
                        attrs={"inputmode": "numeric", "list": "people", "autocomplete": "off"}
                    ),
                )

    def rows(self) -> list[tuple[int, list[tuple[str, BoundField]]]]:
        """(table, its four fields by wind)."""
        return [
            (number, [(wind, self[f"t{number}{wind}"]) for wind in WINDS])
            for number in range(1, self.tables + 1)
        ]

    def wish(self) -> SessionWish:
        """Call when the form is valid."""
        data = self.cleaned_data
        numbers = range(1, self.tables + 1)
        return SessionWish(tables=[{wind: data[f"t{number}{wind}"] for wind in WINDS} for number in numbers])

    def say(self, problems: Iterable[Problem]) -> None:
        """Each problem beside the seat that it is about, where that can be told."""
        add_problems(self, [Problem(fault.code, self._seat(fault), fault.params) for fault in problems])

    def _seat(self, fault: Problem) -> str:
        """The last field at the table named by `where` with the player's number in it."""
        table = fault.where.rpartition(" ")[2]
        names = [f"t{table}{wind}" for wind in WINDS if f"t{table}{wind}" in self.fields]
        hits = [name for name in names if self.cleaned_data.get(name) == fault.params.get("player")]
        return hits[-1] if hits else ""
