"""Shared by all views: finding the tournament, permissions, navigation, conditional responses, refusals."""

import hashlib
import math
from collections.abc import Callable, Collection
from functools import lru_cache, wraps
from threading import Lock
from typing import Any, Concatenate, ParamSpec, TypeAlias
from urllib.parse import urlencode
from uuid import UUID, uuid4

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.staticfiles import finders
from django.core.cache import cache
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseBadRequest,
    HttpResponseRedirect,
    JsonResponse,
)
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import get_conditional_response, patch_cache_control, patch_vary_headers
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe
from django_htmx.middleware import HtmxDetails

from config.front.addresses import rate_limit_key
from scoring.engine.problems import problem_code
from tournament.base import access, hooks, requests
from tournament.base.access import Actor, Right
from tournament.base.engine.notices import Audience
from tournament.base.errors import Forbidden, ReasonRequired, Refused, TooMany
from tournament.base.limits import GuessLimit
from tournament.base.models.people import Player
from tournament.base.models.play import Table
from tournament.base.models.tournament import Tournament
from tournament.base.problems import sentence
from tournament.base.selectors import moments_passed, next_moment, version_for
from tournament.live.page_cache import set_cache_hint
from tournament.web.display import MAX_CHARACTERS, chinese_font, flag_sheet, render_flags
from tournament.web.sections import nav_groups
from tournament.web.selectors import page_context

GUESSED_TOO_OFTEN = problem_code(
    "guessed_too_often",
    "Too many wrong attempts from this address. Wait {seconds} second and try again.",
    "Too many wrong attempts from this address. Wait {seconds} seconds and try again.",
    by="seconds",
)

# --- Every page ---


class Request(HttpRequest):
    """A request with htmx's middleware."""

    htmx: HtmxDetails


def actor_of(request: HttpRequest) -> Actor:
    """Return the request's actor; cached until the user changes."""
    user, actor = getattr(request, "actor_of_user", (None, None))
    if actor is None or user is not request.user:
        actor = Actor.of(request.user)
        request.actor_of_user = (request.user, actor)  # type: ignore[attr-defined]
    return actor


def too_many_requests(request: HttpRequest, error: TooMany) -> HttpResponse:
    """Return a 429 response with Retry-After."""
    text = " ".join(sentence(problem) for problem in error.problems)
    response = render(request, "429.html", {"message": text}, status=429)
    response.headers["Retry-After"] = str(error.wait)
    return response


def count_guess(request: HttpRequest, guesses: GuessLimit) -> HttpResponse | None:
    """Count a guess at a secret; return a 429 response if it may not be checked. `forgive` undoes it."""
    try:
        guesses.require(rate_limit_key(request), GUESSED_TOO_OFTEN(seconds=guesses.pace.within))
    except TooMany as error:
        return too_many_requests(request, error)
    return None


def tournament_or_404(slug: str) -> Tournament:
    """Return the tournament and activate its time zone, without checking permissions."""
    tournament = get_object_or_404(Tournament, slug=slug)
    timezone.activate(tournament.zone)
    return tournament


def visible_tournament_or_404(request: HttpRequest, slug: str) -> Tournament:
    """Return the tournament; raise Http404 if this visitor may not see it."""
    tournament = tournament_or_404(slug)
    if not access.can_see(actor_of(request), tournament):
        raise Http404
    return tournament


def organised_or_404(request: HttpRequest, slug: str) -> Tournament:
    """Return the tournament for one of its organisers; raise Forbidden for others who may see it."""
    return allowed_or_404(request, slug, [Right.ORGANISE])


def allowed_or_404(request: HttpRequest, slug: str, rights: Collection[Right]) -> Tournament:
    """Return the tournament for an actor with one of these rights; raise Forbidden for others who may see it."""
    tournament = visible_tournament_or_404(request, slug)
    if not access.rights_in(actor_of(request), tournament).intersection(rights):
        names = " or ".join(right.value for right in rights)
        raise Forbidden(f"this asks for the right to {names} in {tournament}")
    return tournament


def add_refusal_messages(request: HttpRequest, refused: Refused) -> None:
    """Add each problem of a refused write as an error message."""
    for problem in refused.problems:
        messages.error(request, sentence(problem))


# --- Organisers' pages ---


UNPROCESSABLE = 422
"""Status of a page whose form has errors."""

Page = Callable[..., HttpResponse]


def page_for(*rights: Right) -> Callable[[Page], Page]:
    """Decorate a view `(request, tournament, …)` that needs one of these rights; its URL has the slug.

    Writes are checked again by the services.
    """

    def decorate(view: Page) -> Page:
        @never_cache
        @login_required
        @wraps(view)
        def wrapped(request: HttpRequest, slug: str, **kwargs: Any) -> HttpResponse:
            return view(request, allowed_or_404(request, slug, rights), **kwargs)

        return wrapped

    return decorate


