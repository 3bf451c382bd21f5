"""The page on which a session's totals are typed, every mistake at its place; and totals from paper by REST."""

import re
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from tests.support.checks import newest_sentence
from tests.support.closing import players_at
from tests.support.factories import (
    PASSWORD,
    SYSTEM,
    make_organiser,
    make_tournament,
    make_umpire,
    record,
    wash_out,
)
from tests.support.pages import missing, refused_page
from tests.support.programs import ROOT, Program, client_of, codes_of
from tournament.base.engine.notices import Audience
from tournament.base.models.log import LogEntry
from tournament.base.models.play import Table
from tournament.base.models.tournament import Tournament
from tournament.documents.exports.report import session_columns
from tournament.play.engine.statements import TotalsEntry
from tournament.play.models import Totals
from tournament.play.services.totals import enter_totals
from tournament.ranking.exports import RESULTS
from tournament.ranking.selectors.ranking import session_rows
from tournament.web.exports.lists import Reader

PATH = "sessions/1/tables/1/totals/"


@pytest.fixture
def event(client: Client) -> Tournament:
    tournament = make_tournament(running=0)
    make_umpire(tournament, "pia")
    client.login(username="pia", password=PASSWORD)
    return tournament


def page(event: Tournament, more: str = "paper/") -> str:
    return f"/umpire/{event.slug}/1/{more}"


def table_of(number: int) -> Table:
    return Table.objects.select_related("session__tournament").get(session__number=1, number=number)


def seated(number: int) -> list[int]:
    return players_at(table_of(number))


def sheet(number: int, *points: object, **more: object) -> dict[str, object]:
    """What the browser sends of one table."""
    typed = zip(seated(number), points, strict=False)
    named = {f"t{number}-points_{player}": point for player, point in typed}
    return named | {f"t{number}-{name}": value for name, value in more.items()}


def scores(number: int) -> list[int]:
    return list(table_of(number).seats.order_by("id").values_list("game_points", flat=True))


def enter(number: int, *points: int) -> None:
    entry = TotalsEntry(dict(zip(seated(number), points, strict=False)))
    enter_totals(table_of(number), SYSTEM, entry, uuid=uuid4())


def test_a_session_is_typed_in_one_form(client: Client, event: Tournament) -> None:
    once = sheet(1, 30, -10, -20, uuid=uuid4())
    form = once | sheet(2, 8, "", "−4", "-4") | sheet(3, 0, 0, 0, 0)
    assert client.post(page(event), form).status_code == 302
    assert [scores(1), scores(2), scores(3)] == [[30, -10, -20, 0], [8, 0, -4, -4], [0, 0, 0, 0]]
    in_numbers = Table.objects.filter(session__number=1, is_in=True).values_list("number", flat=True)
    assert list(in_numbers) == [1, 2, 3]
    assert "Sheets missing: 4" in client.get(page(event)).text
    client.post(page(event), once)
    assert Totals.objects.count() == 3, "the same form sent twice is one write"
    unlikely = sheet(4, 1200, -1200, 0, 0)
    assert 'name="t4-sure"' in client.post(page(event), unlikely).text
    assert client.post(page(event), unlikely | {"t4-sure": "on"}).status_code == 302
    assert scores(4)[0] == 1200, "an unlikely total is confirmed"


def test_totals_of_another_table_and_unpaid_penalties_are_asked_about(
    client: Client, event: Tournament
) -> None:
    second = sheet(2, 105, -20, -45, -40)
    text = refused_page(client.post(page(event), sheet(1, 105, -20, -45, -40) | second))
    assert missing(text, "Table 1 has the same totals.", 'name="t2-sure"') == []
    assert [scores(1), scores(2)] == [[105, -20, -45, -40], [0, 0, 0, 0]]
    assert client.post(page(event), second | {"t2-sure": "on"}).status_code == 302
    text = refused_page(client.post(page(event), sheet(3, 60, -40, -30, -30)))
    desk = reverse("desk", args=[event.slug, 1, 3])
    assert missing(text, "A penalty paid to nobody? Record it first.", f'href="{desk}#foul"') == []


