"""A tournament at a glance."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse

from tournament import access
from tournament.access import Audience
from tournament.display.qr import public_qr
from tournament.models import Tournament
from tournament.selectors.ceremony import current_ceremony
from tournament.selectors.changes import last_change
from tournament.selectors.public import overview, progress
from tournament.selectors.ranking import ranking
from tournament.selectors.statistics import event_statistics
from tournament.selectors.timetable import timetable
from tournament.views.common import actor_of
from tournament.views.public.frame import render_shared, tournament_html, tournament_page

TOP = 8
"""How many lines of the ranking the page shows."""


@tournament_page
def tournament(request: HttpRequest, tournament: Tournament, audience: Audience) -> HttpResponse:
    """What it is, what happens now, who leads, and the way to everything else."""
    actor = actor_of(request)
    context = {
        "content": render_shared(
            tournament, audience, "public/_tournament.html", lambda: _at_a_glance(tournament, audience)
        ),
        "is_organiser": access.can_organise(actor, tournament),
        "has_times": tournament.timetable.exists(),
        "code": public_qr(request.build_absolute_uri(request.path)),
        "has_role": access.has_role(actor, tournament),
    }
    return tournament_html(request, "tournament", tournament, audience, context)


def _at_a_glance(tournament: Tournament, audience: Audience) -> dict[str, Any]:
    now = overview(tournament)
    ranked = ranking(tournament, audience)
    return {
        "stage": now,
        "progress": progress(now.running, audience) if now.running else None,
        "timetable": timetable(tournament),
        "ranking": ranked,
        "stats": event_statistics(tournament, audience),
        "top": ranked.rows[:TOP] if ranked.sessions else (),
        "change": last_change(tournament, audience),
        "ceremony": current_ceremony(tournament),
        "rulebook": tournament.rules.scoring,
    }
