"""Doing a document job: what the worker calls. What goes wrong is logged and said on the page."""

from __future__ import annotations

import logging
from datetime import datetime

from django.core.files.base import ContentFile
from django.utils import timezone
from django.utils.text import slugify

from tournament.base.models.documents import DocumentJob
from tournament.base.models.jobs import CRASHED, DONE_WITHIN
from tournament.base.work import send
from tournament.documents.exports.drafts import Draft
from tournament.documents.exports.kinds import MAKERS
from tournament.documents.exports.languages import in_languages
from tournament.documents.exports.progress import Progress
from tournament.documents.exports.render import write
from tournament.documents.selectors.editions import edition_of, same_text

logger = logging.getLogger(__name__)


def run(job_id: int) -> None:
    """Make the document of a job and store it there; safe to repeat, as when a worker was stopped half-way.

    Where what it would say was printed before, that file is taken.
    """
    job = DocumentJob.objects.select_related("tournament").filter(pk=job_id).first()
    if job is None or job.state == DocumentJob.State.DONE:
        return  # the tournament was deleted meanwhile, or the message came twice
    job.state, job.done_steps, job.error = DocumentJob.State.RUNNING, 0, ""
    job.save(update_fields=["state", "done_steps", "error"])
    try:
        with in_languages(job.language, job.second), timezone.override(job.tournament.zone):
            content, made_at = _made(job)
        job.file.save(_file_name(job), ContentFile(content), save=False)
    except Exception:
        logger.exception("Document job %s failed", job_id)
        _finish(job, DocumentJob.State.FAILED, timezone.now(), error=CRASHED)
    else:
        job.done_steps = job.steps
        _finish(job, DocumentJob.State.DONE, made_at)


def take_up_again() -> None:
    """A worker begins: what one left behind that was killed half-way is asked for again. What another works on at the
    moment is made twice then, and stored once."""
    left = DocumentJob.objects.filter(
        state__in=[DocumentJob.State.QUEUED, DocumentJob.State.RUNNING],
        requested_at__gt=timezone.now() - DONE_WITHIN,
    )
    for job in left:
        send(job, "render_document")


def make(job: DocumentJob, progress: Progress) -> bytes:
    """The document in the language of the moment, as the worker makes it."""
    return pressed(MAKERS[job.kind](job), progress)


def pressed(draft: Draft, progress: Progress) -> bytes:
    """The finished file."""
    if draft.content:
        return draft.content
    progress.expect(draft.pages)
    return write(draft.lay(progress), progress)


def _made(job: DocumentJob) -> tuple[bytes, datetime]:
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
    stored = unfinished.update(
        state=state,
        error=error,
        finished_at=at,
        file=job.file.name,
        standings_version=job.standings_version,
        standings_state=job.standings_state,
        edition=job.edition,
        digest=job.digest,
        done_steps=job.done_steps,
    )
    if not stored and job.file:
        job.file.delete(
            save=False
        )  # the tournament was deleted while this was made, or another worker was first


def _file_name(job: DocumentJob) -> str:
    """spring-open-standings-318-zh-hans-a4.pdf, spring-open-card-zh-hans-a6.pdf"""
    return f"{slugify(job.tournament.slug)}-{job.file_name}"
