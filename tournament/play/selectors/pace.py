"""How a session goes: hands recorded against the clock, and what was recorded last."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Min, Q
from django.utils import timezone

from tournament.base.engine.rotation import HANDS_PER_SESSION
from tournament.base.models.hall_clock import HallClock
from tournament.base.models.hands import Hand
from tournament.base.models.play import Session
from tournament.play.selectors.organiser import Board
from tournament.play.selectors.tables import Glance

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
    table: Glance


def pace_of(board: Board) -> Pace | None:
    """None when the session is not being played, or all of it on paper: how far it is there, nobody knows."""
    clock = board.session.clock
    by_hands = [card for card in board.cards if not card.now.table.is_on_paper]
    if board.clock is None or clock is None or not by_hands:
        return None
    moments = _first_saved(board.session)
    minutes = board.clock.minutes
    return Pace(
        minutes=minutes,
        now=min(minutes, _minute(clock, timezone.now())),
        hands=len(moments),
        of=HANDS_PER_SESSION * len(by_hands),
        recorded=tuple(sorted(min(minutes, _minute(clock, moment)) for moment in moments)),
    )


def latest_results(board: Board) -> list[Result]:
    """What was recorded or corrected last at any table of the session, the newest first."""
    at = {card.now.table.pk: card.now for card in board.cards}
    hands = Hand.objects.filter(table__in=at, is_current=True).select_related("winner", "discarder")
    return [Result(hand, at[hand.table_id]) for hand in hands.order_by("-recorded_at", "-pk")[:LATEST]]


def _first_saved(session: Session) -> list[datetime]:
    """When each hand that counts was recorded: a correction is no hand more, and no later one."""
    hands = (
        Hand.objects.filter(table__session=session, table__counts_totals=False)
        .order_by()
        .values("table", "number")
    )
    standing = hands.annotate(first=Min("recorded_at"), stands=Count("pk", filter=Q(is_current=True)))
    return list(standing.filter(stands__gt=0).values_list("first", flat=True))


def _minute(clock: HallClock, moment: datetime) -> int:
    return max(0, int(clock.played(moment).total_seconds() // 60))
