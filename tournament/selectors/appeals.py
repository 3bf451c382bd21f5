"""What may still change a result: open appeals, and the time in which one can be made."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet
from django.utils import timezone

from tournament.access import Audience
from tournament.clock import appeals_until
from tournament.models import Appeal, Session, Tournament
from tournament.selectors.embargo import hidden_from


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
    pending = appeals_of(tournament).filter(ruled_at=None)
    told = pending.exclude(table__session__number__in=hidden_from(audience, tournament))
    return Objections(tuple(told), max(running, default=None))


def appeals_of(tournament: Tournament) -> QuerySet[Appeal]:
    """Every appeal, the oldest first."""
    found = Appeal.objects.filter(table__session__tournament=tournament)
    return found.select_related("table__session__tournament", "player", "opened_by", "ruled_by")
