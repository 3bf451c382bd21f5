"""Doing a document job: what the worker calls. What goes wrong is logged and said on the page."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from django.core.files.base import ContentFile
from django.utils import timezone, translation
from django.utils.text import slugify

from tournament.documents.card import umpires_card
from tournament.documents.card_pdf import card_pdf
from tournament.documents.progress import Progress
from tournament.documents.render import render_pdf
from tournament.documents.standings import standings_sheet
from tournament.models import DocumentJob
from tournament.models.jobs import CRASHED

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Document:
    """A finished document; of standings, the version they show and how far that could be relied on."""

    content: bytes
    version: int | None = None
    state: str = ""


def run(job_id: int) -> None:
    """Make the document of a job and store it there; safe to repeat, as when a worker was stopped half-way."""
    job = DocumentJob.objects.select_related("tournament").filter(pk=job_id).first()
    if job is None or job.state == DocumentJob.State.DONE:
        return  # the tournament was deleted meanwhile, or the message came twice
    job.state, job.done_steps, job.error = DocumentJob.State.RUNNING, 0, ""
    job.save(update_fields=["state", "done_steps", "error"])
    try:
        with translation.override(job.language), timezone.override(job.tournament.zone):
            document = MAKERS[job.kind](job, Progress(job))
        job.standings_version, job.standings_state = document.version, document.state
        job.file.save(_file_name(job), ContentFile(document.content), save=False)
    except Exception:
        logger.exception("Document job %s failed", job_id)
        _finish(job, DocumentJob.State.FAILED, error=CRASHED)
    else:
        job.done_steps = job.steps
        _finish(job, DocumentJob.State.DONE)


def _finish(job: DocumentJob, state: DocumentJob.State, error: str = "") -> None:
    stored = DocumentJob.objects.filter(pk=job.pk).update(
        state=state,
        error=error,
        finished_at=timezone.now(),
        file=job.file.name,
        standings_version=job.standings_version,
        done_steps=job.done_steps,
    )
    if not stored and job.file:
        job.file.delete(save=False)  # the tournament was deleted while this was made


def _standings(job: DocumentJob, progress: Progress) -> Document:
    sheet = standings_sheet(job.tournament, job.paper)
    progress.expect(sheet.layout.pages)
    content = render_pdf("documents/standings.html", {"sheet": sheet}, progress)
    return Document(content, sheet.version, sheet.state)


def _card(job: DocumentJob, progress: Progress) -> Document:
    progress.expect(1)
    return Document(card_pdf(umpires_card(job.tournament, job.paper), progress))


MAKERS: Final[Mapping[str, Callable[[DocumentJob, Progress], Document]]] = {
    DocumentJob.Kind.STANDINGS: _standings,
    DocumentJob.Kind.CARD: _card,
}


def _file_name(job: DocumentJob) -> str:
    """spring-open-standings-318-zh-hans-a4.pdf, spring-open-card-zh-hans-a6.pdf"""
    return f"{slugify(job.tournament.slug)}-{job.file_name}"
