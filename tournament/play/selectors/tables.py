"""A table as it stands: who sits where in the coming hand, the running scores, what is recorded."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from penalties.models import Penalty
from tournament.base.access import Audience
from tournament.base.engine.rotation import HANDS_PER_SESSION, WINDS, position, prevalent_wind, seat_wind
from tournament.base.models.appeals import Appeal
from tournament.base.models.hands import Hand
from tournament.base.models.people import Player
from tournament.base.models.play import Seat, Session, Table
from tournament.base.models.prepared import Prepared
from tournament.base.selectors.embargo import keeps_back
from tournament.play.models.signing import Signature

CHAIRS = {"E": "south-side", "S": "right", "W": "north", "N": "left"}
"""The chair a wind round starts from → its side of the table picture, East of the round's first hand nearest."""


@dataclass(frozen=True)
class SeatNow:
    """A player at the table in the hand looked at."""

    player: Player
    start_wind: str
    wind: str
    side: str
    """south-side, right, north or left: the chair, which stays the same while a wind round lasts."""
    score: int | None
    """None where the audience is not told."""
    stand_in: str
    """Who plays in the player's place; empty when nobody does."""


@dataclass(frozen=True)
class Glance:
    """A table at a glance before hand `hand_number` (the last hand once all are played): who sits where, how far it is,
    how it stands.

    To an audience that is not told how play went it is the seats alone, as the session starts: no score and no appeal,
    and not how far the table is.
    """

    table: Table
    hand_number: int
    """0 where the audience is not told."""
    prevalent_wind: str
    seats: tuple[SeatNow, ...]
    """In the order of the winds in this hand: East, South, West, North."""
    appeals: tuple[Appeal, ...]
    """The ruled ones too, in the order made."""
    signatures: tuple[Signature, ...]
    """The void ones too, in the order given."""
    is_hidden: bool
    """Whether the audience is not told."""

    @property
    def open_appeals(self) -> tuple[Appeal, ...]:
        return tuple(appeal for appeal in self.appeals if appeal.is_open)

    @property
    def signed(self) -> tuple[SeatNow, ...]:
        """Who has signed the sheet as it stands."""
        signed = {one.player_id for one in self.signatures if one.stands}
        return tuple(seat for seat in self.seats if seat.player.pk in signed)

    @property
    def unsigned(self) -> tuple[SeatNow, ...]:
        signed = self.signed
        return tuple(seat for seat in self.seats if seat not in signed)

    @property
    def hands_played(self) -> int | None:
        """None where the audience is not told."""
        return None if self.is_hidden else self.table.hands_played

    @property
    def is_in(self) -> bool:
        """Whether the sheet is handed in; where the audience is not told of tables, whether they all are."""
        return self.table.session.state == Session.State.CLOSED if self.is_hidden else self.table.is_in

    @property
    def is_full(self) -> bool:
        return (self.hands_played or 0) >= HANDS_PER_SESSION

    @property
    def scores(self) -> dict[int, int]:
        """Player number → running score; empty where the audience is not told."""
        return {seat.player.number: seat.score for seat in self.seats if seat.score is not None}

    @property
    def unpaid(self) -> int | None:
        """What penalties took from the four and gave to nobody: minus the sum of the scores."""
        return None if self.is_hidden else -sum(self.scores.values())

    def seat_of(self, number: int) -> SeatNow:
        """The seat of a player by number; StopIteration when not at this table."""
        return next(seat for seat in self.seats if seat.player.number == number)


@dataclass(frozen=True)
class TableNow(Glance):
    """The same with its sheet; nothing of it for an audience that is not told."""

    hands: tuple[Hand, ...] = ()
    """The current version of every recorded hand, in order."""
    penalties: tuple[Penalty, ...] = ()
    """All of them, the cancelled ones too, in the order given."""


def find_table(slug: str, session: int, table: int) -> Table:
    """The table by its tournament's address and its numbers, with session and tournament; Table.DoesNotExist when there
    is none."""
    return _FOUND.get(slug, session, table)


_FOUND = Prepared(
    lambda slug, session, table: Table.objects.select_related("session__tournament").filter(
        session__tournament__slug=slug, session__number=session, number=table
    ),
    *(str, int, int),
)


def newest_version(table: Table, number: int) -> Hand | None:
    """What was written last as hand `number`, although it may have been taken back since; None where nothing was."""
    return table.hands.filter(number=number).order_by("-version").first()


def table_now(table: Table, audience: Audience, hand_number: int | None = None) -> TableNow:
    """The table before its next hand, or as the seats were in hand `hand_number`."""
    seats = list(table.seats.select_related("player"))
    if keeps_back(audience, table.session):
        return TableNow(**vars(_bare(table, seats, hand_number or 0)))
    appeals = table.appeals.select_related("player", "penalty", "opened_by", "ruled_by")
    return TableNow(
        **vars(
            _told(_bare(table, seats, hand_number or _coming(table)), seats, appeals, table.signatures.all())
        ),
        hands=tuple(table.hands.filter(is_current=True).select_related("winner", "discarder")),
        penalties=tuple(table.penalties.select_related("player", "victim")),
    )


def session_tables(session: Session, audience: Audience) -> list[Glance]:
    """Every table of a session at a glance, in as many queries however many there are."""
    tables = list(session.tables.prefetch_related("seats__player", "appeals", "signatures"))
    for table in tables:
        table.session = session
    if keeps_back(audience, session):
        return [_bare(table, table.seats.all(), 0) for table in tables]
    return [
        _told(
            _bare(table, table.seats.all(), _coming(table)),
            table.seats.all(),
            table.appeals.all(),
            table.signatures.all(),
        )
        for table in tables
    ]


def _coming(table: Table) -> int:
    return min(table.hands_played + 1, HANDS_PER_SESSION)


def _bare(table: Table, seats: Iterable[Seat], hand_number: int) -> Glance:
    """What everybody is told: who sits where, in a hand or with `hand_number` 0 as the session starts."""
    return Glance(
        table=table,
        hand_number=hand_number,
        prevalent_wind=prevalent_wind(hand_number or 1),
        seats=_seats(table, seats, hand_number or 1),
        appeals=(),
        signatures=(),
        is_hidden=True,
    )


def _told(
    now: Glance, seats: Iterable[Seat], appeals: Iterable[Appeal], signatures: Iterable[Signature]
) -> Glance:
    """The same with how play went."""
    score = {seat.player_id: seat.game_points for seat in seats}
    return replace(
        now,
        seats=tuple(replace(seat, score=score[seat.player.pk]) for seat in now.seats),
        appeals=tuple(appeals),
        signatures=tuple(signatures),
        is_hidden=False,
    )


def _seats(table: Table, seats: Iterable[Seat], hand_number: int) -> tuple[SeatNow, ...]:
    """In the order of the winds in this hand, without the scores."""
    chart = table.session.tournament.rules.chart
    now = [
        SeatNow(
            player=seat.player,
            start_wind=seat.wind,
            wind=seat_wind(seat.wind, hand_number, chart),
            side=CHAIRS[position(seat.wind, hand_number, chart)],
            score=None,
            stand_in=seat.stand_in,
        )
        for seat in seats
    ]
    return tuple(sorted(now, key=lambda seat: WINDS.index(seat.wind)))
