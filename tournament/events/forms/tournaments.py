"""The particulars of a tournament, in one short form."""

from __future__ import annotations

from datetime import date
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from scoring.engine import find_rulebook
from scoring.engine.problems import Problem
from scoring.texts import rulebook_name
from tournament.base import zones
from tournament.base.engine.rules import PLAYABLE
from tournament.base.models.tournament import Tournament
from tournament.events.selectors.particulars import APPEAL_MINUTES, FIXED_BY_THE_DRAW, RANGES, Particulars
from tournament.web.forms.problems import add_problems
from tournament.web.forms.spoken import Form


def _between(particular: str) -> dict[str, Any]:
    least, most = RANGES[particular]
    return {"min_value": least, "max_value": most}


class TournamentForm(Form):
    """What the organiser says of a tournament; `fixed` once seats are drawn: what rests on them then stays."""

    name = forms.CharField(
        label=pgettext_lazy("of a thing", "Name"),
        help_text=_("For example: Open de Lyon 2027."),
        max_length=120,
    )
    venue = forms.CharField(
        label=_("Venue"), help_text=_("For example: Salle Molière, Lyon."), max_length=120, required=False
    )
    starts_on = forms.DateField(
        label=_("First day"),
        help_text=_("For example the Saturday. The timetable moves with it."),
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
    )
    ends_on = forms.DateField(
        label=_("Last day"),
        help_text=_("For example the Sunday. Left empty, it ends on the day it starts."),
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
        required=False,
    )
    sessions_planned = forms.IntegerField(
        label=_("Sessions"),
        help_text=_("For example 5: four on the first day, one on the second."),
        **_between("sessions_planned"),
    )
    minutes = forms.IntegerField(
        label=_("Minutes a session"),
        help_text=_("For example 120: seven and a half minutes for each of sixteen hands."),
        **_between("minutes"),
    )
    appeal_minutes = forms.IntegerField(
        label=_("Minutes for appeals after a session"),
        help_text=_("0: a question is raised and settled at once, before play goes on. Left empty: 30."),
        **_between("appeal_minutes"),
        required=False,
    )
    time_zone = forms.ChoiceField(
        label=_("Time zone"),
        help_text=_(
            "All times of the tournament are told by it. Type a part of it: Paris finds Europe/Paris."
        ),
        widget=forms.TextInput(attrs={"list": "zones", "autocomplete": "off", "spellcheck": "false"}),
    )
    rulebook = forms.ChoiceField(
        label=_("Rulebook"),
        help_text=_("For example MCR, as most tournaments play. It says what fans and fouls count."),
    )
    held_out_waits = forms.ChoiceField(
        label=_("A tile whose four copies one holds oneself"),
        help_text=_(
            "A wait in MCR, none in the other rulebooks. "
            "As a wait it leaves the tile that won no Edge, Closed or Single Wait."
        ),
        choices=[
            ("", _("as the rulebook says")),
            ("yes", _("is a wait")),
            ("no", _("is no wait")),
        ],
        required=False,
    )
    is_public = forms.BooleanField(
        label=_("Show the draw and the ranking to everybody"),
        help_text=_("Otherwise only organisers and umpires who are signed in see them."),
        required=False,
    )

    def __init__(self, *args: Any, fixed: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        rulebook = self.fields["rulebook"]
        assert isinstance(rulebook, forms.ChoiceField)
        rulebook.choices = [(key, rulebook_name(find_rulebook(key))) for key in PLAYABLE]
        zone = self.fields["time_zone"]
        assert isinstance(zone, forms.ChoiceField)
        zone.choices = [(name, name) for name in zones.to_choose()]
        for name in FIXED_BY_THE_DRAW:
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
                "appeal_minutes": APPEAL_MINUTES,
                "rulebook": "mcr",
                "time_zone": timezone.get_default_timezone_name(),
                "is_public": True,
            }
        )

    @staticmethod
    def particulars_of(tournament: Tournament) -> dict[str, Any]:
        """What a tournament's form starts from."""
        known = {name: getattr(tournament, name) for name in TournamentForm.base_fields}
        return known | {"held_out_waits": _choice(tournament)}

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        data["ends_on"] = data.get("ends_on") or data.get("starts_on")
        if data.get("appeal_minutes") is None:
            data["appeal_minutes"] = APPEAL_MINUTES
        starts_on: date | None = data.get("starts_on")
        if starts_on and "ends_on" not in self.errors and data["ends_on"] < starts_on:
            add_problems(self, [Problem("ends_before_it_starts", "ends_on")])
        return data

    def particulars(self) -> Particulars:
        """What was entered; call when the form is valid."""
        data = dict(self.cleaned_data)
        usual = find_rulebook(data["rulebook"]).held_out_waits
        data["held_out_waits"] = _HELD_OUT.get(data["held_out_waits"], usual)
        return Particulars(**data)


_HELD_OUT = {"yes": True, "no": False}


def _choice(tournament: Tournament) -> str:
    """What is chosen of `held_out_waits`: nothing where the tournament follows its rulebook."""
    if tournament.held_out_waits == find_rulebook(tournament.rulebook).held_out_waits:
        return ""
    return "yes" if tournament.held_out_waits else "no"


class DeletionForm(Form):
    """The name of the tournament, typed, so that nobody deletes one by a slip."""

    name = forms.CharField(
        label=_("The tournament’s name"), widget=forms.TextInput(attrs={"autocomplete": "off"})
    )

    def __init__(self, *args: Any, is_trial: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].required = not is_trial
