"""What every page does: find the tournament, mark the section, answer 304, say a refusal."""

import hashlib
import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache, wraps
from threading import Lock
from typing import Any, Concatenate, Final, ParamSpec, TypeAlias
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
from django.urls import NoReverseMatch, reverse
from django.utils import timezone
from django.utils.cache import get_conditional_response, patch_cache_control, patch_vary_headers
from django.utils.functional import Promise
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe
from django_htmx.middleware import HtmxDetails

from scoring.engine.problems import problem_code
from tournament.base import access, hooks, requests, zones
from tournament.base.access import Actor, Audience, Right
from tournament.base.errors import Forbidden, Refused, TooMany, Unsettled
from tournament.base.limits import Guesses
from tournament.base.models.people import Player
from tournament.base.models.play import Table
from tournament.base.models.tournament import Tournament
from tournament.base.problems import sentence
from tournament.base.requests import place_of
from tournament.base.selectors import moments_passed, next_moment, version_for
from tournament.live.page_cache import set_cache_hint
from tournament.web.display import drawn, flag_sheet
from tournament.web.selectors import surroundings

GUESSED_TOO_OFTEN = problem_code(
    "guessed_too_often",
    "Too many wrong ones came from this address. Wait {seconds} seconds and try once more.",
)

# --- Every page ---


class Request(HttpRequest):
    """A request as the middleware hands it on."""

    htmx: HtmxDetails


def actor_of(request: HttpRequest) -> Actor:
    """The one who asks, as the services want to know it; the same as long as nobody else signs in."""
    user, actor = getattr(request, "actor_of_user", (None, None))
    if actor is None or user is not request.user:
        actor = Actor.of(request.user)
        request.actor_of_user = (request.user, actor)  # type: ignore[attr-defined]
    return actor


def turned_away(request: HttpRequest, many: TooMany) -> HttpResponse:
    """429: too often from here, and when to come back."""
    text = " ".join(sentence(problem) for problem in many.problems)
    response = render(request, "429.html", {"said": text}, status=429)
    response.headers["Retry-After"] = str(many.wait)
    return response


def count_guess(request: HttpRequest, guesses: Guesses) -> HttpResponse | None:
    """Count a guess at a secret; the answer when it is not looked at. A right one is given back: `was_right`."""
    try:
        guesses.require(place_of(request), GUESSED_TOO_OFTEN(seconds=guesses.pace.within))
    except TooMany as many:
        return turned_away(request, many)
    return None


def tournament_or_404(slug: str) -> Tournament:
    """The tournament by its address, whoever asks; from here on times are told by its clock."""
    tournament = get_object_or_404(Tournament, slug=slug)
    zones.tell_time_of(tournament)
    return tournament


def visible_tournament_or_404(request: HttpRequest, slug: str) -> Tournament:
    """The tournament, unless it is hidden from this visitor: then it does not exist."""
    tournament = tournament_or_404(slug)
    if not access.can_see(actor_of(request), tournament):
        raise Http404
    return tournament


def organised_or_404(request: HttpRequest, slug: str) -> Tournament:
    """The tournament, for one of its organisers; `Forbidden` for anybody else who may see it."""
    return allowed_or_404(request, slug, [Right.ORGANISE])


def allowed_or_404(request: HttpRequest, slug: str, rights: Collection[Right]) -> Tournament:
    """The tournament, for whoever has one of these rights; `Forbidden` for anybody else who may see it."""
    tournament = visible_tournament_or_404(request, slug)
    if not access.rights_in(actor_of(request), tournament).intersection(rights):
        names = " or ".join(right.value for right in rights)
        raise Forbidden(f"this asks for the right to {names} in {tournament}")
    return tournament


def tell_refusal(request: HttpRequest, refused: Refused) -> None:
    """Say each problem of a button's refusal as a message on the next page."""
    for problem in refused.problems:
        messages.error(request, sentence(problem))


# --- Organisers' pages ---


UNPROCESSABLE = 422
"""The answer to a form with something wrong in it."""

Page = Callable[..., HttpResponse]


