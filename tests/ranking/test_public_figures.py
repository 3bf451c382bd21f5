"""Figures of a player and of the event: added up from hands, recomputed from the evening's file, taken away."""

import csv
import io
import itertools
import json
from collections import Counter
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from openpyxl import load_workbook

from scoring.engine import MCR, score
from scoring.engine import Hand as Tiles
from tests.support.factories import (
    SYSTEM,
    end_appeals,
    make_member,
    make_organiser,
    make_tournament,
    make_umpire,
    play_hands,
    play_session,
    record,
    wash_out,
    win,
)
from tests.support.html import attribute, element, elements, read, words
from tests.support.pages import missing
from tests.support.sampling import sample
from tournament.base.access import Actor
from tournament.base.engine.entries import WIN, HandEntry
from tournament.base.engine.finals import Carry
from tournament.base.engine.notices import Audience
from tournament.base.models.play import Table
from tournament.base.models.tournament import Role, Tournament
from tournament.events.engine import TimetablePattern
from tournament.events.selectors import propose_timetable
from tournament.events.services import set_timetable
from tournament.exchange.lists import LISTS
from tournament.fouls.services.penalties import give_penalty
from tournament.play.engine.statements import Accusation
from tournament.play.services.hands import correct_hand, undo_hand
from tournament.play.services.sessions import start_session
from tournament.play.services.tables import hand_in
from tournament.players.services.players import withdraw_player
from tournament.ranking.engine.finals import FinalsOptions, FinalStage
from tournament.ranking.selectors.players import PlayerPage, player_page
from tournament.ranking.selectors.ranking import ranking
from tournament.ranking.selectors.statistics import event_statistics
from tournament.ranking.services import hide_results, publish_standings
from tournament.ranking.tags import points_plot
from tournament.seating.services.seatings import set_up_final
from tournament.web.display import qr_of
from tournament.web.exports.lists import FORMATS

EVENING = Path(__file__).parents[1] / "data" / "evening.json"
EVENT_WITH = {"players": 8, "sessions": 2, "played": 2, "hands": 1}


def of(tournament: Tournament, number: int = 1) -> PlayerPage:
    return player_page(tournament, Audience.STAFF, tournament.players.get(number=number))


@pytest.fixture
def played() -> Tournament:
    return make_tournament(players=8, sessions=3, played=1, running=(3, 1), hands=4)


@pytest.mark.thorough
def test_points_history_and_winds_agree_with_the_standings(played: Tournament, client: Client) -> None:
    for number in (1, 8):
        page = of(played, number)
        assert page.line is not None
        scores = page.history.scores
        assert (scores[0], scores[-1]) == (0, page.line.standing.game_points), number
        assert [session for session, _index in page.history.sessions] == [1, 2], number
    page = of(played)
    assert [at.wind for at in page.winds] == ["E", "S", "W", "N"]
    for part in ("hands", "won", "dealt_in"):
        assert sum(getattr(at, part) for at in page.winds) == getattr(page.statistics, part)
    plot, address = points_plot(page.history), f"/t/{played.slug}/players/1/"
    response, with_query = client.get(address), client.get(f"{address}?rank=1")
    assert attribute(element(read(response), "svg", role="img"), "aria-label") == plot["label"]
    assert len(plot["line"].split()) == len(page.history.scores)
    heights = [float(point.split(",")[1]) for point in plot["line"].split()]
    assert 8 <= min(heights) <= max(heights) <= 120
    code = qr_of(f"http://testserver{address}")
    assert [code in page.text for page in (response, with_query)] == [True, True]


def test_every_player_is_at_each_wind_once_a_round_and_fans_count_hands_that_had_them() -> None:
    tournament = make_tournament(players=4, sessions=1, running=0)
    table = tournament.sessions.get(number=1).tables.get()
    for entry in (win(1), win(1), wash_out(), wash_out()):
        record(table, entry)
    page = of(tournament)
    assert [at.hands for at in page.winds] == [1, 1, 1, 1]
    assert dict(page.fans)["seven_pairs"] == 2
    assert of(tournament, 2).fans == ()
    tree = read(Client().get(f"/t/{tournament.slug}/players/1/"))
    assert "Fans made in 2 hands won" in words(element(tree, "h2", id="fans"))
    rows = elements(element(element(tree, "table", class_="fan-plot"), "tbody"), "tr")
    assert all(words(row).endswith(" 2") for row in rows)
    before = page.history.scores
    give_penalty(table, SYSTEM, Accusation(1, "false_hu", 1), uuid=uuid4())
    tournament.refresh_from_db()
    scores = of(tournament).history.scores
    assert len(scores) == len(before) + 1, "a penalty is a step of its own where the hands end"
    assert scores[-1] < scores[-2]


def test_who_sits_together_twice_has_met_twice() -> None:
    tournament = make_tournament(players=4, sessions=3)
    assert of(tournament).opponents == ()
    play_session(tournament.sessions.get(number=1), hands=1)
    start_session(tournament.sessions.get(number=2), SYSTEM)
    assert {(other.number, n) for other, n in of(tournament).opponents} == {(2, 2), (3, 2), (4, 2)}


@pytest.fixture
def table() -> Table:
    """One hand played at table 1 of the second session: the one at East won it self-drawn."""
    tournament = make_tournament(players=8, sessions=2, played=1, running=0)
    table = tournament.sessions.get(number=2).tables.get(number=1)
    record(table, win(at(table, "E")))
    return table


def at(table: Table, wind: str) -> int:
    return table.seats.get(wind=wind).player.number


def needs(client: Client, tournament: Tournament, number: int, query: str = "") -> Any:
    tree = read(client.get(f"/t/{tournament.slug}/players/{number}/{query}"))
    return next(elements(tree, "section", id="needs"), None)


@pytest.mark.thorough
def test_the_needs_of_each_place_and_the_leader_are_shown(client: Client, table: Table) -> None:
    leader = table.seats.get(wind="E")
    behind = leader.game_points - table.seats.get(wind="S").game_points
    text = words(needs(client, table.session.tournament, at(table, "S")))
    assert f"1st at the table , {behind} behind {leader.player.name}" in text
    minimum = (behind - 32) // 4 + 1
    assert f"by self-draw {max(8, minimum)} points" in text
    assert f"from {leader.player.name} {max(8, (behind - 32) // 2 + 1)} points" in text
    assert "You lead the table." in words(needs(client, table.session.tournament, at(table, "E")))
    section = needs(client, table.session.tournament, at(table, "S"), "?rank=1")
    assert "Rank 1" in words(section)
    assert "open" in dict(element(section, "details").attributes)
    for rank in ("0", "x", "999999999", "٣"):
        assert needs(client, table.session.tournament, at(table, "S"), f"?rank={rank}") is not None, rank


def test_nothing_is_needed_where_nothing_can_change(client: Client, table: Table) -> None:
    tournament = table.session.tournament
    hand_in(table, SYSTEM)
    assert needs(client, tournament, at(table, "S")) is None
    over = make_tournament(players=8, sessions=1, name="Over")
    play_session(over.sessions.get(number=1), hands=1)
    assert needs(client, over, 1) is None


@pytest.fixture
def final() -> Tournament:
    """Four of eight play on after the first session, after which number 8 has withdrawn."""
    tournament = make_tournament(players=8, sessions=2, played=1)
    withdraw_player(tournament.players.get(number=8), SYSTEM)
    set_up_final(tournament, SYSTEM, FinalsOptions(FinalStage(4, 4, Carry.FULL), 1, "x"))
    return tournament


def card(client: Client, tournament: Tournament, number: int) -> str:
    return words(read(client.get(reverse("player_card", args=[tournament.slug, number]))))


def text_at(client: Client, tournament: Tournament, number: int) -> str:
    answer = client.get(reverse("player_page", args=[tournament.slug, number]))
    return words(element(read(answer), "main", id="main"))


