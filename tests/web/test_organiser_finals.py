"""Setting up a final: looked at first, then taken; and what everybody sees of it."""

import json
import re
from io import BytesIO
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from openpyxl import load_workbook

from tests.support.factories import SYSTEM, make_organiser, make_tournament, play_session, record, wash_out
from tests.support.html import attribute, element, elements, read, words
from tournament.access import Audience
from tournament.documents.standings import standings_sheet
from tournament.engine.table_points import two_decimals
from tournament.exchange.lists import Asked, list_named, written
from tournament.models import LogEntry, Tournament
from tournament.selectors.log_words import log_words
from tournament.selectors.standings import current_standings
from tournament.services.sessions import close_session, start_session
from tournament.services.tables import hand_in
from tournament.words.figures import table_points

pytestmark = pytest.mark.django_db

WISHED = {"size": "4", "carry": "half", "sessions": "1", "seed": "lotto"}


@pytest.fixture
def event(client: Client) -> Tournament:
    """Two of three sessions played."""
    tournament = make_tournament(sessions=3, played=2)
    client.force_login(make_organiser(tournament))
    return tournament


def address(tournament: Tournament) -> str:
    return reverse("organiser_finals", args=[tournament.slug])


def set_up(client: Client, tournament: Tournament, **wished: str) -> str:
    shown = client.get(address(tournament), WISHED | wished)
    taken = client.post(address(tournament), WISHED | wished | {"seen": shown.context["seen"]}, follow=True)
    tournament.refresh_from_db()
    return taken.text


def test_the_final_is_looked_at_and_then_taken(client: Client, event: Tournament) -> None:
    for page in ("organiser_draw", "organiser_session"):
        args = [event.slug, 2] if page == "organiser_session" else [event.slug]
        assert address(event) in client.get(reverse(page, args=args)).text
    shown = client.get(address(event), WISHED)
    best = [row.number for row in current_standings(event, Audience.STAFF).rows][:4]
    places = shown.context["places"]
    assert [player.number for player, place in places if place.group] == best
    assert [place.then.rank for _player, place in places[4:]] == [
        row.rank for row in current_standings(event, Audience.STAFF).rows[4:]
    ]
    assert [place.above_the_cut for _player, place in places].index(True) == 3
    assert shown.text.count('<tr class="cut">') == 1
    assert [number for number, _tables in shown.context["sessions"]] == [3]
    assert not event.finals.exists()
    page = set_up(client, event)
    assert "The final is set up." in page
    assert address(event) not in page
    entry = LogEntry.objects.get(action="finals_set")
    assert log_words(event).sentence(entry) == (
        "Final after session 2: the finalists rank first, with half of the points they had, "
        "rounded down to whole game points. 4 finalists. Seed: lotto"
    )


def test_seats_that_give_way_to_the_final_are_named(client: Client, event: Tournament) -> None:
    warned = "The seats of session 3 are drawn already, and give way to the final."
    assert warned in client.get(address(event), WISHED).text
    event.sessions.get(number=3).tables.all().delete()
    assert "give way" not in client.get(address(event), WISHED).text


def test_the_last_shared_place_is_asked_about(client: Client) -> None:
    tournament = make_tournament(players=8, sessions=2)
    session = tournament.sessions.get(number=1)
    start_session(session, SYSTEM)
    for table in session.tables.all():
        record(table, wash_out())
        hand_in(table, SYSTEM)
    close_session(session, SYSTEM)
    client.force_login(make_organiser(tournament))
    shown = client.get(address(tournament), WISHED)
    assert "The last place that goes on is shared" in shown.text
    set_up(client, tournament, first="7")
    assert tournament.finals.get().groups == [[7, 1, 2, 3]]


def test_what_stands_in_the_way_is_one_sentence(client: Client, event: Tournament) -> None:
    answer = client.get(address(event), WISHED | {"sessions": "0", "size": "5"})
    assert answer.status_code == 422
    assert set(answer.context["form"].errors) == {"sessions", "size"}
    set_up(client, event)
    answer = client.get(address(event), WISHED)
    assert answer.context["form"].non_field_errors() == [
        "A final after session 2 is set up already. Take it back first."
    ]


def test_it_is_taken_back_from_the_draw_page(client: Client, event: Tournament) -> None:
    set_up(client, event)
    client.post(reverse("organiser_seats_undo", args=[event.slug]))
    assert not event.finals.exists()
    assert "Taken back: Final after session 2" in client.get(reverse("organiser_log", args=[event.slug])).text


def test_ranking_paper_and_rest_agree_and_say_so(client: Client, event: Tournament) -> None:
    set_up(client, event, size="8", carry="dropped")
    play_session(event.sessions.get(number=3), 2)
    event.refresh_from_db()
    page = client.get(reverse("ranking", args=[event.slug])).text
    assert len(re.findall(r'<span class="tag">\s*finalist\s*</span>', page)) == 8
    said = "Final after session 2: the finalists rank first, with none of the points they had."
    assert said in page
    sheet = standings_sheet(event, "a4")
    assert f"{said} Their totals count “×0” in place of sessions 1 to 2." in sheet.notes
    rows = json.loads(client.get(reverse("api_standings", args=[event.slug])).content)
    shown = [(row["rank"], row["game_points"]) for row in rows.get("standings", rows.get("rows", []))]
    assert shown == [(row.standing.rank, row.standing.game_points) for row in sheet.ranking.rows]


def test_half_of_the_points_stands_where_it_counts_for_the_sessions_before(
    client: Client, event: Tournament
) -> None:
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
    (row_of_rest,) = [row for row in rest(client, event) if row["number"] == best]
    assert row_of_rest["carried"] == [
        {
            "after_session": 2,
            "table_points": two_decimals(carried.table_points),
            "game_points": carried.game_points,
        }
    ]
    sheet = load_workbook(
        BytesIO(written(list_named("ranking"), Asked(event, Audience.STAFF, SYSTEM), "xlsx"))
    ).worksheets[0]
    table = [[cell.value for cell in line] for line in sheet.iter_rows()]
    column = table[0].index("Half of sessions 1 to 2: table points")
    by_number = {line[1]: line for line in table[1:]}
    assert by_number[best][column : column + 2] == [float(carried.table_points), carried.game_points]
    assert [line[column] for line in table[5:]] == [None] * 12
    printed = standings_sheet(event, "a4").layout.columns
    assert [column.headings for column in printed][-5:-2] == [("S2",), ("½",), ("S3",)]


def test_the_last_finalist_stands_above_a_line(client: Client, event: Tournament) -> None:
    set_up(client, event, size="8", carry="full")
    page = read(client.get(reverse("ranking", args=[event.slug])))
    rows = list(elements(element(page, "tbody"), "tr"))
    assert [n for n, row in enumerate(rows, 1) if "cut" in attribute(row, "class").split()] == [8]


def rest(client: Client, event: Tournament) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads(client.get(reverse("api_standings", args=[event.slug])).content)[
        "rows"
    ]
    return rows


def test_a_player_who_is_done_has_no_next_seat(client: Client, event: Tournament) -> None:
    set_up(client, event)
    done = current_standings(event, Audience.STAFF).rows[-1].number
    page = client.get(reverse("player_page", args=[event.slug, done]))
    assert page.context["page"].next is None
    finalist = client.get(reverse("player_page", args=[event.slug, event.finals.get().numbers[0]]))
    assert finalist.context["page"].next.session.number == 3
