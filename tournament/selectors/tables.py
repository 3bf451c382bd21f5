"""A table as it stands: who sits where in the coming hand, the running scores, what is recorded."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from penalties.models import Penalty
from tournament.engine.rotation import HANDS_PER_SESSION, WINDS, position, prevalent_wind, seat_wind
from tournament.models import Appeal, Hand, Player, Seat, Session, Signature, Table, Tournament

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
    score: int
    stand_in: str
    """Who plays in the player's place; empty when nobody does."""

    @property
    def is_dealer(self) -> bool:
        return self.wind == "E"


@dataclass(frozen=True)
class TableNow:
    """A table looked at before hand `hand_number` (the last hand once all are played)."""

    table: Table
    hand_number: int
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
    def is_full(self) -> bool:
        return self.table.hands_played >= HANDS_PER_SESSION

    @property
    def unpaid(self) -> int:
        """What penalties took from the four and gave to nobody: minus the sum of the scores."""
        return -sum(seat.score for seat in self.seats)

    def seat_of(self, number: int) -> SeatNow:
        """The seat of a player by number; StopIteration when not at this table."""
        return next(seat for seat in self.seats if seat.player.number == number)


def find_table(tournament: Tournament, session: int, table: int) -> Table:
    """The table by numbers, with its session and tournament loaded; Table.DoesNotExist when there is none."""
    return Table.objects.select_related("session__tournament").get(
        session__tournament=tournament, session__number=session, number=table
    )


def table_now(table: Table, hand_number: int | None = None) -> TableNow:
    """The table before its next hand, or as the seats were in hand `hand_number`."""
    coming = hand_number or min(table.hands_played + 1, HANDS_PER_SESSION)
    return TableNow(
        table=table,
        hand_number=coming,
        prevalent_wind=prevalent_wind(coming),
        seats=_seats(table, list(table.seats.select_related("player")), coming),
        hands=tuple(table.hands.filter(is_current=True).select_related("winner", "discarder")),
        penalties=tuple(table.penalties.select_related("player", "victim")),
        signatures=tuple(table.signatures.all()),
        appeals=tuple(table.appeals.select_related("player", "opened_by", "ruled_by")),
    )


def session_tables(session: Session) -> list[TableNow]:
    """Every table of a session as it stands, in as many queries however many there are; hands and penalties too."""
    tables = session.tables.select_related("session__tournament").prefetch_related(*AT_A_TABLE)
    found = []
    for table in tables:
        coming = min(table.hands_played + 1, HANDS_PER_SESSION)
        hands: Any = sorted(
            (hand for hand in table.hands.all() if hand.is_current), key=lambda hand: hand.number
        )
        seats = _seats(table, list(table.seats.all()), coming)
        found.append(
            TableNow(
                table=table,
                hand_number=coming,
                prevalent_wind=prevalent_wind(coming),
                seats=seats,
                hands=tuple(hands),
                penalties=tuple(table.penalties.all()),
                signatures=tuple(table.signatures.all()),
                appeals=tuple(table.appeals.all()),
            )
        )
    return found


def _seats(table: Table, seats: list[Seat], hand_number: int) -> tuple[SeatNow, ...]:
    chart = table.session.tournament.rules.chart
    now = [
        SeatNow(
            player=seat.player,
            start_wind=seat.wind,
            wind=seat_wind(seat.wind, hand_number, chart),
            side=CHAIRS[position(seat.wind, hand_number, chart)],
            score=seat.game_points,
            stand_in=seat.stand_in,
        )
        for seat in seats
    ]
    return tuple(sorted(now, key=lambda seat: WINDS.index(seat.wind)))
