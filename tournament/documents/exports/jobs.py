"""Doing a document job, and every kind of document with what makes its draft."""

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
from tournament.documents.exports import lists, report
from tournament.documents.exports.card import umpires_card
from tournament.documents.exports.drafts import Draft, Progress, bound, draft, in_languages, write
from tournament.documents.exports.paper import page_css
from tournament.documents.exports.players import (
    SeatPapers,
    badges,
    certificates,
    score_sheets,
    seat_lists,
    seat_papers,
)
from tournament.documents.exports.site.archive import site
from tournament.documents.exports.standings import standings_sheet
from tournament.documents.selectors import edition_of, same_text
from tournament.staff.selectors import rota_of
from tournament.web.texts.words import time_text

logger = logging.getLogger(__name__)


def run(job_id: int) -> None:
    """Make the document of a job and store it there: what the worker calls.

    Idempotent: a worker may be stopped half-way. Where what it would say was printed before, that file is taken. What
    goes wrong is logged and said on the page.
    """
    job = DocumentJob.objects.select_related("tournament").filter(pk=job_id).first()
    if job is None or job.state == DocumentJob.State.DONE:
        return  # the tournament was deleted meanwhile, or the message came twice
    job.state, job.done_steps, job.error = DocumentJob.State.RUNNING, 0, ""
    job.save(update_fields=["state", "done_steps", "error"])
    try:
        with in_languages(job.language, job.second), timezone.override(job.tournament.zone):
            content, made_at = _content_of(job)
        job.file.save(f"{slugify(job.tournament.slug)}-{job.file_name}", ContentFile(content), save=False)
    except Exception:
        logger.exception("Document job %s failed", job_id)
        _finish(job, DocumentJob.State.FAILED, timezone.now(), error=CRASHED)
    else:
        job.done_steps = job.steps
        _finish(job, DocumentJob.State.DONE, made_at)


def _content_of(job: DocumentJob) -> tuple[bytes, datetime]:
    """The file, and when it was made. What is written from now on is not in it, so its edition is that of now."""
    job.edition = edition_of(job.tournament)
    draft = MAKERS[job.kind](job)
    job.digest, job.standings_version, job.standings_state = draft.digest, draft.version, draft.state
    if (same := same_text(job, job.digest)) is not None:
        with same.file.open("rb") as file:
            return file.read(), same.finished_at or timezone.now()
    return pressed(draft, Progress(job)), timezone.now()


def _finish(job: DocumentJob, state: DocumentJob.State, at: datetime, error: str = "") -> None:
    unfinished = DocumentJob.objects.filter(pk=job.pk).exclude(state=DocumentJob.State.DONE)
    made = ("file", "standings_version", "standings_state", "edition", "digest", "done_steps")
    values = {name: getattr(job, name) for name in made}
    stored = unfinished.update(state=state, error=error, finished_at=at, **values)
    if not stored and job.file:
        job.file.delete(
            save=False
        )  # the tournament was deleted while this was made, or another worker was first


def take_up_again() -> None:
    """Ask again for what a worker left behind that was killed half-way; called as one begins.

    What another works on at the moment is made twice then, and stored once.
    """
    jobs = DocumentJob.objects.filter(
        state__in=[DocumentJob.State.QUEUED, DocumentJob.State.RUNNING],
        requested_at__gt=timezone.now() - DONE_WITHIN,
    )
    for job in jobs:
        enqueue_job(job, "documents.render_document")


def make(job: DocumentJob, progress: Progress) -> bytes:
    """The document in the language of the moment, as the worker makes it."""
    return pressed(MAKERS[job.kind](job), progress)


def pressed(draft: Draft, progress: Progress) -> bytes:
    """The finished file."""
    if draft.content:
        return draft.content
    progress.expect(draft.pages)
    return write(draft.lay(progress), progress)


Maker = Callable[[DocumentJob], Draft]


def _standings(job: DocumentJob) -> Draft:
    sheet = standings_sheet(job.tournament, job.paper)
    return draft(
        "documents/standings.html",
        {"sheet": sheet},
        sheet.made,
        pages=sheet.layout.pages,
        version=sheet.version,
        state=sheet.state,
    )


def _seats_maker(template: str, context: Callable[[SeatPapers, DocumentJob], dict[str, object]]) -> Maker:
    """A maker of one of the papers of the seats."""

    def make(job: DocumentJob) -> Draft:
        papers = seat_papers(job)
        made_at = time_text(papers.made_at)
        about = {"papers": papers, "css": page_css(job.paper), "made": made_at}
        return draft(template, about | context(papers, job), made_at)

    return make


_BUNDLED: Final = (
    DocumentJob.Kind.SEATS,
    DocumentJob.Kind.SCORE_SHEETS,
    DocumentJob.Kind.FOULS,
    DocumentJob.Kind.TABULATION,
    DocumentJob.Kind.ROUNDS,
)
"""In the order of their use. Seats by table are those of the session alone, and a rota is there if it was made."""


def _bundle(job: DocumentJob) -> Draft:
    """Everything for the job's session as one file, made as each paper is made by itself."""
    title = _("%(event)s: all papers of session %(number)s") % {
        "event": job.tournament,
        "number": job.session,
    }
    kinds = [kind for kind in _BUNDLED if kind != DocumentJob.Kind.ROUNDS or rota_of(job.tournament).is_set]
    drafts = []
    for kind in kinds:
        part = copy(job)  # never stored
        part.kind = kind
        drafts.append(MAKERS[kind](part))
    return bound(title, drafts)


MAKERS: Final[Mapping[str, Maker]] = {
    DocumentJob.Kind.STANDINGS: _standings,
    DocumentJob.Kind.TEAMS: report.teams,
    DocumentJob.Kind.NATIONS: report.nations,
    DocumentJob.Kind.SESSION: report.session_standings,
    DocumentJob.Kind.STATISTICS: report.statistics,
    DocumentJob.Kind.BADGES: badges,
    DocumentJob.Kind.CERTIFICATES: certificates,
    DocumentJob.Kind.FOULS: lists.foul_record,
    DocumentJob.Kind.TABULATION: lists.tabulation,
    DocumentJob.Kind.CHECK_IN: lists.check_in_list,
    DocumentJob.Kind.DUES: lists.dues_list,
    DocumentJob.Kind.ROUNDS: lists.umpires,
    DocumentJob.Kind.REPORT: report.report,
    DocumentJob.Kind.OBSERVER: report.observers_report,
    DocumentJob.Kind.BUNDLE: _bundle,
    DocumentJob.Kind.CARD: umpires_card,
    DocumentJob.Kind.SITE: site,
    DocumentJob.Kind.SEATS: _seats_maker("documents/seats.html", seat_lists),
    DocumentJob.Kind.SCHEDULES: _seats_maker("documents/schedules.html", lambda papers, job: {}),
    DocumentJob.Kind.SCORE_SHEETS: _seats_maker("documents/score_sheets.html", score_sheets),
    DocumentJob.Kind.TABLE_NUMBERS: _seats_maker("documents/table_numbers.html", lambda papers, job: {}),
}