def test_seat_rank_and_needs_are_on_the_card(client: Client) -> None:
    spring = make_tournament(sessions=3, played=1, running=1)
    text = card(client, spring, 5)
    line = ranking(spring, Audience.PUBLIC).find(5)
    assert line is not None
    assert missing(text, f"Rank {line.standing.rank}", "Now: session 2", "What you need") == []
    assert client.get(reverse("player_card", args=[spring.slug, 99])).status_code == 404
    early = make_tournament(players=8, drawn=False, name="Early")
    assert "The seats are not drawn." in card(client, early, 1)
    url = reverse("player_card", args=[spring.slug, 1])
    first, second = client.get(url), Client().get(url)
    assert first.content == second.content, "the same for everybody"
    assert not first.cookies
    assert client.get(url, headers={"If-None-Match": first["ETag"]}).status_code == 304


def test_after_the_final_standings_no_calendar_is_offered(client: Client) -> None:
    tournament = make_tournament(players=4, sessions=1, played=1)
    end_appeals(tournament)
    set_timetable(tournament, SYSTEM, propose_timetable(tournament, TimetablePattern(), lunch="Lunch"))
    assert "Add to calendar" in text_at(client, tournament, 1)
    publish_standings(tournament, SYSTEM)
    shown = text_at(client, tournament, 1)
    assert "Add to calendar" not in shown
    assert shown.index("Results") < shown.index("Notifications on this phone")


def test_a_player_who_missed_the_final_sees_place_and_finalists(client: Client, final: Tournament) -> None:
    finalists = final.finals.get().numbers
    names = [final.players.get(number=number).name for number in finalists]
    rows = ranking(final, Audience.PUBLIC).rows
    first_out = next(row for row in rows if row.player.number not in (*finalists, 8))
    for read_by in (card, text_at):
        text = read_by(client, final, first_out.player.number)
        assert "The finalists are set; you did not qualify" in text
        assert f"Your place: {first_out.standing.rank}." in text
        assert all(name in text for name in names)
    assert [n for n in (finalists[0], 8) if "did not qualify" in text_at(client, final, n)] == []


def hands_in_the_file(session: int | None = None) -> list[dict[str, Any]]:
    data = json.loads(EVENING.read_text("utf-8"))
    return [
        hand
        for number, tables in enumerate(data["sessions"], 1)
        if session in (None, number)
        for table in tables["tables"]
        for hand in table["hands"]
    ]


@pytest.mark.parametrize("session", [None, 3, 5])
@pytest.mark.thorough
def test_figures_are_what_the_files_tiles_come_to(whole_evening: Tournament, session: int | None) -> None:
    hands = hands_in_the_file(session)
    won = [hand for hand in hands if hand["outcome"] == "win"]
    stats = event_statistics(whole_evening, Audience.PUBLIC, session)
    figures = stats.figures
    assert (figures.hands, figures.won, figures.wash_outs) == (len(hands), len(won), len(hands) - len(won))
    assert figures.self_drawn == sum(hand.get("discarder") is None for hand in won)
    assert figures.by_discard == len(won) - figures.self_drawn
    scores = [score(Tiles.from_json(hand["hand"]), MCR) for hand in won]
    points = sorted((each.points for each in scores), reverse=True)
    assert figures.average == sum(points) / len(points)
    assert [hand.points for hand in stats.best] == points[:5]
    assert figures.known == len(scores)
    fans = Counter(key for each in scores for key in {line.fan.key for line in each.fans})
    fans["flower_tiles"] = sum(bool(hand["hand"].get("flowers")) for hand in won)
    assert figures.fans == +fans


def test_a_corrected_hand_counts_once_and_a_hand_taken_back_not_at_all() -> None:
    tournament = make_tournament(players=4, sessions=1, running=0)
    table = tournament.sessions.get().tables.get()
    record(table, win(1, 2))
    before = event_statistics(tournament, Audience.PUBLIC).figures
    hand = table.hands.get()
    correct_hand(hand, SYSTEM, wash_out(), uuid=uuid4(), reason="No hu.")
    corrected = event_statistics(tournament, Audience.PUBLIC).figures
    assert (before.won, corrected.hands, corrected.won) == (1, 1, 0)
    umpire = Actor.of(make_umpire(tournament))
    undo_hand(record(table, win(3, 4), umpire), umpire)
    assert event_statistics(tournament, Audience.PUBLIC).figures == corrected
    assert hand.pk not in event_statistics(tournament, Audience.PUBLIC).figures.best_ids


def test_hands_with_points_alone_count_for_no_fan() -> None:
    tournament = make_tournament(players=4, sessions=1, running=0)
    table = tournament.sessions.get().tables.get()
    record(table, HandEntry(WIN, 1, 2, None, points=26))
    figures = event_statistics(tournament, Audience.PUBLIC).figures
    assert (figures.won, figures.points, figures.known, figures.fans) == (1, 26, 0, {})


def test_a_hand_is_read_once_with_its_session(django_assert_num_queries: Any) -> None:
    tournament = make_tournament(players=8, sessions=2, played=1, running=2)
    event_statistics(tournament, Audience.PUBLIC)
    with django_assert_num_queries(2):  # the state of the sessions, the best hands
        event_statistics(tournament, Audience.PUBLIC)
    play_hands(tournament.sessions.get(number=2).tables.get(number=1))
    with django_assert_num_queries(3):
        event_statistics(tournament, Audience.PUBLIC)


def test_hidden_results_are_not_in_public_statistics() -> None:
    tournament = make_tournament(players=8, sessions=2, played=1, running=2)
    whole = event_statistics(tournament, Audience.PUBLIC).figures
    hide_results(tournament.sessions.get(number=2), SYSTEM)
    tournament.refresh_from_db()
    public = event_statistics(tournament, Audience.PUBLIC)
    assert public.figures == event_statistics(tournament, Audience.STAFF, 1).figures
    assert (public.sessions, public.withheld_sessions) == ((1,), (2,))
    assert not event_statistics(tournament, Audience.PUBLIC, 2)
    assert event_statistics(tournament, Audience.STAFF).figures == whole


def page(client: Client, tournament: Tournament, **query: Any) -> Any:
    return client.get(reverse("statistics_page", args=[tournament.slug]), query)


def test_the_page_shows_figures_best_hands_and_fans(client: Client) -> None:
    event = make_tournament(played=2)
    tree = read(page(client, event))
    stats = event_statistics(event, Audience.PUBLIC)
    assert f"{stats.figures.hands} hands played" in words(tree)
    assert f"Average win {stats.figures.average:.1f}" in words(tree)
    assert len(list(elements(element(tree, "ol", class_="best-hands"), "li"))) == 5
    row = element(element(element(tree, "table", class_="fan-plot"), "tbody"), "tr")
    _key, hands = stats.figures.fans_by_frequency[0]
    assert f"{hands} {round(100 * hands / stats.figures.known)} %" in words(row)
    second = event_statistics(event, Audience.PUBLIC, 2).figures
    assert f"{second.hands} hands played" in words(read(page(client, event, session=2)))
    summary = words(read(client.get(reverse("tournament", args=[event.slug]))))
    assert missing(summary, f"Statistics {stats.figures.hands} hands", f"{stats.best[0].points} points") == []


def test_unknown_sessions_are_404_and_before_the_first_hand_there_are_no_figures(client: Client) -> None:
    tournament = make_tournament(players=4, sessions=1)
    assert "No hand is recorded yet" in words(read(page(client, tournament)))
    assert "Statistics" not in words(read(client.get(reverse("tournament", args=[tournament.slug]))))
    for session in ("x", "0", "-1", "²", "1" * 9):
        assert page(client, tournament, session=session).status_code == 404, session


def address(event: Tournament, name: str, form: str) -> str:
    at = f"/t/{event.slug}" if LISTS[name].right is None else f"/organiser/{event.slug}"
    return f"{at}/{LISTS[name].path or f'lists/{name}'}.{form}"


def list_rows(client: Client, event: Tournament, name: str) -> list[dict[str, Any]]:
    return list(client.get(address(event, name, "json")).json()["rows"])


