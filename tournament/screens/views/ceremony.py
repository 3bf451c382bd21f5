"""Pages of ceremonies and of an event's own puzzles."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournament.base.access import Actor
from tournament.base.engine.notices import Audience
from tournament.base.errors import Refused
from tournament.base.models.tournament import Tournament
from tournament.base.selectors import hidden_sessions
from tournament.book.forms.pages import quiz_form
from tournament.book.texts import KINDS
from tournament.book.views.quiz import puzzle_context
from tournament.play.views.sessions import Step, closed_sessions, confirm_step
from tournament.ranking.selectors.progress import progress_of
from tournament.screens.forms import CeremonyForm, PuzzleForm
from tournament.screens.models import Ceremony, Puzzle
from tournament.screens.selectors import current_ceremony, is_out_of_date, past_ceremonies
from tournament.screens.services import (
    add_puzzle,
    announce_next_place,
    end_ceremony,
    open_and_publish,
    remove_puzzle,
    start_ceremony,
    undo_place,
)
from tournament.web.forms import add_problems
from tournament.web.generic import EditView
from tournament.web.views import (
    UNPROCESSABLE,
    actor_of,
    add_refusal_messages,
    organiser_page,
    render_page,
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
    """Show the current ceremony with its next place, or the form that starts one."""
    form = CeremonyForm(tournament, request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            start_ceremony(tournament, actor_of(request), **form.cleaned_data)
        except Refused as refused:
            add_problems(form, refused)
        else:
            return redirect("organiser_ceremony", tournament.slug)
    ceremony, hidden, progress = (
        current_ceremony(tournament),
        hidden_sessions(tournament),
        progress_of(tournament),
    )
    context = {
        "form": form,
        "ceremony": ceremony,
        "is_out_of_date": ceremony is not None and is_out_of_date(ceremony),
        "hidden_sessions": sorted(hidden),
        "progress": progress,
    }
    if ceremony is None:
        context["can_publish"] = bool(hidden and past_ceremonies(tournament))
    else:
        context["can_publish"] = not ceremony.left and (bool(hidden) or progress.can_publish)
        context["bar"] = None  # its button publishes; during a ceremony the only button is for the next place
    status = UNPROCESSABLE if form.errors else 200
    return render_page(request, "screens/ceremony", tournament, "ceremony", context, status=status)


@organiser_page
@require_POST
def ceremony_announce(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Announce the next place. `seen` is the number of places that the page knows of."""
    return _write_and_redirect(
        request, tournament, lambda ceremony, actor: announce_next_place(ceremony, actor, seen=_seen(request))
    )


def _write_and_redirect(
    request: HttpRequest, tournament: Tournament, write: Callable[[Ceremony, Actor], Any]
) -> HttpResponse:
    """Call `write` with the current ceremony and show its page, which shows the result without a message."""
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
def ceremony_undo(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    return _write_and_redirect(
        request, tournament, lambda ceremony, actor: undo_place(ceremony, actor, seen=_seen(request))
    )


@organiser_page
@require_POST
def ceremony_end(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    return _write_and_redirect(request, tournament, end_ceremony)


@organiser_page
@require_http_methods(["GET", "HEAD", "POST"])
def standings_publish_all(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Open every hidden result and publish the standings, after a page that asks to confirm."""
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
    """Show the announced places, newest first."""

    def context() -> dict[str, Any]:
        ceremony = current_ceremony(tournament)
        kind = ceremony.kind if ceremony else ""
        past = [ceremony for ceremony in past_ceremonies(tournament) if ceremony.kind != kind]
        return {"ceremony": ceremony, "past_ceremonies": past}

    content = render_shared(tournament, audience, "screens/_ceremony.html", context)
    return tournament_html(request, "screens/ceremony_public", tournament, audience, {"content": content})


@tournament_page
def ceremony_hall(request: HttpRequest, tournament: Tournament, audience: Audience) -> HttpResponse:
    """Show the newest place in large type, and the earlier ones below, for a projector."""
    content = render_shared(
        tournament,
        audience,
        "screens/hall/_ceremony.html",
        lambda: {"ceremony": current_ceremony(tournament)},
    )
    context = {"tournament": tournament, "audience": audience, "content": content}
    return render(request, "screens/ceremony_hall.html", context)


# --- Puzzles ---


class PuzzlesPage(EditView):
    """List the event's puzzles, and add one."""

    form_class = PuzzleForm
    template, section, success_page = "screens/puzzles", "screens", "organiser_puzzles"
    success_message = gettext_lazy("The puzzle is added.")

    def save(self, instance: PuzzleForm, rows: list[Any]) -> None:
        data = instance.cleaned_data
        add_puzzle(self.tournament, self.actor, data["hand"], uuid=data["uuid"])

    def extra_context(self) -> dict[str, Any]:
        return {"puzzles": _named_puzzles(self.tournament)}


def _named_puzzles(tournament: Tournament) -> list[tuple[Puzzle, Promise]]:
    """Return (puzzle, name of its kind)."""
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
    """List the event's puzzles, with a link to the quiz."""
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
    """Show a puzzle of the event as a page of the quiz."""
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
