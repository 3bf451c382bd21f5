"""The screens in the hall: arranged, steered, and the pages of their slides."""

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeVar

from django.contrib import messages
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
from tournament.base import access
from tournament.base.access import Audience, Right
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
from tournament.ranking.selectors.ranking import GroupRow, group_rows, ranking
from tournament.ranking.selectors.ranking import Kind as GroupKind
from tournament.ranking.selectors.standings import RankingRow
from tournament.ranking.selectors.statistics import best_hand_of_day
from tournament.screens.engine import MOST_PAGES, USUAL_SECONDS, Command, Kind, Slide, Turn, Way
from tournament.screens.forms import NewScreenForm, TurnFormSet
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
    puzzle_in_hall,
    rows_a_page,
    screens_of,
    session_seated,
)
from tournament.screens.services import add_screen, arrange_screen, remove_screen, steer_screen
from tournament.screens.texts import KINDS
from tournament.web.display import public_qr, qr_of
from tournament.web.forms import add_problems
from tournament.web.generic import EditView
from tournament.web.texts.words import by_name
from tournament.web.views import (
    UNPROCESSABLE,
    actor_of,
    add_refusal_messages,
    build_id,
    page_for,
    render_page,
    render_part,
    render_shared,
    run_and_redirect,
    tournament_html,
    tournament_page,
    visible_tournament_or_404,
)

# --- Arranging and steering ---


_SECTION = "screens"


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
            messages.success(request, _("Screen %(name)s has been added.") % {"name": screen.name})
            return redirect("organiser_screens", tournament.slug)
    context = {"form": form, "shown": [on_screen(screen) for screen in screens_of(tournament)]}
    status = UNPROCESSABLE if form.errors else 200
    return render_page(request, "screens/screens", tournament, _SECTION, context, status=status)


@page_for(Right.SHOW)
@require_safe
def screen_control(request: HttpRequest, tournament: Tournament, screen: str) -> HttpResponse:
    """What a screen shows now, and the buttons that steer it."""
    hall_screen = _screen_or_404(tournament, screen)
    context = {"screen": hall_screen, "on": on_screen(hall_screen), "kinds": KINDS, "build": build_id()}
    return render_page(request, "screens/screen", tournament, _SECTION, context)


def _screen_or_404(tournament: Tournament, name: str) -> Screen:
    screen = find_screen(tournament, name)
    if screen is None:
        raise Http404
    return screen


@page_for(Right.SHOW)
@require_POST
def screen_steer(request: HttpRequest, tournament: Tournament, screen: str) -> HttpResponse:
    """`do`: what; `kind`, `page` and `turn`: the page to hold as the phone shows it, or the kind to show alone."""
    hall_screen = _screen_or_404(tournament, screen)
    try:
        steer_screen(tournament, actor_of(request), hall_screen.name, _command(request))
    except Refused as refused:
        add_refusal_messages(request, refused)
    return redirect("organiser_screen", tournament.slug, hall_screen.name)


def _command(request: HttpRequest) -> Command:
    """What was pressed; 404 for what no button says."""
    pressed = request.POST
    try:
        kind = Kind(pressed["kind"]) if pressed.get("kind") else None
        page = _page_number(pressed["page"], 1) if "page" in pressed else None
        return Command.of(Way(pressed.get("do", "")), kind, page, _page_number(pressed.get("turn", "-1"), -1))
    except ValueError:
        raise Http404 from None


def _page_number(text: str, least: int) -> int:
    """A page or a place as a button says it; ValueError for anything else."""
    number = int(text)
    if not least <= number <= MOST_PAGES:
        raise ValueError(text)
    return number


class ArrangeScreen(EditView):
    """The parts of a rotation in their order; without any the screen chooses by itself."""

    rights = (Right.SHOW,)
    template = "screens/screen_arrange"
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
        turns = [Turn(kind := Kind(row["kind"]), row["seconds"] or USUAL_SECONDS[kind]) for row in rows]
        arrange_screen(self.tournament, self.actor, self.screen.name, turns)

    def extra_context(self) -> dict[str, Any]:
        return {"screen": self.screen}

    def get_success_url(self) -> str:
        return reverse("organiser_screen", kwargs=self.kwargs)


