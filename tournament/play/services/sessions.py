"""Starting a session and closing it when all its tables are in."""

from __future__ import annotations

from collections.abc import Collection

from django.db.models import F
from django.utils import timezone

from scoring.engine.problems import Problem
from tournament.base import access, log
from tournament.base.access import Actor
from tournament.base.errors import Refused, refuse
from tournament.base.models.play import Session
from tournament.play.models.calls import Call
from tournament.play.selectors.ends import is_final
from tournament.play.services.closing import go_past
from tournament.play.services.fresh import fresh
from tournament.play.services.tables import end_calls
from tournament.players.selectors.vacancies import vacant_seats


def start_session(session: Session, actor: Actor) -> Session:
    """The gong. Sessions are played in order, one at a time.

    With the seat of somebody who has withdrawn a session starts once a stand-in is named for it; each is a problem.
    """
    access.require_organiser(actor, session.tournament)
    with log.write(session.tournament, actor, "session_started") as entry:
        session = fresh(Session.objects.select_related("tournament"), session)
        if session.state != Session.State.PLANNED:
            raise refuse("session_already_begun", session=session.number)
        before = session.tournament.sessions.filter(number__lt=session.number)
        if (open_one := before.exclude(state=Session.State.CLOSED).first()) is not None:
            raise refuse("earlier_session_open", session=open_one.number)
        if not session.tables.exists():
            raise refuse("session_has_no_seats", session=session.number)
        if problems := [
            Problem("seat_is_vacant", "table", {"name": seat.player.name, "table": seat.table.number})
            for seat in vacant_seats(session)
        ]:
            raise Refused(problems)
        session.state, session.started_at = Session.State.RUNNING, timezone.now()
        session.save(update_fields=["state", "started_at"])
        entry.data = {"session": session.number}
    return session


def close_session(
    session: Session,
    actor: Actor,
    *,
    unplayed: Collection[int] = (),
    reason: str = "",
    seen: Collection[str] | None = None,
) -> Session:
    """Close a session all of whose tables are in; each table still open is a problem of its own. Its calls are over.

    `unplayed`: tables at which nobody played, by number. Without a result they need not be in: the session then
    counts for none of their players. `reason`, `seen`: as `go_past` has them, where something is still open.
    """
    access.require_organiser(actor, session.tournament)
    with log.write(session.tournament, actor, "session_closed") as entry:
        session = fresh(Session.objects.select_related("tournament"), session)
        if session.state != Session.State.RUNNING:
            raise refuse("session_not_running", session=session.number)
        still_open = list(session.tables.filter(is_in=False))
        left_out = [table for table in still_open if table.number in unplayed and not table.has_result]
        if problems := [
            Problem("table_still_open", "table", {"table": table.number})
            for table in still_open
            if table not in left_out
        ]:
            raise Refused(problems)
        entry.data = {"session": session.number} | go_past(entry.tournament, [session], reason, seen)
        entry.data |= end_calls(Call.objects.filter(table__session=session))
        session.state, session.closed_at = Session.State.CLOSED, timezone.now()
        session.save(update_fields=["state", "closed_at"])
        if left_out:
            entry.data["unplayed"] = sorted(table.number for table in left_out)
            session.tables.filter(pk__in=[table.pk for table in left_out]).update(
                is_in=True, in_at=session.closed_at, in_by=actor.user, version=F("version") + 1
            )
    return session


def reopen_session(session: Session, actor: Actor, *, reason: str = "") -> Session:
    """Take a closing back, as long as the next session has not begun. A final result needs a reason for it."""
    access.require_organiser(actor, session.tournament)
    with log.write(session.tournament, actor, "session_reopened") as entry:
        session = fresh(Session.objects.select_related("tournament"), session)
        if session.state != Session.State.CLOSED:
            raise refuse("session_not_closed", session=session.number)
        after = session.tournament.sessions.filter(number__gt=session.number)
        if (begun := after.exclude(state=Session.State.PLANNED).first()) is not None:
            raise refuse("session_already_begun", session=begun.number)
        if session.tournament.finals.filter(after_session=session.number).exists():
            raise refuse("finals_follow", session=session.number)
        if is_final(session) and not reason.strip():
            raise refuse("result_is_final", "reason", session=session.number)
        session.state, session.closed_at = Session.State.RUNNING, None
        session.save(update_fields=["state", "closed_at"])
        entry.data = {"session": session.number} | ({"reason": reason.strip()} if reason.strip() else {})
    return session
