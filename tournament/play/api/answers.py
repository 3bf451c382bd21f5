"""What is answered about a table: how it stands for its umpires, and what a write at it made."""

from typing import Any, TypedDict

from rest_framework import serializers

from tournament.base import hooks
from tournament.base.models.play import Hand
from tournament.play.engine.preview import JudgedHand
from tournament.web.api.typed import EXTENDED_BY, TypedField, typedefs

# --- A table for its umpires ---


class Wind(TypedDict):
    code: str
    name: str
    character: str
    letter: str
    dealer: bool


class Place(TypedDict):
    """Where a player sits in a hand: the side of the picture and the wind."""

    side: str
    wind: Wind


class Signed(TypedDict):
    """When the player signed the sheet as it stands, or why an earlier signature is void."""

    signed: str
    unsigned_because: str


class SeatState(Place, Signed):
    player: int
    name: str
    start: str
    score: int | None
    stand_in: str
    withdrawn: bool
    excluded: str
    table_points: str
    signature_url: str
    stand_in_url: str


class Round(TypedDict):
    character: str
    name: str


class ClockState(TypedDict):
    """`paused`: since when the clock of the hall stands still; `ends` as if it did not."""

    ends: str
    warns: str
    paused: str | None
    minutes: int
    extra: int
    warning: int
    counts_last_hand: bool


class HandVersion(TypedDict):
    """A hand as it was entered once; `payments` by player."""

    uuid: str
    version: int
    outcome: str
    winner: int | None
    discarder: int | None
    points: int | None
    announced: dict[str, Any] | None
    claimants: list[int]
    override: str
    overridden: str
    dispute: str
    deepens: bool
    payments: dict[str, int]
    text: str
    by: str
    at: str
    reason: str


class LaidTile(TypedDict):
    code: str
    side: bool
    win: bool


class HandState(HandVersion):
    """A hand's current version, and those before it, the newest first.

    `saved_in`: the minute in which it was saved after the time was up; `mine`: who asks entered it.
    """

    url: str
    number: int
    round: Round
    places: dict[int, Place]
    absent: list[int]
    tiles: dict[str, Any] | None
    laid: list[list[LaidTile]]
    before: list[HandVersion]
    saved_in: int | None
    mine: bool


class UndoState(TypedDict):
    """The hand that this person may take back, and until when."""

    number: int
    until: str


class Restraint(TypedDict):
    """What penalties forbid a player in a hand; `barred`: why the player may not win it, or nothing.

    `params` are what that sentence says, for a desk that judges a hand by itself.
    """

    hand: int | None
    player: int
    marks: list[str]
    barred: str
    params: dict[str, Any]


LatenessStep = TypedDict("LatenessStep", {"from": int, "to": int, "label": str, "until": str, "text": str})
"""What lateness costs from one minute to another."""


class AbsenceState(TypedDict):
    """Who is missing, or came and is still to be fined.

    `minutes`: how late the player came, null while missing; `in_all`: what the whole session makes; `until`: when the
    clock stops by itself; `fined`: a no-show has the penalty already; `begun_because`: why the others do not wait.
    """

    url: str
    uuid: str
    player: int
    since: str
    until: str
    minutes: int | None
    in_all: int
    fined: bool
    begun_because: str
    steps: list[LatenessStep]


class EmptySeat(TypedDict):
    """A seat in which nobody wins, discards or claims; `too_early` is what is said while the others wait."""

    hand: int
    player: int
    why: str
    too_early: str


class TableState(TypedDict):
    """A table as its umpires see it, with the address of everything that can be done to it; players by number."""

    url: str
    urls: dict[str, str]
    tournament: str
    version: int
    session: int
    table: int
    running: bool
    planned: bool
    may_record: bool
    may_correct: bool
    clock: ClockState | None
    counts_totals: bool
    may_give_time: bool
    may_rule: bool
    judges: bool
    is_in: bool
    may_reopen: bool
    in_at: str
    in_by: str
    is_full: bool
    played: int
    minutes: int
    next: int
    hands_in_all: int
    round: Round
    seats: list[SeatState]
    unpaid: int | None
    hands: list[HandState]
    undo: UndoState | None
    restraints: list[Restraint]
    absences: list[AbsenceState]
    empty_seats: list[EmptySeat]


EXTENDED_BY[TableState] = hooks.table_state


def desk_typedefs() -> str:
    """Return static/js/desk/state.js, as `bin/desk-types` writes it."""
    head = "// Written by bin/desk-types: what the server tells of a table (tournament/play/api/answers.py)."
    return f"{head}\n\n{typedefs(TableState)}\nexport {{}};\n"


# --- A table for everybody ---


class PublicSeat(TypedDict):
    wind: str | None
    start_wind: str
    player: int
    score: int | None
    stand_in: str
    empty: bool


class PublicTable(TypedDict):
    """Where the audience is not told how play goes, all that follows from it is null; `hand_number` also where no hand
    follows."""

    session: int
    number: int
    version: int | None
    hands_played: int | None
    is_in: bool | None
    on_paper: bool
    counts_totals: bool | None
    hand_number: int | None
    prevalent_wind: str | None
    hidden: bool
    seats: list[PublicSeat]
    paid_to_nobody: int | None


class TableStateField(TypedField):
    shape = TableState


# --- Answers to a write ---


class TableAnswer(serializers.Serializer[Any]):
    """`state`: the table as its umpires see it, where the answer is nothing else, or `Prefer` asks for it."""

    state = TableStateField(required=False)


class HandSerializer(serializers.ModelSerializer[Hand]):
    winner = serializers.IntegerField(source="winner.number", default=None, allow_null=True)
    discarder = serializers.IntegerField(source="discarder.number", default=None, allow_null=True)

    class Meta:
        model = Hand
        fields = (
            "number", "version", "uuid", "outcome", "winner", "discarder", "tiles", "points",
            "points_without_flowers", "fans", "payments", "scored_by", "announced", "overridden_because",
            "points_by_tiles", "claimants", "absent", "in_time", "reason", "deepens", "recorded_at",
        )  # fmt: skip


class HandAnswer(TableAnswer):
    hand = HandSerializer(required=False)


# --- Opinions on a hand ---


class Moved(TypedDict):
    """Table points of a player, in words."""

    player: int
    before: str
    after: str


class RankMoved(TypedDict):
    player: int
    name: str
    before: int | None
    after: int | None


class Note(TypedDict):
    text: str
    warns: bool


class EffectOfCorrection(TypedDict):
    """What a correction moves, and in sentences what else follows."""

    table_points: list[Moved]
    ranks: list[RankMoved]
    notes: list[Note]


class JudgedAnswer(JudgedHand):
    """`deepens`: a correction only says more of the same hand; `effect`: null for a hand that is not recorded."""

    deepens: bool
    effect: EffectOfCorrection | None
