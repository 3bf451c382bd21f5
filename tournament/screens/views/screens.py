"""Pages that arrange and steer screens, and the screens that projectors show."""

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeVar

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from scoring.engine import MCR
from scoring.quiz.questions import HandQuestion
from tournament.base.access import Right
from tournament.base.engine.notices import Audience
from tournament.base.errors import Refused
from tournament.base.models.play import Seat, Table
from tournament.base.models.tournament import Tournament
from tournament.base.requests import site_address
from tournament.base.selectors import is_withheld_from
from tournament.book.texts import KINDS as PUZZLE_KINDS
from tournament.book.texts import record_of, win_texts
from tournament.messages.announcements.selectors import active_announcements
from tournament.play.selectors.clock import clock_of
from tournament.play.selectors.public import overview
from tournament.play.selectors.tables import session_tables
from tournament.players.selectors.check_in import check_in_ends, door_code
from tournament.ranking.selectors.groups import GroupKind, GroupRow, group_rows
from tournament.ranking.selectors.ranking import RankingRow, ranking
from tournament.ranking.selectors.statistics import best_hand_of_day, highest_hand_of_day
from tournament.screens.engine import (
    DEFAULT_SECONDS,
    MAX_PAGES,
    Command,
    Kind,
    ScreenAction,
    Slide,
    Turn,
    split_hand,
)
from tournament.screens.forms import TurnFormSet
from tournament.screens.models import MAIN_SCREEN, Screen
from tournament.screens.selectors import (
    MISSING_PER_PAGE,
    NAMES_PER_PAGE,
    TABLES_PER_PAGE,
    ScreenState,
    current_ceremony,
    find_screen,
    has_self_check_in,
    missing_on_screen,
    planned_start,
    programme_of,
    puzzle_on_screen,
    rows_per_page,
    screen_state,
    screens_of,
    seating_session,
)
from tournament.screens.services import arrange_screen, control_screen, remove_screen
from tournament.screens.texts import KIND_NAMES
from tournament.web.display import public_qr, qr_of
from tournament.web.generic import EditView
from tournament.web.texts.words import by_name
from tournament.web.views import (
    actor_of,
    add_refusal_messages,
    build_id,
    page_for,
    render_part,
    render_shared,
    run_and_redirect,
    tournament_html,
    tournament_page,
    visible_tournament_or_404,
)

# --- Arranging and steering ---


_SECTION = "hall"


def _screen_or_404(tournament: Tournament, name: str) -> Screen:
    screen = find_screen(tournament, name)
    if screen is None:
        raise Http404
    return screen


@page_for(Right.SHOW)
@require_POST
def screen_steer(request: HttpRequest, tournament: Tournament, screen: str) -> HttpResponse:
    """Steer a screen: `do` is the action; `kind`, `page` and `turn` are the slide to hold, or the only kind."""
    hall_screen = _screen_or_404(tournament, screen)
    try:
        control_screen(tournament, actor_of(request), hall_screen.name, _command(request))
    except Refused as refused:
        add_refusal_messages(request, refused)
    return redirect("organiser_screen", tournament.slug, hall_screen.name)


def _command(request: HttpRequest) -> Command:
    """Return the command in a POST. Raises Http404 for values that no button sends."""
    data = request.POST
    try:
        kind = Kind(data["kind"]) if data.get("kind") else None
        page = _page_number(data["page"], 1) if "page" in data else None
        return Command.of(
            ScreenAction(data.get("do", "")), kind, page, _page_number(data.get("turn", "-1"), -1)
        )
    except ValueError:
        raise Http404 from None


def _page_number(text: str, minimum: int) -> int:
    """Return the number of a page or turn. Raises ValueError for anything else."""
    number = int(text)
    if not minimum <= number <= MAX_PAGES:
        raise ValueError(text)
    return number


