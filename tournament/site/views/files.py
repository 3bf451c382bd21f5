"""What is printed and kept of an event: documents, files, the log."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from tournament.base.access import Right
from tournament.base.errors import Refused
from tournament.base.log import first_broken_link
from tournament.base.models.play import Session
from tournament.base.models.tournament import Tournament
from tournament.base.problems import sentence
from tournament.base.requests import is_reached_by_others, site_address
from tournament.documents.exports.paper import names_without_font
from tournament.documents.selectors import recent_jobs
from tournament.exchange.lists import LOG, lists_for
from tournament.exchange.transcripts.writing import transcript_of, transcript_warnings
from tournament.ranking.selectors.progress import progress_of
from tournament.web.exports.lists import Reader
from tournament.web.lists import list_page
from tournament.web.views import actor_of, organiser_page, page_for, render_page, rights_of

ENTRIES_A_PAGE = 100


@page_for(Right.READ)
@require_safe
def log_page(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show every write, newest first, and whether the hash chain holds."""
    reader = Reader.of(tournament, actor_of(request))
    context = {
        "list": list_page(request, LOG, reader, LOG.rows(reader), page_size=ENTRIES_A_PAGE),
        "broken": first_broken_link(tournament),
    }
    return render_page(request, "site/log", tournament, "archive", context)


@organiser_page
@require_safe
def documents_page(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show the documents and a form for new ones."""
    context = {
        "jobs": recent_jobs(tournament),
        "progress": progress_of(tournament),
        "names_without_font": names_without_font(tournament),
        "local_site": "" if is_reached_by_others(site_address()) else site_address(),
    }
    return render_page(request, "documents/documents", tournament, "documents", context)


@page_for(Right.ORGANISE, Right.READ)
@require_safe
def archive_page(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show what is kept of an event: its files for organisers, the log for everybody who may read it."""
    context = files_of(request, tournament) if rights_of(request, tournament)["organise"] else {}
    return render_page(request, "site/archive", tournament, "archive", context)


def files_of(request: HttpRequest, tournament: Tournament) -> dict[str, Any]:
    """Return the context of `site/_files.html`: everything available as a file."""
    closed = tournament.sessions.filter(state=Session.State.CLOSED).exists()
    return {
        "has_transcript": closed,
        "left_out": [sentence(problem) for problem in transcript_warnings(tournament)] if closed else [],
        "is_drawn": tournament.sessions.exists(),
        "lists": lists_for(Reader.of(tournament, actor_of(request))),
    }


@organiser_page
@require_safe
def transcript(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Return the closed sessions as a transcript; 404 if there are none."""
    try:
        text = transcript_of(tournament)
    except Refused:
        raise Http404 from None
    headers = {"Content-Disposition": f'attachment; filename="{tournament.slug}.json"'}
    return HttpResponse(text, content_type="application/json", headers=headers)
