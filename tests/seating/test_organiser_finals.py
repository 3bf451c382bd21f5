"""Setting up a final: looked at first, then taken; and what everybody sees of it."""

import re
from io import BytesIO
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from openpyxl import load_workbook

from tests.support.factories import SYSTEM, make_organiser, make_tournament, play_session, record, wash_out
from tests.support.html import attribute, element, elements, read, words
from tests.support.pages import organised
from tournament.base.access import Audience
from tournament.base.engine.rules import two_decimals
from tournament.base.models.log import LogEntry
from tournament.base.models.tournament import Tournament
from tournament.documents.exports.standings import standings_sheet
from tournament.exchange.lists import Asked, list_named, written
from tournament.play.services.sessions import close_session, start_session
from tournament.play.services.tables import hand_in
from tournament.ranking.selectors.standings import current_standings
from tournament.web.selectors import log_words
from tournament.web.texts.words import table_points

WISH = {"size": "4", "carry": "half", "sessions": "1", "seed": "lotto"}


@pytest.fixture
def event(client: Client) -> Tournament:
    """Two of three sessions played."""
    return organised(client, sessions=3, played=2)


def address(tournament: Tournament) -> str:
    return reverse("organiser_finals", args=[tournament.slug])


def set_up(client: Client, tournament: Tournament, **fields: str) -> str:
    shown = client.get(address(tournament), WISH | fields)
    taken = client.post(address(tournament), WISH | fields | {"seen": shown.context["seen"]}, follow=True)
    tournament.refresh_from_db()
    return taken.text


def rows_by_rest(client: Client, event: Tournament) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = client.get(reverse("api_standings", args=[event.slug])).json()["rows"]
    return rows


@pytest.mark.thorough
def test_the_final_is_looked_at_taken_and_taken_back(client: Client, event: Tournament) -> None:
    for page, *number in (("organiser_draw",), ("organiser_session", 2)):
        assert address(event) in client.get(reverse(page, args=[event.slug, *number])).text
    shown = client.get(address(event), WISH)
    standings = current_standings(event, Audience.STAFF).rows
    places = shown.context["places"]
    assert [player.number for player, place in places if place.group] == [row.number for row in standings[:4]]
    assert [place.then.rank for _player, place in places[4:]] == [row.rank for row in standings[4:]]
    assert [place.above_the_cut for _player, place in places].index(True) == 3
    assert shown.text.count('<tr class="cut">') == 1
    assert [number for number, _tables in shown.context["sessions"]] == [3]
    assert "The seats of session 3 are drawn already, and give way to the final." in shown.text
    assert not event.finals.exists()
    page = set_up(client, event)
    assert "The final is set up." in page
    assert address(event) not in page
    entry = LogEntry.objects.get(action="finals_set")
    assert log_words(event).sentence(entry) == (
        "Final after session 2: the finalists rank first, with half of the points they had, "
        "rounded down to whole game points. 4 finalists. Seed: lotto"
    )
    client.post(reverse("organiser_seats_undo", args=[event.slug]))
    assert not event.finals.exists()
    assert "Taken back: Final after session 2" in client.get(reverse("organiser_log", args=[event.slug])).text
    event.sessions.get(number=3).tables.all().delete()
    assert "give way" not in client.get(address(event), WISH).text


@pytest.mark.thorough
def test_the_last_shared_place_is_asked_about(client: Client) -> None:
    tournament = make_tournament(players=8, sessions=2)
    session = tournament.sessions.get(number=1)
    start_session(session, SYSTEM)
    for table in session.tables.all():
        record(table, wash_out())
        hand_in(table, SYSTEM)
    close_session(session, SYSTEM)
    client.force_login(make_organiser(tournament))
    shown = client.get(address(tournament), WISH)
    assert "The last place that goes on is shared" in shown.text
    set_up(client, tournament, first="7")
    assert tournament.finals.get().groups == [[7, 1, 2, 3]]


