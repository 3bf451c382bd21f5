"""Pages to request, watch and download documents, and the list of public ones."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.http import content_disposition_header
from django.utils.translation import get_language
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST, require_safe

from tournament.base import access
from tournament.base.access import audience_of
from tournament.base.engine.notices import Audience
from tournament.base.errors import Refused
from tournament.base.models.documents import DocumentJob
from tournament.base.models.tournament import Publication, Tournament
from tournament.base.requests import site_address
from tournament.base.selectors import publications_for
from tournament.documents.display import DocumentStatus, job_status, last_paper
from tournament.documents.forms import DocumentForm
from tournament.documents.selectors import (
    current_cards,
    public_documents,
    readable_documents,
    recent_jobs,
)
from tournament.documents.services import request_document
from tournament.ranking.selectors.standings import has_results
from tournament.web.forms import add_problems
from tournament.web.views import (
    Request,
    actor_of,
    organised_or_404,
    render_page,
    tournament_html,
    visible_tournament_or_404,
)


@require_POST
def document_request(request: Request, slug: str) -> HttpResponse:
    """Queue the document that is POSTed (`DocumentForm`); answer with the list of jobs.

    Default: the standings, in the reader's language, on the paper used last.
    """
    tournament = organised_or_404(request, slug)
    defaults = {
        "kind": DocumentJob.Kind.STANDINGS,
        "language": get_language(),
        "paper": last_paper(recent_jobs(tournament)),
    }
    form = DocumentForm(defaults | _posted_fields(request))
    if not form.is_valid():
        return _render_errors(request, tournament, form)
    try:
        job = request_document(tournament, actor_of(request), site=f"{site_address()}/", **form.cleaned_data)
    except Refused as refused:
        add_problems(form, refused)
        return _render_errors(request, tournament, form)
    if request.htmx:
        return render(request, "documents/_jobs.html", _jobs_context(tournament))
    return redirect("document_status", tournament.slug, job.pk)


def _posted_fields(request: Request) -> dict[str, str]:
    """Return the POST data; the value of a button may contain the paper: "card:a6"."""
    data = {name: str(value) for name, value in request.POST.items()}
    kind, _colon, paper = data.get("kind", "").partition(":")
    return data | ({"kind": kind, "paper": paper} if paper else {})


def _render_errors(request: Request, tournament: Tournament, form: DocumentForm) -> HttpResponse:
    """Render the form with its errors and what was chosen; status 400 without htmx, which swaps only successes."""
    errors = {name: messages[0] for name, messages in form.errors.items()}
    context = _jobs_context(tournament) | {
        "chosen": form.data,
        "errors": errors,
        "alert": errors.get("kind") or errors.get("session", ""),
    }
    if request.htmx:
        return render(request, "documents/_jobs.html", context)
    return render_page(request, "documents/status", tournament, "documents", context, status=400)


def _jobs_context(tournament: Tournament) -> dict[str, object]:
    return {"tournament": tournament, "jobs": recent_jobs(tournament)}


@require_GET
def document_status(request: Request, slug: str, job_id: int) -> HttpResponse:
    """Show the progress of a job: for htmx a fragment (204 while it equals `?seen=`), else a page that reloads."""
    tournament = organised_or_404(request, slug)
    job = get_object_or_404(tournament.documents, pk=job_id)
    if not request.htmx:
        waiting = job_status(job).is_waiting
        context = _jobs_context(tournament) | {"job": job, "waiting": waiting}
        return render_page(request, "documents/status", tournament, "documents", context)
    if request.GET.get("seen") == job_status(job).mark:
        return HttpResponse(status=204)
    return render(request, "documents/_job.html", {"tournament": tournament, "job": job})


@require_GET
def document_file(request: HttpRequest, slug: str, job_id: int) -> HttpResponse:
    """Serve a finished document: all to organisers, `readable_documents` to everybody else."""
    tournament = visible_tournament_or_404(request, slug)
    is_organiser = access.can_organise(actor_of(request), tournament)
    readable = tournament.documents.all() if is_organiser else readable_documents(tournament)
    job = get_object_or_404(readable, pk=job_id, state=DocumentJob.State.DONE)
    try:
        # Not streamed: a streamed file occupies a thread under ASGI, and the largest document has a megabyte.
        content = job.file.read()
    except FileNotFoundError:
        raise Http404("the file is gone") from None
    finally:
        job.file.close()
    disposition = content_disposition_header(True, _download_name(tournament, job))
    return HttpResponse(content, job.content_type, headers={"Content-Disposition": str(disposition)})


def _download_name(tournament: Tournament, job: DocumentJob) -> str:
    return f"{tournament.slug}-{job.file_name}"


@require_safe
@never_cache
def papers_page(request: HttpRequest, slug: str) -> HttpResponse:
    """List PDFs of published standings, the umpire's cards, the draw certificate and the foul book.

    Never cached: a new PDF does not change the tournament's version, by which pages are cached.
    """
    tournament = visible_tournament_or_404(request, slug)
    audience = audience_of(actor_of(request), tournament)
    context = {
        "papers": _published_papers(tournament),
        "cards": current_cards(tournament),
        "is_drawn": tournament.sessions.exists(),
        "has_results": has_results(tournament, audience),
    }
    return tournament_html(request, "documents/documents_public", tournament, audience, context)


def _published_papers(tournament: Tournament) -> list[tuple[DocumentJob, Publication, DocumentStatus]]:
    """Return (job, publication, status): the newest job of each version, language and paper.

    The newest one, because an older one may have been made while appeals were open.
    """
    published = {
        publication.version: publication for publication in publications_for(Audience.PUBLIC, tournament)
    }
    newest: dict[tuple[int, str, str], DocumentJob] = {}
    for job in public_documents(tournament):
        newest.setdefault((job.standings_version or 0, job.languages, job.paper), job)
    jobs = sorted(newest.values(), key=lambda job: (-(job.standings_version or 0), job.language))
    return [(job, published[job.standings_version or 0], job_status(job)) for job in jobs]
