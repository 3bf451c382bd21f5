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
from tournament.documents.status import CRASHED
from tournament.models import DocumentJob, Tournament

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Document:
    """A finished document and the standings version it shows."""

    content: bytes
    version: int


def run(job_id: int) -> None:
    """Make the document of a job and store it there; safe to repeat, as when a worker was stopped half-way."""
    job = DocumentJob.objects.select_related("tournament").filter(pk=job_id).first()
    if job is None or job.state == DocumentJob.State.DONE:
        return  # the tournament was deleted meanwhile, or the message came twice
    job.state, job.done_steps, job.error = DocumentJob.State.RUNNING, 0, ""
    job.save(update_fields=["state", "done_steps", "error"])
    try:
        with translation.override(job.language), timezone.override(job.tournament.zone):
            document = MAKERS[job.kind](job.tournament, Progress(job))
        job.file.save(_file_name(job, document), ContentFile(document.content), save=False)
    except Exception:
        logger.exception("Document job %s failed", job_id)
        _finish(job, DocumentJob.State.FAILED, error=CRASHED)
    else:
        job.standings_version = document.version
        job.done_steps = job.steps
        _finish(job, DocumentJob.State.DONE)


def _finish(job: DocumentJob, state: DocumentJob.State, error: str = "") -> None:
    job.state, job.error, job.finished_at = state, error, timezone.now()
    job.save()


def _standings(tournament: Tournament, progress: Progress) -> Document:
    sheet = standings_sheet(tournament)
    progress.expect(sheet.pages_expected)
    return Document(render_pdf("documents/standings.html", {"sheet": sheet}, progress), sheet.version)


MAKERS: Final[Mapping[str, Callable[[Tournament, Progress], Document]]] = {
    DocumentJob.Kind.STANDINGS: _standings
}


def _file_name(job: DocumentJob, document: Document) -> str:
    """spring-open-standings-318-zh-hans.pdf"""
    return f"{slugify(job.tournament.slug)}-{job.kind}-{document.version}-{job.language}.pdf"
