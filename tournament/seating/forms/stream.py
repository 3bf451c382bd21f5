"""Who is to sit at the table that is filmed, and when."""

from __future__ import annotations

import re
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from scoring.engine.problems import Problem
from tournament.base.models.play import Session
from tournament.base.models.tournament import Tournament
from tournament.web.forms.problems import add_problems
from tournament.web.forms.spoken import Form


class StreamForm(Form):
    players = forms.CharField(
        label=_("Players"),
        help_text=_(
            "Player numbers, for instance 3, 17: one in any number of sessions, or up to four together."
        ),
        max_length=60,
        widget=forms.TextInput(attrs={"autocomplete": "off", "inputmode": "numeric"}),
    )
    table = forms.IntegerField(label=_("Table that is filmed"), min_value=1, initial=1)
    sessions = forms.TypedMultipleChoiceField(
        label=_("Sessions"), coerce=int, widget=forms.CheckboxSelectMultiple
    )

    def __init__(self, tournament: Tournament, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        planned = tournament.sessions.filter(state=Session.State.PLANNED, tables__isnull=False).distinct()
        self.planned = [session.number for session in planned]
        field = self.fields["sessions"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [(number, str(number)) for number in self.planned]
        field.widget.attrs["class"] = "numbers"

    def clean_players(self) -> list[int]:
        found = []
        for part in filter(None, re.split(r"[\s,;、，；]+", self.cleaned_data["players"])):
            if not re.fullmatch(r"\d{1,4}", part, re.ASCII):
                add_problems(self, [Problem("number_not_whole", "players", {"text": part})])
                return []
            found.append(int(part))
        return found
