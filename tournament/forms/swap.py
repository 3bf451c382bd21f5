"""Which two players change seats, and when."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.models import Session, Tournament


class SwapForm(forms.Form):
    one = forms.TypedChoiceField(label=_("Player"), coerce=int)
    other = forms.TypedChoiceField(label=_("Changes seats with"), coerce=int)
    session = forms.TypedChoiceField(label=_("Session"), coerce=int, required=False, empty_value=None)

    def __init__(self, tournament: Tournament, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        planned = tournament.sessions.filter(state=Session.State.PLANNED)
        self.planned = [session.number for session in planned]
        seated = tournament.players.filter(seats__isnull=False).distinct()
        people = [(player.number, f"{player.number} {player.name}") for player in seated]
        self._choose("one", [("", "–"), *people])
        self._choose("other", [("", "–"), *people])
        every = ("", _("every session still to play"))
        self._choose("session", [every, *((number, str(number)) for number in self.planned)])

    def sessions(self) -> list[int]:
        """The sessions meant; call when the form is valid."""
        chosen = self.cleaned_data["session"]
        return self.planned if chosen is None else [chosen]

    def _choose(self, name: str, choices: list[Any]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices
