"""The page of the desk: the table to look at without JavaScript, and what the script needs to work it."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone
from django.utils.text import capfirst
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_GET

from penalties.engine.sanctions import HAND_LONG, SANCTION_FLAGS
from penalties.texts import flag_text
from scoring.texts.tiles import CODES, tile_name
from tournament.base import access
from tournament.base.access import Audience
from tournament.base.models.play import Table
from tournament.fouls.views.foul_list import foul_list
from tournament.live.addresses import stream_url
from tournament.play.api.state import state
from tournament.play.api.state.absences import lateness
from tournament.play.api.state.places import rotation
from tournament.play.selectors.tables import TableNow, table_now
from tournament.play.texts.desk import words
from tournament.play.texts.verdict import verdict_words
from tournament.play.views.fan_list import fan_list
from tournament.play.views.offline import needed_offline
from tournament.play.views.table import table_or_404
from tournament.web.views.common import actor_of


@require_GET
@login_required
@never_cache
@ensure_csrf_cookie
def desk(request: HttpRequest, slug: str, session: int, table: int) -> HttpResponse:
    """One table, for its umpires."""
    actor = actor_of(request)
    found = table_or_404(slug, session, table)
    access.require_umpire(actor, found)
    tournament, now = found.session.tournament, table_now(found, Audience.STAFF)
    stands = state(now, actor)
    return render(
        request,
        "play/desk.html",
        {
            "now": now,
            "table": found,
            "session": found.session,
            "tournament": tournament,
            "state": stands,
            "setup": _setup(request, found),
            "picture": _picture(now),
            "back_url": reverse("umpire_tables", args=[slug]),
            "live_url": stream_url(tournament, access.audience_of(actor, tournament), at_a_desk=True),
        },
    )


def _picture(now: TableNow) -> list[dict[str, Any]]:
    return [
        {
            "position": seat.side,
            "wind": seat.wind,
            "name": seat.player.name,
            "player": seat.player,
            "stand_in": seat.stand_in,
            "score": seat.score,
        }
        for seat in now.seats
    ]


def _setup(request: HttpRequest, table: Table) -> dict[str, Any]:
    """What does not change while the page is open: addresses, words, tiles, fouls."""
    tournament = table.session.tournament
    return {
        "urls": _urls(request, table),
        "words": words(),
        "verdict": verdict_words(tournament.rules.scoring),
        "sprite": static("tiles/tiles.svg"),
        "marks": static("marks.svg"),
        "tiles": {code: tile_name(code) for code in CODES},
        "fans": fan_list(tournament.rules.scoring),
        "minimum": tournament.rules.scoring.minimum,
        "fouls": foul_list(tournament.rules.fouls),
        "flags": [
            {"key": flag, "name": capfirst(flag_text(flag)), "hand_long": flag in HAND_LONG}
            for flag in SANCTION_FLAGS
        ],
        "late": lateness(tournament.rules),
        "stand_in": tournament.rules.attendance.stand_in.value,
        "now": timezone.now().isoformat(),
        "rotation": rotation(table),
        "offline": needed_offline(table),
        "sessions": tournament.sessions_planned,
    }


def _urls(request: HttpRequest, table: Table) -> dict[str, str]:
    """The pages it leads to, and where the wire begins: what is done at the table has its address in `state`."""
    slug = table.session.tournament.slug
    where = (table.session.number, table.number)
    return {
        "tables": reverse("umpire_tables", args=[slug]),
        "next": reverse("desk_next", args=[slug, *where]),
        "previous": reverse("desk_previous", args=[slug, *where]),
        "appeals": reverse("appeals", args=[slug]),
        "fans": reverse("book-fans"),
        "call": f"{reverse('table_page', args=[slug, *where])}#call",
        "login": f"{reverse('login')}?next={request.path}",
        "tournaments": reverse("api_tournaments"),
    }
