"""A table as it stands: who sits where in the coming hand, the running scores, what is recorded."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from penalties.models import Penalty
from tournament.access import Audience
from tournament.engine.rotation import HANDS_PER_SESSION, WINDS, position, prevalent_wind, seat_wind
from tournament.models import Appeal, Hand, Player, Seat, Session, Signature, Table, Tournament
from tournament.selectors.embargo import keeps_back

CHAIRS = {"E": "south-side", "S": "right", "W": "north", "N": "left"}
"""The chair a wind round starts from → its side of the table picture, East of the round's first hand nearest."""

AT_A_TABLE = (
    "seats__player",
    "hands__winner",
    "hands__discarder",
    "penalties__player",
    "penalties__victim",
    "signatures",
    "appeals",
)
"""What is read with every table of a session."""


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
class TableNow:
    """A table looked at before hand `hand_number` (the last hand once all are played).

    To an audience that is not told how play went it is the seats alone, as the session starts: no hand, penalty,
    signature or appeal, and not how far the table is.
    """

    table: Table
    hand_number: int
    """0 where the audience is not told."""
    prevalent_wind: str
    seats: tuple[SeatNow, ...]
    """In the order of the winds in this hand: East, South, West, North."""
    hands: tuple[Hand, ...]
    """The current version of every recorded hand, in order."""
    penalties: tuple[Penalty, ...]
    """All of them, the cancelled ones too, in the order given."""
    signatures: tuple[Signature, ...]
    """The void ones too, in the order given."""
    appeals: tuple[Appeal, ...]
    """The ruled ones too, in the order made."""
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


def find_table(tournament: Tournament, session: int, table: int) -> Table:
    """The table by numbers, with its session and tournament loaded; Table.DoesNotExist when there is none."""
    return Table.objects.select_related("session__tournament").get(
        session__tournament=tournament, session__number=session, number=table
    )


def newest_version(table: Table, number: int) -> Hand | None:
    """What was written last as hand `number`, although it may have been taken back since; None where nothing was."""
    return table.hands.filter(number=number).order_by("-version").first()


def table_now(table: Table, audience: Audience, hand_number: int | None = None) -> TableNow:
    """The table before its next hand, or as the seats were in hand `hand_number`."""
    seats = list(table.seats.select_related("player"))
    if keeps_back(audience, table.session):
        return _bare(table, seats, hand_number or 0)
    return _told(
        _bare(table, seats, hand_number or _coming(table)),
        seats,
        hands=table.hands.filter(is_current=True).select_related("winner", "discarder"),
        penalties=table.penalties.select_related("player", "victim"),
        signatures=table.signatures.all(),
        appeals=table.appeals.select_related("player", "penalty", "opened_by", "ruled_by"),
    )


def session_tables(session: Session, audience: Audience) -> list[TableNow]:
    """Every table of a session as it stands, in as many queries however many there are; hands and penalties too."""
    tables = session.tables.select_related("session__tournament")
    if keeps_back(audience, session):
        return [
            _bare(table, list(table.seats.all()), 0) for table in tables.prefetch_related("seats__player")
        ]
    return [
        _told(
            _bare(table, list(table.seats.all()), _coming(table)),
            list(table.seats.all()),
            hands=sorted(
                (hand for hand in table.hands.all() if hand.is_current), key=lambda hand: hand.number
            ),
            penalties=table.penalties.all(),
            signatures=table.signatures.all(),
            appeals=table.appeals.all(),
        )
        for table in tables.prefetch_related(*AT_A_TABLE)
    ]


def _coming(table: Table) -> int:
    return min(table.hands_played + 1, HANDS_PER_SESSION)


def _bare(table: Table, seats: Sequence[Seat], hand_number: int) -> TableNow:
    """What everybody is told: who sits where, in a hand or with `hand_number` 0 as the session starts."""
    return TableNow(
        table=table,
        hand_number=hand_number,
        prevalent_wind=prevalent_wind(hand_number or 1),
        seats=_seats(table, seats, hand_number or 1),
        hands=(),
        penalties=(),
        signatures=(),
        appeals=(),
        is_hidden=True,
    )


def _told(
    now: TableNow,
    seats: Sequence[Seat],
    *,
    hands: Iterable[Hand],
    penalties: Iterable[Penalty],
    signatures: Iterable[Signature],
    appeals: Iterable[Appeal],
) -> TableNow:
    """The same with how play went."""
    score = {seat.player_id: seat.game_points for seat in seats}
    return replace(
        now,
        seats=tuple(replace(seat, score=score[seat.player.pk]) for seat in now.seats),
        hands=tuple(hands),
        penalties=tuple(penalties),
        signatures=tuple(signatures),
        appeals=tuple(appeals),
        is_hidden=False,
    )


def _seats(table: Table, seats: Sequence[Seat], hand_number: int) -> tuple[SeatNow, ...]:
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
