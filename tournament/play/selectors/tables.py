"""A table as its audience may see it, what is on record there, and the table under the lock of a write."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TypeVar
from uuid import UUID

from django.db.models import Exists, OuterRef, Prefetch, QuerySet, prefetch_related_objects
from django.utils import timezone

from penalties.models import Penalty
from scoring.engine.problems import problem_code
from tournament.base.access import Actor
from tournament.base.engine.notices import Audience
from tournament.base.engine.rules import HANDS_PER_SESSION, WINDS, position, prevalent_wind, seat_wind
from tournament.base.errors import Refused
from tournament.base.models.people import Player
from tournament.base.models.play import Absence, Appeal, Hand, Seat, Session, Table
from tournament.base.models.tournament import Tournament
from tournament.base.selectors import is_withheld_from
from tournament.base.sql import reread_table
from tournament.play.engine.judge import NOT_AT_THIS_TABLE
from tournament.play.models import Signature, Totals

UUID_OF_ANOTHER_TABLE = problem_code(
    "uuid_of_another_table", "This entry was already saved at another table."
)

# --- Table as it stands ---


CHAIRS = {"E": "south-side", "S": "right", "W": "north", "N": "left"}
"""Wind of a chair in the first hand of a round → its side in the picture of the table, East nearest."""


@dataclass(frozen=True)
class SeatNow:
    """A player at the table in one hand."""

    player: Player
    start_wind: str
    wind: str
    side: str
    """One of the values of CHAIRS; the same throughout a wind round."""
    score: int | None
    """None where withheld from the audience."""
    stand_in: str
    """Name of the stand-in who plays in the player's place, or ""."""
    stand_in_from: int | None
    """The stand-in's first hand."""
    is_empty: bool
    """Whether the player is missing now, and nobody stands in."""


@dataclass(frozen=True)
class TableSummary:
    """A table before hand `hand_number`, or before the last hand once all are played.

    Where play is withheld from the audience it has only the seats at the start of the session.
    """

    table: Table
    hand_number: int
    """0 where withheld from the audience."""
    prevalent_wind: str
    seats: tuple[SeatNow, ...]
    """In the order of the winds in this hand: East, South, West, North."""
    appeals: tuple[Appeal, ...]
    """All, ruled ones included, in the order made."""
    signatures: tuple[Signature, ...]
    """All, void ones included, in the order given."""
    pending_hands: tuple[int, ...]
    """Numbers of the hands that are to be ruled on."""
    is_hidden: bool
    """Whether play is withheld from the audience."""

    @property
    def open_appeals(self) -> tuple[Appeal, ...]:
        return tuple(appeal for appeal in self.appeals if appeal.is_open)

    @property
    def signed(self) -> tuple[SeatNow, ...]:
        """Who has signed the current sheet."""
        signed = {signature.player_id for signature in self.signatures if signature.stands}
        return tuple(seat for seat in self.seats if seat.player.pk in signed)

    @property
    def unsigned(self) -> tuple[SeatNow, ...]:
        signed = self.signed
        return tuple(seat for seat in self.seats if seat not in signed)

    @property
    def hands_played(self) -> int | None:
        """None where withheld from the audience."""
        return None if self.is_hidden else self.table.hands_played

    @property
    def is_in(self) -> bool:
        """Whether the sheet is handed in or, where that is withheld from the audience, whether all are."""
        return self.table.session.state == Session.State.CLOSED if self.is_hidden else self.table.is_in

    @property
    def is_full(self) -> bool:
        return (self.hands_played or 0) >= HANDS_PER_SESSION

    @property
    def scores(self) -> dict[int, int]:
        """Player number → running score; empty where withheld from the audience."""
        return {seat.player.number: seat.score for seat in self.seats if seat.score is not None}

    @property
    def unpaid(self) -> int | None:
        """Penalty points paid to nobody: minus the sum of the scores."""
        return None if self.is_hidden else -sum(self.scores.values())

    def seat_of(self, number: int) -> SeatNow:
        """Return the seat of a player by number. Raises StopIteration for one who is not at this table."""
        return next(seat for seat in self.seats if seat.player.number == number)


