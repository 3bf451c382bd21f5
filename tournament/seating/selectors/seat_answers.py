"""The answer to "Where do I sit?": the next seat of those who were asked for, in a few words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tournament.base.models.people import Player
from tournament.base.models.play import Seat, Session
from tournament.base.models.tournament import Tournament
from tournament.events.selectors.timetable import Entry, timetable
from tournament.play.selectors.public import PlayerSeats

FEW = 5
"""More fit a table better."""


@dataclass(frozen=True)
class SeatAnswer:
    player: Player
    seat: Seat | None
    """In the session being played, or the next one; None where no seat is to come."""
    entry: Entry | None
    """The timetable's line for it."""
    later: tuple[Seat, ...]


def seat_answers(tournament: Tournament, found: Sequence[PlayerSeats]) -> tuple[SeatAnswer, ...]:
    """One for each of those found; none where they are many. Who has withdrawn sits nowhere any more."""
    if len(found) > FEW:
        return ()
    planned = timetable(tournament)
    return tuple(
        SeatAnswer(
            player=one.player,
            seat=coming[0] if coming else None,
            entry=planned.of(coming[0].table.session.number) if coming else None,
            later=tuple(coming[1:]),
        )
        for one in found
        for coming in [_coming(one)]
    )


def _coming(one: PlayerSeats) -> list[Seat]:
    over = (
        {Session.State.CLOSED, Session.State.PLANNED} if one.player.is_withdrawn else {Session.State.CLOSED}
    )
    return [seat for seat in one.seats if seat is not None and seat.table.session.state not in over]
