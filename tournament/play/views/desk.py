"""The page of the desk, the data for its script, and what it needs without a network."""

import hashlib
import io
import zipfile
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import get_language
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_GET, require_safe

from penalties.engine.sanctions import HAND_FLAGS, SANCTION_FLAGS
from penalties.texts import flag_text, foul_options
from scoring.book.fans import entries
from scoring.book.terms import haystack
from scoring.engine import Fan, Rulebook, barred_by, most_times
from scoring.engine.named import DISCARD_FANS, SELF_DRAWN_FANS
from scoring.texts import TILE_CODES, fan_name, tile_name
from tournament.base import access
from tournament.base.access import Right
from tournament.base.engine.notices import Audience
from tournament.base.models.play import Table
from tournament.base.models.tournament import Tournament
from tournament.base.problems import templates
from tournament.base.sql import find_table
from tournament.play.api.state import lateness, rotation, state
from tournament.play.selectors.tables import TableNow, table_now
from tournament.play.texts.desk import desk_texts
from tournament.play.texts.verdict import verdict_words
from tournament.web.display import stream_url
from tournament.web.views import actor_of, tournament_or_404

# --- Page ---


def table_or_404(slug: str, session: int, table: int) -> Table:
    """Return a table, without checking rights; activate the time zone of its tournament."""
    try:
        row = find_table(slug, session, table)
    except Table.DoesNotExist:
        raise Http404 from None
    timezone.activate(row.session.tournament.zone)
    return row


def tables_url(request: HttpRequest, tournament: Tournament, session: int | None = None) -> str:
    """Return the page that leads to tables: an organiser's board, by default of the current session, or an umpire's."""
    if not access.can_organise(actor_of(request), tournament):
        return reverse("umpire_tables", args=[tournament.slug])
    if session is None:
        return reverse("organiser_board", args=[tournament.slug])
    return reverse("organiser_session", args=[tournament.slug, session])


def desk_url(table: Table) -> str:
    session = table.session
    return reverse("desk", args=[session.tournament.slug, session.number, table.number])


