"""The screens in the hall: arranged, steered, and the pages of their slides."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeVar

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from scoring.engine import MCR
from scoring.quiz.questions import HandQuestion
from tournament.base import access
from tournament.base.access import Audience, Right
from tournament.base.errors import Refused
from tournament.base.models.play import Seat, Session, Table
from tournament.base.models.tournament import Tournament
from tournament.base.requests import own_address
from tournament.base.selectors import keeps_back
from tournament.book.texts import KINDS, record_of, won_how
from tournament.messages.announcements.selectors import standing
from tournament.play.selectors.clock import clock_of
from tournament.play.selectors.public import overview
from tournament.play.selectors.tables import session_tables
from tournament.players.selectors.check_in import check_in_ends, door_code
from tournament.ranking.selectors.ranking import GroupRow, Ranking, group_rows, ranking
from tournament.ranking.selectors.standings import RankingRow
from tournament.ranking.selectors.statistics import best_hand
from tournament.screens.engine import MOST_PAGES, Command, Kind, Slide, Way
from tournament.screens.forms import ArrangeForm, NewScreenForm
from tournament.screens.models import MAIN, Screen
from tournament.screens.selectors import (
    MISSING_A_PAGE,
    NAMES_A_PAGE,
    TABLES_A_PAGE,
    OnScreen,
    asks_to_check_in,
    begins_at,
    current_ceremony,
    find_screen,
    missing_on_screen,
    on_screen,
    podium_of,
    puzzle_in_hall,
    rows_a_page,
    screens_of,
    session_seated,
)
from tournament.screens.services import add_screen, arrange_screen, remove_screen, steer_screen
from tournament.screens.texts import KINDS as SCREENS_KINDS
from tournament.web.display import public_qr, qr_of
from tournament.web.forms import add_problems
from tournament.web.texts.words import by_name
from tournament.web.views.frame import (
    UNPROCESSABLE,
    actor_of,
    build,
    page_for,
    press,
    render_part,
    render_shared,
    show,
    tell_refusal,
    tournament_html,
    tournament_page,
    visible_tournament_or_404,
)

# --- The slide that says who has not come yet, and how they say that they are there ---


def missing_slide(tournament: Tournament, slide: Slide, request: HttpRequest) -> dict[str, Any]:
    """Drawn anew each time: the code at the door is another one every few minutes."""
    now = overview(tournament)
    missing = sorted(missing_on_screen(tournament, now), key=lambda player: by_name(player.name))
    context: dict[str, Any] = {
        "stage": now,
        "people": missing[(slide.page - 1) * MISSING_A_PAGE : slide.page * MISSING_A_PAGE],
        "missing": len(missing),
        "ends_at": check_in_ends(tournament),
    }
    if not asks_to_check_in(tournament):
        return context
    address, door = own_address(request) + reverse("check_in", args=[tournament.slug]), door_code(tournament)
    return context | {"address": address, "door": door, "code": qr_of(f"{address}?door={door.code}")}


# --- The puzzle on a screen in the hall: one between two sessions, to be solved on a phone, too ---


def puzzle_slide(tournament: Tournament, request: HttpRequest) -> dict[str, Any]:
    """Page 1 asks, page 2 answers; the next session brings another puzzle."""
    asked, own = puzzle_in_hall(tournament)
    place = [asked.kind.value, asked.level.value, asked.seed]
    address = (
        reverse("puzzle", args=[tournament.slug, own.uuid]) if own else reverse("quiz_puzzle", args=place)
    )
    record = record_of(asked)
    context = {
        "asked": asked,
        "title": KINDS[asked.kind],
        "record": record,
        "won_how": won_how(record),
        "minimum": MCR.minimum,
        "code": public_qr(own_address(request) + address),
    }
    if isinstance(asked, HandQuestion):
        return context | {"fans": [line.to_json() for line in asked.found.score.fans]}
    points = [(wait.tile, wait.self_drawn if asked.self_drawn else wait.by_discard) for wait in asked.found]
    return context | {
        "waits": [(tile, score.counted_points, score.meets_minimum) for tile, score in points],
    }


# --- The pages of a screen: what each kind of slide is drawn from ---


Context = dict[str, Any]
T = TypeVar("T")
USUAL_TILES = 15
"""Of a winning hand; with more kongs its tiles are drawn smaller."""
PUBLIC: Final = Audience.PUBLIC
"""A screen hangs in the hall, whoever has opened it."""
MOST_OPEN = 60
"""So many numbers of open tables fit."""


def draw(tournament: Tournament, slide: Slide, request: HttpRequest) -> SafeString:
    """The slide's content; what changes only with the tournament is drawn once a version."""
    template = f"screens/hall/_{TEMPLATES.get(slide.kind, slide.kind.value)}.html"
    here = {"slide": slide, "kind": slide.kind.value}
    if slide.kind is Kind.WELCOME:
        return render_part(tournament, PUBLIC, template, lambda: here | _welcome(tournament, request))
    if slide.kind is Kind.MISSING:
        return render_part(
            tournament, PUBLIC, template, lambda: here | missing_slide(tournament, slide, request)
        )
    if slide.kind is Kind.PUZZLE:
        return render_part(tournament, PUBLIC, template, lambda: here | puzzle_slide(tournament, request))
    if slide.kind is Kind.CLOCK:
        return render_part(tournament, PUBLIC, template, lambda: here | _clock(tournament))
    make = CONTEXTS[slide.kind]
    about = (slide.kind.value, str(slide.page))
    return render_shared(tournament, PUBLIC, template, lambda: here | make(tournament, slide), *about)


