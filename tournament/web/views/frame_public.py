"""What every public page of a tournament does first: find it, and answer 304 when the reader has this very page.

A page follows from the tournament's version as its audience counts, what the clock has changed since (warning, end,
result final), the language, the code that renders it, who is signed in and what their audience is told: these are its
ETag.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import lru_cache, wraps
from threading import Lock
from typing import Any, Concatenate, ParamSpec, TypeAlias

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.cache import get_conditional_response, patch_cache_control, patch_vary_headers
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from tournament.base import access
from tournament.base.access import Audience
from tournament.base.models.people import Player
from tournament.base.models.play import Table
from tournament.base.models.tournament import Tournament
from tournament.base.selectors.embargo import version_for
from tournament.live.page_cache import offer
from tournament.play.selectors.clock import moments_passed, next_moment
from tournament.site.selectors.surroundings import surroundings
from tournament.web.views.common import actor_of, visible_tournament_or_404

PLACES = ("templates", "static", "locale", "config", "tournament", "penalties", "scoring")
"""The folders a page is made from."""
_rendering = Lock()
P = ParamSpec("P")
View: TypeAlias = Callable[Concatenate[HttpRequest, Tournament, Audience, P], HttpResponse]


def tournament_page(view: View[P]) -> Callable[..., HttpResponse]:
    """A view `(request, tournament, audience, …)` of a whole page, under an address with the tournament's slug."""
    return _answering(view, _reader)


def tournament_part(view: View[P]) -> Callable[..., HttpResponse]:
    """A view of a piece of a page: the same for every reader of the language in one audience."""
    return _answering(view, lambda request: "")


def _answering(view: View[P], reader: Callable[[HttpRequest], str | None]) -> Callable[..., HttpResponse]:
    @require_safe
    @wraps(view)
    def answer(request: HttpRequest, slug: str, *args: P.args, **where: P.kwargs) -> HttpResponse:
        tournament = visible_tournament_or_404(request, slug)
        who, audience = reader(request), access.audience_of(actor_of(request), tournament)
        etag = None if who is None else f'"{page_key(tournament, audience, who)}"'
        offer(request, tournament.pk, tournament.public_version, next_moment(tournament))
        response = get_conditional_response(request, etag=etag) or view(
            request, tournament, audience, *args, **where
        )
        if etag is not None:
            response["ETag"] = etag
        patch_cache_control(response, private=True, no_cache=True)
        patch_vary_headers(response, ["Cookie", "Accept-Language"])
        return response

    return answer


def render_shared(
    tournament: Tournament,
    audience: Audience,
    template: str,
    context: Callable[[], dict[str, Any]],
    *about: str,
) -> SafeString:
    """What a whole audience sees alike on a page, rendered once a version and language.

    `about`: which of the template's pages. Only the newest version of each is kept.
    """
    place = ":".join(("page", str(tournament.pk), audience.value, template, get_language() or "", *about))
    key = page_key(tournament, audience)
    kept, found = cache.get(place, ("", ""))
    if kept == key:
        return SafeString(found)
    with _rendering:  # a whole hall asks at once after a hand: one renders, others wait (ADR 8)
        kept, found = cache.get(place, ("", ""))
        if kept != key:
            found = render_part(tournament, audience, template, context)
            cache.set(place, (key, str(found)), timeout=None)
    return SafeString(found)


def render_part(
    tournament: Tournament, audience: Audience, template: str, context: Callable[[], dict[str, Any]]
) -> SafeString:
    """The same, rendered for this once: for what somebody searched."""
    return render_to_string(template, {"tournament": tournament, "audience": audience} | context())


def tournament_html(
    request: HttpRequest,
    template: str,
    tournament: Tournament,
    audience: Audience,
    context: dict[str, Any],
    *,
    table: Table | None = None,
    player: Player | None = None,
) -> HttpResponse:
    """A whole page of the tournament; one about a table or a player says what is announced there."""
    around = surroundings(tournament, audience, table=table, player=player)
    facts = {"tournament": tournament, "audience": audience, "around": around}
    return render(request, f"{template}.html", facts | context)


def page_key(tournament: Tournament, audience: Audience, *about: str) -> str:
    """What a rendered page or part follows from, as a short word."""
    version = version_for(audience, tournament)
    written = (tournament.pk, tournament.created_at, version, moments_passed(tournament))
    parts = (*written, audience.value, get_language(), build(), *about)
    return f"{version}-{hashlib.sha256(repr(parts).encode()).hexdigest()[:16]}"


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
