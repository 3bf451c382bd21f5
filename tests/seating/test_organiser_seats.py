"""Seating one session, plans from a file, planning again and corrections: previewed, then stored."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from tests.support.factories import SYSTEM, entrant, make_umpire, play_hands, play_session
from tests.support.pages import organised, refused_page
from tests.support.programs import ROOT, Program, codes_of
from tournament.base.access import Actor, can_umpire
from tournament.base.models.log import LogEntry
from tournament.base.models.play import Seat, Table
from tournament.base.models.tournament import Tournament
from tournament.play.selectors.public import seating_chart
from tournament.play.services.sessions import start_session
from tournament.players.services.players import add_players, withdraw_player
from tournament.seating.engine.draw import DrawOptions
from tournament.seating.selectors.draws import plan_from_chart, stored_plan
from tournament.seating.services.seatings import draw_seats
from tournament.web.selectors import log_words

WRONG = {"first": 1, "second": 4}
EVENT_WITH = {"players": 8, "running": 2}


@pytest.fixture
def swiss(client: Client) -> Tournament:
    """Two of four sessions drawn in advance and played."""
    tournament = organised(client, sessions=4, drawn=False)
    draw_seats(tournament, SYSTEM, seed="lotto", options=DrawOptions(sessions=2))
    for session in tournament.sessions.filter(number__lt=3):
        play_session(session, 2)
    return tournament


def address(tournament: Tournament, number: int = 3) -> str:
    return reverse("organiser_seats", args=[tournament.slug, number])


@pytest.mark.thorough
def test_a_session_is_previewed_seated_and_undone(client: Client, swiss: Tournament) -> None:
    board = client.get(reverse("organiser_board", args=[swiss.slug])).text
    assert "Session 3 has no seats yet" in board
    assert address(swiss) in board
    assert reverse("organiser_session_start", args=[swiss.slug, 3]) not in board
    assert "No seats yet" in client.get(reverse("session_page", args=[swiss.slug, 3])).text
    assert "has begun, so its seats stay" in client.get(address(swiss, 1)).text
    too_early = client.get(address(swiss, 4), {"how": "standing"})
    assert too_early.status_code == 422
    assert too_early.context["form"].non_field_errors() == ["Assign seats for session 3 first."]
    shown = client.get(address(swiss), {"how": "standing", "seed": "lotto"})
    assert len(shown.context["tables"]) == 4
    assert 3 <= shown.context["spread"] < 12
    assert "No two players meet twice" in shown.text
    assert len(stored_plan(swiss)) == 2
    taken = {"how": "standing", "seed": "lotto", "seen": shown.context["seen"]}
    assert "Seats of session 3 assigned." in client.post(address(swiss), taken, follow=True).text
    assert len(stored_plan(swiss)) == 3
    entry = LogEntry.objects.get(action="session_seated")
    assert log_words(swiss).sentence(entry) == "Seats by standing (Swiss): session 3. Code word: lotto"
    page = client.get(reverse("draw_certificate", args=[swiss.slug])).text
    assert "The seats drawn in advance are exactly those that the code word gives." in page
    assert "by standing (Swiss), code word lotto" in page
    back = reverse("organiser_seats_undo", args=[swiss.slug])
    page = client.get(reverse("organiser_draw", args=[swiss.slug])).text
    assert back in page
    assert "Seats by standing (Swiss): session 3." in page
    assert "The change of seats has been undone." in client.post(back, follow=True).text
    assert len(stored_plan(swiss)) == 2


@pytest.mark.thorough
def test_by_hand_every_error_is_at_its_seat(client: Client, swiss: Tournament) -> None:
    grid = client.get(address(swiss), {"how": "hand"})
    assert len(grid.context["hand"].rows()) == 4
    names = [f"t{table}{wind}" for table in range(1, 5) for wind in "ESWN"]
    seats = {name: str(player) for player, name in enumerate(names, 1)}
    wrong = client.post(address(swiss), seats | {"how": "hand", "t1S": "1", "t4N": "x"})
    assert 'value="x"' in refused_page(wrong)
    wrong = client.post(address(swiss), seats | {"how": "hand", "t1S": "1"})
    assert wrong.context["hand"].errors["t1S"] == ["Player 1 is seated twice."]
    assert wrong.context["hand"].non_field_errors() == ["Player 2 has no seat."]
    shown = client.post(address(swiss), seats | {"how": "hand"})
    client.post(address(swiss), seats | {"how": "hand", "seen": shown.context["seen"]})
    assert stored_plan(swiss)[2][0] == {"E": 1, "S": 2, "W": 3, "N": 4}


@pytest.mark.thorough
def test_a_plan_from_a_file_is_checked_previewed_and_stored(client: Client, swiss: Tournament) -> None:
    plan = reverse("organiser_plan", args=[swiss.slug])
    present = client.get(reverse("organiser_plan_csv", args=[swiss.slug]))
    assert present["Content-Type"] == "text/csv; charset=utf-8"
    lines = "3,1,1,2,3,4\n3,2,5,6,7,8\n3,3,9,10,11,12\n3,4,13,14,15,16\n"
    wrong = client.post(plan, {"pasted": "3,1,1,2,3,Nobody\n"})
    assert "Line 1: No player is called “Nobody”" in refused_page(wrong)
    shown = client.post(plan, {"pasted": present.text + lines})
    assert [number for number, _tables in shown.context["sessions"]] == [3]
    assert len(stored_plan(swiss)) == 2
    taken = {"pasted": shown.context["plan_csv"], "seen": shown.context["seen"]}
    assert "The seats of the plan are now used." in client.post(plan, taken, follow=True).text
    assert stored_plan(swiss)[2][0] == {"E": 1, "S": 2, "W": 3, "N": 4}


@pytest.mark.thorough
def test_anybody_can_seat_the_session_again(client: Client, swiss: Tournament, tmp_path: Path) -> None:
    client.post(address(swiss), {"how": "standing", "seed": "lotto", "seen": ""})
    certificate = client.get(reverse("draw_certificate_json", args=[swiss.slug])).json()
    file = tmp_path / "certificate.json"
    file.write_text(json.dumps(certificate))
    call_command("draw", check=str(file), stdout=StringIO())
    table = certificate["sessions"][2]["tables"][0]
    table["E"], table["S"] = table["S"], table["E"]
    file.write_text(json.dumps(certificate))
    with pytest.raises(CommandError, match="2 seats are not what the inputs give, the first in session 3"):
        call_command("draw", check=str(file), stdout=StringIO())


@pytest.fixture
def playing(client: Client) -> Tournament:
    return organised(client, sessions=4, played=1)


def replanning(tournament: Tournament) -> str:
    return reverse("organiser_replan", args=[tournament.slug])


def take(client: Client, tournament: Tournament) -> str:
    seen = client.get(replanning(tournament)).context["seen"]
    return client.post(replanning(tournament), {"seen": seen}, follow=True).text


def withdraw(tournament: Tournament, *numbers: int) -> None:
    for number in numbers:
        withdraw_player(tournament.players.get(number=number), SYSTEM)


def plan(tournament: Tournament) -> list[list[dict[str, int]]]:
    return plan_from_chart(seating_chart(tournament))


@pytest.mark.thorough
def test_four_leave_and_a_table_closes(client: Client, playing: Tournament) -> None:
    before = plan(playing)
    withdraw(playing, 2, 7, 9, 16)
    shown = client.get(replanning(playing))
    assert (shown.context["first"], shown.context["tables"]) == (2, (4, 3))
    assert shown.context["compared"].seats == 4 * 16, "those who leave have seats to lose"
    gone = [moved for moved in shown.context["compared"].moved if moved.change.after is None]
    assert {moved.player.number for moved in gone} == {2, 7, 9, 16}
    assert plan(playing) == before
    assert "The remaining sessions have been reassigned." in take(client, playing)
    after = plan(playing)
    assert after[0] == before[0]
    for session in after[1:]:
        seated = sorted(number for table in session for number in table.values())
        assert seated == [n for n in range(1, 17) if n not in (2, 7, 9, 16)]
    played = playing.sessions.get(number=1).tables.get(number=1)
    assert played.hands_played == 2, "what was played is untouched"


@pytest.mark.thorough
def test_a_substitute_takes_the_seats_of_who_left(client: Client, playing: Tournament) -> None:
    """Without one, what is missing is said."""
    before = plan(playing)
    withdraw(playing, 5)
    assert "15 players do not fill whole tables. Still needed: 1." in client.get(replanning(playing)).text
    assert client.post(replanning(playing)).status_code == 422
    assert plan(playing) == before
    add_players(playing, SYSTEM, [entrant(17)])
    take(client, playing)
    substituted = [
        [{wind: 17 if number == 5 else number for wind, number in table.items()} for table in session]
        for session in before[1:]
    ]
    assert plan(playing)[1:] == substituted


@pytest.mark.thorough
def test_pages_link_to_the_replan_when_it_is_needed(client: Client, playing: Tournament) -> None:
    pages = [
        reverse(name, args=[playing.slug])
        for name in ("organiser_draw", "organiser_board", "organiser_people")
    ]

    def offers() -> list[bool]:
        return [replanning(playing) in client.get(page).text for page in pages]

    assert offers() == [False] * 3
    assert "Every player has a seat" in client.get(replanning(playing)).text
    withdraw(playing, 1, 2, 3, 4)
    assert offers() == [True] * 3
    seen = client.get(replanning(playing)).context["seen"]
    withdraw(playing, 5, 6, 7, 8)
    before = plan(playing)
    assert client.post(replanning(playing), {"seen": seen}).status_code == 422, "players changed meanwhile"
    assert plan(playing) == before
    take(client, playing)
    assert offers() == [False] * 3
    assert "The list of players has changed since" not in client.get(pages[0]).text


@pytest.mark.thorough
def test_a_replan_is_undone_until_the_next_session_begins(client: Client, playing: Tournament) -> None:
    """Umpires keep the tables of the same numbers."""
    table_2 = playing.sessions.get(number=3).tables.get(number=2)
    umpire, before = Actor.of(make_umpire(playing, tables=[table_2])), plan(playing)
    withdraw(playing, 1, 2, 3, 4)
    take(client, playing)
    entry = LogEntry.objects.get(action="seats_replanned")
    assert log_words(playing).sentence(entry) == "Remaining seats reassigned: sessions 2, 3, 4. Players: 12."
    tables = Table.objects.filter(session__tournament=playing).select_related("session__tournament")
    reached = [(table.session.number, table.number) for table in tables if can_umpire(umpire, table)]
    assert reached == [(3, 2)]
    back = reverse("organiser_seats_undo", args=[playing.slug])
    assert "The change of seats has been undone." in client.post(back, follow=True).text
    assert plan(playing) == before
    assert "There is no seat change to undo." in client.post(back, follow=True).text
    take(client, playing)
    start_session(playing.sessions.get(number=2), SYSTEM)
    now = plan(playing)
    assert "Session 2 has already begun." in client.post(back, follow=True).text
    assert plan(playing) == now


def corrections(event: Tournament, step: str = "", session: int = 1) -> str:
    return f"{ROOT}{event.slug}/sessions/{session}/seats/corrections/{step}"


def scores(event: Tournament) -> dict[int, int]:
    seats = Seat.objects.filter(table__session__tournament=event, table__session__number=1)
    return dict(seats.values_list("player__number", "game_points"))


def test_a_correction_is_previewed_stored_and_undone(organiser_client: Program, event: Tournament) -> None:
    seats, before = stored_plan(event), scores(event)
    shown = organiser_client.post(corrections(event, "preview/"), WRONG).json()
    first, second = shown["players"]
    assert (first["player"], first["now"], first["then"]) == (1, second["then"], second["now"])
    assert (first["now"]["game_points"], first["then"]["game_points"]) == (before[1], before[4])
    assert (stored_plan(event), scores(event)) == (seats, before), "looking stores nothing"
    assert organiser_client.post(corrections(event), WRONG | {"seen": shown["seen"]}).status_code == 204
    assert (scores(event)[1], scores(event)[4]) == (before[4], before[1])
    assert organiser_client.delete(corrections(event)).status_code == 204
    assert (stored_plan(event), scores(event)) == (seats, before)
    assert codes_of(organiser_client.delete(corrections(event))) == ["no_seats_to_restore"]


def test_a_correction_of_a_changed_table_is_refused(organiser_client: Program, event: Tournament) -> None:
    seen = organiser_client.post(corrections(event, "preview/"), WRONG).json()["seen"]
    play_hands(Seat.objects.get(table__session__number=1, player__number=1).table)
    assert codes_of(organiser_client.post(corrections(event), WRONG | {"seen": seen})) == ["seats_changed"]


def test_malformed_and_impossible_requests_are_refused(organiser_client: Program, event: Tournament) -> None:
    unreadable: tuple[Any, ...] = ({}, {"first": 1, "second": 10**30}, {"first": [1], "second": None})
    impossible = ((1, 99, "no_seat_in_session"), (1, 1, "swap_with_self"), (2, 2, "session_not_running"))
    for step in ("", "preview/"):
        for body in unreadable:
            assert organiser_client.post(corrections(event, step), body).status_code == 400, (step, body)
        for session, other, code in impossible:
            answer = organiser_client.post(corrections(event, step, session), {"first": 1, "second": other})
            assert codes_of(answer) == [code], step
