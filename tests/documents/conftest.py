"""The PDF of standings with the data it has to contain, and jobs without WeasyPrint."""

from dataclasses import dataclass
from io import BytesIO

import pytest
from pypdf import PdfReader

from tests.documents.rendering import job_for
from tournament.base.engine.notices import Audience
from tournament.base.models.documents import DocumentJob
from tournament.base.models.tournament import Tournament
from tournament.documents.exports import jobs
from tournament.documents.exports.drafts import Progress
from tournament.documents.exports.jobs import DRAFT_BUILDERS, render_draft
from tournament.ranking.engine.standings import Standing
from tournament.ranking.selectors.standings import current_standings


@dataclass(frozen=True)
class StandingsPdf:
    """The PDF of standings with their rows, and the players' names by number."""

    pdf: PdfReader
    version: int
    rows: tuple[Standing, ...]
    names: dict[int, str]

    @property
    def text(self) -> str:
        return "\n".join(page.extract_text() for page in self.pdf.pages)


def render_standings(tournament: Tournament, paper: str = DocumentJob.Paper.A4) -> StandingsPdf:
    """Return the PDF of the standings in the active language."""
    job = job_for(tournament, "standings", paper=paper)
    draft = DRAFT_BUILDERS["standings"](job)
    assert draft.version is not None
    names = {player.number: player.name for player in tournament.players.all()}
    rows = current_standings(tournament, Audience.STAFF).rows
    return StandingsPdf(PdfReader(BytesIO(render_draft(draft, Progress(job)))), draft.version, rows, names)


@pytest.fixture
def no_layout(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace the layout, for tests that are not about the pages."""
    monkeypatch.setattr(jobs, "render_draft", lambda *args: b"%PDF-1.7 of a test")
