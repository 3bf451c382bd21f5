"""The event's own puzzles: adding one, and removing it."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from scoring.engine.problems import Problem
from tournament.base.errors import Refused
from tournament.base.models.tournament import Tournament
from tournament.book.texts.quiz import KINDS
from tournament.screens.forms.puzzles import PuzzleForm
from tournament.screens.selectors.puzzles import asked_in, puzzles_of
from tournament.screens.services.puzzles import add_puzzle, remove_puzzle
from tournament.web.forms.problems import add_problems
from tournament.web.views.common import actor_of
from tournament.web.views.frame import UNPROCESSABLE, organiser_page, press, show


@organiser_page
def page(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The puzzles there are, and a form for another."""
    form = PuzzleForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            add_puzzle(
                tournament, actor_of(request), form.cleaned_data["hand"], uuid=form.cleaned_data["uuid"]
            )
        except Refused as refused:
            add_problems(form, _at_the_hand(refused))
        else:
            messages.success(request, _("The puzzle is added."))
            return redirect("organiser_puzzles", tournament.slug)
    puzzles = [(one, KINDS[asked_in(one).kind]) for one in puzzles_of(tournament)]
    status = UNPROCESSABLE if form.errors else 200
    return show(
        request, "screens/puzzles", tournament, "screens", {"form": form, "puzzles": puzzles}, status=status
    )


@organiser_page
@require_POST
def remove(request: HttpRequest, tournament: Tournament, uuid: UUID) -> HttpResponse:
    found = get_object_or_404(tournament.puzzles, uuid=uuid)
    return press(
        request,
        lambda: remove_puzzle(found, actor_of(request)),
        _("The puzzle is removed."),
        "organiser_puzzles",
        tournament.slug,
    )


def _at_the_hand(refused: Refused) -> list[Problem]:
    """What the reader of the notation finds wrong, whatever of the hand it is about."""
    return [Problem(one.code, "hand", one.params) for one in refused.problems]