@page_for(Right.SHOW)
@require_POST
def screen_remove(request: HttpRequest, tournament: Tournament, screen: str) -> HttpResponse:
    return run_and_redirect(
        request,
        lambda: remove_screen(tournament, actor_of(request), screen),
        _("Removed."),
        "organiser_screens",
        tournament.slug,
    )


# --- Screens as projectors open them ---


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
    hall_screen = find_screen(tournament, screen)
    if hall_screen is None:
        return redirect("screen", slug, MAIN)
    on = on_screen(hall_screen)
    context = {
        "tournament": tournament,
        "screen": hall_screen,
        "on": on,
        "content": draw(tournament, on.slide),
        "clock": clock_of(running) if (running := overview(tournament).running) else None,
        "build": build_id(),
        "again": _seconds_to_turn(on),
    }
    return render(request, "screens/hall/screen.html", context)


def _seconds_to_turn(on: OnScreen) -> int:
    """Seconds."""
    left = LATE if on.until is None else -(-(on.until - on.now) // 1000)
    return min(max(left, SOON), LATE)


# --- Slides ---


Context = dict[str, Any]
T = TypeVar("T")
_USUAL_TILES = 15
"""Of a winning hand; with more kongs its tiles are drawn smaller."""
PUBLIC: Final = Audience.PUBLIC
"""A screen hangs in the hall, whoever has opened it."""
_MOST_OPEN = 60
"""So many numbers of open tables fit."""


def draw(tournament: Tournament, slide: Slide) -> SafeString:
    """The slide's content; what changes only with the tournament is drawn once a version."""
    template = f"screens/hall/_{TEMPLATES.get(slide.kind, slide.kind.value)}.html"
    here = {"slide": slide, "kind": slide.kind.value}

    def context() -> Context:
        return here | CONTEXTS[slide.kind](tournament, slide)

    if slide.kind in DRAWN_ANEW:
        return render_part(tournament, PUBLIC, template, context)
    return render_shared(tournament, PUBLIC, template, context, slide.kind.value, str(slide.page))


def _of_page(rows: Sequence[T], slide: Slide, size: int) -> Sequence[T]:
    return rows[(slide.page - 1) * size : slide.page * size]


def _seated(tournament: Tournament) -> Context:
    now = overview(tournament)
    return {"stage": now, "session": session_seated(now), "begins": begins_at(tournament, now)}


def _names(tournament: Tournament, slide: Slide) -> Context:
    context = _seated(tournament)
    seats = Seat.objects.filter(table__session=context["session"]).select_related("table", "player")
    ordered = sorted(seats, key=lambda seat: by_name(seat.player.name))
    few = {"few": len(ordered) <= 24, "very_few": len(ordered) <= 16}
    return context | few | {"seats": _of_page(ordered, slide, NAMES_A_PAGE)}


def _tables(tournament: Tournament, slide: Slide) -> Context:
    context = _seated(tournament)
    tables = list(Table.objects.filter(session=context["session"]).prefetch_related("seats__player"))
    return context | {"tables": _of_page(tables, slide, TABLES_A_PAGE), "few": len(tables) <= 4}


def _clock(tournament: Tournament, slide: Slide) -> Context:
    now = overview(tournament)
    session = now.running
    tables = session_tables(session, PUBLIC) if session else []
    longer = [entry.table for entry in tables if entry.table.extra_minutes and not entry.is_in]
    return {
        "stage": now,
        "session": session,
        "clock": session and clock_of(session),
        "longer": [(table, clock_of(session, table)) for table in longer] if session else (),
        "begins": begins_at(tournament, now),
        "now": timezone.now(),
    }


def _progress(tournament: Tournament, slide: Slide) -> Context:
    now = overview(tournament)
    session = now.running
    tables = session_tables(session, PUBLIC) if session else []
    still = [entry.table.number for entry in tables if not entry.is_in]
    return {
        "stage": now,
        "session": session,
        "is_hidden": session is not None and is_withheld_from(PUBLIC, session),
        "tables_in": len(tables) - len(still),
        "tables": len(tables),
        "still": still[:_MOST_OPEN],
        "more": len(still[_MOST_OPEN:]),
        "clock": session and clock_of(session),
    }


def _ranking(tournament: Tournament, slide: Slide) -> Context:
    """Of players, or of teams or nations, a line each."""
    ranked = ranking(tournament, PUBLIC)
    is_of_players = slide.kind is Kind.RANKING
    kind: GroupKind = "teams" if slide.kind is Kind.TEAMS else "nations"
    lines: Sequence[RankingRow | GroupRow] = ranked.rows if is_of_players else group_rows(ranked, kind)
    size = rows_a_page(len(lines))
    rows = _of_page(lines, slide, size)
    return {
        "ranking": ranked,
        "rows" if is_of_players else "groups": rows,
        "per_column": size // 2,
        "has_shares": any(row.standing.table_points.denominator > 1 for row in rows),
        "has_hundreds": any((row.standing.rank or 0) > 99 for row in rows),
        "clock": ranked.running and clock_of(ranked.running),
    }


def _best(tournament: Tournament, slide: Slide) -> Context:
    hand = best_hand_of_day(tournament, PUBLIC)
    tiles = hand.tiles if hand and hand.tiles else {"concealed": [], "melds": []}
    length = len(tiles["concealed"]) + sum(len(meld["tiles"]) for meld in tiles.get("melds", ()))
    return {"hand": hand, "is_long": length > _USUAL_TILES}


def _announcement(tournament: Tournament, slide: Slide) -> Context:
    announcements = active_announcements(tournament)
    return {"said": announcements[min(slide.page, len(announcements)) - 1] if announcements else None}


def _welcome(tournament: Tournament, slide: Slide) -> Context:
    address = site_address() + reverse("tournament", args=[tournament.slug])
    return {"address": address, "code": public_qr(address)}


def _missing(tournament: Tournament, slide: Slide) -> Context:
    """Say who has not come yet, and how they say that they are there.

    Drawn anew each time: the code at the door is another one every few minutes.
    """
    now = overview(tournament)
    missing = sorted(missing_on_screen(tournament, now), key=lambda player: by_name(player.name))
    context: Context = {
        "stage": now,
        "people": _of_page(missing, slide, MISSING_A_PAGE),
        "missing": len(missing),
        "ends_at": check_in_ends(tournament),
    }
    if not asks_to_check_in(tournament):
        return context
    address, door = site_address() + reverse("check_in", args=[tournament.slug]), door_code(tournament)
    return context | {"address": address, "door": door, "code": qr_of(f"{address}?door={door.code}")}


def _puzzle(tournament: Tournament, slide: Slide) -> Context:
    """Ask on page 1, answer on page 2; the next session brings another puzzle.

    The code leads to it, so that it can be solved on a phone, too.
    """
    question, own = puzzle_in_hall(tournament)
    place = [question.kind.value, question.level.value, question.seed]
    address = (
        reverse("puzzle", args=[tournament.slug, own.uuid]) if own else reverse("quiz_puzzle", args=place)
    )
    record = record_of(question)
    context = {
        "asked": question,
        "title": PUZZLE_KINDS[question.kind],
        "record": record,
        "won_how": win_texts(record),
        "minimum": MCR.minimum,
        "code": public_qr(site_address() + address),
    }
    if isinstance(question, HandQuestion):
        return context | {"fans": [line.to_json() for line in question.explanation.score.fans]}
    points = [
        (wait.tile, wait.self_drawn if question.self_drawn else wait.by_discard) for wait in question.waits
    ]
    return context | {
        "waits": [(tile, score.counted_points, score.meets_minimum) for tile, score in points],
    }


def _ceremony(tournament: Tournament, slide: Slide) -> Context:
    return {"stage": current_ceremony(tournament)}


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
DRAWN_ANEW = frozenset({Kind.CLOCK, Kind.PUZZLE, Kind.WELCOME, Kind.MISSING})
"""What changes without a write to the tournament."""