@dataclass(frozen=True)
class TableNow(TableSummary):
    """A table with its sheet, which is empty where play is withheld from the audience."""

    hands: tuple[Hand, ...] = ()
    """The current versions of the recorded hands, in order."""
    penalties: tuple[Penalty, ...] = ()
    """All, cancelled ones included, in the order given."""


def table_now(table: Table, audience: Audience, hand_number: int | None = None) -> TableNow:
    """Return the table before its next hand, or with the seats of hand `hand_number`."""
    seats = list(table.seats.select_related("player"))
    if is_withheld_from(audience, table.session):
        return TableNow(**vars(_seats_only(table, seats, hand_number or 0)))
    summary = _seats_only(table, seats, hand_number or _next_hand_number(table))
    appeals = table.appeals.select_related("player", "penalty", "opened_by", "ruled_by")
    hands = tuple(table.hands.filter(is_current=True).select_related("winner", "discarder"))
    pending = [hand for hand in hands if hand.is_pending]
    return TableNow(
        **vars(_with_play(summary, seats, appeals, table.signatures.all(), pending)),
        hands=hands,
        penalties=tuple(table.penalties.select_related("player", "victim")),
    )


def session_tables(session: Session, audience: Audience) -> list[TableSummary]:
    """List the tables of a session, in a fixed number of queries."""
    pending = Hand.objects.filter(outcome=Hand.Outcome.PENDING, is_current=True).order_by("number")
    tables = list(
        session.tables.prefetch_related(
            "seats__player", "appeals", "signatures", Prefetch("hands", pending, to_attr="pending_hands")
        )
    )
    prefetch_related_objects([table for table in tables if table.has_absences], "absences__player")
    for table in tables:
        table.session = session
    if is_withheld_from(audience, session):
        return [_seats_only(table, table.seats.all(), 0) for table in tables]
    return [
        _with_play(
            _seats_only(table, table.seats.all(), _next_hand_number(table)),
            table.seats.all(),
            table.appeals.all(),
            table.signatures.all(),
            table.pending_hands,
        )
        for table in tables
    ]


def empty_seats(table: Table) -> dict[int, Absence]:
    """Map players whose seat is empty now, without a stand-in, to their absence, by player number."""
    absences = table.absences.all() if table.has_absences else ()
    missing = [row for row in absences if row.arrived_at is None and row.cancelled_at is None]
    if not missing:
        return {}
    stood_in = {seat.player_id for seat in table.seats.all() if seat.stand_in}
    return {absence.player.number: absence for absence in missing if absence.player_id not in stood_in}


def _next_hand_number(table: Table) -> int:
    return min(table.hands_played + 1, HANDS_PER_SESSION)


def _seats_only(table: Table, seats: Iterable[Seat], hand_number: int) -> TableSummary:
    """Return the table with its seats alone, in a hand or, with `hand_number` 0, at the start of the session."""
    return TableSummary(
        table=table,
        hand_number=hand_number,
        prevalent_wind=prevalent_wind(hand_number or 1),
        seats=_seats(table, seats, hand_number or 1),
        appeals=(),
        signatures=(),
        pending_hands=(),
        is_hidden=True,
    )


def _seats(table: Table, seats: Iterable[Seat], hand_number: int) -> tuple[SeatNow, ...]:
    """List the seats in the order of the winds in this hand, without the scores."""
    chart, empty = table.session.tournament.rules.chart, empty_seats(table)
    now = [
        SeatNow(
            player=seat.player,
            start_wind=seat.wind,
            wind=seat_wind(seat.wind, hand_number, chart),
            side=CHAIRS[position(seat.wind, hand_number, chart)],
            score=None,
            stand_in=seat.stand_in,
            stand_in_from=seat.stand_in_from,
            is_empty=seat.player.number in empty,
        )
        for seat in seats
    ]
    return tuple(sorted(now, key=lambda seat: WINDS.index(seat.wind)))


