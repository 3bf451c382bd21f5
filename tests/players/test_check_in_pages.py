"""Check-in as people see it: at the desk, at the door, on the screens, over the wire."""

import re
from datetime import datetime, time
from decimal import Decimal
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from tests.support.factories import SYSTEM, WEEKEND, make_organiser, make_tournament
from tests.support.pages import missing, refused_page
from tournament.base.models.registration import Registration
from tournament.base.models.tournament import Tournament
from tournament.dues.models import Payment
from tournament.dues.services import set_due
from tournament.players.models import CheckIn
from tournament.players.selectors.check_in import door_code
from tournament.players.services.check_in import check_in_several, set_check_in
from tournament.screens.engine import Command, Kind, ScreenAction
from tournament.screens.services import control_screen
from tournament.seating.services.seatings import replan_seats

EVENT_WITH = {"players": 8, "drawn": False, "days": WEEKEND}


def address(event: Tournament, name: str = "organiser_check_in") -> str:
    return reverse(name, args=[event.slug])


def here(event: Tournament) -> set[int]:
    return set(event.players.exclude(checked_in_at=None).values_list("number", flat=True))


def test_one_tap_checks_in_and_the_same_place_undoes_it(olga: Client, event: Tournament) -> None:
    answer = olga.post(f"{address(event)}?show=missing", {"player": "3"})
    assert (answer.status_code, here(event)) == (302, {3})
    assert answer["Location"].endswith("#p3")
    assert '<button class="btn" name="undo" value="3"' in olga.get(answer["Location"]).text
    olga.post(address(event), {"undo": "3"})
    assert here(event) == set()
    for number in ("", "0", "99", "-1", "x", "9" * 30):
        assert olga.post(address(event), {"player": number}).status_code == 404, number
    line = olga.post(address(event), {"player": "3"}, headers={"HX-Request": "true"}).text
    assert line.strip().startswith('<li id="p3"'), "with a script the line alone is answered"
    assert 'name="undo"' in line


def test_cash_is_taken_with_one_tap_and_given_back_with_another(olga: Client, event: Tournament) -> None:
    set_due(event, SYSTEM, event.players.get(number=3), amount=Decimal(40))
    (button,) = re.findall(r'name="cash" value="([^"]+)"', olga.get(address(event)).text)
    assert button.startswith("3 ")
    for torn in ("3", "3 x 40", f"3 {uuid4()} NaN", f"3 {uuid4()} 39"):
        olga.post(address(event), {"cash": torn})
    assert not Payment.objects.exists(), "only what the button named"
    for _press in range(2):
        row = olga.post(address(event), {"cash": button}, headers={"HX-Request": "true"}).text
    payment = Payment.objects.get()
    assert (payment.amount, payment.method, here(event)) == (40, "cash", set())
    undo = f'name="return" value="3 {payment.uuid}"'
    assert missing(row, undo, "40.00\u00a0EUR paid") == []
    page = olga.post(address(event), {"cash": button})["Location"]
    assert undo in olga.get(page).text, "without a script too"
    assert 'name="cash"' not in olga.get(page).text
    olga.post(address(event), {"return": f"3 {payment.uuid}"})
    assert 'name="cash"' in olga.get(address(event)).text
    assert olga.post(address(event), {"cash": f"4 {uuid4()} 40"}).status_code == 404, "number 4 owes nothing"


def test_the_list_has_the_missing_and_is_filtered_by_the_server(olga: Client, event: Tournament) -> None:
    def listed(**query: str) -> list[int]:
        return [line.player.number for line in olga.get(address(event), query).context["desk"].lines]

    for words, numbers in {"bjorn": [3], "3": [3], "zzz": [], "team 2": [5, 6, 7, 8]}.items():
        assert listed(q=words) == numbers, words
    check_in_several(event, SYSTEM, [1, 2])
    event.players.filter(number__in=[1, 2]).update(checked_in_at=datetime(2026, 1, 1, tzinfo=event.zone))
    counts = {show: len(listed(show=show)) for show in ("", "here", "all", "nonsense")}
    assert counts == {"": 6, "here": 2, "all": 8, "nonsense": 6}


def test_the_deadline_is_in_the_events_zone_on_one_of_its_days(olga: Client, event: Tournament) -> None:
    there, settings = address(event), {"settings": "1"}
    for day in ("2027-01-01", "no day", "2026-11-31"):
        answer = olga.post(there, settings | {"ends_at": f"{day}T08:30"})
        assert (answer.status_code, list(answer.context["form"].errors)) == (422, ["ends_at"]), day
    olga.post(there, settings | {"ends_at": "2026-11-14T08:30"})
    assert event.check_in.ends_at == datetime.combine(WEEKEND[0], time(8, 30), event.zone)


