"""A penalty given from the organiser's pages: first who, when and what; then what that foul asks for."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from django import forms
from django.utils.text import capfirst
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from penalties.engine import Foul, Need, PaidTo, Points, PointScope, Sanction
from penalties.engine.facts import stated
from penalties.engine.rules import Amounts, Cases, Choice, Ladder
from penalties.engine.sanctions import MOST_POINTS, NO_SANCTION, SANCTION_FLAGS
from penalties.texts import flag_text, foul_name, name_in
from tournament.base.access import Audience
from tournament.base.models.play import Seat, Session, Table
from tournament.base.models.tournament import Tournament
from tournament.fouls.selectors.penalties import PenaltyFilter, fouls_given, penalties_of
from tournament.play.engine.statements import Accusation
from tournament.web.forms.spoken import Form

PAID_TO = (
    (PaidTo.NOBODY.value, _("nobody is paid")),
    (PaidTo.EACH_OPPONENT.value, _("each of the others")),
    (PaidTo.VICTIM.value, _("one of the others")),
)
SCOPES = (
    (PointScope.SESSION.value, _("the session’s score")),
    (PointScope.TOURNAMENT.value, _("the final sum alone")),
    (PointScope.TABLE_POINTS.value, _("the table points")),
)


class FilterForm(Form):
    """Which penalties to list."""

    player = forms.TypedChoiceField(label=_("Player"), coerce=int, required=False, empty_value=None)
    foul = forms.ChoiceField(label=_("Foul"), required=False)
    session = forms.TypedChoiceField(label=_("Session"), coerce=int, required=False, empty_value=None)

    def __init__(self, tournament: Tournament, audience: Audience, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        fined = tournament.players.filter(penalties__in=penalties_of(tournament, audience)).distinct()
        book = tournament.rules.fouls
        sessions = tournament.sessions.exclude(state=Session.State.PLANNED)
        _choose(self, "player", [(one.number, one.name) for one in fined], _("everybody"))
        _choose(
            self,
            "foul",
            [(key, name_in(book, key)) for key in fouls_given(tournament, audience)],
            _("every foul"),
        )
        _choose(self, "session", [(one.number, str(one.number)) for one in sessions], _("every session"))

    def wanted(self) -> PenaltyFilter:
        """What was asked for, as far as it is a choice."""
        return PenaltyFilter(**self.cleaned_data) if self.is_valid() else PenaltyFilter()


class WhoAndWhat(Form):
    """The player, the session and the foul: all a penalty starts from."""

    player = forms.TypedChoiceField(label=_("Player"), coerce=int)
    session = forms.TypedChoiceField(label=_("Session"), coerce=int)
    foul = forms.ChoiceField(label=_("Foul"))

    def __init__(self, tournament: Tournament, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        begun = list(tournament.sessions.exclude(state=Session.State.PLANNED).order_by("-number"))
        seated = tournament.players.filter(seats__table__session__in=begun).distinct()
        fouls = tournament.rules.fouls.fouls
        _choose(self, "player", [(one.number, f"{one.number} {one.name}") for one in seated], "–")
        _choose(self, "session", [(one.number, str(one.number)) for one in begun])
        _choose(self, "foul", [(foul.key, foul_name(foul)) for foul in fouls], "–")
        self.tournament = tournament

    def clean(self) -> dict[str, Any]:
        if not self.errors and self.table() is None:
            self.add_error("session", _("The player has no seat in this session."))
        return self.cleaned_data

    def table(self) -> Table | None:
        """Where the player sits in that session."""
        seat = Seat.objects.filter(
            player__tournament=self.tournament,
            player__number=self.cleaned_data["player"],
            table__session__number=self.cleaned_data["session"],
        ).select_related("table__session__tournament")
        found = seat.first()
        return found.table if found else None


class PenaltyForm(Form):
    """What this foul asks for, and another sanction than the foul book's. The service says what is wrong."""

    uuid = forms.UUIDField(widget=forms.HiddenInput, initial=uuid4)
    hand_number = forms.TypedChoiceField(label=_("Hand"), coerce=int, required=False, empty_value=None)
    minutes = forms.IntegerField(label=_("Minutes late"), required=False)
    points = forms.IntegerField(label=_("How many points?"), required=False)
    victim = forms.TypedChoiceField(
        label=_("To whom was it done?"), coerce=int, required=False, empty_value=None
    )
    hu_was_valid = forms.TypedChoiceField(
        label=_("Was the hu valid?"),
        choices=[("", "–"), ("yes", _("Yes")), ("no", _("No"))],
        coerce=lambda said: said == "yes",
        required=False,
        empty_value=None,
    )
    circumstance = forms.TypedChoiceField(label=_("How did it happen?"), required=False, empty_value=None)
    tile_seen = forms.BooleanField(label=_("The tile was seen"), required=False)
    note = forms.CharField(label=_("Note"), required=False, max_length=300)
    own = forms.BooleanField(label=_("Impose something else"), required=False)
    amount = forms.IntegerField(label=_("Points"), required=False, min_value=1, max_value=MOST_POINTS)
    paid_to = forms.ChoiceField(label=_("Paid to"), choices=PAID_TO, required=False)
    scope = forms.ChoiceField(label=_("Taken off"), choices=SCOPES, required=False)
    flags = forms.MultipleChoiceField(
        label=_("What else?"), required=False, widget=forms.CheckboxSelectMultiple
    )
    because = forms.CharField(label=_("Why not as in the foul book?"), required=False, max_length=300)

    OWN = ("own", "amount", "paid_to", "scope", "flags", "because")

    def __init__(self, entry: Foul, table: Table, player: int, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.entry, self.player = entry, player
        others = [
            seat.player for seat in table.seats.select_related("player") if seat.player.number != player
        ]
        hands = [(number, str(number)) for number in range(1, table.hands_begun + 1)]
        _choose(self, "hand_number", hands, _("outside a hand"))
        _choose(self, "victim", [(one.number, one.name) for one in others], "–")
        if isinstance(entry.rule, Choice):
            self.fields["points"] = _points(entry.rule.amounts)
        _choose(self, "circumstance", _cases(entry), "–")
        _choose(self, "flags", [(flag, capfirst(flag_text(flag))) for flag in SANCTION_FLAGS])
        for name in {need.value for need in Need} - {need.value for need in entry.needs} - {"victim"}:
            del self.fields[name]
        if not (isinstance(entry.rule, Ladder) and entry.rule.if_seen != NO_SANCTION):
            del self.fields["tile_seen"]

    def facts(self) -> list[forms.BoundField]:
        """The fields about what happened."""
        return [field for field in self if field.name not in (*self.OWN, "uuid", "note", *self._unasked())]

    def receiver(self) -> forms.BoundField | None:
        """Who is paid by another sanction, where the foul itself does not ask for anybody."""
        return self["victim"] if self._unasked() else None

    def _unasked(self) -> tuple[str, ...]:
        return () if Need.VICTIM in self.entry.needs else ("victim",)

    def stated(self) -> Accusation:
        """What was entered; call when the form is valid."""
        data = self.cleaned_data
        return Accusation(
            player=self.player,
            foul=self.entry.key,
            hand_number=data["hand_number"],
            victim=data["victim"],
            details=stated(data),
            note=data["note"],
            imposed=self._own() if data["own"] else None,
            because=data["because"],
        )

    def _own(self) -> Sanction:
        data = self.cleaned_data
        points = None
        if data["amount"]:
            paid_to = PaidTo(data["paid_to"] or PaidTo.NOBODY)
            scope = PointScope(data["scope"] or PointScope.SESSION)
            points = Points(data["amount"], scope if paid_to is PaidTo.NOBODY else PointScope.HAND, paid_to)
        return Sanction(points=points, **dict.fromkeys(data["flags"], True))


class CancelForm(Form):
    reason = forms.CharField(label=_("Why is it cancelled?"), max_length=300, required=False)


def _cases(entry: Foul) -> list[tuple[str, str]]:
    if not isinstance(entry.rule, Cases) or entry.rule.fact is not Need.CIRCUMSTANCE:
        return []
    language = get_language() or "en"
    return [(case.key, case.names.in_language(language)) for case in entry.rule.cases]


def _points(amounts: Amounts) -> forms.Field:
    """One of the figures; from a range a number, which the service holds against it."""
    label = _("How many points?")
    if isinstance(amounts, range):
        least, most = min(amounts), max(amounts)
        return forms.IntegerField(
            label=label,
            help_text=_("Any whole number from %(least)s to %(most)s.") % {"least": least, "most": most},
            widget=forms.NumberInput(attrs={"min": least, "max": most}),
            required=False,
        )
    figures = [("", "–"), *((amount, str(amount)) for amount in amounts)]
    return forms.TypedChoiceField(label=label, choices=figures, coerce=int, required=False, empty_value=None)


def _choose(form: forms.Form, name: str, choices: list[Any], none: Any = None) -> None:
    field = form.fields[name]
    assert isinstance(field, forms.ChoiceField)
    field.choices = choices if none is None else [("", none), *choices]