def page_for(*rights: Right) -> Callable[[Page], Page]:
    """A view `(request, tournament, …)` for those with one of these rights, under an address with the event's slug.

    What it writes asks the services, which know better than a page which right each of them needs.
    """

    def for_these(view: Page) -> Page:
        @never_cache
        @login_required
        @wraps(view)
        def answer(request: HttpRequest, slug: str, **where: Any) -> HttpResponse:
            return view(request, allowed_or_404(request, slug, rights), **where)

        return answer

    return for_these


organiser_page = page_for(Right.ORGANISE)
"""For organisers only."""
desk_page = page_for(Right.ADMIT)
"""For whoever admits people."""


def show(
    request: HttpRequest,
    template: str,
    tournament: Tournament,
    section: str,
    context: dict[str, Any] | None = None,
    *,
    status: int = 200,
) -> HttpResponse:
    """A page of the tournament; `section` is the link of the navigation that it belongs to."""
    may = rights_of(request, tournament)
    whole: dict[str, Any] = {"tournament": tournament, "section": section, "may": may}
    if may["organise"]:
        whole |= hooks.merged(hooks.organiser_sections(tournament, request.path))
    whole |= context or {}
    whole["sections"] = sections = sections_for(tournament, may)
    whole["parts"] = parts_of(sections)
    return render(request, f"{template}.html", whole, status=status)


def rights_of(request: HttpRequest, tournament: Tournament) -> dict[str, bool]:
    """For templates: `may.organise` and the like."""
    own = access.rights_in(actor_of(request), tournament)
    return {right.value: right in own for right in Right}


def press(
    request: HttpRequest, write: Callable[[], object], done: str, to: str, *where: Any, check: str = ""
) -> HttpResponse:
    """A button: write, say that it is done or why it could not be, and go to a page.

    `check`: the address of the page that says what is still open before this step.
    """
    try:
        write()
    except Unsettled:
        if "reason" in request.POST:
            messages.error(request, gettext("Look at what is open, and say why you go on all the same."))
        typed = request.POST.get("reason", "").strip()[:300]
        more = f"{'&' if '?' in check else '?'}{urlencode({'reason': typed})}" if typed else ""
        return redirect(check + more)
    except Refused as refused:
        tell_refusal(request, refused)
    else:
        messages.success(request, done)
    return redirect(to, *where)


def pressed_key(request: HttpRequest) -> UUID:
    """The key by which a button that is pressed twice is known again; a new one when none was sent."""
    try:
        return UUID(request.POST.get("key", ""))
    except ValueError:
        return uuid4()


# --- Public pages ---


PLACES = ("templates", "static", "locale", "config", "tournament", "penalties", "scoring")
"""The folders a page is made from."""
_rendering = Lock()
P = ParamSpec("P")
View: TypeAlias = Callable[Concatenate[HttpRequest, Tournament, Audience, P], HttpResponse]


def tournament_page(view: View[P]) -> Callable[..., HttpResponse]:
    """A view `(request, tournament, audience, …)` of a whole page, under an address with the tournament's slug.

    It answers 304 when the reader has this very page. A page follows from the tournament's version as its audience
    counts, what the clock has changed since (warning, end, result final), the language, the code that renders it, who
    is signed in and what their audience is told: these are its ETag.
    """
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
        set_cache_hint(request, tournament.pk, tournament.public_version, next_moment(tournament))
        response = get_conditional_response(request, etag=etag) or view(
            request, tournament, audience, *args, **where
        )
        if etag is not None:
            response["ETag"] = etag
        patch_cache_control(response, private=True, no_cache=True)
        patch_vary_headers(response, ["Cookie", "Accept-Language"])
        return response

    return answer


def _reader(request: HttpRequest) -> str | None:
    """Whose page it is; None when a message waits to be shown, so that it is."""
    if "messages" in request.COOKIES or "_messages" in request.session:
        return None
    return f"{request.user.pk} {request.COOKIES.get(settings.CSRF_COOKIE_NAME, '')}"


