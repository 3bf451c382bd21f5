"""A session's tables, and one table's sheet."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404

from tournament.base.access import Audience
from tournament.base.engine.rotation import HANDS_PER_SESSION
from tournament.base.models.play import Session, Table
from tournament.base.models.tournament import Tournament
from tournament.base.selectors.embargo import keeps_back
from tournament.events.selectors.timetable import timetable
from tournament.play.models.calls import Call
from tournament.play.selectors.calls import call_at
from tournament.play.selectors.changes import last_change
from tournament.play.selectors.clock import clock_of
from tournament.play.selectors.ends import appeals_until, is_final
from tournament.play.selectors.public import progress
from tournament.play.selectors.sheet import sheet
from tournament.play.selectors.tables import find_table, table_now
from tournament.web.views.frame_public import render_shared, tournament_html, tournament_page


@tournament_page
def session(request: HttpRequest, tournament: Tournament, audience: Audience, number: int) -> HttpResponse:
    """Every table of a session: who sits where, how far it is, the scores."""
    found = get_object_or_404(tournament.sessions, number=number)
    content = render_shared(
        tournament, audience, "play/_session.html", lambda: _tables(found, audience), str(number)
    )
    return tournament_html(
        request, "play/session", tournament, audience, {"session": found, "content": content}
    )


def _tables(session: Session, audience: Audience) -> dict[str, Any]:
    tournament = session.tournament
    return {
        "session": session,
        "is_hidden": keeps_back(audience, session),
        "sessions": tournament.sessions.all(),
        "entry": timetable(tournament).of(session.number),
        "clock": clock_of(session),
        "progress": progress(session, audience),
        "appeals_until": None if is_final(session) else appeals_until(session),
        "change": last_change(tournament, audience),
    }


@tournament_page
def table(
    request: HttpRequest, tournament: Tournament, audience: Audience, number: int, table: int
) -> HttpResponse:
    """A table's sheet, hand by hand."""
    try:
        found = find_table(tournament.slug, number, table)
    except Table.DoesNotExist:
        raise Http404 from None
    context = {
        "session": found.session,
        "tables": found.session.tables.all(),
        "now": table_now(found, audience),
        "sheet": sheet(found, audience),
        "call": call_at(found, audience),
        "topics": Call.Topic.choices,
        "appeals_until": None if is_final(found.session) else appeals_until(found.session),
        "clock": clock_of(found.session, found),
        "is_running": found.session.state == Session.State.RUNNING,
        "hands": HANDS_PER_SESSION,
    }
    return tournament_html(request, "play/table", tournament, audience, context, table=found)
