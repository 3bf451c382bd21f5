"""How a session goes: hands recorded against the clock, and what was recorded last. Read off a board, asks nothing."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from tournament.engine.rotation import HANDS_PER_SESSION
from tournament.models import Hand
from tournament.models.hall_clock import HallClock
from tournament.selectors.organiser import Board
from tournament.selectors.tables import TableNow

LATEST = 5


@dataclass(frozen=True)
class Pace:
    """A session being played. Its tables come to `hands` of `of` when all play sixteen."""

    minutes: int
    now: int
    """The minute it is, `minutes` once the time is up."""
    hands: int
    of: int
    recorded: tuple[int, ...]
    """The minutes in which the hands were first saved, in order."""

    @property
    def expected(self) -> int:
        """How many hands the clock would have by now."""
        return round(self.of * self.now / self.minutes)


@dataclass(frozen=True)
class Result:
    """A hand and the table it was played at."""

    hand: Hand
    table: TableNow


def pace_of(board: Board) -> Pace | None:
    """None when the session is not being played."""
    clock = board.session.clock
    if board.clock is None or clock is None or not board.cards:
        return None
    moments = [moment for card in board.cards for moment in _first_saved(card.now)]
    minutes = board.clock.minutes
    return Pace(
        minutes=minutes,
        now=min(minutes, _minute(clock, timezone.now())),
        hands=len(moments),
        of=HANDS_PER_SESSION * len(board.cards),
        recorded=tuple(sorted(min(minutes, _minute(clock, moment)) for moment in moments)),
    )


def latest_results(board: Board) -> list[Result]:
    """What was recorded or corrected last at any table of the session, the newest first."""
    results = [Result(hand, card.now) for card in board.cards for hand in card.now.hands]
    return sorted(results, key=lambda result: result.hand.recorded_at, reverse=True)[:LATEST]


def _first_saved(now: TableNow) -> list[datetime]:
    """A correction is no hand more, and no later one."""
    standing = {hand.number for hand in now.hands}
    first: dict[int, datetime] = {}
    for hand in now.table.hands.all():
        if hand.number in standing:
            first[hand.number] = min(hand.recorded_at, first.get(hand.number, hand.recorded_at))
    return list(first.values())


def _minute(clock: HallClock, moment: datetime) -> int:
    return max(0, int(clock.played(moment).total_seconds() // 60))
