"""Doing a document job: what the worker calls. What goes wrong is logged and said on the page."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from django.core.files.base import ContentFile
from django.utils import timezone, translation
from django.utils.text import slugify

from tournament.documents.progress import Progress
from tournament.documents.render import render_pdf
from tournament.documents.standings import standings_sheet
from tournament.models import DocumentJob
from tournament.models.jobs import CRASHED

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Document:
    """A finished document, the standings version it shows, and how far that could be relied on."""

    content: bytes
    version: int
    state: str


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
        job.file.save(_file_name(job, document), ContentFile(document.content), save=False)
    except Exception:
        logger.exception("Document job %s failed", job_id)
        _finish(job, DocumentJob.State.FAILED, error=CRASHED)
    else:
        job.standings_version, job.standings_state = document.version, document.state
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


MAKERS: Final[Mapping[str, Callable[[DocumentJob, Progress], Document]]] = {
    DocumentJob.Kind.STANDINGS: _standings
}


def _file_name(job: DocumentJob, document: Document) -> str:
    """spring-open-standings-318-zh-hans-a4.pdf"""
    return f"{slugify(job.tournament.slug)}-{job.kind}-{document.version}-{job.language}-{job.paper}.pdf"