class ScreenControl(EditView):
    """The remote control of a screen, and the turns of its rotation; without any the screen is automatic."""

    rights = (Right.SHOW,)
    template = "screens/screen"
    section = _SECTION
    rows_name = "turns"
    success_message = gettext_lazy("Saved. The screen restarts its rotation.")

    @cached_property
    def screen(self) -> Screen:
        return _screen_or_404(self.tournament, self.kwargs["screen"])

    def get_formset(self, data: Any = None, files: Any = None) -> Any:
        return TurnFormSet(data, files, initial=self.screen.turns)

    def post(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        if "automatic" in request.POST:
            return run_and_redirect(
                request,
                lambda: arrange_screen(self.tournament, self.actor, self.screen.name, []),
                str(self.success_message),
                *("organiser_screen", self.tournament.slug, self.screen.name),
            )
        return super().post(request, **kwargs)

    def save(self, instance: None, rows: list[Any]) -> None:
        turns = [Turn(kind := Kind(row["kind"]), row["seconds"] or DEFAULT_SECONDS[kind]) for row in rows]
        arrange_screen(self.tournament, self.actor, self.screen.name, turns)

    def extra_context(self) -> dict[str, Any]:
        pages = programme_of(self.screen, timezone.now()).pages
        return {
            "screen": self.screen,
            "state": screen_state(self.screen),
            "kinds": [(kind, name, bool(pages.get(kind))) for kind, name in KIND_NAMES.items()],
            "build": build_id(),
        }

    def get_success_url(self) -> str:
        return reverse("organiser_screen", kwargs=self.kwargs)


@page_for(Right.SHOW)
@require_POST
def screen_remove(request: HttpRequest, tournament: Tournament, screen: str) -> HttpResponse:
    return run_and_redirect(
        request,
        lambda: remove_screen(tournament, actor_of(request), screen),
        _("Removed."),
        "organiser_hall",
        tournament.slug,
    )


# --- Screens that projectors show ---


MIN_REFRESH, MAX_REFRESH = 2, 15
"""Limits, in seconds, of the time after which a page without scripts reloads for the next slide."""


@tournament_page
def screens_public(request: HttpRequest, tournament: Tournament, audience: Audience) -> HttpResponse:
    """List the screens to open on a projector."""
    return tournament_html(
        request, "screens/screens_public", tournament, audience, {"screens": screens_of(tournament)}
    )


@never_cache
@require_safe
def screen_page(request: HttpRequest, slug: str, screen: str) -> HttpResponse:
    """Show a screen's current slide. A screen that was removed redirects to the main screen."""
    tournament = visible_tournament_or_404(request, slug)
    hall_screen = find_screen(tournament, screen)
    if hall_screen is None:
        return redirect("screen", slug, MAIN_SCREEN)
    state = screen_state(hall_screen)
    context = {
        "tournament": tournament,
        "screen": hall_screen,
        "state": state,
        "content": render_slide(tournament, state.slide),
        "clock": clock_of(running) if (running := overview(tournament).running) else None,
        "build": build_id(),
        "refresh": _refresh_seconds(state),
    }
    return render(request, "screens/hall/screen.html", context)


def _refresh_seconds(state: ScreenState) -> int:
    seconds = MAX_REFRESH if state.until is None else -(-(state.until - state.now) // 1000)
    return min(max(seconds, MIN_REFRESH), MAX_REFRESH)


# --- Slides ---


Context = dict[str, Any]
T = TypeVar("T")
PUBLIC: Final = Audience.PUBLIC
"""Audience of every screen, even if staff opens it."""
_MAX_OPEN_TABLES = 55
"""Numbers of open tables that fit on a slide, with one place for how many more there are."""


def render_slide(tournament: Tournament, slide: Slide) -> SafeString:
    """Render a slide's content, cached per version of the tournament unless it depends on the time."""
    template = f"screens/hall/_{TEMPLATES.get(slide.kind, slide.kind.value)}.html"

    def context() -> Context:
        slide_context = {"slide": slide, "kind": slide.kind.value}
        return slide_context | CONTEXTS[slide.kind](tournament, slide)

    if slide.kind in UNCACHED_KINDS:
        return render_part(tournament, PUBLIC, template, context)
    return render_shared(tournament, PUBLIC, template, context, slide.kind.value, str(slide.page))


def _rows_of_page(rows: Sequence[T], slide: Slide, size: int) -> Sequence[T]:
    return rows[(slide.page - 1) * size : slide.page * size]


def _seating_context(tournament: Tournament) -> Context:
    now = overview(tournament)
    return {"overview": now, "session": seating_session(now), "starts_at": planned_start(tournament, now)}


def _names(tournament: Tournament, slide: Slide) -> Context:
    context = _seating_context(tournament)
    seats = Seat.objects.filter(table__session=context["session"]).select_related("table", "player")
    ordered = sorted(seats, key=lambda seat: by_name(seat.player.name))
    return context | {
        "seats": _rows_of_page(ordered, slide, NAMES_PER_PAGE),
        "few": len(ordered) <= 24,
        "very_few": len(ordered) <= 16,
    }


def _tables(tournament: Tournament, slide: Slide) -> Context:
    context = _seating_context(tournament)
    tables = list(Table.objects.filter(session=context["session"]).prefetch_related("seats__player"))
    return context | {"tables": _rows_of_page(tables, slide, TABLES_PER_PAGE), "few": len(tables) <= 4}


def _clock(tournament: Tournament, slide: Slide) -> Context:
    now = overview(tournament)
    session = now.running
    tables = session_tables(session, PUBLIC) if session else []
    extended = [entry.table for entry in tables if entry.table.extra_minutes and not entry.is_in]
    return {
        "overview": now,
        "session": session,
        "clock": session and clock_of(session),
        "table_clocks": [(table, clock_of(session, table)) for table in extended] if session else (),
        "starts_at": planned_start(tournament, now),
        "now": timezone.now(),
    }


def _progress(tournament: Tournament, slide: Slide) -> Context:
    now = overview(tournament)
    session = now.running
    tables = session_tables(session, PUBLIC) if session else []
    open_tables = [entry.table.number for entry in tables if not entry.is_in]
    return {
        "overview": now,
        "session": session,
        "is_hidden": session is not None and is_withheld_from(PUBLIC, session),
        "tables_in": len(tables) - len(open_tables),
        "tables": len(tables),
        "open_tables": open_tables[:_MAX_OPEN_TABLES],
        "more_open": len(open_tables[_MAX_OPEN_TABLES:]),
        "clock": session and clock_of(session),
    }


def _ranking(tournament: Tournament, slide: Slide) -> Context:
    """Return the context of a ranking of players, teams or nations."""
    ranked = ranking(tournament, PUBLIC)
    is_of_players = slide.kind is Kind.RANKING
    kind: GroupKind = "teams" if slide.kind is Kind.TEAMS else "nations"
    lines: Sequence[RankingRow | GroupRow] = ranked.rows if is_of_players else group_rows(ranked, kind)
    size = rows_per_page(len(lines))
    rows = _rows_of_page(lines, slide, size)
    return {
        "ranking": ranked,
        "rows" if is_of_players else "groups": rows,
        "per_column": size // 2,
        "has_shares": any(row.standing.table_points.denominator > 1 for row in rows),
        "has_hundreds": any((row.standing.rank or 0) > 99 for row in rows),
        "clock": ranked.running and clock_of(ranked.running),
    }


def _best(tournament: Tournament, slide: Slide) -> Context:
    hand, highest = best_hand_of_day(tournament, PUBLIC), highest_hand_of_day(tournament, PUBLIC)
    return {
        "hand": hand,
        "laid": split_hand(hand.tiles) if hand and hand.tiles else None,
        "higher": highest if hand and highest and highest.points > hand.points else None,
    }


def _announcement(tournament: Tournament, slide: Slide) -> Context:
    announcements = active_announcements(tournament)
    index = min(slide.page, len(announcements)) - 1
    return {"announcement": announcements[index] if announcements else None}


def _welcome(tournament: Tournament, slide: Slide) -> Context:
    address = site_address() + reverse("tournament", args=[tournament.slug])
    return {"address": address, "code": public_qr(address)}


def _missing(tournament: Tournament, slide: Slide) -> Context:
    """Return the context of the missing players, with the check-in code, which changes every few minutes."""
    now = overview(tournament)
    missing = sorted(missing_on_screen(tournament, now), key=lambda player: by_name(player.name))
    context: Context = {
        "overview": now,
        "players": _rows_of_page(missing, slide, MISSING_PER_PAGE),
        "missing": len(missing),
        "ends_at": check_in_ends(tournament),
    }
    if not has_self_check_in(tournament):
        return context
    address, door = site_address() + reverse("check_in", args=[tournament.slug]), door_code(tournament)
    return context | {"address": address, "door": door, "code": qr_of(f"{address}?door={door.code}")}


def _puzzle(tournament: Tournament, slide: Slide) -> Context:
    """Return the context of a puzzle: the question on page 1, the solution on page 2, and a QR code of its page."""
    question, puzzle = puzzle_on_screen(tournament)
    if puzzle:
        address = reverse("puzzle", args=[tournament.slug, puzzle.uuid])
    else:
        address = reverse("quiz_puzzle", args=[question.kind.value, question.level.value, question.seed])
    record = record_of(question)
    context = {
        "question": question,
        "title": PUZZLE_KINDS[question.kind],
        "laid": split_hand(record),
        "win_texts": win_texts(record),
        "minimum": MCR.minimum,
        "code": public_qr(site_address() + address),
    }
    if isinstance(question, HandQuestion):
        return context | {"fans": [line.to_json() for line in question.explanation.score.fans]}
    scores = [
        (wait.tile, wait.self_drawn if question.self_drawn else wait.by_discard) for wait in question.waits
    ]
    return context | {
        "waits": [(tile, score.counted_points, score.meets_minimum) for tile, score in scores],
    }


def _ceremony(tournament: Tournament, slide: Slide) -> Context:
    return {"ceremony": current_ceremony(tournament)}


TEMPLATES = {Kind.TEAMS: "groups", Kind.NATIONS: "groups", Kind.CEREMONY: "ceremony_slide"}
CONTEXTS: dict[Kind, Callable[[Tournament, Slide], Context]] = {
    Kind.NAMES: _names,
    Kind.TABLES: _tables,
    Kind.CLOCK: _clock,
    Kind.PROGRESS: _progress,
    Kind.RANKING: _ranking,
    Kind.TEAMS: _ranking,
    Kind.NATIONS: _ranking,
    Kind.BEST: _best,
    Kind.PUZZLE: _puzzle,
    Kind.ANNOUNCEMENTS: _announcement,
    Kind.WELCOME: _welcome,
    Kind.MISSING: _missing,
    Kind.CEREMONY: _ceremony,
}
UNCACHED_KINDS = frozenset({Kind.CLOCK, Kind.PUZZLE, Kind.WELCOME, Kind.MISSING})
"""Kinds that change without a write to the tournament."""
