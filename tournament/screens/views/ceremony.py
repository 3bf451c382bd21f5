"""Ceremonies, an event's own puzzles, and overlays for streams."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournament.base.access import Actor, Audience
from tournament.base.errors import Refused
from tournament.base.models.play import Session, Table
from tournament.base.models.tournament import Tournament
from tournament.base.requests import site_address
from tournament.base.selectors import find_table, hidden_sessions
from tournament.book.forms.pages import quiz_form
from tournament.book.texts import KINDS
from tournament.book.views.quiz import puzzle_context
from tournament.play.selectors.clock import clock_of
from tournament.play.selectors.public import overview
from tournament.play.selectors.tables import TableNow, table_now
from tournament.play.selectors.timetable import players_of
from tournament.play.views.sessions import Step, closed_sessions, confirm_step
from tournament.players.selectors.players import public_players
from tournament.ranking.selectors.ranking import progress_of, ranking
from tournament.screens.forms import CeremonyForm, PuzzleForm
from tournament.screens.models import Ceremony, Puzzle
from tournament.screens.selectors import current_ceremony, is_out_of_date, told_before
from tournament.screens.services import (
    add_puzzle,
    end_ceremony,
    open_and_publish,
    remove_puzzle,
    start_ceremony,
    take_back,
    tell_next,
)
from tournament.web.forms import add_problems
from tournament.web.generic import EditView
from tournament.web.views import (
    UNPROCESSABLE,
    actor_of,
    add_refusal_messages,
    build_id,
    organiser_page,
    render_page,
    render_part,
    render_shared,
    run_and_redirect,
    tournament_html,
    tournament_page,
    visible_tournament_or_404,
)

# --- Ceremonies ---


@organiser_page
@require_http_methods(["GET", "HEAD", "POST"])
def ceremony_page(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """What is told and who is next; before it begins, of whom it is to be. A POST begins it."""
    form = CeremonyForm(tournament, request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            start_ceremony(tournament, actor_of(request), **form.cleaned_data)
        except Refused as refused:
            add_problems(form, refused)
        else:
            return redirect("organiser_ceremony", tournament.slug)
    ceremony = current_ceremony(tournament)
    context = {
        "form": form,
        "ceremony": ceremony,
        "is_out_of_date": ceremony is not None and is_out_of_date(ceremony),
        "hidden_sessions": sorted(hidden_sessions(tournament)),
        "progress": progress_of(tournament),
    }
    status = UNPROCESSABLE if form.errors else 200
    return render_page(request, "screens/ceremony", tournament, "ceremony", context, status=status)


@organiser_page
@require_POST
def ceremony_tell(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The next place. `seen`: how many the page knew of."""
    return _press_button(
        request, tournament, lambda ceremony, actor: tell_next(ceremony, actor, seen=_seen(request))
    )


def _press_button(
    request: HttpRequest, tournament: Tournament, write: Callable[[Ceremony, Actor], Any]
) -> HttpResponse:
    """A button of the ceremony that is on. What it did stands on the page, so that nothing else is said."""
    ceremony = current_ceremony(tournament)
    if ceremony is not None:
        try:
            write(ceremony, actor_of(request))
        except Refused as refused:
            add_refusal_messages(request, refused)
    return redirect("organiser_ceremony", tournament.slug)


def _seen(request: HttpRequest) -> int:
    text = request.POST.get("seen", "")
    if not (text.isascii() and text.isdecimal() and len(text) < 6):
        raise Http404
    return int(text)


