"""What every public page of a tournament does first: find it, and answer 304 when the reader has this very page.

A page follows from the tournament's version, what the clock has changed since (warning, end, result final), the
language, the code that draws it and who is signed in: these are its ETag.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import lru_cache, wraps
from threading import Lock
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.cache import get_conditional_response, patch_cache_control, patch_vary_headers
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from tournament.live.shelf import offer
from tournament.models import Tournament
from tournament.selectors.clock import moments_passed, next_moment
from tournament.views.common import visible_tournament_or_404

PLACES = ("templates", "static", "locale", "tournament", "penalties", "scoring")
"""The folders a page is made from."""
_drawing = Lock()


def tournament_page(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """A view `(request, tournament, …)` of a whole page, under an address with the tournament's slug."""
    return _answering(view, _reader)


def tournament_part(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """A view of a piece of a page: the same for every reader of the language."""
    return _answering(view, lambda request: "")


def _answering(
    view: Callable[..., HttpResponse], reader: Callable[[HttpRequest], str | None]
) -> Callable[..., HttpResponse]:
    @require_safe
    @wraps(view)
    def answer(request: HttpRequest, slug: str, **where: Any) -> HttpResponse:
        tournament = visible_tournament_or_404(request, slug)
        who = reader(request)
        etag = None if who is None else f'"{page_key(tournament, who)}"'
        offer(request, tournament.pk, tournament.version, next_moment(tournament))
        response = get_conditional_response(request, etag=etag) or view(request, tournament, **where)
        if etag is not None:
            response["ETag"] = etag
        patch_cache_control(response, private=True, no_cache=True)
        patch_vary_headers(response, ["Cookie", "Accept-Language"])
        return response

    return answer


def drawn(
    tournament: Tournament, template: str, context: Callable[[], dict[str, Any]], *about: str
) -> SafeString:
    """What everybody sees alike on a page, drawn once a version and language. `about`: which of the template's pages.

    Only the newest version of each page is kept.
    """
    place = ":".join(("page", str(tournament.pk), template, get_language() or "", *about))
    key = page_key(tournament)
    kept, found = cache.get(place, ("", ""))
    if kept == key:
        return SafeString(found)
    with _drawing:  # a whole hall asks at once after a hand: one draws, the others wait for it
        kept, found = cache.get(place, ("", ""))
        if kept != key:
            found = drawn_once(tournament, template, context)
            cache.set(place, (key, str(found)), timeout=None)
    return SafeString(found)


def drawn_once(tournament: Tournament, template: str, context: Callable[[], dict[str, Any]]) -> SafeString:
    """The same, drawn for this once: for what somebody searched."""
    return render_to_string(template, {"tournament": tournament} | context())


def page_key(tournament: Tournament, *about: str) -> str:
    """What a rendered page or part follows from, as a short word."""
    written = (tournament.pk, tournament.created_at, tournament.version, moments_passed(tournament))
    parts = (*written, get_language(), build(), *about)
    return f"{tournament.version}-{hashlib.sha256(repr(parts).encode()).hexdigest()[:16]}"


def _reader(request: HttpRequest) -> str | None:
    """Whose page it is; None when a message waits to be shown, so that it is."""
    if "messages" in request.COOKIES or "_messages" in request.session:
        return None
    return f"{request.user.pk} {request.COOKIES.get(settings.CSRF_COOKIE_NAME, '')}"


@lru_cache(maxsize=1)
def build() -> int:
    """When the newest file that pages are made from was written: after an update no old page is taken for current."""
    files = (path for place in PLACES for path in (settings.BASE_DIR / place).rglob("*") if path.is_file())
    return max(path.stat().st_mtime_ns for path in files)
