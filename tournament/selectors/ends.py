"""When things end: the session, for a table with extra time too, and the time for appeals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta

from django.utils import timezone

from tournament.models import Session


def ends_at(session: Session, extra: int = 0) -> datetime | None:
    """When the time is up, with so many `extra` minutes; None while the session is not being played."""
    return was_up_at(session, extra) if session.state == Session.State.RUNNING else None


def was_up_at(session: Session, extra: int = 0) -> datetime | None:
    """When the time was up, whether the session is still being played or not; None before it began."""
    if session.started_at is None:
        return None
    return session.started_at + timedelta(minutes=session.tournament.minutes + extra)


def warns_at(session: Session, extra: int = 0) -> datetime | None:
    """When the hall is told that the end is near (RULES §8: 15 minutes)."""
    end = ends_at(session, extra)
    return end and end - timedelta(minutes=session.tournament.rules.timing.warning)


def appeals_until(session: Session) -> datetime | None:
    """Appeals are taken so long after the session's closing; None while it is not closed (RULES §7)."""
    if session.state != Session.State.CLOSED or session.closed_at is None:
        return None
    return session.closed_at + timedelta(minutes=session.tournament.appeal_minutes)


def is_final(session: Session) -> bool:
    """Whether nobody can appeal any more: changes need the organiser and a reason."""
    until = appeals_until(session)
    return until is not None and until <= timezone.now()


def turning_points(session: Session, extras: Iterable[int]) -> Iterator[datetime]:
    """The moments at which pages say something else without a write: warnings, ends, the end of appeals."""
    every = {0, *extras}
    moments = [moment(session, extra) for moment in (warns_at, ends_at) for extra in every]
    yield from (moment for moment in (*moments, appeals_until(session)) if moment is not None)
