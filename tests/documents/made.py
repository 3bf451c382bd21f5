"""Documents as the worker makes them, and whether every word lies on its page."""

from io import BytesIO
from typing import Final

from django.utils import timezone
from pypdf import PdfReader

from tests.documents.ink import runs
from tournament.base.models.documents import DocumentJob
from tournament.base.models.tournament import Tournament
from tournament.documents.exports.drafts import Progress, in_languages
from tournament.documents.exports.jobs import make

SITE: Final = "https://hall.example/"
EDGE: Final = 28.3
"""Ten millimetres, in points: nearer to its edge some printers leave a page white."""


def job_for(tournament: Tournament, kind: str, **about: object) -> DocumentJob:
    session = 1 if DocumentJob.is_of_session(kind) else None
    facts = {"language": "en", "paper": "a4", "session": session, "site": SITE} | about
    return DocumentJob.objects.create(tournament=tournament, kind=kind, **facts)


def made(
    tournament: Tournament, kind: str, language: str = "en", paper: str = "a4", second: str = ""
) -> PdfReader:
    job = job_for(tournament, kind, language=language, second=second, paper=paper)
    with in_languages(language, second), timezone.override(tournament.zone):
        return PdfReader(BytesIO(make(job, Progress(job))))


def text_of(pdf: PdfReader) -> str:
    """What it says, without the spaces and breaks of its lines."""
    return "".join("".join(page.extract_text().split()) for page in pdf.pages)


def outside(pdf: PdfReader) -> list[str]:
    """The text that leaves its page, or comes nearer to its edge than it may."""
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