@organiser_page
@require_POST
def ceremony_back(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    return _press_button(
        request, tournament, lambda ceremony, actor: take_back(ceremony, actor, seen=_seen(request))
    )


@organiser_page
@require_POST
def ceremony_end(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    return _press_button(request, tournament, end_ceremony)


@organiser_page
@require_http_methods(["GET", "HEAD", "POST"])
def standings_publish_all(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Open every hidden result and declare the standings."""
    step = Step(
        title=_("Reveal the results and publish?"),
        button=_("Reveal the results and publish"),
        done=_("Everybody sees all results, and the standings are published."),
        back=("organiser_ceremony", tournament.slug),
        consequences=(
            _(
                "Everybody sees every score, hand and penalty, and the ranking with them. It cannot be hidden again."
            ),
        ),
    )
    write = partial(open_and_publish, tournament)
    return confirm_step(request, tournament, closed_sessions(tournament), step, write)


@tournament_page
def ceremony_page_public(request: HttpRequest, tournament: Tournament, audience: Audience) -> HttpResponse:
    """What has been told so far, the newest place on top."""

    def context() -> dict[str, Any]:
        stage = current_ceremony(tournament)
        kind = stage.kind if stage else ""
        return {"stage": stage, "before": [step for step in told_before(tournament) if step.kind != kind]}

    content = render_shared(tournament, audience, "screens/_ceremony.html", context)
    return tournament_html(request, "screens/ceremony_public", tournament, audience, {"content": content})


@tournament_page
def hall(request: HttpRequest, tournament: Tournament, audience: Audience) -> HttpResponse:
    """The newest place, to be read from ten metres; the places told before it below."""
    content = render_shared(
        tournament, audience, "screens/hall/_ceremony.html", lambda: {"stage": current_ceremony(tournament)}
    )
    context = {"tournament": tournament, "audience": audience, "content": content}
    return render(request, "screens/ceremony_hall.html", context)


# --- Puzzles ---


class PuzzlesPage(EditView):
    """The puzzles there are, and a form for another."""

    form_class = PuzzleForm
    template, section, success_page = "screens/puzzles", "screens", "organiser_puzzles"
    success_message = gettext_lazy("The puzzle is added.")

    def save(self, instance: PuzzleForm, rows: list[Any]) -> None:
        data = instance.cleaned_data
        add_puzzle(self.tournament, self.actor, data["hand"], uuid=data["uuid"])

    def extra_context(self) -> dict[str, Any]:
        return {"puzzles": _named_puzzles(self.tournament)}


def _named_puzzles(tournament: Tournament) -> list[tuple[Puzzle, Promise]]:
    """The puzzles, each with what its kind asks."""
    return [(puzzle, KINDS[puzzle.question.kind]) for puzzle in tournament.puzzles.all()]


@organiser_page
@require_POST
def puzzle_remove(request: HttpRequest, tournament: Tournament, uuid: UUID) -> HttpResponse:
    puzzle = get_object_or_404(tournament.puzzles, uuid=uuid)
    return run_and_redirect(
        request,
        lambda: remove_puzzle(puzzle, actor_of(request)),
        _("The puzzle is removed."),
        "organiser_puzzles",
        tournament.slug,
    )


@never_cache
@require_safe
def puzzles_public(request: HttpRequest, slug: str) -> HttpResponse:
    """All of them, and the way to those without end."""
    tournament = visible_tournament_or_404(request, slug)
    context = {
        "tournament": tournament,
        "puzzles": _named_puzzles(tournament),
        "trail": [(tournament.name, reverse("tournament", args=[slug]))],
    }
    return render(request, "book/quiz/event.html", context)


@never_cache
@require_safe
def puzzle_public(request: HttpRequest, slug: str, uuid: UUID) -> HttpResponse:
    """One, answered as those of the quiz are."""
    tournament = visible_tournament_or_404(request, slug)
    question = get_object_or_404(tournament.puzzles, uuid=uuid).question
    context = puzzle_context(question, quiz_form(question, request.GET)) | {
        "level": "",
        "group": "event",
        "next_url": reverse("puzzles", args=[slug]),
        "next_name": _("All puzzles"),
        "trail": [(tournament.name, reverse("tournament", args=[slug]))],
    }
    return render(request, "book/quiz/puzzle.html", context)


# --- Overlays for streams ---


SIZES: Final = ("s", "m", "l", "xl")
"""`?size=`: 75, 100, 150, 200 % of the type."""
USUAL: Final = "m"
PUBLIC: Final = Audience.PUBLIC


@tournament_page
def overlays(request: HttpRequest, tournament: Tournament, audience: Audience) -> HttpResponse:
    """List the addresses of the overlays, to be pasted into the program that makes the stream.

    An overlay is one card over the picture of a camera, transparent around it, which mends itself. It shows what the
    public is told, whoever opens it, and stays as it was when a session is over.
    """
    session = _session_shown(tournament)
    context = {
        "tables": session.tables.all() if session else (),
        "players": public_players(players_of(tournament), tournament),
        "sizes": SIZES,
        "site": site_address(),
    }
    return tournament_html(request, "screens/overlays", tournament, audience, context)


@never_cache
@require_safe
def overlay_table(request: HttpRequest, slug: str, table: int) -> HttpResponse:
    """Four players with winds and scores, and which hand it is."""
    tournament = visible_tournament_or_404(request, slug)
    now = _table_now(tournament, table)
    return _overlay(request, tournament, "table", {"now": now, "session": now.table.session})


@never_cache
@require_safe
def overlay_hand(request: HttpRequest, slug: str, table: int) -> HttpResponse:
    """The last hand that was won at a table, with its tiles and fans; nothing before there is one."""
    tournament = visible_tournament_or_404(request, slug)
    now = _table_now(tournament, table)
    won = next((hand for hand in reversed(now.hands) if hand.winner_id), None)
    return _overlay(request, tournament, "hand", {"hand": won, "table": now.table})


@never_cache
@require_safe
def overlay_player(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """One player's place and points."""
    tournament = visible_tournament_or_404(request, slug)
    players = public_players(players_of(tournament).filter(number=number), tournament)
    if not players:
        raise Http404
    ranked = ranking(tournament, PUBLIC)
    row = next((row for row in ranked.rows if row.player.number == number), None)
    context = {"player": players[0], "row": row if ranked.sessions else None, "of": len(ranked.rows)}
    return _overlay(request, tournament, "player", context)


@never_cache
@require_safe
def overlay_clock(request: HttpRequest, slug: str) -> HttpResponse:
    """The time that is left, the warning and the end."""
    tournament = visible_tournament_or_404(request, slug)
    running = overview(tournament).running
    context = {"session": _session_shown(tournament), "clock": clock_of(running) if running else None}
    return _overlay(request, tournament, "clock", context)


def _overlay(
    request: HttpRequest, tournament: Tournament, kind: str, context: dict[str, Any]
) -> HttpResponse:
    """Draw one card, in the size that is asked for."""
    content: SafeString = render_part(tournament, PUBLIC, f"screens/overlay/_{kind}.html", lambda: context)
    size = request.GET.get("size", USUAL)
    facts = {
        "tournament": tournament,
        "content": content,
        "kind": kind,
        "size": size if size in SIZES else USUAL,
        "build": build_id(),
    }
    return render(request, "screens/overlay/overlay.html", facts)


def _session_shown(tournament: Tournament) -> Session | None:
    """The one being played, else the last that was, else the first to come."""
    now = overview(tournament)
    return now.running or now.last_closed or now.next


def _table_now(tournament: Tournament, number: int) -> TableNow:
    session = _session_shown(tournament)
    if session is None:
        raise Http404("no session yet")
    try:
        return table_now(find_table(tournament.slug, session.number, number), PUBLIC)
    except Table.DoesNotExist:
        raise Http404("no such table") from None