organiser_page = page_for(Right.ORGANISE)
"""For organisers only."""
desk_page = page_for(Right.ADMIT)
"""For whoever admits people."""


def render_page(
    request: HttpRequest,
    template: str,
    tournament: Tournament,
    section: str,
    context: dict[str, Any] | None = None,
    *,
    status: int = 200,
) -> HttpResponse:
    """Render an organiser's page; `section` is its place in the navigation."""
    may = rights_of(request, tournament)
    full_context: dict[str, Any] = {"tournament": tournament, "section": section, "may": may}
    if may["organise"]:
        full_context |= hooks.merged(hooks.organiser_sections(tournament, request.path))
    full_context |= context or {}
    full_context["nav_groups"] = nav_groups(tournament, may)
    return render(request, f"{template}.html", full_context, status=status)


def rights_of(request: HttpRequest, tournament: Tournament) -> dict[str, bool]:
    """Return the actor's rights for templates: `may.organise`."""
    own = access.rights_in(actor_of(request), tournament)
    return {right.value: right in own for right in Right}


def run_and_redirect(
    request: HttpRequest, write: Callable[[], object], done: str, to: str, *args: Any, check: str = ""
) -> HttpResponse:
    """Run a write, add a message that it is done or why it was refused, and redirect.

    `check`: the URL of the page that asks for a reason if something is still open.
    """
    try:
        write()
    except ReasonRequired:
        if "reason" in request.POST:
            messages.error(request, gettext("Review the open items and say why you are continuing anyway."))
        reason = request.POST.get("reason", "").strip()[:300]
        query = f"{'&' if '?' in check else '?'}{urlencode({'reason': reason})}" if reason else ""
        return redirect(check + query)
    except Refused as refused:
        add_refusal_messages(request, refused)
    else:
        messages.success(request, done)
    return redirect(to, *args)


def person_url(request: HttpRequest, tournament: Tournament, key: str) -> str:
    """Return the address of somebody's page, with the filter of the list that led there."""
    return reverse("organiser_person", args=[tournament.slug, key], query=request.GET)


def idempotency_key(request: HttpRequest) -> UUID:
    """Return the submitted idempotency key; a new one if there is none."""
    try:
        return UUID(request.POST.get("key", ""))
    except ValueError:
        return uuid4()


# --- Public pages ---


SOURCE_FOLDERS = ("templates", "static", "locale", "config", "tournament", "penalties", "scoring")
"""Pages are made from the files in these folders."""
_render_lock = Lock()
P = ParamSpec("P")
View: TypeAlias = Callable[Concatenate[HttpRequest, Tournament, Audience, P], HttpResponse]


def tournament_page(view: View[P]) -> Callable[..., HttpResponse]:
    """Decorate a view `(request, tournament, audience, …)` of a whole page; its URL has the slug.

    Answers 304 if the ETag matches. It depends on the tournament's version for the audience, past moments (warning,
    end, final results), language, build, user and audience.
    """
    return _conditional_view(view, _reader)


def tournament_part(view: View[P]) -> Callable[..., HttpResponse]:
    """Decorate a view of a part of a page, which is the same for all readers of a language and audience."""
    return _conditional_view(view, lambda request: "")


