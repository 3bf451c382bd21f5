"""What four hundred badges and a hundred score sheets cost: every box is laid out and kept until the file is written,
so they are counted; seconds and megabytes are measured by `bin/bench documents`."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from tests.documents.made import job_for
from tests.support.factories import make_tournament
from tournament.base.models.tournament import Tournament
from tournament.documents.exports.drafts import Progress, drawings_in
from tournament.documents.exports.jobs import MAKERS, make

pytestmark = pytest.mark.django_db
A_BADGE = 5
"""Itself, the event, the name, the number, where they come from."""
A_SHEET = 270
"""Sixteen hands of ten cells, headings and totals."""


@pytest.fixture
def tournament() -> Tournament:
    return make_tournament(players=16)


def elements(text: str) -> Counter[str]:
    return Counter(re.findall(r"<([a-z]\w*)", text.partition("<body>")[2]))


@pytest.mark.thorough
def test_a_badge_is_five_boxes_and_a_score_sheet_hardly_more_than_its_cells(tournament: Tournament) -> None:
    badges = elements(MAKERS["badges"](job_for(tournament, "badges")).text)
    sheets = badges["svg"]
    assert sheets == 2
    boxes = sum(badges[name] for name in ("section", "p", "h2", "img", "i", "span", "div"))
    assert boxes - sheets <= 16 * A_BADGE
    score_sheets = elements(MAKERS["score-sheets"](job_for(tournament, "score-sheets")).text)
    assert sum(score_sheets.values()) / score_sheets["section"] <= A_SHEET


@pytest.mark.thorough
@pytest.mark.parametrize(("kind", "pictures"), [("badges", 16 + 15), ("seats", 45)])
def test_a_tile_or_flag_is_in_the_file_once(tournament: Tournament, kind: str, pictures: int) -> None:
    """Stamped wherever it stands: drawing each anew was more than half of the time."""
    job = job_for(tournament, kind, site="")
    text = MAKERS[kind](job).text
    shown = re.findall(r'(?:src|href)="(file:[^"]+\.svg)"', text)
    assert len(shown) >= pictures
    drawn = make(job, Progress(job)).count(b"/Subtype /Form")
    assert drawn == len(drawings_in(text)) == len(set(shown))
