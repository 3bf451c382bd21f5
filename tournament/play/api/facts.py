"""What clients write at a table (a hand, a foul, who is missing), sessions, and the addresses of a table."""

from collections.abc import Callable
from functools import partial
from typing import Any, TypedDict

from django.urls import reverse
from rest_framework import serializers

from penalties.engine import Sanction
from penalties.engine.facts import FACTS, FactKind
from penalties.engine.sanctions import PARSE_ERRORS
from penalties.models import Penalty
from scoring.engine import Fan
from tournament.base.engine.entries import HandEntry
from tournament.base.models.play import Hand, Seat, Session, Table
from tournament.base.selectors import is_withheld_from
from tournament.play.engine.statements import Accusation
from tournament.web.api.base import Reasoned, Remark
from tournament.web.api.typed import TypedField

Field = serializers.Field[Any, Any, Any, Any]
MAX_KEY_LENGTH = 40
"""Characters of a fan's key; none is longer."""
LARGEST = 2**31 - 1
"""What a database keeps in an integer."""
TILE_FIELDS = (
    *("concealed", "melds", "winning_tile", "flowers", "seat_wind", "prevalent_wind", "self_drawn"),
    *("last_tile_of_wall", "last_of_kind", "replacement", "robbing_kong"),
)
"""What is kept of a hand's record. Winds and the way of winning are worked out; given, they must be right."""


class Whole(serializers.IntegerField):
    """A whole number that a database keeps."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"min_value": -LARGEST, "max_value": LARGEST} | kwargs)

    def to_internal_value(self, data: Any) -> int:
        if isinstance(data, bool) or not isinstance(data, int):
            self.fail("invalid")
        return data


class WholeOrNot(Whole):
    """The same, or null, or left out."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"required": False, "allow_null": True, "default": None} | kwargs)


class TableWrite(serializers.Serializer[Any]):
    """`table_version`: the version of the table the client has seen. Left out, nothing is compared.

    `uuid`: the client's own name for what it writes; the same again is the same write.
    """

    table_version = WholeOrNot()

    def facts(self, *names: str) -> dict[str, Any]:
        """Return the arguments of every write at a table, and these fields."""
        data = self.validated_data
        arguments = {name: data[name] for name in ("uuid", *names) if name in data}
        return arguments | {"expected_version": data["table_version"]}


class AbsenceWrite(TableWrite):
    uuid = serializers.UUIDField()
    player = Whole()


class AbsenceStepRequest(TableWrite):
    arrived = serializers.BooleanField(required=False, default=False, help_text="The player is here.")
    begun_because = Remark(help_text="Why the others begin before the foul book lets them.")


class StandInWrite(TableWrite):
    name = Remark(max_length=Seat.stand_in.field.max_length)


class ExtraTimeRequest(TableWrite, Reasoned):
    minutes = Whole()


class HandFact(serializers.Serializer[Any]):
    outcome = serializers.CharField(help_text="`win`, `draw` (a wash-out) or `pending` (to be ruled on).")
    winner = WholeOrNot()
    discarder = WholeOrNot()
    tiles = serializers.JSONField(required=False, allow_null=True, default=None)
    points = WholeOrNot(
        help_text="As announced, flowers included; instead of the tiles, or to be held against them.",
    )
    fans = serializers.DictField(
        child=serializers.IntegerField(min_value=1, max_value=99),
        required=False,
        allow_null=True,
        default=None,
        help_text="As announced, key → times; instead of the tiles, or to be held against them.",
    )
    override = Remark(help_text="Why the announcement counts against the tiles, or below the minimum.")
    claimants = serializers.ListField(
        child=Whole(),
        required=False,
        default=list,
        max_length=4,
        help_text="Who else claimed the winning discard; who claims a pending hand.",
    )
    absent = serializers.ListField(
        child=Whole(),
        required=False,
        allow_null=True,
        default=None,
        max_length=4,
        help_text="Whose seats were empty, with nobody standing in. Left out: whoever is noted as missing.",
    )

    dispute = Remark(
        max_length=Hand.dispute.field.max_length,
        help_text="What each side claims: only of a `pending` hand, which has no winner, no discarder and no points.",
    )

    def validate_tiles(self, value: Any) -> Any:
        if value is None:
            return None
        if not isinstance(value, dict):
            raise serializers.ValidationError("an object is expected")
        record = {name: value[name] for name in TILE_FIELDS if value.get(name) is not None}
        if isinstance(record.get("melds"), list):
            record["melds"] = [_meld(meld) for meld in record["melds"]]
        return record

    def validate_fans(self, value: dict[str, int] | None) -> dict[str, int] | None:
        if value is not None and (len(value) > len(Fan) or any(len(key) > MAX_KEY_LENGTH for key in value)):
            raise serializers.ValidationError("no hand has so many fans")
        return value

    def entry(self) -> HandEntry:
        data = self.validated_data
        names = ("outcome", "winner", "discarder", "tiles", "points", "fans", "override", "dispute")
        return HandEntry(
            **{name: data[name] for name in names},
            claimants=tuple(dict.fromkeys(data["claimants"])),
            absent=None if data["absent"] is None else tuple(dict.fromkeys(data["absent"])),
        )


