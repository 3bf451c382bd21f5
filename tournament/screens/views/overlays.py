"""Overlays for video streams, and the page that lists their addresses.

An overlay is a transparent page of 1920 × 1080 with one card, which a streaming program shows over the picture of a
camera. It shows what the public may see, whoever opens it, and keeps showing a session that is over.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from tournament.base.engine.notices import Audience
from tournament.base.engine.rules import WINDS
from tournament.base.models.play import Session, Table
from tournament.base.models.tournament import Tournament
from tournament.base.requests import site_address
from tournament.base.sql import find_table
from tournament.play.selectors.clock import clock_of
from tournament.play.selectors.public import overview
from tournament.play.selectors.tables import TableNow, table_now
from tournament.play.selectors.timetable import players_of
from tournament.players.selectors.players import public_players
from tournament.ranking.selectors.ranking import ranking
from tournament.screens.forms import OverlayForm
from tournament.web.views import (
    build_id,
    render_part,
    tournament_html,
    tournament_page,
    visible_tournament_or_404,
)

PUBLIC: Final = Audience.PUBLIC

# --- Cards ---


Context = dict[str, Any]


def _table(tournament: Tournament, number: int) -> Context:
    """Return the context of a table: its players in the order of their starting winds, so that no name moves."""
    now = _table_now(tournament, number)
    seats = sorted(now.seats, key=lambda seat: WINDS.index(seat.start_wind))
    return {"now": now, "session": now.table.session, "seats": seats}


def _hand(tournament: Tournament, number: int) -> Context:
    """Return the context of the last hand won at a table."""
    hands = reversed(_table_now(tournament, number).hands)
    hand = next((hand for hand in hands if hand.winner_id), None)
    melds = hand.tiles["melds"] if hand and hand.tiles else ()
    return {"hand": hand, "is_long": any(len(meld["tiles"]) == 4 for meld in melds)}


def _table_now(tournament: Tournament, number: int) -> TableNow:
    session = _session_shown(tournament)
    if session is None:
        raise Http404("no session yet")
    try:
        return table_now(find_table(tournament.slug, session.number, number), PUBLIC)
    except Table.DoesNotExist:
        raise Http404("no such table") from None


def _session_shown(tournament: Tournament) -> Session | None:
    """Return the running session, else the last closed, else the next."""
    now = overview(tournament)
    return now.running or now.last_closed or now.next


def _player(tournament: Tournament, number: int) -> Context:
    players = public_players(players_of(tournament).filter(number=number), tournament)
    if not players:
        raise Http404
    ranked = ranking(tournament, PUBLIC)
    row = next((row for row in ranked.rows if row.player.number == number), None)
    return {"player": players[0], "row": row if ranked.sessions else None, "of": len(ranked.rows)}


def _clock(tournament: Tournament, number: int) -> Context:
    running = overview(tournament).running
    return {"session": _session_shown(tournament), "clock": clock_of(running) if running else None}


@dataclass(frozen=True)
class Overlay:
    """A kind of overlay."""

    name: Promise
    about: Promise
    context: Callable[[Tournament, int], Context]
    """Called with the number of the table or player, or 0. Raises Http404 for an unknown one."""
    of: str = "table"
    """Whose number is in its address: table, player, or "" without one."""


OVERLAYS: Final[Mapping[str, Overlay]] = {
    "lower_third": Overlay(
        _("Lower third"), _("Table, session, players with seat wind and score, at the bottom."), _table
    ),
    "table": Overlay(
        _("Scores of the table"), _("Players with seat wind and score, at the top left."), _table
    ),
    "hand": Overlay(
        _("Last hand won"),
        _("Winner, tiles, fans and points, at the bottom. Nothing before the first win."),
        _hand,
    ),
    "player": Overlay(_("One player"), _("Rank and points, at the bottom left."), _player, of="player"),
    "clock": Overlay(_("Clock"), _("Time left of the session, at the top right."), _clock, of=""),
}
"""By the name of the template."""


def _card(tournament: Tournament, kind: str, number: int) -> SafeString:
    return render_part(
        tournament,
        PUBLIC,
        f"screens/overlay/_{kind}.html",
        lambda: OVERLAYS[kind].context(tournament, number),
    )


# --- Pages ---


@tournament_page
def overlays(request: HttpRequest, tournament: Tournament, audience: Audience) -> HttpResponse:
    """List the overlays of a table and a player, each with a preview and its address."""
    session = _session_shown(tournament)
    form = OverlayForm(
        list(session.tables.values_list("number", flat=True)) if session else [],
        public_players(players_of(tournament), tournament),
        request.GET,
    )
    numbers = {"table": form.value("table"), "player": form.value("player"), "": 0}
    listed = [
        {
            "kind": kind,
            "overlay": overlay,
            "card": _card(tournament, kind, numbers[overlay.of]),
            "url": f"{_url(tournament, kind, numbers[overlay.of])}?size={form.value('size')}",
        }
        for kind, overlay in OVERLAYS.items()
        if numbers[overlay.of] is not None
    ]
    context = {"form": form, "size": form.value("size"), "overlays": listed, "site": site_address()}
    return tournament_html(request, "screens/overlays", tournament, audience, context)


def _url(tournament: Tournament, kind: str, number: int) -> str:
    return reverse(
        f"overlay_{kind}", args=[tournament.slug, number] if OVERLAYS[kind].of else [tournament.slug]
    )


@never_cache
@require_safe
def overlay(request: HttpRequest, slug: str, kind: str, number: int = 0) -> HttpResponse:
    """Show an overlay, in the size of the query string."""
    tournament = visible_tournament_or_404(request, slug)
    size = request.GET.get("size", "m")
    context = {
        "tournament": tournament,
        "content": _card(tournament, kind, number),
        "kind": kind,
        "size": size if size in OverlayForm.SIZES else "m",
        "build": build_id(),
    }
    return render(request, "screens/overlay/overlay.html", context)