def test_a_restart_lists_everybody_first(olga: Client, event: Tournament) -> None:
    check_in_several(event, SYSTEM, [3])
    assert "Björn Lindqvist" in olga.get(address(event)).text
    olga.post(address(event, "organiser_check_in_restart"))
    assert here(event) == set()
    assert "Undo" in olga.get(address(event)).text
    olga.post(address(event, "organiser_check_in_restart"), {"back": "1"})
    assert here(event) == {3}


def test_the_missing_are_listed_withdrawn_replaced_and_reinstated(olga: Client) -> None:
    """The whole way at the deadline, with seats drawn."""
    event = make_tournament()
    olga.force_login(make_organiser(event, "otto"))
    check_in_several(event, SYSTEM, range(1, 14))
    there = address(event, "organiser_missing")
    page = olga.get(there).text
    assert ("Kasia" in page, "Chiara de la Cruz" in page) == (True, False)
    answer = olga.post(there, {"player": ["14", "15", "16"], "fill": "1"})
    assert answer["Location"] == reverse("organiser_replan", args=[event.slug])
    assert event.players.filter(is_substitute=True).count() == 3
    assert "Substitute 1" in olga.get(answer["Location"]).text
    replan_seats(event, SYSTEM)
    event.refresh_from_db()
    assert olga.post(address(event, "organiser_missing_undo")).status_code == 302
    assert not event.players.filter(is_substitute=False).exclude(withdrawn_at=None).exists()


def test_players_who_came_meanwhile_are_listed_and_the_ticks_stay(olga: Client, event: Tournament) -> None:
    check_in_several(event, SYSTEM, [1, 7])
    answer = olga.post(address(event, "organiser_missing"), {"player": ["7", "8"]})
    assert "has come or withdrawn in the meantime" in refused_page(answer)
    assert answer.context["ticked"] == {7, 8}


@pytest.fixture
def open_door(event: Tournament) -> Tournament:
    set_check_in(CheckIn(tournament=event, self_check_in=True), SYSTEM)
    return event


def test_players_check_themselves_in_and_undo_it(client: Client, open_door: Tournament) -> None:
    there, code = address(open_door, "check_in"), door_code(open_door).code
    person = {"last_name": "Lindqvist", "player": open_door.players.get(number=3)}
    registration = Registration.objects.create(
        tournament=open_door, number=1, made_at=open_door.created_at, **person
    )
    for search in ({"q": "bjo"}, {"own": str(registration.key)}):
        people = client.get(there, {"door": code, **search}).context["people"]
        assert [player.number for player in people] == [3], search
    done = client.post(there, {"door": code, "q": "bjo", "player": "3"})
    assert "You are checked in" in done.text
    assert here(open_door) == {3}
    client.post(address(open_door, "check_in_undo"), {"signed": done.context["undo"]})
    assert here(open_door) == set()


def test_self_check_in_needs_the_code_of_a_public_event(client: Client, open_door: Tournament) -> None:
    there = address(open_door, "check_in")
    answer = client.post(there, {"door": "ABCDEF", "player": "3"})
    assert (answer.status_code, here(open_door)) == (422, set())
    assert "Björn" not in client.get(there, {"q": "bjo"}).text
    for door in ("", "é", "X" * 500, "\x00"):
        assert client.get(there, {"door": door}).status_code < 500, door
    Tournament.objects.update(is_public=False)
    assert client.get(there, {"door": door_code(open_door).code}).status_code == 404


@pytest.mark.thorough
def test_the_screen_lists_the_missing_once_somebody_is_checked_in(client: Client, event: Tournament) -> None:
    def slide() -> str:
        control_screen(event, SYSTEM, "main", Command(ScreenAction.ONLY, kind=Kind.MISSING))
        return client.get(reverse("screen", args=[event.slug, "main"])).text

    assert "Björn Lindqvist" not in slide()
    check_in_several(event, SYSTEM, [1, 2, 4, 5, 6, 7, 8])
    text = slide()
    assert missing(text, "1 player is missing", "Björn Lindqvist") == []
    set_check_in(CheckIn(tournament=event, self_check_in=True), SYSTEM)
    assert door_code(event).spaced in slide()


def test_the_api_checks_in_and_withdraws(olga: Client, event: Tournament) -> None:
    there, json = f"/api/v1/tournaments/{event.slug}/check-in/", "application/json"
    assert olga.post(there, {"players": [1, 2]}, content_type=json).json()["here"] == [1, 2]
    assert olga.put(f"{there}3/").json()["here"] == [1, 2, 3]
    assert olga.delete(f"{there}1/").json()["missing"] == [1, 4, 5, 6, 7, 8]
    withdrawn = olga.post(f"{there}missing/", {"players": [8]}, content_type=json).json()
    assert withdrawn["missing"] == [1, 4, 5, 6, 7]
    assert 8 in olga.delete(f"{there}missing/").json()["missing"]
    settings = {"ends_at": "2026-11-14T07:30:00Z", "self_check_in": True}
    assert olga.put(there, settings, content_type=json).json()["self_check_in"]
    assert olga.delete(there).json()["here"] == []