def _with_play(
    now: TableSummary,
    seats: Iterable[Seat],
    appeals: Iterable[Appeal],
    signatures: Iterable[Signature],
    pending: Iterable[Hand],
) -> TableSummary:
    """Add scores, appeals, signatures and the `pending` hands."""
    score = {seat.player_id: seat.game_points for seat in seats}
    return replace(
        now,
        seats=tuple(replace(seat, score=score[seat.player.pk]) for seat in now.seats),
        appeals=tuple(appeals),
        signatures=tuple(signatures),
        pending_hands=tuple(hand.number for hand in pending),
        is_hidden=False,
    )


# --- What is on record ---


Row = TypeVar("Row", Penalty, Absence, Appeal, Totals)


def find_by_uuid(kind: type[Row], uuid: UUID, table: Table) -> Row | None:
    """Return the row with this UUID, if any. Raises Refused if it belongs to another table."""
    row = kind._default_manager.filter(uuid=uuid).order_by("pk").first()
    if row is not None and row.table_id != table.pk:
        raise Refused(UUID_OF_ANOTHER_TABLE("uuid"))
    return row


def seats_of(table: Table) -> dict[str, int]:
    """Map starting winds to player numbers."""
    return dict(table.seats.order_by("id").values_list("wind", "player__number"))


def seat_at(table: Table, player: int) -> Seat:
    """Return a player's seat by number. Raises Refused without one."""
    seat = next((seat for seat in table.seated if seat.player.number == player), None)
    if seat is None:
        raise Refused(NOT_AT_THIS_TABLE("player", player=player))
    return seat


def log_place(table: Table) -> dict[str, int]:
    """Return the place of a table for the log and the live stream."""
    return {"session": table.session.number, "table": table.number}


def current_hand(table: Table, number: int) -> Hand | None:
    """Return the version of a hand that counts; None when it is not played yet or was taken back."""
    return table.hands.filter(number=number, is_current=True).first()


def latest_version(table: Table, number: int) -> Hand | None:
    """Return the last version of a hand, which may have been taken back; None without any."""
    return table.hands.filter(number=number).order_by("-version").first()


UNDO_WITHIN = timedelta(minutes=1)
"""How long a hand or penalty can be taken back without a reason; later it is corrected or cancelled, with one."""


def can_undo(hand: Hand, table: Table, actor: Actor) -> bool:
    """Whether `hand` is the table's last, was recorded by the actor within `UNDO_WITHIN`, and no penalty came after."""
    return (
        hand.is_current
        and not hand.reason
        and not hand.deepens
        and not table.is_in
        and hand.number == table.hands_played
        and actor.user is not None
        and hand.recorded_by_id == actor.user.pk
        and timezone.now() - hand.recorded_at < UNDO_WITHIN
        and not table.penalties.filter(cancelled_at=None, hand_number__gt=hand.number).exists()
    )


def can_undo_penalty(penalty: Penalty, actor: Actor) -> bool:
    """Whether the penalty was given by the actor within `UNDO_WITHIN`."""
    return (
        not penalty.is_cancelled
        and actor.user is not None
        and penalty.given_by_id == actor.user.pk
        and timezone.now() - penalty.given_at < UNDO_WITHIN
    )


def tables_with_records(session: Session) -> QuerySet[Table]:
    """List the session's tables with any hand, totals, penalty or appeal on record, even if taken back."""
    here = {"table": OuterRef("pk")}
    return session.tables.filter(
        Exists(Hand.objects.filter(**here))
        | Exists(Totals.objects.filter(**here))
        | Exists(Penalty.objects.filter(**here))
        | Exists(Appeal.objects.filter(**here))
    )


def can_be_unstarted(session: Session) -> bool:
    """Whether the session is being played and has nothing on record, so that its start can be taken back."""
    return session.state == Session.State.RUNNING and not tables_with_records(session).exists()


# --- Table under the lock ---


def fresh_table(table: Table, tournament: Tournament) -> Table:
    """Read the table with its session and seats again, inside a `log.write` that has locked `tournament`."""
    fresh = reread_table(table)
    fresh.session.tournament = tournament
    return fresh