@pytest.mark.thorough
def test_problems_are_shown_at_their_tables(client: Client, event: Tournament) -> None:
    """Nothing typed is lost, and the tables without a fault are saved."""
    posts: list[dict[tuple[object, ...], str]] = [
        {
            (12, "abc", -12, 0): "“abc” is not a whole number",
            ("999999999", 0, 0, 0): "the maximum is",
            (12, 0, -10, 0): "The four totals add up to 2 instead of 0.",
        },
        {
            (12, "2.5", -12, 0): "“2.5” is not a whole number",
            (5000, -5000, 0, 0): "−5000 is unlikely",
            (12, "", "", 0): "This total is missing",
        },
        {
            (12, "½", -12, 0): "“½” is not a whole number",
            ("１２", "a\0b", -12, 0): "not saved yet",
        },
        {("9" * 39, 0, 0, 0): "is not a whole number"},
    ]
    for faults in posts:
        sheets = [sheet(number, *typed) for number, typed in enumerate(faults, 1)]
        fields = {name: value for each in sheets for name, value in each.items()}
        text = refused_page(client.post(page(event), fields | sheet(4, 8, 0, -8)))
        values = [f'value="{point}"' for typed in faults for point in typed if str(point).isdecimal()]
        assert missing(text, *faults.values(), *values) == []
        assert [scores(1), scores(2), scores(4)] == [[0, 0, 0, 0], [0, 0, 0, 0], [8, 0, -8, 0]]


def test_a_conflicting_entry_keeps_what_was_typed(client: Client, event: Tournament) -> None:
    enter(1, 1, 2, 3)
    answer = client.post(page(event), sheet(1, 30, -10, -20, version=0))
    assert answer.status_code == 422
    assert "Someone else has changed this table" in answer.text
    assert 'value="-20"' in answer.text
    assert scores(1) == [1, 2, 3, -6]


def test_a_table_with_hands_is_not_asked_for(client: Client, event: Tournament) -> None:
    record(table_of(1), wash_out())
    assert "t1-points" not in client.get(page(event)).text
    answer = client.post(page(event), sheet(1, 30, -10, -20))
    assert "Hands are recorded at table 1 (1)" in answer.text
    pasted = "\n".join(f"{player},0" for player in seated(1))
    assert "Hands are recorded at table 1 (1)" in after_file(client, event, pasted)


def test_the_second_reader_does_not_see_the_first_figures(client: Client, event: Tournament) -> None:
    enter(1, 777, -700, -70)
    blind = client.get(page(event, "paper/second/")).text
    assert not re.search(r"\b777\b", blind)  # a word: the page's random numbers may hold three sevens
    client.post(page(event, "paper/second/"), sheet(1, 776, -700, -70))
    here = page(event, "1/paper/")
    beside = client.get(here).text
    assert ("777" in beside, "776" in beside) == (True, True)
    settled = sheet(1, 777, -700, -70) | {"choice": "second", "t1-version": 1}
    assert client.post(here, settled).status_code == 302
    assert scores(1)[0] == 776
    assert LogEntry.objects.filter(action="table_totals_settled").count() == 1


def test_a_correction_needs_a_reason(client: Client, event: Tournament) -> None:
    client.post(page(event), sheet(1, 30, -10, -20))
    here = page(event, "1/paper/")
    wrong = client.post(here, sheet(1, 20, 0, -20, 0))
    assert "corrections need one" in wrong.text
    assert client.post(here, sheet(1, 20, 0, -20, 0, reason="Misread")).status_code == 302
    assert scores(1)[0] == 20
    client.post(f"{here}set-aside/", {"reason": "The wrong table"})
    assert scores(1) == [0, 0, 0, 0]


