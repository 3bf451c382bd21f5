"""Which two players change seats, and when; and which two sat in each other's places."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournament.base.models.play import Seat, Session
from tournament.base.models.tournament import Tournament
from tournament.web.forms.spoken import Form
from tournament.web.texts.winds import NAMES


class SwapForm(Form):
    one = forms.TypedChoiceField(label=_("Player"), coerce=int)
    other = forms.TypedChoiceField(label=_("Changes seats with"), coerce=int)
    session = forms.TypedChoiceField(label=_("Session"), coerce=int, required=False, empty_value=None)

    def __init__(self, tournament: Tournament, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        planned = tournament.sessions.filter(state=Session.State.PLANNED)
        self.planned = [session.number for session in planned]
        self.seated = [session.number for session in planned.filter(tables__isnull=False).distinct()]
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


class WrongSeatsForm(Form):
    """Two of those who sit in a session."""

    one = forms.TypedChoiceField(label=_("Player"), coerce=int)
    other = forms.TypedChoiceField(label=_("Sat in the place of"), coerce=int)

    def __init__(self, session: Session, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        seats = Seat.objects.filter(table__session=session).select_related("player", "table")
        people = [(seat.player.number, _seated(seat)) for seat in seats.order_by("table__number", "id")]
        for name in ("one", "other"):
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)
            field.choices = [("", "–"), *people]


def _seated(seat: Seat) -> str:
    text = gettext("Table %(n)s, %(wind)s") % {"n": seat.table.number, "wind": NAMES[seat.wind]}
    return f"{text}: {seat.player.name} ({seat.player.number})"
