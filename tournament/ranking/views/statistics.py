"""The statistics of the event, all of it or a session."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse

from tournament.base.access import Audience
from tournament.base.models.tournament import Tournament
from tournament.ranking.selectors.statistics import event_statistics
from tournament.web.views.frame_public import render_shared, tournament_html, tournament_page

SHOWN_FANS = 15
"""How many fans the plot shows before the rest is asked for."""


@tournament_page
def page(request: HttpRequest, tournament: Tournament, audience: Audience) -> HttpResponse:
    """`?session=` keeps the hands of one session."""
    number = _session(request)
    about = str(number or "")
    content = render_shared(
        tournament, audience, "ranking/_statistics.html", lambda: _shown(tournament, audience, number), about
    )
    return tournament_html(request, "ranking/statistics", tournament, audience, {"content": content})


def _session(request: HttpRequest) -> int | None:
    """The session asked for; 404 for what is no number of one."""
    wanted = request.GET.get("session", "")
    if not wanted:
        return None
    if not (wanted.isdecimal() and wanted.isascii() and len(wanted) < 4 and int(wanted)):
        raise Http404
    return int(wanted)


def _shown(tournament: Tournament, audience: Audience, session: int | None) -> dict[str, Any]:
    stats = event_statistics(tournament, audience, session)
    fans = stats.figures.fans_by_frequency
    return {
        "stats": stats,
        "fans": fans[:SHOWN_FANS],
        "more_fans": fans[SHOWN_FANS:],
        "most": fans[0][1] if fans else 0,
    }
