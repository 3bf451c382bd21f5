"""Run a document job; every kind of document with the function that drafts it."""

import logging
from collections.abc import Callable, Mapping
from copy import copy
from datetime import datetime
from typing import Final

from django.core.files.base import ContentFile
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _

from tournament.base.models.documents import DocumentJob
from tournament.base.models.tournament import CRASHED, DONE_WITHIN
from tournament.base.work import enqueue_job
from tournament.documents.exports import ema, lists, report
from tournament.documents.exports.card import draft_umpires_card
from tournament.documents.exports.drafts import (
    Draft,
    Progress,
    bind_drafts,
    draft_from_template,
    override_languages,
    write_pdf,
)
from tournament.documents.exports.paper import page_css
from tournament.documents.exports.players import (
    SeatPapers,
    draft_badges,
    draft_certificates,
    score_sheets_context,
    seat_lists_context,
    seat_papers,
)
from tournament.documents.exports.site.archive import draft_site
from tournament.documents.exports.standings import standings_sheet
from tournament.documents.selectors import current_edition, find_same_content
from tournament.staff.selectors import rota_of
from tournament.web.texts.words import time_text

logger = logging.getLogger(__name__)


def run_job(job_id: int) -> None:
    """Make the document of a job and store its file. Called by the worker.

    Idempotent: a worker may be killed half-way. If an earlier document has the same contents, its file is copied. An
    exception is logged, and the job fails with a sentence for the page.
    """
    job = DocumentJob.objects.select_related("tournament").filter(pk=job_id).first()
    if job is None or job.state == DocumentJob.State.DONE:
        return  # the tournament was deleted meanwhile, or the message came twice
    job.state, job.done_steps, job.error = DocumentJob.State.RUNNING, 0, ""
    job.save(update_fields=["state", "done_steps", "error"])
    try:
        with override_languages(job.language, job.second), timezone.override(job.tournament.zone):
            content, made_at = _make_content(job)
        job.file.save(f"{slugify(job.tournament.slug)}-{job.file_name}", ContentFile(content), save=False)
    except Exception:
        logger.exception("Document job %s failed", job_id)
        _finish(job, DocumentJob.State.FAILED, timezone.now(), error=CRASHED)
    else:
        job.done_steps = job.steps
        _finish(job, DocumentJob.State.DONE, made_at)


def _make_content(job: DocumentJob) -> tuple[bytes, datetime]:
    """Return the file and when it was made; set edition, digest and version of the job."""
    # Before the data is read: a write in the meantime makes the document out of date, not wrongly current.
    job.edition = current_edition(job.tournament)
    draft = DRAFT_BUILDERS[job.kind](job)
    job.digest, job.standings_version, job.standings_state = draft.digest, draft.version, draft.state
    if (earlier := find_same_content(job, job.digest)) is not None:
        with earlier.file.open("rb") as file:
            return file.read(), earlier.finished_at or timezone.now()
    return render_draft(draft, Progress(job)), timezone.now()


def _finish(job: DocumentJob, state: DocumentJob.State, at: datetime, error: str = "") -> None:
    unfinished = DocumentJob.objects.filter(pk=job.pk).exclude(state=DocumentJob.State.DONE)
    fields = ("file", "standings_version", "standings_state", "edition", "digest", "done_steps")
    values = {name: getattr(job, name) for name in fields}
    stored = unfinished.update(state=state, error=error, finished_at=at, **values)
    if not stored and job.file:
        # The tournament was deleted in the meantime, or another worker was first.
        job.file.delete(save=False)


def requeue_unfinished_jobs() -> None:
    """Queue jobs again that a killed worker left unfinished. Called when a worker starts.

    A job that another worker is running is then made twice and stored once.
    """
    jobs = DocumentJob.objects.filter(
        state__in=[DocumentJob.State.QUEUED, DocumentJob.State.RUNNING],
        requested_at__gt=timezone.now() - DONE_WITHIN,
    )
    for job in jobs:
        enqueue_job(job, "documents.render_document")