def test_an_organiser_sets_what_is_on_paper(client: Client, event: Tournament) -> None:
    make_organiser(event, "olga")
    client.login(username="olga", password=PASSWORD)
    client.post(page(event, "paper/tables/"), {"of": "session", "method": "paper"})
    client.post(page(event, "paper/tables/"), {"of": "2", "method": "hands"})
    tables = Table.objects.filter(session__number=1).select_related("session__tournament").order_by("number")
    assert [table.is_on_paper for table in tables] == [True, False, True, True]
    assert newest_sentence(event) == "Hand by hand: session 1, table 2."
    assert client.post(page(event, "paper/tables/"), {"of": "9" * 5, "method": "paper"}).status_code == 302


def test_an_organiser_closes_the_session_once_every_sheet_is_entered(
    client: Client, event: Tournament
) -> None:
    make_organiser(event, "olga")
    table_of(1).seats.filter(player__number=seated(1)[0]).update(stand_in="Ada Lovelace")
    totals = {1: (8, -8, 0, 0), 2: (16, -16, 0, 0), 3: (24, -24, 0, 0), 4: (32, -32, 0, 0)}
    for number in (1, 2, 3):
        enter(number, *totals[number])
    client.login(username="olga", password=PASSWORD)
    button = reverse("organiser_session_close", args=[event.slug, 1])
    assert missing(client.get(page(event)).text, "stand-in: Ada Lovelace", "Save the sheets") == []
    assert button not in client.get(page(event)).text
    enter(4, *totals[4])
    assert button in client.get(page(event)).text
    client.login(username="pia", password=PASSWORD)
    assert button not in client.get(page(event)).text


def test_totals_with_wins_and_the_best_hand_are_on_all_pages(client: Client, event: Tournament) -> None:
    best = {"best_player": seated(1)[0], "best_points": 64}
    wins = {f"wins_{player}": 1 for player in seated(1)}
    client.post(f"{page(event)}?more=1", sheet(1, 30, -10, -20, **wins, hands=15, **best))
    totals = Totals.objects.get()
    assert (totals.hands, totals.best) == (15, {"player": seated(1)[0], "points": 64})
    assert totals.wins == {str(player): 1 for player in seated(1)}
    client.post(f"{page(event)}?more=1", sheet(1, 30, -10, -20, **best))
    public = f"/t/{event.slug}/"
    assert "Totals, from paper" in client.get(f"{public}sessions/1/1/").text
    assert "Table 1, totals" in client.get(f"{public}ranking/").text
    statistics = " ".join(client.get(f"{public}statistics/").text.split())
    assert "1 table was kept on paper: only its 0 recorded hands" in statistics
    assert "64 points, session 1, table 1" in statistics


def test_lists_have_a_dash_where_a_sheet_gives_totals_alone(event: Tournament) -> None:
    enter(1, 30, -10, -20, 0)
    columns = {column.name: column for column in session_columns(event, [])}
    rows = session_rows(event, Audience.STAFF, 1)
    assert {columns["hands_won"].value(row) for row in rows} == {"–"}
    results = list(RESULTS.rows(Reader.of(event, SYSTEM)))
    assert {(result.wins, result.deal_ins) for result in results} == {(None, None)}


def after_file(client: Client, event: Tournament, text: str) -> str:
    return " ".join(client.post(page(event, "paper/file/"), {"pasted": text}).text.split())


def test_a_file_fills_the_page_and_is_read_as_it_is_written(client: Client, event: Tournament) -> None:
    first, second, third, fourth = seated(1)
    lines = f"30;1;{first}\n-10;1;{second}\n−20;1;{third}\n0;1;{fourth}\n"
    text = after_file(client, event, f"Points;Tisch;Nr\n{lines}")
    assert "Nothing of the file is saved yet." in text
    assert f'name="t1-points_{first}" value="30"' in text
    assert f'action="{page(event)}"' in text
    assert not Totals.objects.exists()
    client.post(page(event), sheet(1, 30, -10, -20))
    file = client.get(page(event, "paper/totals.csv")).content.decode("utf-8-sig")
    assert file.startswith("table,wind,number,name,points,wins,deal_ins")
    text = after_file(client, event, file)
    assert "is not saved yet" not in text
    assert "of the file is left out" not in text


