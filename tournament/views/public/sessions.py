"""A session's tables, and one table's sheet."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render

from tournament.clock import appeals_until, is_final
from tournament.engine.rotation import HANDS_PER_SESSION
from tournament.models import Call, Session, Table, Tournament
from tournament.selectors.changes import last_change
from tournament.selectors.clock import clock_of
from tournament.selectors.public import progress
from tournament.selectors.sheet import sheet
from tournament.selectors.tables import find_table, table_now
from tournament.views.public.frame import drawn, tournament_page


@tournament_page
def session(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Every table of a session: who sits where, how far it is, the scores."""
    found = get_object_or_404(tournament.sessions, number=number)
    content = drawn(tournament, "public/_session.html", lambda: _tables(tournament, found), str(number))
    return render(
        request, "public/session.html", {"tournament": tournament, "session": found, "content": content}
    )


def _tables(tournament: Tournament, session: Session) -> dict[str, Any]:
    return {
        "session": session,
        "sessions": tournament.sessions.all(),
        "clock": clock_of(session),
        "progress": progress(session),
        "appeals_until": None if is_final(session) else appeals_until(session),
        "change": last_change(tournament),
    }


@tournament_page
def table(request: HttpRequest, tournament: Tournament, number: int, table: int) -> HttpResponse:
    """A table's sheet, hand by hand."""
    try:
        found = find_table(tournament, number, table)
    except Table.DoesNotExist:
        raise Http404 from None
    context = {
        "tournament": tournament,
        "session": found.session,
        "tables": found.session.tables.all(),
        "now": table_now(found),
        "sheet": sheet(found),
        "call": found.calls.filter(done_at=None).first(),
        "topics": Call.Topic.choices,
        "appeals_until": None if is_final(found.session) else appeals_until(found.session),
        "clock": clock_of(found.session, found),
        "is_running": found.session.state == Session.State.RUNNING,
        "hands": HANDS_PER_SESSION,
    }
    return render(request, "public/table.html", context)
