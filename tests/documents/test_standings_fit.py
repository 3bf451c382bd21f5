"""Whatever the standings hold, all of it lies inside the margins of the paper: read from the PDF itself."""

from __future__ import annotations

from itertools import groupby, pairwise, product

import pytest
from django.utils import timezone
from pypdf import PageObject

from tests.documents.conftest import Paper, make_paper
from tests.documents.ink import Run, runs
from tests.support.factories import make_tournament
from tests.support.sampling import sample
from tournament.base.models.people import Player
from tournament.base.models.play import Seat, Session, Table
from tournament.base.models.tournament import Tournament
from tournament.documents.exports.paper import MARGIN, PAPERS
from tournament.web.texts.words import minus, table_points

pytestmark = pytest.mark.django_db
POINTS = 72 / 25.4
"""In a millimetre."""
SMALLEST = 6.5
NAMES = {
    "short": ("", "Li"),
    "one word": ("", "Llanfairpwllgwyngyllgogerychwyrndrobwlll"),
    "long": ("Maximilian-Alexander", "van Valkenburg-Óbidos"),
    "Chinese": ("", "阿卜杜热合曼·买买提艾力·努尔麦麦提·依明江·玉素甫"),
}
TEAM = "Sportgemeinschaft Obersteinbach-Niederau"


def event(sessions: int, names: str = "long", *, team: str = TEAM, players: int = 8) -> Tournament:
    """An event played to its end with scores of five characters, as a bad day gives them."""
    tournament = make_tournament(players=players, sessions=sessions)
    first, last = NAMES[names]
    Player.objects.update(first_name=first, last_name=last, team=team, ema_number="04468287" if team else "")
    if not team:
        Player.objects.update(country="")
    tournament.players.filter(number=1).update(withdrawn_at=timezone.now())
    Session.objects.update(state=Session.State.CLOSED, started_at=tournament.created_at)
    Table.objects.update(hands_played=16)
    seats = list(Seat.objects.select_related("player"))
    for seat in seats:
        seat.game_points = (-1 if seat.player.number % 2 else 1) * (1100 + seat.player.number)
    Seat.objects.bulk_update(seats, ["game_points"])
    return tournament


def table_of(page: PageObject) -> list[list[Run]]:
    """The runs of a page by their baselines, from left to right."""
    in_order = sorted(runs(page), key=lambda run: (round(run.baseline), run.left))
    return [list(line) for _, line in groupby(in_order, key=lambda run: round(run.baseline))]


def check(paper: Paper, name: str) -> None:
    """Every run of text inside the margins, none over another, none too small to read, every figure there."""
    upright = PAPERS[name]
    shown: set[str] = set()
    for page in paper.pdf.pages:
        width, height = float(page.mediabox.width), float(page.mediabox.height)
        assert sorted((width, height)) == pytest.approx(
            sorted((upright.width * POINTS, upright.height * POINTS)), abs=0.1
        )
        for line in table_of(page):
            shown |= {run.text.strip() for run in line}
            assert min(run.left for run in line) >= MARGIN * POINTS - 0.1
            assert max(run.right for run in line) <= width - MARGIN * POINTS + 0.1
            assert min(run.size for run in line) >= SMALLEST - 0.01
            assert [(a, b) for a, b in pairwise(line) if a.right > b.left + 0.1] == []
    for row in paper.rows:
        assert {table_points(row.table_points, 2), minus(row.game_points)} <= shown
        assert {minus(score.game_points) for score in row.sessions} <= shown
    for session in {score.session for row in paper.rows for score in row.sessions}:
        assert f"S{session}" in shown


@pytest.mark.thorough
def test_every_line_ends_inside_the_margin() -> None:
    check(make_paper(event(8), "letter"), "letter")


ALWAYS = [(1, "short", TEAM, "a4"), (16, "one word", TEAM, "a4")]
EVENTS = sample(product([1, 6, 8, 12, 16, 40], NAMES, [TEAM, ""], PAPERS), 8, always=ALWAYS)


@pytest.mark.thorough
@pytest.mark.parametrize(("sessions", "names", "team", "paper"), EVENTS)
def test_lines_of_every_event_end_inside_the_margin(sessions: int, names: str, team: str, paper: str) -> None:
    check(make_paper(event(sessions, names, team=team), paper), paper)


@pytest.mark.thorough
@pytest.mark.parametrize(("players", "sessions"), [(100, 8), (24, 6)])
def test_large_fields_lose_no_column(players: int, sessions: int) -> None:
    check(make_paper(event(sessions, players=players)), "a4")
