"""The particulars of a tournament, in one short form."""

from __future__ import annotations

from datetime import date
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from penalties.engine import FOUL_BOOKS
from scoring.engine import RULEBOOKS
from scoring.engine.problems import Problem
from tournament import zones
from tournament.forms.problems import add_problems
from tournament.models import Tournament
from tournament.services.tournaments import Particulars

RULEBOOK_NAMES = {
    "mcr": _("Mahjong Competition Rules"),
    "mwt": _("Mahjong Competition Rules, to the letter"),
    "guide": _("Guide to Chinese Official Mahjong"),
}
"""What the pages call the rulebooks a tournament can be played by."""


def playable_rulebooks() -> list[str]:
    """The rulebooks that have fouls as well as fans."""
    return [book.key for book in RULEBOOKS if book.key in FOUL_BOOKS]


class TournamentForm(forms.Form):
    """What the organiser says of a tournament; `fixed` once seats are drawn: rulebook and sessions then stay."""

    name = forms.CharField(label=pgettext_lazy("of a thing", "Name"), max_length=120)
    venue = forms.CharField(label=_("Venue"), max_length=120, required=False)
    starts_on = forms.DateField(
        label=_("First day"), widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"})
    )
    ends_on = forms.DateField(
        label=_("Last day"),
        help_text=_("Left empty, it ends on the day it starts."),
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
        required=False,
    )
    sessions_planned = forms.IntegerField(label=_("Sessions"), min_value=1, max_value=40)
    minutes = forms.IntegerField(label=_("Minutes a session"), min_value=10, max_value=600)
    time_zone = forms.ChoiceField(
        label=_("Time zone"), help_text=_("All times of the tournament are told by it.")
    )
    rulebook = forms.ChoiceField(label=_("Rulebook"))
    is_public = forms.BooleanField(
        label=_("Show the draw and the ranking to everybody"),
        help_text=_("Otherwise only organisers and umpires who are signed in see them."),
        required=False,
    )

    def __init__(self, *args: Any, fixed: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        rulebook = self.fields["rulebook"]
        assert isinstance(rulebook, forms.ChoiceField)
        rulebook.choices = [(key, RULEBOOK_NAMES[key]) for key in playable_rulebooks()]
        zone = self.fields["time_zone"]
        assert isinstance(zone, forms.ChoiceField)
        zone.choices = [(name, name.replace("_", " ")) for name in zones.to_choose()]
        for name in ("sessions_planned", "rulebook"):
            if fixed:
                self.fields[name].disabled = True
                self.fields[name].help_text = _("Fixed once the seats are drawn.")

    @classmethod
    def blank(cls) -> TournamentForm:
        """A form for a new tournament, filled with what is usual."""
        return cls(
            initial={
                "starts_on": timezone.localdate(),
                "sessions_planned": 5,
                "minutes": 120,
                "rulebook": "mcr",
                "time_zone": timezone.get_default_timezone_name(),
                "is_public": True,
            }
        )

    @staticmethod
    def particulars_of(tournament: Tournament) -> dict[str, Any]:
        """What a tournament's form starts from."""
        return {name: getattr(tournament, name) for name in TournamentForm.base_fields}

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        data["ends_on"] = data.get("ends_on") or data.get("starts_on")
        starts_on: date | None = data.get("starts_on")
        if starts_on and "ends_on" not in self.errors and data["ends_on"] < starts_on:
            add_problems(self, [Problem("ends_before_it_starts", "ends_on")])
        return data

    def particulars(self) -> Particulars:
        """What was entered; call when the form is valid."""
        return Particulars(**self.cleaned_data)
