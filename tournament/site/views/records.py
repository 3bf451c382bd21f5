"""What is kept: the log of every write, and the documents made of it."""

from __future__ import annotations

from typing import Any

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from tournament.base.access import Right
from tournament.base.errors import Refused
from tournament.base.log import first_broken_link
from tournament.base.models.play import Session
from tournament.base.models.tournament import Tournament
from tournament.documents.exports.status import recent_jobs
from tournament.exchange.transcripts.writing import left_out, transcript_of
from tournament.play.selectors.organiser import progress_of
from tournament.web.selectors.log_words import log_words
from tournament.web.texts.problems import sentence
from tournament.web.views.frame import organiser_page, page_for, show

ENTRIES_A_PAGE = 100


@page_for(Right.READ)
@require_safe
def log(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Every write, newest first, and whether the chain of hashes holds."""
    page = Paginator(tournament.log.select_related("actor").order_by("-seq"), ENTRIES_A_PAGE).get_page(
        request.GET.get("page")
    )
    texts = log_words(tournament)
    context = {
        "page": page,
        "entries": [(entry, texts.sentence(entry)) for entry in page],
        "broken": first_broken_link(tournament),
    }
    return show(request, "site/log", tournament, "log", context)


@organiser_page
@require_safe
def documents(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The documents made so far, and the button for a new one."""
    context = {"jobs": recent_jobs(tournament), "progress": progress_of(tournament)} | files_of(tournament)
    return show(request, "documents/documents", tournament, "documents", context)


@organiser_page
@require_safe
def transcript(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The closed sessions as a file that can be replayed; 404 before there is one."""
    try:
        text = transcript_of(tournament)
    except Refused:
        raise Http404 from None
    answer = HttpResponse(text, content_type="application/json")
    answer["Content-Disposition"] = f'attachment; filename="{tournament.slug}.json"'
    return answer


def files_of(tournament: Tournament) -> dict[str, Any]:
    """What `site/_files.html` offers: everything of the tournament that can be had as a file."""
    closed = tournament.sessions.filter(state=Session.State.CLOSED).exists()
    return {
        "has_transcript": closed,
        "left_out": [sentence(problem) for problem in left_out(tournament)] if closed else [],
        "has_players": tournament.players.filter(withdrawn_at=None, is_substitute=False).exists(),
        "is_drawn": tournament.sessions.exists(),
    }
