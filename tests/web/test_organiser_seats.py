"""Seating one session, and seats from a file: looked at first, then taken."""

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from tests.support.factories import SYSTEM, make_organiser, make_tournament, play_session
from tournament.engine.seating.inputs import DrawWish
from tournament.models import LogEntry, Tournament
from tournament.selectors.log_words import log_words
from tournament.selectors.seatings import seats_of_all
from tournament.services.draw import draw_seats


@pytest.fixture
def swiss(client: Client) -> Tournament:
    """Two of four sessions drawn in advance and played."""
    tournament = make_tournament(sessions=4, drawn=False)
    draw_seats(tournament, SYSTEM, seed="lotto", wish=DrawWish(sessions=2))
    for session in tournament.sessions.filter(number__lt=3):
        play_session(session, 2)
    client.force_login(make_organiser(tournament))
    return tournament


def address(tournament: Tournament, number: int = 3) -> str:
    return reverse("organiser_seats", args=[tournament.slug, number])


def test_the_seats_are_looked_at_taken_and_taken_back(client: Client, swiss: Tournament) -> None:
    board = client.get(reverse("organiser_board", args=[swiss.slug])).text
    assert "Session 3 has no seats yet" in board
    assert address(swiss) in board
    assert reverse("organiser_session_start", args=[swiss.slug, 3]) not in board
    assert "No seats yet" in client.get(reverse("session_page", args=[swiss.slug, 3])).text
    assert "has begun, so its seats stay" in client.get(address(swiss, 1)).text
    too_early = client.get(address(swiss, 4), {"how": "standing"})
    assert too_early.status_code == 422
    assert too_early.context["form"].non_field_errors() == ["Session 3 has to be seated first."]
    shown = client.get(address(swiss), {"how": "standing", "seed": "lotto"})
    assert len(shown.context["tables"]) == 4
    assert 3 <= shown.context["spread"] < 12
    assert "No two players meet twice" in shown.text
    assert len(seats_of_all(swiss)) == 2
    taken = {"how": "standing", "seed": "lotto", "seen": shown.context["seen"]}
    assert "Session 3 is seated." in client.post(address(swiss), taken, follow=True).text
    assert len(seats_of_all(swiss)) == 3
    entry = LogEntry.objects.get(action="session_seated")
    assert log_words(swiss).sentence(entry) == "Seats by standing (Swiss): session 3. Seed: lotto"
    page = client.get(reverse("draw_certificate", args=[swiss.slug])).text
    assert "The seats drawn in advance are exactly those that the seed gives." in page
    assert "by standing (Swiss), seed lotto" in page
    back = reverse("organiser_seats_undo", args=[swiss.slug])
    page = client.get(reverse("organiser_draw", args=[swiss.slug])).text
    assert back in page
    assert "Seats by standing (Swiss): session 3." in page
    assert "The seats are as they were before." in client.post(back, follow=True).text
    assert len(seats_of_all(swiss)) == 2


def test_by_hand_every_fault_stands_at_its_seat(client: Client, swiss: Tournament) -> None:
    grid = client.get(address(swiss), {"how": "hand"})
    assert len(grid.context["hand"].rows()) == 4
    names = [f"t{table}{wind}" for table in range(1, 5) for wind in "ESWN"]
    seats = {name: str(player) for player, name in enumerate(names, 1)}
    wrong = client.post(address(swiss), seats | {"how": "hand", "t1S": "1", "t4N": "x"})
    assert wrong.status_code == 422
    assert 'value="x"' in wrong.text
    wrong = client.post(address(swiss), seats | {"how": "hand", "t1S": "1"})
    assert wrong.context["hand"].errors["t1S"] == ["Player 1 is seated twice."]
    assert wrong.context["hand"].non_field_errors() == ["Player 2 has no seat."]
    shown = client.post(address(swiss), seats | {"how": "hand"})
    client.post(address(swiss), seats | {"how": "hand", "seen": shown.context["seen"]})
    assert seats_of_all(swiss)[2][0] == {"E": 1, "S": 2, "W": 3, "N": 4}


def test_a_plan_from_a_file_is_checked_shown_and_taken(client: Client, swiss: Tournament) -> None:
    plan = reverse("organiser_plan", args=[swiss.slug])
    present = client.get(reverse("organiser_plan_csv", args=[swiss.slug]))
    assert present["Content-Type"] == "text/csv; charset=utf-8"
    lines = "3,1,1,2,3,4\n3,2,5,6,7,8\n3,3,9,10,11,12\n3,4,13,14,15,16\n"
    wrong = client.post(plan, {"pasted": "3,1,1,2,3,Nobody\n"})
    assert wrong.status_code == 422
    assert "Line 1: “Nobody” is nobody" in wrong.text
    shown = client.post(plan, {"pasted": present.text + lines})
    assert [number for number, _tables in shown.context["sessions"]] == [3]
    assert len(seats_of_all(swiss)) == 2
    taken = {"pasted": shown.context["sent"], "seen": shown.context["seen"]}
    assert "The seats are those of the plan." in client.post(plan, taken, follow=True).text
    assert seats_of_all(swiss)[2][0] == {"E": 1, "S": 2, "W": 3, "N": 4}


def test_the_certificate_lets_anybody_seat_the_session_again(
    client: Client, swiss: Tournament, tmp_path: Path
) -> None:
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
