"""Standings as a PDF with what they have to show, and documents without WeasyPrint."""

from dataclasses import dataclass
from io import BytesIO

import pytest
from pypdf import PdfReader

from tests.documents.made import job_for
from tournament.base.access import Audience
from tournament.base.models.documents import DocumentJob
from tournament.base.models.tournament import Tournament
from tournament.documents.exports import jobs
from tournament.documents.exports.drafts import Progress
from tournament.documents.exports.jobs import MAKERS, pressed
from tournament.ranking.engine.standings import Standing
from tournament.ranking.selectors.standings import current_standings


@dataclass(frozen=True)
class Paper:
    """A PDF with what it has to show: the lines of the standings and the players' names by number."""

    pdf: PdfReader
    version: int
    rows: tuple[Standing, ...]
    names: dict[int, str]

    @property
    def text(self) -> str:
        return "\n".join(page.extract_text() for page in self.pdf.pages)


def make_paper(tournament: Tournament, paper: str = DocumentJob.Paper.A4) -> Paper:
    """The standings PDF in the language of the moment, made as the worker makes it."""
    job = job_for(tournament, "standings", paper=paper)
    draft = MAKERS["standings"](job)
    assert draft.version is not None
    names = {player.number: player.name for player in tournament.players.all()}
    rows = current_standings(tournament, Audience.STAFF).rows
    return Paper(PdfReader(BytesIO(pressed(draft, Progress(job)))), draft.version, rows, names)


@pytest.fixture
def no_layout(monkeypatch: pytest.MonkeyPatch) -> None:
    """For what is not about the page."""
    monkeypatch.setattr(jobs, "pressed", lambda *args: b"%PDF-1.7 of a test")
