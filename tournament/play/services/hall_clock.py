"""The clock of the whole hall: paused, going on, and running longer."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta

from django.db.models import Max
from django.utils import timezone

from scoring.engine.problems import Problem
from tournament.base import access, log
from tournament.base.access import Actor
from tournament.base.errors import Refused, refuse
from tournament.base.models.hall_clock import HallClock, Pause
from tournament.base.models.play import Session
from tournament.play.services.fresh import fresh
from tournament.play.services.timing import MOST


def pause_clock(session: Session, actor: Actor, *, reason: str, at: datetime | None = None) -> Session:
    """The clock of the hall stands still, at every table. Pausing twice is pausing once.

    `at`: when it was, in an event that is played again; now, where that is not said.
    """
    access.require_clock(actor, session.tournament)
    with log.write(session.tournament, actor, "clock_paused") as entry:
        session, clock = _running(session)
        if clock.pause is not None:
            entry.unchanged()
            return session
        _check_reason(reason)
        at = at or timezone.now()
        if clock.played(at) >= _longest(session):
            raise refuse("clock_is_over", session=session.number)
        if clock.pauses and at < (clock.pauses[-1].until or at):
            raise refuse("clock_before_the_last_pause")
        _keep(session, (*clock.pauses, Pause(at, reason=reason.strip())))
        entry.data = {"session": session.number, "reason": reason.strip(), "at": at.isoformat()}
    return session


def let_clock_go_on(session: Session, actor: Actor, *, reason: str, at: datetime | None = None) -> Session:
    """Play goes on: every end has moved by the pause. Twice is once; a clock that was never paused cannot."""
    access.require_clock(actor, session.tournament)
    with log.write(session.tournament, actor, "clock_went_on") as entry:
        session, clock = _running(session)
        if clock.pause is None:
            if not clock.pauses:
                raise refuse("clock_not_paused", session=session.number)
            entry.unchanged()
            return session
        _check_reason(reason)
        ended = replace(clock.pause, until=max(at or timezone.now(), clock.pause.since))
        assert ended.until is not None
        _keep(session, (*clock.pauses[:-1], ended))
        seconds = round((ended.until - ended.since).total_seconds())
        entry.data = {"session": session.number, "reason": reason.strip(), "at": ended.until.isoformat()}
        entry.data |= {"seconds": seconds}
    return session


def extend_clock(session: Session, actor: Actor, minutes: int, *, reason: str) -> Session:
    """The hall plays so many `minutes` longer than planned, in all; 0 takes them back. Said twice is said once."""
    access.require_clock(actor, session.tournament)
    with log.write(session.tournament, actor, "clock_extended") as entry:
        session, _clock = _running(session)
        if session.extra_minutes == minutes:
            entry.unchanged()
            return session
        problems = [] if reason.strip() else [Problem("clock_reason_missing", "reason")]
        if not 0 <= minutes <= MOST:
            problems.append(Problem("extra_time_out_of_range", "minutes", {"most": MOST}))
        if problems:
            raise Refused(problems)
        session.extra_minutes = minutes
        session.save(update_fields=["extra_minutes"])
        entry.data = {"session": session.number, "minutes": minutes, "reason": reason.strip()}
    return session


def _running(session: Session) -> tuple[Session, HallClock]:
    """As it is now that the tournament is locked."""
    session = fresh(Session.objects.select_related("tournament"), session)
    if session.state != Session.State.RUNNING or session.clock is None:
        raise refuse("session_not_running", session=session.number)
    return session, session.clock


def _check_reason(reason: str) -> None:
    if not reason.strip():
        raise refuse("clock_reason_missing", "reason")


def _longest(session: Session) -> timedelta:
    """How long is played at the table that plays longest: after that there is nothing to pause."""
    extra = session.tables.filter(is_in=False).aggregate(most=Max("extra_minutes"))["most"] or 0
    return timedelta(minutes=session.minutes + extra)


def _keep(session: Session, pauses: Iterable[Pause]) -> None:
    session.pauses = [pause.to_json() for pause in pauses]
    session.save(update_fields=["pauses"])
