"""What an organiser asks of a draw: the seed and the wishes."""

from __future__ import annotations

import re
import secrets
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from scoring.engine.problems import Problem
from tournament.base.models.tournament import Tournament
from tournament.seating.engine.inputs import DrawWish
from tournament.web.forms.problems import add_problems
from tournament.web.forms.spoken import Form


def proposed_seed() -> str:
    """Six numbers, as a lottery draws them; anything else serves as well."""
    numbers = sorted(secrets.SystemRandom().sample(range(1, 50), 6))
    return " · ".join(map(str, numbers))


class DrawForm(Form):
    seed = forms.CharField(
        label=_("Seed"),
        help_text=_(
            "The same players and the same seed give the same seats, whoever draws. "
            "Take something the hall can check: lottery numbers, a word called out."
        ),
        max_length=80,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    sessions = forms.TypedChoiceField(
        label=_("Drawn in advance"),
        help_text=_(
            "Sessions that are not drawn in advance are seated one by one, for instance by standing."
        ),
        coerce=int,
        required=False,
        empty_value=None,
    )
    teams = forms.BooleanField(
        label=_("Team-mates never meet"),
        help_text=_(
            "Even if others then have to meet twice. Otherwise they meet as rarely as is possible without that."
        ),
        required=False,
    )
    clubs = forms.BooleanField(label=_("Club-mates meet late and rarely"), required=False)
    countries = forms.BooleanField(label=_("Compatriots meet late and rarely"), required=False)
    forbidden = forms.CharField(
        label=_("Pairs that must not meet"),
        help_text=_("Player numbers, for instance 3-17, 5-12. Published with the draw’s certificate."),
        max_length=400,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    stay = forms.CharField(
        label=_("Players who stay at one table"),
        help_text=_("Player and table, for instance 3:1, 17:4. Published with the draw’s certificate."),
        max_length=400,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def __init__(self, tournament: Tournament, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        planned = tournament.sessions_planned
        field = self.fields["sessions"]
        assert isinstance(field, forms.ChoiceField)
        some = [
            (n, ngettext("the first session", "the first %(n)s sessions", n) % {"n": n})
            for n in range(1, planned)
        ]
        field.choices = [("", _("all sessions")), *some]
        if planned == 1:
            del self.fields["sessions"]
        for wish, name in (("teams", "team"), ("clubs", "club"), ("countries", "country")):
            if not tournament.players.exclude(**{name: ""}).exists():
                del self.fields[wish]

    def clean_forbidden(self) -> tuple[tuple[int, int], ...]:
        return self._couples("forbidden", r"[-–—]", "not_pairs")

    def clean_stay(self) -> tuple[tuple[int, int], ...]:
        return self._couples("stay", r"[:：]", "not_stays")

    def wanted(self) -> DrawWish:
        """The wishes; call when the form is valid."""
        data = self.cleaned_data
        return DrawWish(
            teams=data.get("teams", False),
            clubs=data.get("clubs", False),
            countries=data.get("countries", False),
            forbidden=data["forbidden"],
            stay=data["stay"],
            sessions=data.get("sessions"),
        )

    def _couples(self, field: str, between: str, code: str) -> tuple[tuple[int, int], ...]:
        """Two numbers with a sign between them, any number of times."""
        found = []
        for part in filter(
            None, (part.strip() for part in re.split(r"[,;、，；]", self.cleaned_data[field]))
        ):
            written = re.fullmatch(rf"(\d{{1,4}})\s*{between}\s*(\d{{1,4}})", part, re.ASCII)
            if written is None:
                add_problems(self, [Problem(code, field, {"text": part})])
                return ()
            found.append((int(written[1]), int(written[2])))
        return tuple(found)