def _of_page(rows: Sequence[T], slide: Slide, size: int) -> Sequence[T]:
    return rows[(slide.page - 1) * size : slide.page * size]


def _names(tournament: Tournament, slide: Slide) -> Context:
    now = overview(tournament)
    session = session_seated(now)
    seats = Seat.objects.filter(table__session=session).select_related("table", "player")
    found = sorted(seats, key=lambda seat: by_name(seat.player.name))
    return {
        "stage": now,
        "session": session,
        "seats": _of_page(found, slide, NAMES_A_PAGE),
        "few": len(found) <= 24,
        "very_few": len(found) <= 16,
        "begins": begins_at(tournament, now),
    }


def _tables(tournament: Tournament, slide: Slide) -> Context:
    now = overview(tournament)
    session = session_seated(now)
    tables = list(Table.objects.filter(session=session).prefetch_related("seats__player"))
    return {
        "stage": now,
        "session": session,
        "tables": _of_page(tables, slide, TABLES_A_PAGE),
        "few": len(tables) <= 4,
        "begins": begins_at(tournament, now),
    }


def _clock(tournament: Tournament) -> Context:
    now = overview(tournament)
    session = now.running
    tables = session_tables(session, PUBLIC) if session else []
    longer = [one.table for one in tables if one.table.extra_minutes and not one.is_in]
    return {
        "stage": now,
        "session": session,
        "clock": clock_of(session) if session else None,
        "longer": [(table, clock_of(session, table)) for table in longer] if session else (),
        "begins": begins_at(tournament, now),
        "now": timezone.now(),
    }


def _progress(tournament: Tournament, slide: Slide) -> Context:
    now = overview(tournament)
    session = now.running
    tables = session_tables(session, PUBLIC) if session else []
    still = [each.table.number for each in tables if not each.is_in]
    return {
        "stage": now,
        "session": session,
        "is_hidden": session is not None and keeps_back(PUBLIC, session),
        "tables_in": len(tables) - len(still),
        "tables": len(tables),
        "still": still[:MOST_OPEN],
        "more": len(still[MOST_OPEN:]),
        **_time(session),
    }


