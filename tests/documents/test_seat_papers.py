"""Papers of the seats: lists to hang up, a card a player, a score sheet a table, table numbers."""

from __future__ import annotations

from itertools import product

import pytest

from tests.documents.hard import CHINESE, LONGEST, hard_event
from tests.documents.ink import runs
from tests.documents.made import SITE, job_for, made, outside, text_of
from tests.support.checks import refused_codes, refused_problems
from tests.support.factories import SYSTEM, make_tournament
from tests.support.sampling import sample
from tournament.base.engine.rules import dealer
from tournament.base.models.play import Seat
from tournament.base.models.tournament import Tournament
from tournament.documents.exports.jobs import MAKERS
from tournament.documents.exports.players import seat_papers
from tournament.documents.services import request_document

pytestmark = pytest.mark.django_db

KINDS = ("seats", "schedules", "score-sheets", "table-numbers")


@pytest.fixture
def tournament() -> Tournament:
    return make_tournament(players=8)


def test_a_score_sheet_has_the_sixteen_hands_with_who_deals(tournament: Tournament) -> None:
    """The rules' Appendix 2."""
    lines = seat_papers(job_for(tournament, "score-sheets")).lines
    letters = dict(zip("ESWN", "ABCD", strict=True))
    assert [line.dealer for line in lines] == [letters[dealer(hand)] for hand in range(1, 17)]
    assert "".join(line.dealer for line in lines) == "ABCDBADCCDBADCAB"
    assert [line.round_wind for line in lines if line.round_wind] == ["E", "S", "W", "N"]
    assert [line.number for line in lines if line.ends_round] == [4, 8, 12, 16]


@pytest.mark.thorough
def test_a_table_has_a_page_with_its_four_names_in_the_order_of_their_winds(tournament: Tournament) -> None:
    pdf = made(tournament, "score-sheets")
    assert len(pdf.pages) == 2
    text = " ".join(pdf.pages[1].extract_text().split())
    seats = Seat.objects.filter(table__session__number=1, table__number=2).order_by("id")
    at = [text.index(f"{seat.player.number} {seat.player.name}") for seat in seats]
    assert at == sorted(at)


@pytest.mark.thorough
@pytest.mark.parametrize("paper", sample(["a4", "letter"], 1))
def test_a_score_sheet_is_one_page_whatever_its_names(paper: str) -> None:
    """Names of eighty letters, two languages, and the longest name of an event."""
    assert len(made(hard_event(), "score-sheets", "en", paper, second="zh-hans").pages) == 2


def test_the_code_of_a_sheet_opens_exactly_its_table(
    tournament: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a known address there is no code."""
    without = seat_papers(job_for(tournament, "score-sheets", site=""))
    assert [sheet.code for sheet in without.score_sheets(1)] == [None, None]
    coded: list[str] = []
    monkeypatch.setattr(
        "tournament.documents.exports.players.qr_of", lambda address, **_: coded.append(address)
    )
    seat_papers(job_for(tournament, "score-sheets")).score_sheets(2)
    assert coded == [f"{SITE}umpire/{tournament.slug}/2/{table}/" for table in (1, 2)]


def test_everybody_has_a_card_with_every_session(tournament: Tournament) -> None:
    text = MAKERS["schedules"](job_for(tournament, "schedules")).text
    assert [player.name for player in tournament.players.all() if player.name not in text] == []
    for player, sessions in seat_papers(job_for(tournament, "schedules")).schedules:
        printed = {session.number: seat and (seat.table.number, seat.wind) for session, _, seat in sessions}
        seats = Seat.objects.filter(player=player)
        drawn = seats.values_list("table__session__number", "table__number", "wind")
        assert printed == {session: (table, wind) for session, table, wind in drawn}


def test_every_table_has_its_number_on_a_page(tournament: Tournament) -> None:
    pages = made(tournament, "table-numbers").pages
    assert len(pages) == 2
    assert [run.text for page in pages for run in runs(page) if run.size > 150] == ["1", "2"]


WAYS = [("en", "a4"), ("zh-hans", "letter"), ("zh-hant", "a4"), ("en", "letter")]


@pytest.mark.thorough
@pytest.mark.parametrize(("kind", "way"), sample(product(KINDS, WAYS), 3))
def test_nothing_is_cut_of_the_longest_names(tournament: Tournament, kind: str, way: tuple[str, str]) -> None:
    tournament.players.update(last_name=LONGEST, first_name=CHINESE)
    tournament.name = "Großes Mahjong-Turnier " * 5
    tournament.save()
    pdf = made(tournament, kind, *way)
    assert outside(pdf) == []
    if kind != "table-numbers":
        assert LONGEST in text_of(pdf)


def test_without_seats_there_is_nothing_to_print(tournament: Tournament) -> None:
    undrawn = make_tournament(players=8, drawn=False, name="Undrawn")
    for kind in KINDS:
        codes = refused_codes(request_document, undrawn, SYSTEM, kind=kind, language="en", session=1)
        assert [code.startswith("no_seats") for code in codes] == [True], kind
    asked = {"kind": "score-sheets", "language": "en", "session": 9}
    problems = refused_problems(request_document, tournament, SYSTEM, **asked)
    assert problems == [("no_seats_in_session", "session")]