def _meld(meld: Any) -> Any:
    """Strip a meld of whatever else a client may have put there; what is no meld is left for the engine to refuse."""
    if not isinstance(meld, dict):
        return meld
    return {name: meld[name] for name in ("type", "tiles", "concealed") if name in meld}


class HandPreview(HandFact):
    number = Whole()


class HandWrite(HandFact, TableWrite):
    number = Whole()
    uuid = serializers.UUIDField()
    in_time = serializers.BooleanField(
        required=False,
        allow_null=True,
        default=None,
        help_text="After the time is up: whether it was finished before, or, where the hand under way is finished, "
        "begun before. Left out, a hand that is saved late is shown to the organiser; with false it does not count "
        "and is refused.",
    )


class HandCorrection(HandFact, TableWrite, Reasoned):
    uuid = serializers.UUIDField()


class SanctionField(TypedField):
    """The umpire's own sanction."""

    shape = Sanction

    def to_internal_value(self, data: Any) -> Sanction:
        try:
            return Sanction.from_json(data)
        except PARSE_ERRORS:
            raise serializers.ValidationError("not a sanction") from None


class FoulFact(serializers.Serializer[Any]):
    """A foul, and those of `penalties.engine.facts.FACTS` that it asks for."""

    player = Whole()
    foul = serializers.CharField(max_length=Penalty.foul.field.max_length)
    hand_number = WholeOrNot()
    note = Remark(max_length=Penalty.note.field.max_length)
    sanction = SanctionField(required=False, allow_null=True, default=None)
    because = Remark(max_length=Penalty.because.field.max_length)

    def get_fields(self) -> dict[str, Field]:
        of_kind: dict[FactKind, Callable[[], Field]] = {
            FactKind.WHOLE: WholeOrNot,
            FactKind.PLAYER: WholeOrNot,
            FactKind.YES_NO: _or_not(serializers.BooleanField),
            FactKind.CHOICE: _or_not(serializers.CharField),
        }
        return super().get_fields() | {name: of_kind[kind]() for name, kind in FACTS.items()}

    def to_accusation(self) -> Accusation:
        return Accusation.of(self.validated_data, self.validated_data["sanction"])


def _or_not(field: type[Field]) -> Callable[[], Field]:
    return partial(field, required=False, allow_null=True, default=None)


class PenaltyWrite(FoulFact, TableWrite):
    uuid = serializers.UUIDField()


class Cancellation(TableWrite, Reasoned):
    """`reason`: why the penalty is taken back."""


STEPS = {"hand_in": "hand-in", "reopen": "reopen"}
WRITES = {
    "desk": "api_desk",
    "hands": "api_hands",
    "preview": "api_preview",
    "penalties": "api_penalties",
    "penalty_preview": "api_penalty_preview",
    "absences": "api_absences",
    "appeals": "api_appeals",
    "calls": "api_table_calls",
    "extra_time": "api_extra_time",
}


def url_of(name: str, table: Table, **more: Any) -> str:
    """Return the address called `name` at this table."""
    session = table.session
    where = {"slug": session.tournament.slug, "session": session.number, "number": table.number}
    return reverse(name, kwargs=where | more)


def urls_of(table: Table) -> dict[str, str]:
    """Map what can be done at the table to its address."""
    steps = {key: url_of("api_table_step", table, step=step) for key, step in STEPS.items()}
    return {key: url_of(name, table) for key, name in WRITES.items()} | steps


class TableOfSession(TypedDict):
    """A table with its starting seats (wind → player number) and how far it is, null for who is not told."""

    number: int
    seats: dict[str, int]
    hands_played: int | None
    is_in: bool | None
    on_paper: bool
    counts_totals: bool | None
    version: int | None


class SessionSerializer(serializers.ModelSerializer[Session]):
    """Asks in its context for whom the sessions are read: `audience`."""

    tables = serializers.SerializerMethodField()

    class Meta:
        model = Session
        fields = ("number", "state", "started_at", "closed_at", "hidden", "tables")

    def get_tables(self, session: Session) -> list[TableOfSession]:
        is_open = not is_withheld_from(self.context["audience"], session)
        return [
            {
                "number": table.number,
                "seats": {seat.wind: seat.player.number for seat in table.seats.all()},
                "hands_played": table.hands_played if is_open else None,
                "is_in": table.is_in if is_open else None,
                "on_paper": table.is_on_paper,
                "counts_totals": table.counts_totals if is_open else None,
                "version": table.version if is_open else None,
            }
            for table in session.tables.all()
        ]