def page_key(tournament: Tournament, audience: Audience, *about: str) -> str:
    """Say what a rendered page or part follows from, as a short word."""
    version = version_for(audience, tournament)
    written = (tournament.pk, tournament.created_at, version, moments_passed(tournament))
    parts = (*written, audience.value, get_language(), build(), *about)
    return f"{version}-{hashlib.sha256(repr(parts).encode()).hexdigest()[:16]}"


@lru_cache(maxsize=1)
def build() -> int:
    """When the newest file that pages are made from was written: after an update no old page is taken for current."""
    files = (path for place in PLACES for path in (settings.BASE_DIR / place).rglob("*") if path.is_file())
    return max(path.stat().st_mtime_ns for path in files)


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
    kept, html = cache.get(place, ("", ""))
    if kept == key:
        return SafeString(html)
    with _rendering:  # a whole hall asks at once after a hand: one renders, others wait (ADR 8)
        kept, html = cache.get(place, ("", ""))
        if kept != key:
            html = render_part(tournament, audience, template, context)
            cache.set(place, (key, str(html)), timeout=None)
    return SafeString(html)


def render_part(
    tournament: Tournament, audience: Audience, template: str, context: Callable[[], dict[str, Any]]
) -> SafeString:
    """Render the same for this once: for what somebody searched."""
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
    """A whole page of the tournament; one about a table or a player says what is announced there."""
    around = surroundings(tournament, audience, table=table, player=player)
    facts = {"tournament": tournament, "audience": audience, "around": around}
    return render(request, f"{template}.html", facts | context, status=status)


# --- Sections ---


@dataclass(frozen=True)
class Section:
    """A section of an event's pages. `rights`: one of these brings somebody here.

    One whose address there is not yet leads nowhere, so nobody is shown it.
    """

    key: str
    group: str
    address: str
    name: str | Promise
    rights: frozenset[Right]


def _section(key: str, group: str, address: str, name: str | Promise, *rights: Right) -> Section:
    return Section(key, group, address, name, frozenset(rights))


SECTIONS: Final = (
    _section("registrations", "before", "organiser_registrations", _("Registrations"), Right.ADMIT),
    _section("dues", "before", "organiser_dues", _("Dues"), Right.CASH),
    _section("players", "before", "organiser_players", _("Players"), Right.READ, Right.ADMIT, Right.CASH),
    _section("people", "before", "organiser_people", _("Known people"), Right.ORGANISE),
    _section("check_in", "before", "organiser_check_in", _("Check-in"), Right.ADMIT),
    _section("draw", "before", "organiser_draw", _("Draw"), Right.ORGANISE),
    _section("mail", "before", "organiser_mail", _("Messages"), Right.ADMIT),
    _section("session", "play", "organiser_board", _("Session"), Right.READ),
    _section("penalties", "play", "organiser_penalties", _("Penalties"), Right.READ),
    _section("rota", "play", "organiser_rota", _("Rota"), Right.READ),
    _section("announcements", "play", "organiser_announcements", _("Announcements"), Right.READ, Right.SHOW),
    _section("screens", "play", "organiser_screens", _("Screens"), Right.READ, Right.SHOW),
    _section("documents", "after", "organiser_documents", _("Documents"), Right.ORGANISE),
    _section("ema", "after", "organiser_ema", _("EMA results"), Right.ORGANISE),
    _section("ceremony", "after", "organiser_ceremony", _("Ceremony"), Right.ORGANISE),
    _section("log", "after", "organiser_log", _("Log"), Right.READ),
    _section("settings", "settings", "organiser_settings", _("Settings"), Right.ORGANISE),
    _section("webhooks", "settings", "organiser_webhooks", _("Webhooks"), Right.ORGANISE),
    _section("staff", "settings", "organiser_staff", _("Staff"), Right.READ),
)
GROUP_OF: Final[Mapping[str, str]] = {section.key: section.group for section in SECTIONS} | dict.fromkeys(
    ("timetable", "fouls"), "settings"
)
"""Section → the group it belongs to, also of those that the index of settings leads to."""
GROUPS: Final[Mapping[str, str | Promise]] = {
    "before": _("Before"),
    "play": _("Play"),
    "after": _("After"),
    "settings": _("Settings"),
}


@dataclass(frozen=True)
class Way:
    """A section that somebody is shown, with its address at this event."""

    key: str
    group: str
    name: str | Promise
    url: str


