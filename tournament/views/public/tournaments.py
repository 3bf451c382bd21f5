"""A tournament at a glance."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from tournament import access
from tournament.display.qr import public_qr
from tournament.models import Tournament
from tournament.selectors.changes import last_change
from tournament.selectors.public import progress, stage
from tournament.selectors.ranking import ranking
from tournament.selectors.timetable import timetable
from tournament.views.common import actor_of
from tournament.views.public.frame import drawn, tournament_page

TOP = 8
"""How many lines of the ranking the page shows."""


@tournament_page
def tournament(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """What it is, what happens now, who leads, and the way to everything else."""
    actor = actor_of(request)
    context = {
        "tournament": tournament,
        "content": drawn(tournament, "public/_tournament.html", lambda: _at_a_glance(tournament)),
        "is_organiser": access.can_organise(actor, tournament),
        "has_times": tournament.timetable.exists(),
        "code": public_qr(request.build_absolute_uri(request.path)),
        "has_role": access.has_role(actor, tournament),
    }
    return render(request, "public/tournament.html", context)


def _at_a_glance(tournament: Tournament) -> dict[str, Any]:
    now = stage(tournament)
    ranked = ranking(tournament)
    return {
        "stage": now,
        "progress": progress(now.running) if now.running else None,
        "timetable": timetable(tournament),
        "ranking": ranked,
        "top": ranked.rows[:TOP] if ranked.sessions else (),
        "change": last_change(tournament),
        "rulebook": tournament.rules.scoring,
    }
