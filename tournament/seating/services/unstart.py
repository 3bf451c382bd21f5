"""A session that was begun by mistake is planned again, as if the gong had not been."""

from __future__ import annotations

from django.db.models import F
from django.utils import timezone

from scoring.engine.problems import Problem
from tournament.base import access, log
from tournament.base.access import Actor
from tournament.base.errors import Refused, refuse
from tournament.base.models.play import Absence, Seat, Session
from tournament.play.models.calls import Call
from tournament.play.selectors.records import tables_with_a_record
from tournament.play.services.absences import STAND_IN
from tournament.play.services.fresh import fresh


def unstart_session(session: Session, actor: Actor) -> Session:
    """Take the start back. Refused once a hand, a penalty or an appeal is on record; each such table is a problem.

    What hung on the gong goes with it: the clock, extra time, who was missing since then, calls for the umpire.
    """
    access.require_organiser(actor, session.tournament)
    with log.write(session.tournament, actor, "session_unstarted") as entry:
        session = fresh(Session.objects.select_related("tournament"), session)
        if session.state != Session.State.RUNNING:
            raise refuse("session_not_running", session=session.number)
        if problems := [
            Problem("start_has_a_record", "table", {"table": table.number})
            for table in tables_with_a_record(session)
        ]:
            raise Refused(problems)
        _forget_the_gong(session)
        session.state, session.started_at = Session.State.PLANNED, None
        session.extra_minutes, session.pauses = 0, []
        session.save(update_fields=["state", "started_at", "extra_minutes", "pauses"])
        entry.data = {"session": session.number}
    return session


def _forget_the_gong(session: Session) -> None:
    now = timezone.now()
    Absence.objects.filter(table__session=session, taken_back_at=None).update(taken_back_at=now)
    Call.objects.filter(table__session=session, done_at=None).update(done_at=now)
    # A stand-in who was named stays only where the player has withdrawn: nobody is late for what has not begun.
    sat_in = Seat.objects.filter(table__session=session).exclude(stand_in="")
    sat_in.exclude(player__withdrawn_at__isnull=False).update(stand_in="")
    sat_in.filter(stand_in=STAND_IN).update(stand_in="")
    session.tables.update(is_in=False, in_at=None, in_by=None, extra_minutes=0, version=F("version") + 1)
