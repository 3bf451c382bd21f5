"""Every kind of document, with the longest names there are: each word lies inside its page, and none is lost."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from pypdf import PdfReader

from tests.documents.hard import CHINESE, HANGUL, LONGEST, hard_event
from tests.documents.made import job_for, made, outside, text_of
from tests.support.factories import make_tournament
from tests.support.sampling import sample
from tournament.base.models.documents import DocumentJob
from tournament.base.models.tournament import Tournament
from tournament.documents.exports.jobs import MAKERS

pytestmark = pytest.mark.django_db

KINDS = sorted(set(DocumentJob.Kind.values) - {"card", "site"})
NAMELESS = {"statistics", "table-numbers", "observer-report", "umpires", "dues-list"}
"""What has no player's name in it, or not this one's."""
READ_ALOUD = {"session-papers", "report", "certificates", "teams", "badges"}
"""What is looked at for a title, a language, tags and bookmarks: of all papers of a session, those of each."""
OF_SEATS = {"session-papers", "score-sheets", "foul-record", "tabulation"}
"""Refused before there are any (tests/documents/test_seat_papers.py)."""
BOTH = ("en", "a4", "zh-hans")
"""Every label twice: what is longest."""
ALONE = [("en", "a4"), ("zh-hans", "a4"), ("zh-hant", "letter"), ("en", "letter"), ("zh-hans", "letter")]
ON_PAPER = [BOTH, *((language, paper, "") for language, paper in ALONE)]
"""Languages and paper."""
ALWAYS = [("standings", BOTH), ("badges", BOTH)]


@pytest.fixture
def tournament() -> Tournament:
    return hard_event()


def check(pdf: PdfReader, kind: str, language: str = "en") -> None:
    """Every word is inside its page and none is lost; a screen reader knows what it reads."""
    assert outside(pdf) == []
    if kind not in NAMELESS:
        text = text_of(pdf)
        assert [name for name in (LONGEST, CHINESE) if name not in text] == []
    if kind in READ_ALOUD:
        root: Any = pdf.trailer["/Root"]
        assert root["/MarkInfo"]["/Marked"]
        assert root["/Lang"].lower() == language
        assert "Großes" in str(pdf.metadata.title if pdf.metadata else "")
        assert len(pdf.outline) >= 1
        assert "/StructTreeRoot" in root


@pytest.mark.thorough
@pytest.mark.parametrize("kind", sample(KINDS, 1))
def test_nothing_leaves_its_page_in_two_languages(tournament: Tournament, kind: str) -> None:
    check(made(tournament, kind, *BOTH), kind)


@pytest.mark.thorough
@pytest.mark.parametrize(("kind", "way"), sample(product(KINDS, ON_PAPER), 14, always=ALWAYS))
def test_nothing_leaves_its_page(tournament: Tournament, kind: str, way: tuple[str, str, str]) -> None:
    check(made(tournament, kind, *way), kind, way[0])


@pytest.mark.thorough
@pytest.mark.parametrize("kind", sample(["badges", "standings", "score-sheets", "schedules"], 1))
def test_every_script_is_drawn_by_our_own_fonts(kind: str, caplog: pytest.LogCaptureFixture) -> None:
    """Not by what this machine happens to have: Hangul, kana, Cyrillic and Greek beside Latin and Chinese. No space is
    a box where the font beside it has none."""
    event = make_tournament(players=4, sessions=1)
    names = (HANGUL, "さくら 田中", "Дмитрий Щёголев", "Ελένη Παπαδοπούλου")
    for player, name in zip(event.players.all(), names, strict=True):
        player.first_name, player.last_name = "", name
        player.save()
    pdf = made(event, kind)
    resources: list[Any] = [page["/Resources"] for page in pdf.pages]
    used = [font.get_object() for resource in resources for font in resource["/Font"].values()]
    fonts = {str(font["/BaseFont"]).partition("+")[2] for font in used}
    assert {font for font in fonts if not font.startswith("Hule-")} == set()
    assert "Hule-Korean-Bold" in fonts
    assert HANGUL.replace(" ", "") in text_of(pdf)
    assert [record.getMessage() for record in caplog.records if record.name == "weasyprint"] == []


@pytest.mark.thorough
def test_before_anything_is_known_there_is_a_page() -> None:
    """An event that nobody has entered yet: no document of it fails. One is laid out."""
    empty = make_tournament(players=0, drawn=False)
    kinds = set(KINDS) - OF_SEATS
    for kind in kinds:
        assert MAKERS[kind](job_for(empty, kind)).text, kind
    (kind,) = sample(sorted(kinds - {"table-numbers", "schedules"}), 1)
    assert len(made(empty, kind).pages) >= 1, kind


@pytest.mark.thorough
def test_all_papers_of_a_session_are_one_file_with_bookmarks(tournament: Tournament) -> None:
    pdf = made(tournament, "session-papers", *BOTH)
    titles = [str(entry["/Title"]) for entry in pdf.outline if not isinstance(entry, list)]
    headings = [title.partition(" / ")[0] for title in titles]
    for heading in ("Seats by player", "Session 1: seats by table", "Table 2", "Foul record of session 1"):
        assert heading in headings
    assert "Session 2: seats by table" not in headings
    parts = ("seats", "score-sheets", "foul-record", "tabulation", "umpires")
    # Of seats and rota only those of the session: a page less by table, nobody who has no table in it.
    assert len(pdf.pages) <= sum(len(made(tournament, kind, *BOTH).pages) for kind in parts)