def render(job: DocumentJob, progress: Progress) -> bytes:
    """Return the file of a job in the active language, without storing it."""
    return render_draft(DRAFT_BUILDERS[job.kind](job), progress)


def render_draft(draft: Draft, progress: Progress) -> bytes:
    if draft.content:
        return draft.content
    progress.expect(draft.pages)
    return write_pdf(draft.lay_out(progress), progress)


DraftBuilder = Callable[[DocumentJob], Draft]


def _draft_standings(job: DocumentJob) -> Draft:
    sheet = standings_sheet(job.tournament, job.paper)
    return draft_from_template(
        "documents/standings.html",
        {"sheet": sheet, "tournament": job.tournament},
        sheet.timestamp,
        pages=sheet.layout.pages,
        version=sheet.version,
        state=sheet.state,
    )


def _seats_builder(
    template: str, context: Callable[[SeatPapers, DocumentJob], dict[str, object]]
) -> DraftBuilder:
    """Return a function that drafts one of the papers with seats. `context`: what it adds to the template's context."""

    def build(job: DocumentJob) -> Draft:
        papers = seat_papers(job)
        timestamp = time_text(papers.made_at)
        common = {
            "papers": papers,
            "tournament": job.tournament,
            "css": page_css(job.paper),
            "timestamp": timestamp,
        }
        return draft_from_template(template, common | context(papers, job), timestamp)

    return build


_BUNDLED: Final = (
    DocumentJob.Kind.SEATS,
    DocumentJob.Kind.SCORE_SHEETS,
    DocumentJob.Kind.FOULS,
    DocumentJob.Kind.TABULATION,
    DocumentJob.Kind.ROUNDS,
)
"""The papers of a session in the order of their use."""


def _draft_bundle(job: DocumentJob) -> Draft:
    """Draft all papers of the job's session as one file; the umpires' tables only if there is a rota."""
    title = _("%(event)s: all papers of session %(number)s") % {
        "event": job.tournament,
        "number": job.session,
    }
    kinds = [kind for kind in _BUNDLED if kind != DocumentJob.Kind.ROUNDS or rota_of(job.tournament).is_set]
    drafts = []
    for kind in kinds:
        part = copy(job)  # never saved
        part.kind = kind
        drafts.append(DRAFT_BUILDERS[kind](part))
    return bind_drafts(title, drafts)


DRAFT_BUILDERS: Final[Mapping[str, DraftBuilder]] = {
    DocumentJob.Kind.STANDINGS: _draft_standings,
    DocumentJob.Kind.TEAMS: report.draft_teams,
    DocumentJob.Kind.NATIONS: report.draft_nations,
    DocumentJob.Kind.SESSION: report.draft_session_standings,
    DocumentJob.Kind.STATISTICS: report.draft_statistics,
    DocumentJob.Kind.BADGES: draft_badges,
    DocumentJob.Kind.CERTIFICATES: draft_certificates,
    DocumentJob.Kind.FOULS: lists.draft_foul_record,
    DocumentJob.Kind.TABULATION: lists.draft_tabulation,
    DocumentJob.Kind.CHECK_IN: lists.draft_check_in_list,
    DocumentJob.Kind.DUES: lists.draft_dues_list,
    DocumentJob.Kind.ROUNDS: lists.draft_umpires_tables,
    DocumentJob.Kind.REPORT: report.draft_report,
    DocumentJob.Kind.APPLICATION: ema.draft_application,
    DocumentJob.Kind.OBSERVER: ema.draft_observers_report,
    DocumentJob.Kind.BUNDLE: _draft_bundle,
    DocumentJob.Kind.CARD: draft_umpires_card,
    DocumentJob.Kind.SITE: draft_site,
    DocumentJob.Kind.SEATS: _seats_builder("documents/seats.html", seat_lists_context),
    DocumentJob.Kind.SCHEDULES: _seats_builder("documents/schedules.html", lambda papers, job: {}),
    DocumentJob.Kind.SCORE_SHEETS: _seats_builder("documents/score_sheets.html", score_sheets_context),
    DocumentJob.Kind.TABLE_NUMBERS: _seats_builder("documents/table_numbers.html", lambda papers, job: {}),
}
