"""Who takes part, and a player's own page."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render

from tournament.base.access import Audience
from tournament.base.models.tournament import Tournament
from tournament.players.selectors.participants import players_of
from tournament.ranking.selectors.player_now import player_now
from tournament.ranking.selectors.player_page import player_page
from tournament.ranking.selectors.ranking import ranking
from tournament.web.display.qr import public_qr
from tournament.web.selectors.search import fits
from tournament.web.views.frame_public import (
    render_part,
    render_shared,
    tournament_html,
    tournament_page,
    tournament_part,
)


@tournament_page
def listing(request: HttpRequest, tournament: Tournament, audience: Audience) -> HttpResponse:
    """Everybody entered, by number, with the place now; `?q=` keeps those it fits."""
    wanted = request.GET.get("q", "").strip()
    draw = render_part if wanted else render_shared
    content = draw(
        tournament, audience, "players/_players.html", lambda: _people(tournament, audience, wanted)
    )
    return tournament_html(request, "players/players_public", tournament, audience, {"content": content})


def _people(tournament: Tournament, audience: Audience, wanted: str) -> dict[str, Any]:
    ranked, people = ranking(tournament, audience), tournament.players.all()
    lines = {row.player.number: row for row in ranked.rows}
    return {
        "wanted": wanted,
        "people": [(player, lines.get(player.number)) for player in people if fits(player, wanted)],
        "entered": len(lines),
        "ranking": ranked,
    }


@tournament_page
def page(request: HttpRequest, tournament: Tournament, audience: Audience, number: int) -> HttpResponse:
    """Where this player sits next, what was played and what came of it; `?rank=` is the rank they want to reach."""
    player = get_object_or_404(tournament.players, number=number)
    context = {
        "player": player,
        "page": player_page(tournament, audience, player, _rank(request, tournament)),
        "asked": "rank" in request.GET,
        "code": public_qr(request.build_absolute_uri(request.path)),
    }
    return tournament_html(request, "ranking/player", tournament, audience, context, player=player)


@tournament_part
def card(request: HttpRequest, tournament: Tournament, audience: Audience, number: int) -> HttpResponse:
    """Seat, rank and what it takes, as they stand first where a device says "this is me"."""
    player = get_object_or_404(tournament.players, number=number)
    context = {"player": player, "page": player_now(tournament, audience, player), "tournament": tournament}
    return render(request, "ranking/_player_card.html", context)


def _rank(request: HttpRequest, tournament: Tournament) -> int | None:
    """The rank asked for, within those there are."""
    wanted = request.GET.get("rank", "")
    if not (wanted.isdecimal() and wanted.isascii() and len(wanted) < 6):
        return None
    return min(max(1, int(wanted)), players_of(tournament).count())