def _ranking(tournament: Tournament, slide: Slide) -> Context:
    ranked = ranking(tournament, PUBLIC)
    size = rows_a_page(len(ranked.rows))
    rows = _of_page(ranked.rows, slide, size)
    return _ranked(ranked, rows, size) | {"rows": rows}


def _groups(tournament: Tournament, slide: Slide) -> Context:
    ranked = ranking(tournament, PUBLIC)
    rows = group_rows(ranked, "teams" if slide.kind is Kind.TEAMS else "nations")
    size = rows_a_page(len(rows))
    shown = _of_page(rows, slide, size)
    return _ranked(ranked, shown, size) | {"groups": shown}


def _ranked(ranked: Ranking, rows: Sequence[RankingRow] | Sequence[GroupRow], size: int) -> Context:
    return {
        "ranking": ranked,
        "per_column": size // 2,
        "has_shares": any(row.standing.table_points.denominator > 1 for row in rows),
        "has_hundreds": any((row.standing.rank or 0) > 99 for row in rows),
        **_time(ranked.running),
    }


def _time(session: Session | None) -> Context:
    return {"clock": clock_of(session) if session else None}


def _best(tournament: Tournament, slide: Slide) -> Context:
    hand = best_hand(tournament, PUBLIC)
    tiles = hand.tiles if hand and hand.tiles else {"concealed": [], "melds": []}
    length = len(tiles["concealed"]) + sum(len(meld["tiles"]) for meld in tiles.get("melds", ()))
    return {"hand": hand, "is_long": length > USUAL_TILES}


def _announcement(tournament: Tournament, slide: Slide) -> Context:
    said = standing(tournament)
    return {"said": said[min(slide.page, len(said)) - 1] if said else None}


def _welcome(tournament: Tournament, request: HttpRequest) -> Context:
    address = own_address(request) + reverse("tournament", args=[tournament.slug])
    return {"address": address, "code": public_qr(address)}


def _ceremony(tournament: Tournament, slide: Slide) -> Context:
    ceremony = current_ceremony(tournament)
    return {"stage": podium_of(ceremony) if ceremony else None}


TEMPLATES = {Kind.TEAMS: "groups", Kind.NATIONS: "groups", Kind.CEREMONY: "ceremony_slide"}
CONTEXTS: dict[Kind, Callable[[Tournament, Slide], Context]] = {
    Kind.NAMES: _names,
    Kind.TABLES: _tables,
    Kind.PROGRESS: _progress,
    Kind.RANKING: _ranking,
    Kind.TEAMS: _groups,
    Kind.NATIONS: _groups,
    Kind.BEST: _best,
    Kind.ANNOUNCEMENTS: _announcement,
    Kind.CEREMONY: _ceremony,
}


# --- The screens in the hall: which there are, what each goes through, and steering one from a phone ---


SECTION = "screens"


