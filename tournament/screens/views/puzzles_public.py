"""The event's own puzzles, for everybody who may see the event."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from tournament.book.forms.quiz import quiz_form
from tournament.book.texts.quiz import KINDS
from tournament.book.views.quiz import solved
from tournament.screens.selectors.puzzles import asked_in, puzzles_of
from tournament.web.views.common import visible_tournament_or_404


@never_cache
@require_safe
def listing(request: HttpRequest, slug: str) -> HttpResponse:
    """All of them, and the way to those without end."""
    tournament = visible_tournament_or_404(request, slug)
    context = {
        "tournament": tournament,
        "puzzles": [(one, KINDS[asked_in(one).kind]) for one in puzzles_of(tournament)],
        "trail": [(tournament.name, reverse("tournament", args=[slug]))],
    }
    return render(request, "book/quiz/event.html", context)


@never_cache
@require_safe
def page(request: HttpRequest, slug: str, uuid: UUID) -> HttpResponse:
    """One, answered as those of the quiz are."""
    tournament = visible_tournament_or_404(request, slug)
    asked = asked_in(get_object_or_404(tournament.puzzles, uuid=uuid))
    context = solved(asked, quiz_form(asked, request.GET)) | {
        "level": "",
        "group": "event",
        "next_url": reverse("puzzles", args=[slug]),
        "next_name": _("All puzzles"),
        "trail": [(tournament.name, reverse("tournament", args=[slug]))],
    }
    return render(request, "book/quiz/puzzle.html", context)
