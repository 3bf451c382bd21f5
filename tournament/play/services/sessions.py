"""Starting and closing sessions, the clock of the hall, and calls for an umpire."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

from django.db.models import F, Max
from django.utils import timezone

from scoring.engine.problems import Problem, ProblemCode, problem_code
from tournament.base import access, hooks, log
from tournament.base.access import Actor, Right
from tournament.base.errors import Forbidden, ReasonRequired, Refused, TooMany
from tournament.base.limits import Limit
from tournament.base.models.people import Exclusion
from tournament.base.models.play import Absence, HallClock, Pause, Seat, Session, Table
from tournament.base.models.tournament import Tournament
from tournament.base.problems import EARLIER_SESSION_OPEN, SESSION_ALREADY_BEGUN, SESSION_NOT_RUNNING
from tournament.play.models import Call
from tournament.play.selectors.clock import is_final
from tournament.play.selectors.closing import BLOCKING, closing_check
from tournament.play.selectors.tables import fresh_table, log_place
from tournament.play.selectors.timetable import vacant_seats
from tournament.play.services.tables import (
    EXTRA_TIME_OUT_OF_RANGE,
    MAX_EXTRA_MINUTES,
    RESULT_IS_FINAL,
    end_calls,
    fresh,
)
from tournament.play.texts import log as actions

SESSION_NOT_CLOSED = problem_code("session_not_closed", "Session {session} is not closed.")
TABLE_STILL_OPEN = problem_code("table_still_open", "Table {table} has not been handed in yet.")
SESSION_HAS_NO_SEATS = problem_code(
    "session_has_no_seats", "Session {session} has no seats yet: assign seats first."
)
FINALS_FOLLOW = problem_code("finals_follow", "The final depends on session {session}. Undo the final first.")
CLOCK_REASON_MISSING = problem_code("clock_reason_missing", "Give a reason.")
CLOCK_NOT_PAUSED = problem_code("clock_not_paused", "The clock of session {session} is not paused.")
CLOCK_IS_OVER = problem_code(
    "clock_is_over", "The time of session {session} is up: give the hall more time instead."
)
CLOCK_BEFORE_THE_LAST_PAUSE = problem_code(
    "clock_before_the_last_pause", "A pause must start after the previous one."
)
CALL_TOPIC_MISSING = problem_code("call_topic_missing", "Say what it is about.")
CALL_AGAIN_SOON = problem_code(
    "call_again_soon", "An umpire has just been at table {table}. Call again in a minute."
)
CALLS_TOO_MANY = problem_code("calls_too_many", "Too many calls from here. Please raise your hand instead.")
CALL_TAKEN_ALREADY = problem_code(
    "call_taken_already", "Someone else is already on the way to table {table}."
)
SEAT_IS_VACANT = problem_code(
    "seat_is_vacant",
    "{name} has withdrawn but has a seat at table {table}. Reassign the seats, name a stand-in, or leave the "
    "seat empty.",
)
SEAT_IS_BARRED = problem_code(
    "seat_is_barred",
    "{name} is excluded by a penalty but has a seat at table {table}. Reassign the seats, name a stand-in, or leave "
    "the seat empty.",
)
SEAT_OF_DISQUALIFIED = problem_code(
    "seat_of_disqualified",
    "{name} is disqualified but has a seat at table {table}. Reassign the seats, name a stand-in, or leave the seat "
    "empty.",
)
SEAT_PROBLEMS: Mapping[str, ProblemCode] = {
    Exclusion.DISQUALIFIED: SEAT_OF_DISQUALIFIED,
    Exclusion.STOPPED: SEAT_IS_BARRED,
}

# --- Sessions ---


def start_session(session: Session, actor: Actor, *, empty: Collection[int] = ()) -> Session:
    """Start a session. Sessions are played in order, one at a time.

    Each seat of a withdrawn or excluded player needs a stand-in, or the player's number in `empty`; raises Refused
    with a problem for each other one.
    """
    with log.write(session.tournament, actor, actions.SESSION_STARTED, Right.ORGANISE) as entry:
        session = fresh(Session.objects.select_related("tournament"), session)
        if session.state != Session.State.PLANNED:
            raise Refused(SESSION_ALREADY_BEGUN(session=session.number))
        before = session.tournament.sessions.filter(number__lt=session.number)
        if (earlier := before.exclude(state=Session.State.CLOSED).first()) is not None:
            raise Refused(EARLIER_SESSION_OPEN(session=earlier.number))
        if not session.tables.exists():
            raise Refused(SESSION_HAS_NO_SEATS(session=session.number))
        vacant = list(vacant_seats(session))
        if problems := [_vacant_seat_problem(seat) for seat in vacant if seat.player.number not in empty]:
            raise Refused(problems)
        session.state, session.started_at = Session.State.RUNNING, timezone.now()
        session.save(update_fields=["state", "started_at"])
        entry.data = {"session": session.number}
        if vacant:
            entry.data["empty"] = [seat.player.number for seat in vacant]
            _note_empty_seats(session, vacant)
    return session


def _vacant_seat_problem(seat: Seat) -> Problem:
    problem = SEAT_PROBLEMS.get(seat.player.excluded_as, SEAT_IS_VACANT)
    return problem("table", name=seat.player.name, table=seat.table.number)


def _note_empty_seats(session: Session, seats: Iterable[Seat]) -> None:
    """Note absences in these seats since the start of the session."""
    assert session.started_at is not None
    Absence.objects.bulk_create(
        Absence(table=seat.table, player=seat.player, uuid=uuid4(), since=session.started_at)
        for seat in seats
    )


def close_session(
    session: Session,
    actor: Actor,
    *,
    unplayed: Collection[int] = (),
    reason: str = "",
    seen: Collection[str] | None = None,
) -> Session:
    """Close a session, and end its calls. Raises Refused with a problem for each table that is not in.

    `unplayed`: tables at which nobody played, by number. Without a result they need not be in: the session then
    counts for none of their players. `reason`, `seen`: see `accept_open_findings`.
    """
    with log.write(session.tournament, actor, actions.SESSION_CLOSED, Right.ORGANISE) as entry:
        session = fresh(Session.objects.select_related("tournament"), session)
        if session.state != Session.State.RUNNING:
            raise Refused(SESSION_NOT_RUNNING(session=session.number))
        still_open = list(session.tables.filter(is_in=False))
        without_result = [table for table in still_open if table.number in unplayed and not table.has_result]
        if problems := [
            TABLE_STILL_OPEN("table", table=table.number)
            for table in still_open
            if table not in without_result
        ]:
            raise Refused(problems)
        entry.data = {"session": session.number} | accept_open_findings(
            entry.tournament, [session], reason, seen
        )
        entry.data |= end_calls(Call.objects.filter(table__session=session))
        session.state, session.closed_at = Session.State.CLOSED, timezone.now()
        session.save(update_fields=["state", "closed_at"])
        if without_result:
            entry.data["unplayed"] = sorted(table.number for table in without_result)
            session.tables.filter(pk__in=[table.pk for table in without_result]).update(
                is_in=True, in_at=session.closed_at, in_by=actor.user, version=F("version") + 1
            )
    hooks.session_closed(session, actor)
    return session


def accept_open_findings(
    tournament: Tournament,
    sessions: Sequence[Session],
    reason: str,
    seen: Collection[str] | None = None,
) -> dict[str, Any]:
    """Accept what is still open in `sessions`, with a reason. Return data for the log, {} if nothing is open.

    Raises Unsettled with everything open if there is no reason, or if a finding is not in `seen` (keys of the findings
    that were shown; None for all). Raises Refused for hands that are to be ruled on, even with a reason.
    """
    findings = closing_check(tournament, sessions)
    if not findings:
        return {}
    if blocking := [finding.problem for finding in findings if finding.kind in BLOCKING]:
        raise Refused(blocking)
    unseen = seen is not None and any(finding.key not in seen for finding in findings)
    if unseen or not reason.strip():
        raise ReasonRequired(finding.problem for finding in findings)
    return {"reason": reason.strip(), "left_open": [finding.key for finding in findings]}


def reopen_session(session: Session, actor: Actor, *, reason: str = "") -> Session:
    """Reopen a closed session, until the next one begins, with the tables that it was closed without.

    A final result needs a reason.
    """
    with log.write(session.tournament, actor, actions.SESSION_REOPENED, Right.ORGANISE) as entry:
        session = fresh(Session.objects.select_related("tournament"), session)
        if session.state != Session.State.CLOSED:
            raise Refused(SESSION_NOT_CLOSED(session=session.number))
        after = session.tournament.sessions.filter(number__gt=session.number)
        if (begun := after.exclude(state=Session.State.PLANNED).first()) is not None:
            raise Refused(SESSION_ALREADY_BEGUN(session=begun.number))
        if session.tournament.finals.filter(after_session=session.number).exists():
            raise Refused(FINALS_FOLLOW(session=session.number))
        if is_final(session) and not reason.strip():
            raise Refused(RESULT_IS_FINAL("reason", session=session.number))
        # A table without hands or totals was never handed in: closing the session did it.
        unplayed = [table.pk for table in session.tables.filter(is_in=True) if not table.has_result]
        session.tables.filter(pk__in=unplayed).update(
            is_in=False, in_at=None, in_by=None, version=F("version") + 1
        )
        session.state, session.closed_at = Session.State.RUNNING, None
        session.save(update_fields=["state", "closed_at"])
        entry.data = {"session": session.number} | ({"reason": reason.strip()} if reason.strip() else {})
    return session


# --- Clock of the hall ---


def pause_clock(session: Session, actor: Actor, *, reason: str, at: datetime | None = None) -> Session:
    """Pause the clock of the hall. Idempotent.

    `at`: the time of the pause where an event is replayed from a file; else now.
    """
    access.require_clock(actor, session.tournament)
    with log.write(session.tournament, actor, actions.CLOCK_PAUSED, None) as entry:
        session, clock = _running_session(session)
        if clock.pause is not None:
            return entry.unchanged(session)
        _check_reason(reason)
        at = at or timezone.now()
        if clock.played(at) >= _longest_play(session):
            raise Refused(CLOCK_IS_OVER(session=session.number))
        if clock.pauses and at < (clock.pauses[-1].until or at):
            raise Refused(CLOCK_BEFORE_THE_LAST_PAUSE())
        _store_pauses(session, (*clock.pauses, Pause(at, reason=reason.strip())))
        entry.data = {"session": session.number, "reason": reason.strip(), "at": at.isoformat()}
    return session


def _running_session(session: Session) -> tuple[Session, HallClock]:
    """Read the session and its clock under the lock. Raises Refused unless it is being played."""
    session = fresh(Session.objects.select_related("tournament"), session)
    if session.state != Session.State.RUNNING or session.clock is None:
        raise Refused(SESSION_NOT_RUNNING(session=session.number))
    return session, session.clock


def _check_reason(reason: str) -> None:
    if not reason.strip():
        raise Refused(CLOCK_REASON_MISSING("reason"))


def _longest_play(session: Session) -> timedelta:
    """Return the playing time of the open table with the most extra time."""
    extra = session.tables.filter(is_in=False).aggregate(maximum=Max("extra_minutes"))["maximum"] or 0
    return timedelta(minutes=session.minutes + extra)


def _store_pauses(session: Session, pauses: Iterable[Pause]) -> None:
    session.pauses = [pause.to_json() for pause in pauses]
    session.save(update_fields=["pauses"])


def resume_clock(session: Session, actor: Actor, *, reason: str, at: datetime | None = None) -> Session:
    """End the pause of the clock. Idempotent. Raises Refused for a clock that was never paused."""
    access.require_clock(actor, session.tournament)
    with log.write(session.tournament, actor, actions.CLOCK_RESUMED, None) as entry:
        session, clock = _running_session(session)
        if clock.pause is None:
            if not clock.pauses:
                raise Refused(CLOCK_NOT_PAUSED(session=session.number))
            return entry.unchanged(session)
        _check_reason(reason)
        ended = replace(clock.pause, until=max(at or timezone.now(), clock.pause.since))
        assert ended.until is not None
        _store_pauses(session, (*clock.pauses[:-1], ended))
        seconds = round((ended.until - ended.since).total_seconds())
        entry.data = {"session": session.number, "reason": reason.strip(), "at": ended.until.isoformat()}
        entry.data |= {"seconds": seconds}
    return session


def extend_clock(session: Session, actor: Actor, minutes: int, *, reason: str) -> Session:
    """Set how many `minutes` longer than planned the hall plays; 0 for none. Idempotent."""
    access.require_clock(actor, session.tournament)
    with log.write(session.tournament, actor, actions.CLOCK_EXTENDED, None) as entry:
        session, _clock = _running_session(session)
        if session.extra_minutes == minutes:
            return entry.unchanged(session)
        problems = [] if reason.strip() else [CLOCK_REASON_MISSING("reason")]
        if not 0 <= minutes <= MAX_EXTRA_MINUTES:
            problems.append(EXTRA_TIME_OUT_OF_RANGE("minutes", maximum=MAX_EXTRA_MINUTES))
        if problems:
            raise Refused(problems)
        session.extra_minutes = minutes
        session.save(update_fields=["extra_minutes"])
        entry.data = {"session": session.number, "minutes": minutes, "reason": reason.strip()}
    return session


# --- Calls for an umpire ---


CALL_COOLDOWN = timedelta(minutes=1)
"""Time between the end of a call and the next one of the same table."""

TO_ONE_TABLE = Limit("calls-to-table", maximum=8, within=600)
"""Calls from one address to one table."""
FROM_ONE_ADDRESS = Limit("calls", maximum=200, within=600)
"""Calls from one address: enough for a hall of a hundred tables behind one router."""


def raise_call(table: Table, actor: Actor, topic: str, *, address: str | None = None) -> Call:
    """Call an umpire to a table being played; allowed to anybody who can see the tournament. Idempotent.

    `address`: the caller's network address, by which calls of anonymous users are limited.
    """
    if not access.can_see(actor, table.session.tournament):
        raise Forbidden("this tournament is not public")
    with log.write(table.session.tournament, actor, actions.CALL_RAISED, None) as entry:
        table = fresh_table(table, entry.tournament)
        if (known := table.calls.filter(done_at=None).first()) is not None:
            return entry.unchanged(known)
        if table.session.state != Session.State.RUNNING:
            raise Refused(SESSION_NOT_RUNNING(session=table.session.number))
        if topic not in Call.Topic.values:
            raise Refused(CALL_TOPIC_MISSING("topic"))
        if table.calls.filter(done_at__gt=timezone.now() - CALL_COOLDOWN).exists():
            raise Refused(CALL_AGAIN_SOON(table=table.number))
        if actor.user is None and address is not None and _exceeds_limits(table, address):
            raise TooMany(CALLS_TOO_MANY())
        call = Call.objects.create(table=table, topic=topic, called_at=timezone.now())
        entry.data = _call_data(call)
    return call


def _exceeds_limits(table: Table, address: str) -> bool:
    return FROM_ONE_ADDRESS.exceeded_by(address) or TO_ONE_TABLE.exceeded_by(f"{table.pk}:{address}")


def _call_data(call: Call) -> dict[str, Any]:
    return log_place(call.table) | {"topic": call.topic}


def accept_call(call: Call, actor: Actor) -> Call:
    """Take a call as an umpire. Idempotent. Raises Refused if somebody else has taken it."""
    with log.write_at(call.table, actor, actions.CALL_ACCEPTED, Right.JUDGE) as entry:
        call = fresh(Call.objects.select_related("table__session", "taken_by"), call)
        if call.taken_at is not None and call.taken_by == actor.user:
            return entry.unchanged(call)
        if call.taken_at is not None or not call.is_open:
            raise Refused(CALL_TAKEN_ALREADY(table=call.table.number))
        call.taken_at, call.taken_by = timezone.now(), actor.user
        call.save(update_fields=["taken_at", "taken_by"])
        entry.data = _call_data(call)
    return call


def end_call(call: Call, actor: Actor) -> Call:
    """End a call. Idempotent."""
    with log.write_at(call.table, actor, actions.CALL_ENDED, Right.JUDGE) as entry:
        call = fresh(Call.objects.select_related("table__session"), call)
        if not call.is_open:
            return entry.unchanged(call)
        call.done_at = timezone.now()
        call.save(update_fields=["done_at"])
        entry.data = _call_data(call)
    return call