def sections_for(tournament: Tournament, may: Mapping[str, bool]) -> dict[str, list[Way]]:
    """Group the sections that are shown; no group without any."""
    shown: dict[str, list[Way]] = {}
    for section in SECTIONS:
        if any(may[right.value] for right in section.rights) and (
            url := address(section.address, tournament)
        ):
            shown.setdefault(section.group, []).append(Way(section.key, section.group, section.name, url))
    return shown


def parts_of(sections: Mapping[str, list[Way]]) -> list[Way]:
    """The parts of the event, each leading to the section of it that one opens most: the first."""
    return [Way(group, group, GROUPS[group], ways[0].url) for group, ways in sections.items()]


def address(name: str, tournament: Tournament) -> str:
    """ "" where there is no such page."""
    try:
        return reverse(name, args=[tournament.slug])
    except NoReverseMatch:
        return ""


# --- Landings ---


LANDINGS: Final = (
    (Right.ORGANISE, ("organiser_board",)),
    (Right.ENTER, ("umpire_tables",)),
    (Right.READ, ("organiser_board",)),
    (Right.ADMIT, ("organiser_check_in", "organiser_registrations", "organiser_players")),
    (Right.CASH, ("organiser_dues", "organiser_players")),
    (Right.SHOW, ("organiser_screens",)),
)
"""Of the rights somebody has, the first says where to; of its pages, the first there is."""


def landing_in(actor: Actor, tournament: Tournament) -> str:
    """Find the page that somebody with a role is here for; the public page for who has none."""
    rights = access.rights_in(actor, tournament)
    names = next((names for right, names in LANDINGS if right in rights), ())
    addresses = (address(name, tournament) for name in names)
    return next(filter(None, addresses), reverse("tournament", args=[tournament.slug]))


A_YEAR = 365 * 24 * 3600


@csrf_exempt  # a look harms nobody, and pages without a token of their own can be kept for everybody
@require_POST
def set_appearance(request: HttpRequest) -> HttpResponse:
    """Choose light or dark, or the contrast, without JavaScript.

    POST theme= or contrast= (empty: as the device) and next=: keeps the choice and goes back.
    """
    back = request.POST.get("next", "/")
    if not url_has_allowed_host_and_scheme(back, {request.get_host()}, request.is_secure()):
        back = "/"
    response = HttpResponseRedirect(back)
    for name in requests.APPEARANCE_CHOICES:
        value = request.POST.get(name)
        if value is None:
            continue
        if value not in requests.APPEARANCE_CHOICES[name]:
            return HttpResponseBadRequest()
        requests.set_appearance_cookie(response, name, value)
    return response


@require_safe
def flags_picture(request: HttpRequest, slug: str, digest: str) -> HttpResponse:
    """Draw the flags of a tournament as one picture, kept for good under its digest.

    A page that is older than the newest country gets the newest sheet, for now.
    """
    tournament = visible_tournament_or_404(request, slug)
    set_cache_hint(request, tournament.pk, tournament.public_version, math.inf)
    flags = flag_sheet(tournament)
    answer = HttpResponse(drawn(flags.codes), content_type="image/svg+xml")
    if flags.address == request.path:
        patch_cache_control(answer, private=True, max_age=A_YEAR, immutable=True)
    else:
        patch_cache_control(answer, private=True, no_cache=True)
    return answer


@require_safe
@never_cache
def now(request: HttpRequest) -> JsonResponse:
    """Tell the server's time, for the clocks on every screen: {"now": milliseconds since 1970}."""
    return JsonResponse({"now": round(timezone.now().timestamp() * 1000)})


@require_safe
@cache_control(no_cache=True)
def service_worker(request: HttpRequest, script: str) -> HttpResponse:
    """Send a script that a browser keeps running, asked for anew each time.

    Each rules what lies below its own address, so that is not under /static/.
    """
    path = finders.find(script)
    if not isinstance(path, str):
        raise Http404
    with open(path, encoding="utf-8") as text:
        return HttpResponse(text.read(), content_type="text/javascript; charset=utf-8")
