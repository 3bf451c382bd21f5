"""Overlays for streams: one card over the picture of a camera, transparent around it, which mends itself.

They show what the public is told, whoever opens them, and stay as they were when a session is over.
"""

from __future__ import annotations

from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.safestring import SafeString
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from tournament.base.access import Audience
from tournament.base.models.play import Session, Table
from tournament.base.models.tournament import Tournament
from tournament.play.selectors.clock import clock_of
from tournament.play.selectors.public import overview
from tournament.play.selectors.tables import TableNow, find_table, table_now
from tournament.players.selectors.participants import players_of
from tournament.ranking.selectors.ranking import ranking
from tournament.web.views.common import visible_tournament_or_404
from tournament.web.views.frame_public import build, render_part, tournament_html, tournament_page

SIZES: Final = ("s", "m", "l", "xl")
"""`?size=`: 75, 100, 150, 200 % of the type."""
USUAL: Final = "m"
PUBLIC: Final = Audience.PUBLIC


@tournament_page
def listing(request: HttpRequest, tournament: Tournament, audience: Audience) -> HttpResponse:
    """The addresses there are, to be pasted into the program that makes the stream."""
    session = _session(tournament)
    context = {
        "tables": session.tables.all() if session else (),
        "players": players_of(tournament),
        "sizes": SIZES,
        "site": request.build_absolute_uri("/").rstrip("/"),
    }
    return tournament_html(request, "screens/overlays", tournament, audience, context)


@never_cache
@require_safe
def table(request: HttpRequest, slug: str, table: int) -> HttpResponse:
    """Four players with winds and scores, and which hand it is."""
    tournament = visible_tournament_or_404(request, slug)
    now = _table(tournament, table)
    return _shown(request, tournament, "table", {"now": now, "session": now.table.session})


@never_cache
@require_safe
def hand(request: HttpRequest, slug: str, table: int) -> HttpResponse:
    """The last hand that was won at a table, with its tiles and fans; nothing before there is one."""
    tournament = visible_tournament_or_404(request, slug)
    now = _table(tournament, table)
    won = next((one for one in reversed(now.hands) if one.winner_id), None)
    return _shown(request, tournament, "hand", {"hand": won, "table": now.table})


@never_cache
@require_safe
def player(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """One player's place and points."""
    tournament = visible_tournament_or_404(request, slug)
    found = get_object_or_404(players_of(tournament), number=number)
    ranked = ranking(tournament, PUBLIC)
    row = next((each for each in ranked.rows if each.player.number == number), None)
    context = {"player": found, "row": row if ranked.sessions else None, "of": len(ranked.rows)}
    return _shown(request, tournament, "player", context)


@never_cache
@require_safe
def clock(request: HttpRequest, slug: str) -> HttpResponse:
    """The time that is left, the warning and the end."""
    tournament = visible_tournament_or_404(request, slug)
    running = overview(tournament).running
    context = {"session": _session(tournament), "clock": clock_of(running) if running else None}
    return _shown(request, tournament, "clock", context)


def _shown(request: HttpRequest, tournament: Tournament, kind: str, context: dict[str, Any]) -> HttpResponse:
    content: SafeString = render_part(tournament, PUBLIC, f"screens/overlay/_{kind}.html", lambda: context)
    size = request.GET.get("size", USUAL)
    facts = {
        "tournament": tournament,
        "content": content,
        "kind": kind,
        "size": size if size in SIZES else USUAL,
        "build": build(),
    }
    return render(request, "screens/overlay/overlay.html", facts)


def _session(tournament: Tournament) -> Session | None:
    """The one being played, else the last that was, else the first to come."""
    now = overview(tournament)
    return now.running or now.last_closed or now.next


def _table(tournament: Tournament, number: int) -> TableNow:
    session = _session(tournament)
    if session is None:
        raise Http404("no session yet")
    try:
        return table_now(find_table(tournament.slug, session.number, number), PUBLIC)
    except Table.DoesNotExist:
        raise Http404("no such table") from None
