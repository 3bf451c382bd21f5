"""Where a page ends: whoever takes one of many from the wall knows what it is, and nothing stands alone on the last."""

from __future__ import annotations

import pytest

from tests.documents.hard import hard_event
from tests.documents.ink import runs
from tests.documents.made import job_for, made
from tests.support.factories import make_tournament
from tournament.base.access import Audience
from tournament.base.models.tournament import Tournament
from tournament.documents.exports.drafts import Part
from tournament.documents.exports.players import seat_lists, seat_papers
from tournament.documents.exports.standings import statistics_parts
from tournament.ranking.selectors.statistics import event_statistics

pytestmark = pytest.mark.django_db


@pytest.fixture
def many() -> Tournament:
    """Forty-eight in twelve teams, all of one country."""
    tournament = make_tournament(players=48, sessions=2, played=1)
    for player in tournament.players.all():
        player.team, player.country = f"Team {(player.number - 1) // 4 + 1:02}", "FRA"
        player.first_name, player.last_name = "Player", f"{player.number:02}"
        player.save()
    return tournament


def pages_of(tournament: Tournament, kind: str) -> list[str]:
    """The text of each page, with single spaces."""
    return [" ".join(page.extract_text().split()) for page in made(tournament, kind).pages]


@pytest.mark.thorough
def test_every_page_of_the_seats_says_of_which_session_they_are(many: Tournament) -> None:
    titles = ("Seats by player", "Session 1: seats by table", "Session 2: seats by table")
    titles_of = [[title for title in titles if title in page] for page in pages_of(many, "seats")]
    assert sorted(titles_of) == [[title] for title in titles for _page in range(2)]


@pytest.mark.thorough
def test_a_team_stays_together(many: Tournament) -> None:
    """And one that begins a page is not called by the one before."""
    pages = pages_of(many, "teams")
    assert len(pages) > 1
    for team in range(1, 13):
        words = [f"Team {team:02}", *(f"Player {(team - 1) * 4 + n:02}" for n in range(1, 5))]
        assert any(all(word in page for word in words) for page in pages), words
    assert [page for page in pages[1:] if "Standings of teams · Team" in page] == []


@pytest.mark.thorough
def test_a_nation_that_goes_on_is_named_again(many: Tournament) -> None:
    first, *others = pages_of(many, "nations")
    heading = "Standings of nations · France (FRA)"
    assert others
    assert [heading in page for page in (first, *others)] == [False, *([True] * len(others))]


@pytest.mark.thorough
def test_signatures_are_not_alone_on_the_last_page() -> None:
    last = made(hard_event(), "standings", "zh-hant").pages[-1].extract_text()
    assert "主辦方" in last
    assert "Cholmondeley" in last, "a note of those above them"


@pytest.mark.thorough
def test_the_second_language_of_a_title_begins_a_line_before_it_breaks() -> None:
    texts = [run.text for run in runs(made(hard_event(), "seats", second="zh-hans").pages[0])]
    assert "按选手排列的座位" in texts


def test_players_with_marks_on_their_letters_stand_where_they_are_looked_for() -> None:
    tournament = make_tournament(players=4, sessions=1)
    names = ("Petrov", "Østergaard", "Nowak", "Zhou")
    for player, name in zip(tournament.players.all(), names, strict=True):
        player.last_name = name
        player.save()
    job = job_for(tournament, "seats")
    people = seat_lists(seat_papers(job), job)["people"]
    in_order = [line.player.last_name for line in people]  # type: ignore[attr-defined]
    assert in_order == ["Nowak", "Østergaard", "Petrov", "Zhou"]


def test_what_is_left_over_goes_to_all_columns_alike() -> None:
    """Of a table of short figures no column is blown up."""
    tournament = hard_event()
    for paper in ("a4", "letter"):
        job = job_for(tournament, "statistics", paper=paper)
        *_before, fans = statistics_parts(job, event_statistics(tournament, Audience.STAFF))
        assert isinstance(fans, Part)
        assert fans.layout is not None
        _name, *figures = fans.layout.widths
        assert max(figures) - min(figures) < 5, paper
