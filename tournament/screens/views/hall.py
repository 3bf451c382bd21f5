"""The organiser's page of the hall: announcements, screens and the event's own puzzles, which everybody may solve."""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from tournament.base.access import Right
from tournament.base.models.tournament import Tournament
from tournament.book.forms.pages import quiz_form
from tournament.book.texts import KINDS
from tournament.book.views.quiz import puzzle_context
from tournament.messages.announcements.forms import AnnouncementForm
from tournament.messages.announcements.models import Announcement
from tournament.messages.announcements.selectors import (
    active_announcements,
    all_announcements,
    session_for_tables,
)
from tournament.messages.announcements.services import announce
from tournament.screens.forms import NewScreenForm, PuzzleForm
from tournament.screens.models import Puzzle
from tournament.screens.selectors import screen_state, screens_of
from tournament.screens.services import add_puzzle, add_screen, remove_puzzle
from tournament.web.generic import Part, SeparatePartsView
from tournament.web.views import actor_of, organiser_page, run_and_redirect, visible_tournament_or_404

MAX_ENDED: Final = 20
"""How many ended announcements the page lists; the log has them all."""


class AnnouncementPart(Part):
    name = "announcement"
    rights = (Right.SHOW,)
    form_class = AnnouncementForm
    success_message = gettext_lazy("The announcement is now visible to its audience.")

    def get_object(self) -> Announcement:
        return Announcement(tournament=self.tournament)

    def save(self, instance: Announcement, rows: list[Any]) -> None:
        assert self.form is not None, "form_class"
        announce(instance, self.actor, minutes=self.form.cleaned_data["minutes"])


class ScreenPart(Part):
    name = "screen"
    rights = (Right.SHOW,)
    form_class = NewScreenForm
    success_message = gettext_lazy("The screen is added.")

    def save(self, instance: NewScreenForm, rows: list[Any]) -> None:
        add_screen(self.tournament, self.actor, instance.cleaned_data["name"])


class PuzzlePart(Part):
    name = "puzzle"
    form_class = PuzzleForm
    success_message = gettext_lazy("The puzzle is added.")

    def save(self, instance: PuzzleForm, rows: list[Any]) -> None:
        data = instance.cleaned_data
        add_puzzle(self.tournament, self.actor, data["hand"], uuid=data["uuid"])


class Hall(SeparatePartsView):
    """Announce something, and list the screens; overlays, puzzles and further screens are folded."""

    rights = (Right.READ, Right.SHOW)
    template, section, success_page = "screens/hall", "hall", "organiser_hall"
    part_classes = (AnnouncementPart, ScreenPart, PuzzlePart)

    def extra_context(self) -> dict[str, Any]:
        active = active_announcements(self.tournament)
        ended = all_announcements(self.tournament).exclude(pk__in=[each.pk for each in active])
        return {
            "active": active,
            "ended": ended[:MAX_ENDED],
            "session": session_for_tables(self.tournament),
            "states": [screen_state(screen) for screen in screens_of(self.tournament)],
            "puzzles": _named_puzzles(self.tournament),
        }


# --- Puzzles ---


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
        "organiser_hall",
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
