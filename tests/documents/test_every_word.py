"""Every kind of document, with the longest names there are: each word lies inside its page, and none is lost."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from pypdf import PdfReader

from tests.documents.made import made, outside, text_of
from tests.factories import SYSTEM, make_tournament, make_umpire
from tournament.engine.statements import Accusation
from tournament.models import DocumentJob, Role, Tournament, Watch
from tournament.selectors.certificates import Wording
from tournament.services.certificates import set_certificates
from tournament.services.penalties import give_penalty

pytestmark = pytest.mark.django_db

KINDS = sorted(set(DocumentJob.Kind.values) - {"card", "site"})
NAMELESS = {"statistics", "table-numbers", "observer-report", "umpires", "dues-list"}
"""What has no player's name in it, or not this one's."""
LONGEST = ("Wolfeschlegelsteinhausenbergerdorff-Featherstonehaugh-" + "Cholmondeley" * 3)[:80]
CHINESE = "牌" * 40


@pytest.fixture
def tournament() -> Tournament:
    """A session played and one under way, fouls, a rota; every text as long as it may be."""
    found = make_tournament(players=8, sessions=2, played=1, running=1)
    table = found.sessions.get(number=1).tables.get(number=1)
    for seat in table.seats.select_related("player"):
        give_penalty(table, SYSTEM, Accusation(seat.player.number, "false_hu", 1), uuid=uuid4())
    umpire = make_umpire(found)
    umpire.first_name = umpire.last_name = "Ümit" * 20
    umpire.save()
    member = found.memberships.get(user=umpire, role=Role.UMPIRE)
    Watch.objects.create(membership=member, table=table)
    set_certificates(found, SYSTEM, Wording("Donaudampfschifffahrt " * 27, places=8))
    found.players.filter(number__lte=4).update(last_name=LONGEST, first_name="", club="C" * 80, team="T" * 80)
    found.players.filter(number__gt=4).update(last_name=CHINESE, first_name="", club="牌" * 40)
    found.name = ("Großes Mahjong-Turnier " * 6)[:120]
    found.venue = "V" * 120
    found.save()
    return found


def check(pdf: PdfReader, kind: str) -> None:
    assert outside(pdf) == []
    if kind not in NAMELESS:
        text = text_of(pdf)
        assert [name for name in (LONGEST, CHINESE) if name not in text] == []


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_leaves_its_page(tournament: Tournament, kind: str) -> None:
    check(made(tournament, kind), kind)


@pytest.mark.thorough
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("language", "paper"), [("zh-hans", "a4"), ("zh-hant", "letter"), ("en", "letter"), ("zh-hans", "letter")]
)
def test_nothing_leaves_its_page_in_any_language(
    tournament: Tournament, kind: str, language: str, paper: str
) -> None:
    check(made(tournament, kind, language, paper), kind)


OF_SEATS = {"session-papers", "score-sheets", "foul-record", "tabulation"}
"""Refused before there are any (tests/documents/test_seat_papers.py)."""


@pytest.mark.parametrize("kind", sorted(set(KINDS) - {"table-numbers", "card"} - OF_SEATS))
def test_before_anything_is_known_there_is_a_page(kind: str) -> None:
    """An event that nobody has entered yet: no document of it fails."""
    empty = make_tournament(players=0, drawn=False)
    assert len(made(empty, kind).pages) >= (0 if kind == "schedules" else 1)


@pytest.mark.parametrize("kind", ["session-papers", "report", "badges", "certificates", "teams"])
def test_a_screen_reader_knows_what_it_reads(tournament: Tournament, kind: str) -> None:
    """Tagged, with a title, a language and bookmarks: of all papers of a session, those of each."""
    pdf = made(tournament, kind, "zh-hant")
    root: Any = pdf.trailer["/Root"]
    assert root["/MarkInfo"]["/Marked"]
    assert root["/Lang"] == "zh-Hant"
    assert tournament.name.split()[0] in str(pdf.metadata.title if pdf.metadata else "")
    assert len(pdf.outline) >= 1
    assert "/StructTreeRoot" in root


def test_all_papers_of_a_session_are_one_file_with_bookmarks(tournament: Tournament) -> None:
    pdf = made(tournament, "session-papers")
    said = [str(one["/Title"]) for one in pdf.outline if not isinstance(one, list)]
    for heading in ("Seats by player", "Session 1: seats by table", "Table 2", "Foul record of session 1"):
        assert heading in said
    assert "Session 2: seats by table" not in said
    parts = ("seats", "score-sheets", "foul-record", "tabulation", "umpires")
    alone = {kind: len(made(tournament, kind).pages) for kind in parts}
    # Of seats and rota only those of the session: a page less by table, nobody who has no table in it.
    assert len(pdf.pages) <= sum(alone.values())