def _conditional_view(
    view: View[P], reader_of: Callable[[HttpRequest], str | None]
) -> Callable[..., HttpResponse]:
    @require_safe
    @wraps(view)
    def wrapped(request: HttpRequest, slug: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        tournament = visible_tournament_or_404(request, slug)
        reader, audience = reader_of(request), access.audience_of(actor_of(request), tournament)
        etag = None if reader is None else f'"{page_key(tournament, audience, reader)}"'
        set_cache_hint(request, tournament.pk, tournament.public_version, next_moment(tournament))
        response = get_conditional_response(request, etag=etag) or view(
            request, tournament, audience, *args, **kwargs
        )
        if etag is not None:
            response["ETag"] = etag
        patch_cache_control(response, private=True, no_cache=True)
        patch_vary_headers(response, ["Cookie", "Accept-Language"])
        return response

    return wrapped


def _reader(request: HttpRequest) -> str | None:
    """Return an id of the reader; None if a message is waiting, so that the page is not cached."""
    if "messages" in request.COOKIES or "_messages" in request.session:
        return None
    return f"{request.user.pk} {request.COOKIES.get(settings.CSRF_COOKIE_NAME, '')}"


def page_key(tournament: Tournament, audience: Audience, *about: str) -> str:
    """Return a short hash of everything that a rendered page or part depends on."""
    version = version_for(audience, tournament)
    state = (tournament.pk, tournament.created_at, version, moments_passed(tournament))
    parts = (*state, audience.value, get_language(), build_id(), *about)
    return f"{version}-{hashlib.sha256(repr(parts).encode()).hexdigest()[:16]}"


@lru_cache(maxsize=1)
def build_id() -> int:
    """Return the newest modification time of all source files, so that an update invalidates cached pages.

    Compiled bytecode does not count: Python writes it whenever a module is imported for the first time.
    """
    files = (
        path
        for name in SOURCE_FOLDERS
        for path in (settings.BASE_DIR / name).rglob("*")
        if path.is_file() and path.parent.name != "__pycache__"
    )
    return max(path.stat().st_mtime_ns for path in files)


def render_shared(
    tournament: Tournament,
    audience: Audience,
    template: str,
    context: Callable[[], dict[str, Any]],
    *about: str,
) -> SafeString:
    """Render a part that a whole audience sees alike, once per version and language.

    `about`: further parts of the cache key. Only the newest version of each is cached.
    """
    cache_key = ":".join(("page", str(tournament.pk), audience.value, template, get_language() or "", *about))
    key = page_key(tournament, audience)
    cached_key, html = cache.get(cache_key, ("", ""))
    if cached_key == key:
        return SafeString(html)
    with _render_lock:  # a whole hall asks at once after a hand: one thread renders (ADR 8)
        cached_key, html = cache.get(cache_key, ("", ""))
        if cached_key != key:
            html = render_part(tournament, audience, template, context)
            cache.set(cache_key, (key, str(html)), timeout=None)
    return SafeString(html)


def render_part(
    tournament: Tournament, audience: Audience, template: str, context: Callable[[], dict[str, Any]]
) -> SafeString:
    """Render the same without the cache, for searches."""
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
    status: int = 200,
) -> HttpResponse:
    """Render a public page; with a table or a player, including what is announced for them."""
    frame = {
        "tournament": tournament,
        "audience": audience,
        "page_context": page_context(tournament, audience, table=table, player=player),
    }
    return render(request, f"{template}.html", frame | context, status=status)


# --- Appearance, files and the clock ---


YEAR = 365 * 24 * 3600


@csrf_exempt  # harmless, and pages without a token can be cached for everybody
@require_POST
def set_appearance(request: HttpRequest) -> HttpResponse:
    """Store theme or contrast in a cookie, without JavaScript.

    POST theme= or contrast= (empty: as the device), and next= to return to.
    """
    next_url = request.POST.get("next", "/")
    if not url_has_allowed_host_and_scheme(next_url, {request.get_host()}, request.is_secure()):
        next_url = "/"
    response = HttpResponseRedirect(next_url)
    for name in requests.APPEARANCE_CHOICES:
        value = request.POST.get(name)
        if value is None:
            continue
        if value not in requests.APPEARANCE_CHOICES[name]:
            return HttpResponseBadRequest()
        requests.set_appearance_cookie(response, name, value)
    return response


@require_safe
def flags_svg(request: HttpRequest, slug: str, digest: str) -> HttpResponse:
    """Return the flags of a tournament as one SVG, immutable under its digest.

    An outdated digest gets the newest sheet, without long caching.
    """
    tournament = visible_tournament_or_404(request, slug)
    set_cache_hint(request, tournament.pk, tournament.public_version, math.inf)
    flags = flag_sheet(tournament)
    response = HttpResponse(render_flags(flags.codes), content_type="image/svg+xml")
    if flags.address == request.path:
        patch_cache_control(response, private=True, max_age=YEAR, immutable=True)
    else:
        patch_cache_control(response, private=True, no_cache=True)
    return response


@require_safe
def chinese_font_file(request: HttpRequest) -> HttpResponse:
    """Return the font of the characters in `?text=`, for a page on a device that has no Chinese font (js/fonts.js)."""
    characters = frozenset(request.GET.get("text", ""))
    if not 0 < len(characters) <= MAX_CHARACTERS:
        return HttpResponseBadRequest()
    response = HttpResponse(chinese_font(characters), content_type="font/woff2")
    patch_cache_control(response, public=True, max_age=YEAR, immutable=True)
    return response


@require_safe
@never_cache
def server_time(request: HttpRequest) -> JsonResponse:
    """Return {"now": milliseconds since 1970}, for the clocks on all devices."""
    return JsonResponse({"now": round(timezone.now().timestamp() * 1000)})


@require_safe
@cache_control(no_cache=True)
def service_worker(request: HttpRequest, script: str) -> HttpResponse:
    """Return a worker script, revalidated each time.

    A worker controls the paths below its own, so it is not served from /static/.
    """
    path = finders.find(script)
    if not isinstance(path, str):
        raise Http404
    with open(path, encoding="utf-8") as text:
        return HttpResponse(text.read(), content_type="text/javascript; charset=utf-8")
