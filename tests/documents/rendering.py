"""Documents rendered as by the worker, and their text."""

from io import BytesIO
from typing import Final

from django.utils import timezone
from pypdf import PdfReader

from tests.documents.pdf_runs import runs
from tournament.base.models.documents import DocumentJob
from tournament.base.models.tournament import Tournament
from tournament.documents.exports.drafts import Progress, override_languages
from tournament.documents.exports.jobs import render

SITE: Final = "https://hall.example/"
EDGE: Final = 28.3
"""Ten millimetres, in points: some printers cannot print nearer to the edge."""


def job_for(tournament: Tournament, kind: str, **fields: object) -> DocumentJob:
    session = 1 if DocumentJob.is_of_session(kind) else None
    fields = {"language": "en", "paper": "a4", "session": session, "site": SITE} | fields
    return DocumentJob.objects.create(tournament=tournament, kind=kind, **fields)


def render_pdf(
    tournament: Tournament, kind: str, language: str = "en", paper: str = "a4", second: str = ""
) -> PdfReader:
    job = job_for(tournament, kind, language=language, second=second, paper=paper)
    with override_languages(language, second), timezone.override(tournament.zone):
        return PdfReader(BytesIO(render(job, Progress(job))))


def text_of(pdf: PdfReader) -> str:
    """Return the text of a PDF without white space."""
    return "".join("".join(page.extract_text().split()) for page in pdf.pages)


def text_outside_margins(pdf: PdfReader) -> list[str]:
    """Return the texts that leave their page or are too near to its edge."""
    return [
        run.text
        for page in pdf.pages
        for run in runs(page)
        if run.text.strip()
        and not (
            run.left >= EDGE
            and run.right <= page.mediabox.width - EDGE
            and EDGE <= run.baseline <= page.mediabox.height - EDGE
        )
    ]
