"""The draw: who sits where in every session, by player and by table."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse

from tournament.base.access import Audience
from tournament.base.models.tournament import Tournament
from tournament.play.selectors.public import seating_chart
from tournament.seating.selectors.seat_answers import seat_answers
from tournament.web.views.frame_public import render_part, render_shared, tournament_html, tournament_page

WAYS = ("player", "table")


@tournament_page
def page(request: HttpRequest, tournament: Tournament, audience: Audience) -> HttpResponse:
    """`?by=player` (as usual) or `?by=table`; `?q=` keeps the players it fits and their tables, and
    answers for a few of them where they sit next."""
    by = request.GET.get("by", "")
    asked = {"by": by if by in WAYS else WAYS[0], "wanted": request.GET.get("q", "").strip()}

    def context() -> dict[str, Any]:
        draw = seating_chart(tournament, asked["wanted"])
        return asked | {
            "draw": draw,
            "answers": seat_answers(tournament, draw.players) if asked["wanted"] else (),
            "has_players": tournament.players.exists(),
        }

    if asked["wanted"]:
        content = render_part(tournament, audience, "seating/_draw.html", context)
    else:
        content = render_shared(tournament, audience, "seating/_draw.html", context, asked["by"])
    return tournament_html(request, "seating/draw_public", tournament, audience, {"content": content})
