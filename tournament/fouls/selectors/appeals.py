"""What may still change a result: open appeals, and the time in which one can be made."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet
from django.utils import timezone

from tournament.base.access import Audience
from tournament.base.models.appeals import OPEN, Appeal
from tournament.base.models.play import Session
from tournament.base.models.tournament import Tournament
from tournament.base.selectors.embargo import hidden_from
from tournament.play.selectors.ends import appeals_until


@dataclass(frozen=True)
class Objections:
    """Against a tournament's closed sessions and the one being played. False when every result is final."""

    open: tuple[Appeal, ...]
    until: datetime | None
    """When the time for appeals is over; None when it is, or no session is closed."""

    def __bool__(self) -> bool:
        return bool(self.open) or self.until is not None


def objections(tournament: Tournament, audience: Audience) -> Objections:
    """Until when anybody may appeal is told to everybody; which appeals are open, not for hidden sessions."""
    closed = tournament.sessions.filter(state=Session.State.CLOSED).select_related("tournament")
    ends = [until for session in closed if (until := appeals_until(session)) is not None]
    running = [until for until in ends if until > timezone.now()]
    still_open = appeals_of(tournament).filter(OPEN)
    told = still_open.exclude(table__session__number__in=hidden_from(audience, tournament))
    return Objections(tuple(told), max(running, default=None))


def appeals_of(tournament: Tournament) -> QuerySet[Appeal]:
    """Every appeal, the oldest first."""
    found = Appeal.objects.filter(table__session__tournament=tournament).prefetch_related("committee")
    return found.select_related(
        "table__session__tournament",
        "player",
        "penalty__player",
        "penalty__tournament",
        "opened_by",
        "ruled_by",
        "settled_by",
    )


def deciders(appeal: Appeal) -> set[int]:
    """The accounts that recorded the hand or gave the penalty that the appeal is against, and so do not rule on it.

    Against the whole sheet: whoever has anything on it, the handing-in included.
    """
    return {account for account in _written_by(appeal) if account is not None}


def _written_by(appeal: Appeal) -> set[int | None]:
    table = appeal.table
    if appeal.penalty is not None:
        return {appeal.penalty.given_by_id}
    if appeal.hand_number is not None:
        stood = table.hands.filter(number=appeal.hand_number, recorded_at__lte=appeal.opened_at)
        latest = stood.order_by("-version").first()
        return {latest.recorded_by_id} if latest else set()
    recorded = table.hands.filter(is_current=True).order_by("number").values_list("recorded_by", flat=True)
    given = table.penalties.filter(cancelled_at=None).order_by("pk").values_list("given_by", flat=True)
    return {*recorded, *given, table.in_by_id}


def is_met(appeal: Appeal) -> bool:
    """Whether what the appeal is against has been put right since it was opened."""
    if appeal.penalty is not None:
        return appeal.penalty.is_cancelled
    if appeal.hand_number is None:
        return False
    hand = appeal.table.hands.filter(number=appeal.hand_number, is_current=True).first()
    return hand is not None and not hand.deepens and hand.recorded_at > appeal.opened_at