def test_each_line_of_a_file_says_what_is_wrong_with_it(client: Client, event: Tournament) -> None:
    assert "A column with player numbers" in after_file(client, event, "Name;Land;Verein;Ort\nA;B;C;D")
    assert client.post(page(event, "paper/file/"), {"pasted": " "}).status_code == 422
    first, second, third, fourth = seated(1)
    rows = f"{first},30\n{first},31\n99,4\nBob,5\n{second},12.5\n{third},-30\n"
    text = after_file(client, event, "number,points\n" + rows)
    parts = (
        f"Player {first} is also in row 2: nobody plays at two tables.",
        "Player 99 has no seat",
        "“Bob” is not a player number.",
        "“12.5” is not a whole number",
    )
    assert missing(text, *parts) == []
    assert f"Player {fourth} sits at table 1, not at 3." in after_file(client, event, f"3,{fourth},12")


def body(*points: int | None, **more: Any) -> dict[str, Any]:
    seats = Table.objects.get(session__number=1, number=1).seats.order_by("id")
    numbers = seats.values_list("player__number", flat=True)
    figures = [{"player": player, "points": total} for player, total in zip(numbers, points, strict=False)]
    return {"uuid": str(uuid4()), "figures": figures} | more


def test_three_totals_are_enough_for_a_table(umpire_client: Program, base_url: str, table_url: str) -> None:
    entered = umpire_client.post(base_url, body(30, -10, -20))
    assert entered.status_code == 201
    assert [line["points"] for line in entered.json()["totals"]["figures"]] == [30, -10, -20, 0]
    table = Program().get(table_url).json()
    assert (table["counts_totals"], table["on_paper"], table["is_in"]) == (True, True, True)
    assert table["hands_played"] == 0


def test_a_stale_write_is_told_what_changed(umpire_client: Program, base_url: str) -> None:
    umpire_client.post(base_url, body(30, -10, -20, table_version=0))
    stale = umpire_client.put(base_url, body(20, 0, -20, table_version=0, reason="Misread"))
    assert (stale.status_code, stale.json()["changes"][0]["action"]) == (409, "table_totals_entered")
    corrected = umpire_client.put(base_url, body(20, 0, -20, table_version=1, reason="Misread"))
    assert corrected.json()["totals"]["version"] == 2
    assert len(umpire_client.get(base_url).json()["versions"]) == 2


def test_a_second_reading_is_settled_and_totals_are_set_aside(
    umpire_client: Program, base_url: str, event: Tournament
) -> None:
    umpire_client.post(base_url, body(30, -10, -20))
    second_reader = client_of(make_umpire(event, "una"))
    assert second_reader.post(base_url + "second/", body(31, -10, -20)).json() == {"settled": None}
    assert umpire_client.get(base_url).json()["differs"] is True
    choice = {"uuid": str(uuid4()), "choice": "typed", "totals": body(32, -10, -20)}
    totals = umpire_client.put(base_url + "second/", choice).json()["totals"]
    assert totals["figures"][0]["points"] == 32
    assert umpire_client.delete(base_url, {"reason": "The wrong table"}).status_code == 200
    assert umpire_client.get(base_url).json()["totals"] is None


def test_programs_set_what_is_on_paper(organiser_client: Program, event: Tournament) -> None:
    paper = f"{ROOT}{event.slug}/paper/"
    assert organiser_client.put(paper, {"on_paper": True}).json() == {"on_paper": True}
    assert codes_of(organiser_client.put(paper, {"on_paper": True, "session": 1, "table": 99})) == [
        "no_such_table"
    ]
