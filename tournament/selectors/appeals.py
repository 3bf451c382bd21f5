"""What may still change a result: open appeals, and the time in which one can be made."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from django.db.models import QuerySet
from django.utils import timezone

from tournament.clock import appeals_until
from tournament.models import Appeal, Session, Tournament


@dataclass(frozen=True)
class Objections:
    """Against a tournament's closed sessions and the one being played. False when every result is final."""

    open: tuple[Appeal, ...]
    until: datetime | None
    """When the time for appeals is over; None when it is, or no session is closed."""

    def __bool__(self) -> bool:
        return bool(self.open) or self.until is not None


def objections(tournament: Tournament) -> Objections:
    running = [until for until in _ends_of_appeals(tournament) if until > timezone.now()]
    return Objections(tuple(appeals_of(tournament).filter(ruled_at=None)), max(running, default=None))


def appeals_of(tournament: Tournament) -> QuerySet[Appeal]:
    """Every appeal, the oldest first."""
    found = Appeal.objects.filter(table__session__tournament=tournament)
    return found.select_related("table__session__tournament", "player", "opened_by", "ruled_by")


def results_final(tournament: Tournament) -> int:
    """How many sessions' time for appeals is over: pages say so, and this changes without a write."""
    now = timezone.now()
    return sum(until <= now for until in _ends_of_appeals(tournament))


def _ends_of_appeals(tournament: Tournament) -> tuple[datetime, ...]:
    return _ends_at_version(tournament.pk, tournament.created_at, tournament.version)


@lru_cache(maxsize=64)
def _ends_at_version(pk: int, created_at: datetime, version: int) -> tuple[datetime, ...]:
    sessions = Session.objects.filter(tournament=pk).select_related("tournament")
    return tuple(until for session in sessions if (until := appeals_until(session)) is not None)