@page_for(Right.READ, Right.SHOW)
def screen_list(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """All screens, and a form for one more."""
    if request.method not in ("GET", "HEAD"):
        access.require(actor_of(request), tournament, Right.SHOW)
    form = NewScreenForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            screen = add_screen(tournament, actor_of(request), form.cleaned_data["name"])
        except Refused as refused:
            add_problems(form, refused)
        else:
            messages.success(request, _("The screen %(name)s is there.") % {"name": screen.name})
            return redirect("organiser_screens", tournament.slug)
    context = {"form": form, "shown": [on_screen(screen) for screen in screens_of(tournament)]}
    status = UNPROCESSABLE if form.errors else 200
    return show(request, "screens/screens", tournament, SECTION, context, status=status)


@page_for(Right.SHOW)
@require_safe
def screen_control(request: HttpRequest, tournament: Tournament, screen: str) -> HttpResponse:
    """What a screen shows now, and the buttons that steer it."""
    found = _screen(tournament, screen)
    context = {"screen": found, "on": on_screen(found), "kinds": SCREENS_KINDS, "build": build()}
    return show(request, "screens/screen", tournament, SECTION, context)


@page_for(Right.SHOW)
@require_POST
def screen_steer(request: HttpRequest, tournament: Tournament, screen: str) -> HttpResponse:
    """`do`: what; `kind`, `page` and `turn`: the page to hold as the phone shows it, or the kind to show alone."""
    found = _screen(tournament, screen)
    try:
        steer_screen(tournament, actor_of(request), found.name, _command(request))
    except Refused as refused:
        tell_refusal(request, refused)
    return redirect("organiser_screen", tournament.slug, found.name)


@page_for(Right.SHOW)
def screen_arrange(request: HttpRequest, tournament: Tournament, screen: str) -> HttpResponse:
    """The parts of a rotation in their order; all empty: the screen chooses by itself."""
    found = _screen(tournament, screen)
    form = ArrangeForm(found, request.POST or None)
    if request.method == "POST" and form.is_valid():
        turns = [] if "automatic" in request.POST else form.turns()
        try:
            arrange_screen(tournament, actor_of(request), found.name, turns)
        except Refused as refused:
            add_problems(form, refused)
        else:
            messages.success(request, _("Arranged. The screen begins anew."))
            return redirect("organiser_screen", tournament.slug, found.name)
    status = UNPROCESSABLE if form.errors else 200
    return show(
        request, "screens/screen_arrange", tournament, SECTION, {"screen": found, "form": form}, status=status
    )


@page_for(Right.SHOW)
@require_POST
def screen_remove(request: HttpRequest, tournament: Tournament, screen: str) -> HttpResponse:
    return press(
        request,
        lambda: remove_screen(tournament, actor_of(request), screen),
        _("Removed."),
        "organiser_screens",
        tournament.slug,
    )


def _screen(tournament: Tournament, name: str) -> Screen:
    found = find_screen(tournament, name)
    if found is None:
        raise Http404
    return found


def _command(request: HttpRequest) -> Command:
    """What was pressed; 404 for what no button says."""
    asked = request.POST
    try:
        kind = Kind(asked["kind"]) if asked.get("kind") else None
        page = _small(asked["page"], 1) if "page" in asked else None
        return Command.of(Way(asked.get("do", "")), kind, page, _small(asked.get("turn", "-1"), -1))
    except ValueError:
        raise Http404 from None


def _small(text: str, least: int) -> int:
    """A page or a place as a button says it; ValueError for anything else."""
    number = int(text)
    if not least <= number <= MOST_PAGES:
        raise ValueError(text)
    return number


# --- The screens in the hall: which there are, and what one of them shows at this moment ---


SOON, LATE = 2, 15
"""Without a script the page asks again when the slide turns, but between so many seconds."""


@tournament_page
def screens_public(request: HttpRequest, tournament: Tournament, audience: Audience) -> HttpResponse:
    """The screens, to open one on a projector."""
    return tournament_html(
        request, "screens/screens_public", tournament, audience, {"screens": screens_of(tournament)}
    )


@never_cache
@require_safe
def page(request: HttpRequest, slug: str, screen: str) -> HttpResponse:
    """What the screen shows now, and when it turns. A projector whose screen is removed goes on with the main one."""
    tournament = visible_tournament_or_404(request, slug)
    found = find_screen(tournament, screen)
    if found is None:
        return redirect("screen", slug, MAIN)
    on = on_screen(found)
    context = {
        "tournament": tournament,
        "screen": found,
        "on": on,
        "content": draw(tournament, on.slide, request),
        "clock": clock_of(running) if (running := overview(tournament).running) else None,
        "build": build(),
        "again": again_in(on),
    }
    return render(request, "screens/hall/screen.html", context)


def again_in(on: OnScreen) -> int:
    """Seconds."""
    left = LATE if on.until is None else -(-(on.until - on.now) // 1000)
    return min(max(left, SOON), LATE)
