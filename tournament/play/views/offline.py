"""What the desk fetches while there is a network, to go on without one."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import get_language
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from tournament.base import access
from tournament.base.access import Right
from tournament.base.models.play import Table
from tournament.play.views import engines
from tournament.web.views.common import actor_of, tournament_or_404

PYODIDE = "vendor/pyodide/314.0.7/"
PYODIDE_PARTS = (
    "pyodide.mjs",
    "pyodide.asm.mjs",
    "pyodide.asm.wasm",
    "python_stdlib.zip",
    "pyodide-lock.json",
)
A_YEAR = 365 * 24 * 3600


def needed_offline(table: Table) -> dict[str, Any]:
    """Where a desk's script finds what it needs to go on without a network."""
    slug = table.session.tournament.slug
    return {
        "service_worker": reverse("desk_service_worker"),
        "tables": reverse("umpire_tables", args=[slug]),
        "words": f"{reverse('desk_words', args=[slug])}?{urlencode({'in': get_language()})}",
        "worker": static("js/desk/engine-worker.js"),
        "engines": reverse("desk_engines", args=[engines.engines_digest()]),
        "pyodide": static(PYODIDE),
        "parts": [static(PYODIDE + part) for part in PYODIDE_PARTS],
    }


@require_safe
@cache_control(public=True, max_age=A_YEAR, immutable=True)
def engines_file(request: HttpRequest, digest: str) -> HttpResponse:
    """The engines' sources, under a name that changes with them."""
    if digest != engines.engines_digest():
        raise Http404
    return HttpResponse(engines.engines(), content_type="application/zip")


@require_safe
@login_required
@cache_control(private=True, no_cache=True)
def words(request: HttpRequest, slug: str) -> JsonResponse:
    """The tournament's rules, and sentences and fan names by code."""
    tournament = tournament_or_404(slug)
    if not access.may(actor_of(request), tournament, Right.ENTER):
        raise PermissionDenied
    return JsonResponse(engines.words_of(tournament))