@require_GET
@login_required
@never_cache
@ensure_csrf_cookie
def desk(request: HttpRequest, slug: str, session: int, table: int) -> HttpResponse:
    """Show a table to its umpires. Without JavaScript it is read-only."""
    actor = actor_of(request)
    here = table_or_404(slug, session, table)
    access.require_at(actor, here, Right.ENTER)
    tournament, now = here.session.tournament, table_now(here, Audience.STAFF)
    return render(
        request,
        "play/desk.html",
        {
            "now": now,
            "table": here,
            "session": here.session,
            "tournament": tournament,
            "state": state(now, actor),
            "setup": _setup(request, here),
            "picture": _picture(now),
            "back_url": f"{tables_url(request, tournament, session)}#t{table}",
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
    """Return the constants of the script: addresses, texts, tiles, fans, fouls, settings."""
    tournament = table.session.tournament
    return {
        "urls": _urls(request, table),
        "words": desk_texts(),
        "verdict": verdict_words(tournament.rules.scoring),
        "sprite": static("tiles/tiles.svg"),
        "marks": static("marks.svg"),
        "tiles": {code: tile_name(code) for code in TILE_CODES},
        "fans": fan_list(tournament.rules.scoring),
        "minimum": tournament.rules.scoring.minimum,
        "extra": tournament.rules.scoring.extra,
        "fouls": foul_options(tournament.rules.fouls),
        "flags": [
            {
                "key": flag,
                "text": flag_text(flag),
                "name": capfirst(flag_text(flag)),
                "hand_long": flag in HAND_FLAGS,
            }
            for flag in SANCTION_FLAGS
        ],
        "late": lateness(tournament.rules),
        "stand_in": tournament.rules.attendance.stand_in.value,
        "appeal_deposit": tournament.appeal_deposit,
        "now": timezone.now().isoformat(),
        "rotation": rotation(table),
        "offline": offline_setup(table),
        "sessions": tournament.sessions_planned,
    }


def _urls(request: HttpRequest, table: Table) -> dict[str, str]:
    """Return addresses of pages and of the API's root; those of writes at the table are in `state`."""
    tournament, where = table.session.tournament, (table.session.number, table.number)
    slug = tournament.slug
    return {
        "tables": f"{tables_url(request, tournament, where[0])}#t{where[1]}",
        "next": reverse("desk_next", args=[slug, *where]),
        "previous": reverse("desk_previous", args=[slug, *where]),
        "appeals": reverse("appeals", args=[slug]),
        "disputes": f"{desk_url(table)}hands/" if access.may_at(actor_of(request), table, Right.SEE) else "",
        "fans": reverse("book-fans"),
        "call": f"{reverse('table_page', args=[slug, *where])}#call",
        "help": f"{reverse('help')}umpires/desk/",
        "login": f"{reverse('login')}?next={request.path}",
        "tournaments": reverse("api_tournaments"),
    }


# --- Fans ---


COMMON_FANS = (
    *(Fan.MIXED_SHIFTED_CHOWS, Fan.MIXED_STRAIGHT, Fan.ALL_CHOWS, Fan.CONCEALED_HAND, Fan.FLOWER_TILES),
    *(Fan.MIXED_DOUBLE_CHOW, Fan.HALF_FLUSH, Fan.ALL_PUNGS, Fan.MIXED_TRIPLE_CHOW, Fan.PURE_STRAIGHT),
    *(Fan.DRAGON_PUNG, Fan.PUNG_OF_TERMINALS_OR_HONORS, Fan.ALL_TYPES, Fan.MELDED_HAND, Fan.NO_HONORS),
    *(Fan.SELF_DRAWN, Fan.FULLY_CONCEALED_HAND, Fan.ONE_VOIDED_SUIT, Fan.SINGLE_WAIT, Fan.CLOSED_WAIT),
    *(Fan.EDGE_WAIT, Fan.SHORT_STRAIGHT, Fan.TWO_TERMINAL_CHOWS, Fan.PURE_DOUBLE_CHOW, Fan.ALL_SIMPLES),
    *(Fan.OUTSIDE_HAND, Fan.SEVEN_PAIRS, Fan.FULL_FLUSH, Fan.KNITTED_STRAIGHT, Fan.LAST_TILE, Fan.TILE_HOG),
)
"""First in the list of fans, until the device has learnt an order of its own."""


def fan_list(rulebook: Rulebook) -> list[dict[str, Any]]:
    """List the fans of a rulebook for the script, the common ones first.

    [{"key", "name", "other", "search", "points", "maximum", "barred", "won", "follows", "flower"}]. `barred`: key of
    another fan → how often this one still counts beside it; `won`: "drawn", "discard" or "" for either; `follows`:
    counts in every self-drawn hand unless another fan implies it.
    """
    ranked = {fan: place for place, fan in enumerate(COMMON_FANS)}
    fans = sorted(rulebook.points, key=lambda fan: (ranked.get(fan, len(ranked)), fan.number))
    return [_fan(fan, rulebook) for fan in fans]


def _fan(fan: Fan, rulebook: Rulebook) -> dict[str, Any]:
    points = rulebook.points[fan]
    return {
        "key": fan.key,
        "name": fan_name(fan),
        "other": fan.zh_hans if (get_language() or "en") == "en" else fan.en,
        "search": f"{haystack(entries()[fan])} {points}",
        "points": points,
        "maximum": most_times(fan),
        "barred": {by.key: times for by, times in barred_by(fan, rulebook).items()},
        "won": "drawn" if fan in SELF_DRAWN_FANS else "discard" if fan in DISCARD_FANS else "",
        "follows": fan is Fan.SELF_DRAWN,
        "flower": fan is Fan.FLOWER_TILES,
    }


# --- Without a network ---


PYODIDE = "vendor/pyodide/314.0.7/"

PYODIDE_PARTS = (
    "pyodide.mjs",
    "pyodide.asm.mjs",
    "pyodide.asm.wasm",
    "python_stdlib.zip",
    "pyodide-lock.json",
)


def offline_setup(table: Table) -> dict[str, Any]:
    """Return the addresses of what the script needs without a network."""
    slug = table.session.tournament.slug
    return {
        "service_worker": reverse("desk_service_worker"),
        "tables": reverse("umpire_tables", args=[slug]),
        "words": f"{reverse('desk_words', args=[slug])}?{urlencode({'in': get_language()})}",
        "worker": static("js/desk/engine-worker.js"),
        "engines": reverse("desk_engines", args=[engines_digest()]),
        "pyodide": static(PYODIDE),
        "parts": [static(PYODIDE + part) for part in PYODIDE_PARTS],
    }


A_YEAR = 365 * 24 * 3600


@require_safe
@cache_control(public=True, max_age=A_YEAR, immutable=True)
def engines_file(request: HttpRequest, digest: str) -> HttpResponse:
    """Serve the engines' sources under a name that changes with their content."""
    if digest != engines_digest():
        raise Http404
    return HttpResponse(engines(), content_type="application/zip")


@require_safe
@login_required
@cache_control(private=True, no_cache=True)
def offline_words(request: HttpRequest, slug: str) -> JsonResponse:
    """Serve the tournament's rules and the problem texts."""
    tournament = tournament_or_404(slug)
    if not access.may(actor_of(request), tournament, Right.ENTER):
        raise PermissionDenied
    return JsonResponse(offline_texts(tournament))


def offline_texts(tournament: Tournament) -> dict[str, Any]:
    """Return the tournament's rules, and the problem texts by code."""
    return {"rules": tournament.rules_snapshot, "sentences": templates()}


ENGINES = ("scoring", "penalties", "tournament/*")
EXCLUDED = ("seating", "__pycache__")
"""Seats are not drawn at the desk."""
EPOCH = (1980, 1, 1, 0, 0, 0)
"""Time of every file in the archive, so that equal sources give equal bytes."""


@lru_cache(maxsize=1)
def engines() -> bytes:
    """Pack the engines' sources as a zip file that Python imports from."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as bundle:
        for path in _sources():
            name = path.relative_to(settings.BASE_DIR).as_posix()
            bundle.writestr(zipfile.ZipInfo(name, EPOCH), path.read_bytes(), zipfile.ZIP_DEFLATED)
    return archive.getvalue()


def _sources() -> Iterator[Path]:
    base = settings.BASE_DIR
    yield base / "tournament" / "__init__.py"
    for part in sorted(
        path for pattern in ENGINES for path in base.glob(pattern) if path.name not in EXCLUDED
    ):
        files = [*part.glob("engine.py"), *part.glob("engine/**/*.py")]
        if files:
            yield part / "__init__.py"
            yield from sorted(path for path in files if not set(EXCLUDED) & set(path.parts))


@lru_cache(maxsize=1)
def engines_digest() -> str:
    """Return a digest of the engines' sources."""
    return hashlib.sha256(engines()).hexdigest()[:12]
