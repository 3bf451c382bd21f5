"""When things end: the session, the time for appeals. From the rulebook's minutes and the gong's time."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.utils import timezone

from tournament.models import Session


def appeals_until(session: Session) -> datetime | None:
    """Appeals are taken so long after the session's end, which is its closing; None while it is not closed."""
    if session.state != Session.State.CLOSED or session.closed_at is None:
        return None
    return session.closed_at + timedelta(minutes=session.tournament.rules.timing.appeals)


def is_final(session: Session) -> bool:
    """Whether nobody can appeal any more: changes need the organiser and a reason."""
    until = appeals_until(session)
    return until is not None and until <= timezone.now()