def test_what_stands_in_the_way_is_one_sentence(client: Client, event: Tournament) -> None:
    response = client.get(address(event), WISH | {"sessions": "0", "size": "5"})
    assert response.status_code == 422
    assert set(response.context["form"].errors) == {"sessions", "size"}
    set_up(client, event)
    response = client.get(address(event), WISH)
    assert response.context["form"].non_field_errors() == [
        "A final after session 2 is set up already. Take it back first."
    ]


@pytest.mark.thorough
def test_ranking_paper_and_rest_agree_and_say_so(client: Client, event: Tournament) -> None:
    set_up(client, event, size="8", carry="dropped")
    finalist = event.finals.get().numbers[0]
    done = current_standings(event, Audience.STAFF).rows[-1].number
    pages = [client.get(reverse("player_page", args=[event.slug, number])) for number in (done, finalist)]
    assert pages[0].context["page"].next is None, "who is done has no next seat"
    assert pages[1].context["page"].next.session.number == 3
    play_session(event.sessions.get(number=3), 2)
    event.refresh_from_db()
    page = client.get(reverse("ranking", args=[event.slug]))
    assert len(re.findall(r'<span class="tag">\s*finalist\s*</span>', page.text)) == 8
    rows = list(elements(element(read(page), "tbody"), "tr"))
    cut = [number for number, row in enumerate(rows, 1) if "cut" in attribute(row, "class").split()]
    assert cut == [8], "the last finalist stands above a line"
    sentence = "Final after session 2: the finalists rank first, with none of the points they had."
    assert sentence in page.text
    sheet = standings_sheet(event, "a4")
    assert f"{sentence} Their totals count “×0” in place of sessions 1 to 2." in sheet.notes
    by_rest = [(row["rank"], row["game_points"]) for row in rows_by_rest(client, event)]
    assert by_rest == [(row.standing.rank, row.standing.game_points) for row in sheet.ranking.rows]


@pytest.mark.thorough
def test_half_of_the_points_stands_for_the_sessions_before(client: Client, event: Tournament) -> None:
    set_up(client, event)
    best = event.finals.get().numbers[0]
    play_session(event.sessions.get(number=3), 2)
    event.refresh_from_db()
    line = current_standings(event, Audience.STAFF).find(best)
    (carried,) = line.carried
    half, last = table_points(carried.table_points), line.sessions[-1]
    assert line.table_points == carried.table_points + last.table_points
    page = read(client.get(reverse("ranking", args=[event.slug])))
    assert "Their totals count “½” in place of sessions 1 to 2." in words(page)
    heads = [words(cell) for cell in elements(element(page, "thead"), "th")]
    assert heads[heads.index("S2") :][:3] == ["S2", "½", "S3"]
    row = element(page, "tr", id=f"p{best}")
    assert f"Half of sessions 1 to 2: {half}" in words(element(row, "span", class_="sessions"))
    assert words(element(row, "td", class_="carried")).split()[0] == half
    own = read(client.get(reverse("player_page", args=[event.slug, best])))
    assert words(element(own, "li", id="f2")).startswith("½ Half of sessions 1 to 2 of")
    (row_of_rest,) = [row for row in rows_by_rest(client, event) if row["number"] == best]
    points = {"table_points": two_decimals(carried.table_points), "game_points": carried.game_points}
    assert row_of_rest["carried"] == [{"after_session": 2} | points]
    workbook = written(list_named("ranking"), Asked(event, Audience.STAFF, SYSTEM), "xlsx")
    sheet = load_workbook(BytesIO(workbook)).worksheets[0]
    table = [[cell.value for cell in line] for line in sheet.iter_rows()]
    column = table[0].index("Half of sessions 1 to 2: table points")
    by_number = {line[1]: line for line in table[1:]}
    assert by_number[best][column : column + 2] == [float(carried.table_points), carried.game_points]
    assert [line[column] for line in table[5:]] == [None] * 12
    printed = standings_sheet(event, "a4").layout.columns
    assert [column.headings for column in printed][-5:-2] == [("S2",), ("½",), ("S3",)]