@pytest.mark.thorough
def test_the_three_formats_have_the_same_values(
    olga: Client, event: Tournament, subtests: pytest.Subtests
) -> None:
    for name in sorted(LISTS):
        with subtests.test(name):
            files = {form: olga.get(address(event, name, form)) for form in FORMATS}
            assert {file.status_code for file in files.values()} == {200}
            listed = files["json"].json()
            text = list(csv.reader(io.StringIO(files["csv"].content.decode("utf-8-sig"))))
            sheet = load_workbook(io.BytesIO(files["xlsx"].content)).active
            assert text[0] == [column["key" if name == "dues" else "label"] for column in listed["columns"]]
            assert [cell.value for cell in sheet[1]] == [column["label"] for column in listed["columns"]]
            assert len(listed["rows"]) == len(text) - 1 == sheet.max_row - 1
            keys = {column["key"] for column in listed["columns"]}
            assert all(set(row) == keys for row in listed["rows"])
            assert olga.get(address(event, name, "xlsx")).content == files["xlsx"].content


@pytest.mark.thorough
def test_cells_have_types_and_texts_are_never_formulas(olga: Client, event: Tournament) -> None:
    event.players.filter(number=1).update(last_name="=1+1", team="@x", club="-2", first_name="+3")
    sheet = load_workbook(io.BytesIO(olga.get(address(event, "players", "xlsx")).content)).active
    row = next(row for row in sheet.iter_rows(min_row=2) if row[0].value == 1)
    assert [cell.data_type for cell in row[:3]] == ["n", "s", "s"]
    assert row[1].value == "=1+1"
    text = olga.get(address(event, "players", "csv")).content.decode("utf-8-sig")
    assert "'=1+1,'+3" in text
    assert list_rows(olga, event, "players")[0]["last_name"] == "=1+1"
    ranked = load_workbook(io.BytesIO(olga.get(address(event, "ranking", "xlsx")).content)).active
    assert {cell.data_type for cell in ranked[2] if cell.column_letter in "ABHI"} == {"n"}
    played = load_workbook(io.BytesIO(olga.get(address(event, "hands", "xlsx")).content)).active
    assert (played["K2"].is_date, played["G2"].data_type) == (True, "n")


def test_hidden_results_are_in_no_public_list(client: Client, event: Tournament) -> None:
    event.sessions.filter(number=2).update(hidden=True)
    event.public_version = 1
    event.save()
    assert {row["session"] for row in list_rows(client, event, "hands")} == {1}
    assert {row["session"] for row in list_rows(client, event, "results")} == {1}
    assert not any("session_2" in key for row in list_rows(client, event, "ranking") for key in row)


def test_penalties_that_are_not_public_are_for_the_staff(olga: Client, event: Tournament) -> None:
    Tournament.objects.filter(pk=event.pk).update(penalties_public=False)
    assert Client().get(address(event, "penalties", "csv")).status_code == 404
    assert olga.get(address(event, "penalties", "csv")).status_code == 200


def test_lists_that_need_a_right_are_for_those_who_have_it(event: Tournament) -> None:
    desk, shut = {"check-in", "people"}, {name for name, listed in LISTS.items() if listed.right}
    for role, allowed in ((Role.OBSERVER, {"log", "staff"}), (Role.DESK, desk), (Role.ORGANISER, shut)):
        client = Client()
        client.force_login(make_member(event, role, role.value))
        assert {
            name for name in shut if client.get(address(event, name, "csv")).status_code == 200
        } == allowed
        offered = client.get(f"/api/v1/tournaments/{event.slug}/lists/").json()
        assert {listed["name"] for listed in offered} == set(LISTS) - shut | allowed
        urls = [url for listed in offered for url in listed["files"].values()]
        assert [url for url in sample(urls, 3) if client.get(url).status_code != 200] == []


def test_an_event_with_nobody_has_empty_lists(client: Client) -> None:
    event = make_tournament(players=0)
    client.force_login(make_organiser(event, "pia"))
    forms = itertools.cycle(FORMATS)
    for name, form in zip(LISTS, forms, strict=False):
        assert client.get(address(event, name, form)).status_code == 200, (name, form)
