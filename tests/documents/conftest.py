"""The evening's standings as a PDF, made once for all who read it."""

from dataclasses import dataclass
from io import BytesIO
from typing import Any

import pytest
from django.db import transaction
from pypdf import PdfReader

from tests.support.factories import SYSTEM, end_appeals, evening
from tournament.access import Audience
from tournament.documents.jobs import pressed
from tournament.documents.kinds import MAKERS
from tournament.documents.progress import Progress
from tournament.engine.standings import Standing
from tournament.models import DocumentJob, Tournament
from tournament.selectors.standings import current_standings
from tournament.services.tournaments import publish_standings


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
    job = DocumentJob.objects.create(tournament=tournament, kind="standings", language="en", paper=paper)
    draft = MAKERS["standings"](job)
    assert draft.version is not None
    names = {player.number: player.name for player in tournament.players.all()}
    rows = current_standings(tournament, Audience.STAFF).rows
    return Paper(PdfReader(BytesIO(pressed(draft, Progress(job)))), draft.version, rows, names)


@pytest.fixture(scope="session")
def evening_paper(django_db_setup: Any, django_db_blocker: Any) -> Paper:
    """The final standings of the evening, published; nothing of it stays in the database."""
    with django_db_blocker.unblock(), transaction.atomic():
        tournament = evening()
        end_appeals(tournament)
        publish_standings(tournament, SYSTEM)
        paper = make_paper(tournament)
        transaction.set_rollback(True)
    return paper
