"""When things end: the session, for a table with extra time too, and the time for appeals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta

from django.utils import timezone

from tournament.base.models.play import Session


def ends_at(session: Session, extra: int = 0) -> datetime | None:
    """When the time is up, with so many `extra` minutes; None while the session is not being played. While the hall's
    clock is paused, as if it had gone on: compare it with what the clock `shows`."""
    if session.state != Session.State.RUNNING or session.clock is None:
        return None
    return session.clock.after(timedelta(minutes=session.minutes + extra))


def warns_at(session: Session, extra: int = 0) -> datetime | None:
    """When the hall is told that the end is near (RULES §8: 15 minutes)."""
    clock, warning = session.clock, session.tournament.rules.timing.warning
    if session.state != Session.State.RUNNING or clock is None:
        return None
    return clock.after(timedelta(minutes=session.minutes + extra - warning))


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
    yield from (moment for moment in moments if moment is not None and not _is_held_up(session, moment))
    if (until := appeals_until(session)) is not None:
        yield until


def _is_held_up(session: Session, moment: datetime) -> bool:
    """Whether it will not come before the clock goes on."""
    return session.clock is not None and session.clock.shows(moment) < moment
