"""What is kept: the log of every write, and the documents made of it."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from tournament.documents.status import recent_jobs
from tournament.log import first_broken_link
from tournament.models import Tournament
from tournament.selectors.organiser import progress_of
from tournament.texts_log import LogTexts
from tournament.views.organiser.frame import organiser_page, show

ENTRIES_A_PAGE = 100


@organiser_page
@require_safe
def log(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Every write, newest first, and whether the chain of hashes holds."""
    page = Paginator(tournament.log.order_by("-seq"), ENTRIES_A_PAGE).get_page(request.GET.get("page"))
    texts = LogTexts(tournament)
    context = {
        "page": page,
        "entries": [(entry, texts.sentence(entry)) for entry in page],
        "broken": first_broken_link(tournament),
    }
    return show(request, "log", tournament, "log", context)


@organiser_page
@require_safe
def documents(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The documents made so far, and the button for a new one."""
    context = {"jobs": recent_jobs(tournament), "progress": progress_of(tournament)}
    return show(request, "documents", tournament, "documents", context)
