"""Registration for programs: the public addresses within limits, the desk's for who may admit people."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.support.factories import make_tournament
from tests.support.programs import Program
from tests.support.registrations import confirmed, make_plan, states
from tournament.base.limits import Limit
from tournament.base.models.tournament import Tournament
from tournament.base.selectors import token_of
from tournament.registration.services import registrations
from tournament.web.api import base

PATH = "registrations/"

NOWAK = {"last_name": "Nowak", "email": "anna@example.org", "privacy_read": True}


@pytest.fixture
def event() -> Tournament:
    event = make_tournament(players=0, drawn=False)
    make_plan(event, places=1)
    return event


def test_a_program_registers_somebody_who_then_confirms(event: Tournament, base_url: str) -> None:
    program = Program()
    assert program.post(base_url, NOWAK).status_code == 202
    own = f"{base_url}own/{token_of(event.registrations.get())}/"
    assert program.post(own).json()["state"] == "accepted"
    assert program.get(own).json()["email"] == NOWAK["email"]
    assert program.put(own, NOWAK | {"club": "Wien"}).json()["club"] == "Wien"
    assert program.delete(own).json()["state"] == "cancelled"


def test_what_is_wrong_is_refused(event: Tournament, base_url: str) -> None:
    for body in ({"last_name": ""}, NOWAK | {"privacy_read": False}, NOWAK | {"answers": {"x\x00": [1]}}):
        assert Program().post(base_url, body).status_code in (400, 409, 422), body
    assert states(event) == {}


def test_a_script_is_slowed_down(base_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registrations, "FROM_ONE_ADDRESS", Limit("registrations", most=1, within=60))
    Program().post(base_url, NOWAK)
    assert Program().post(base_url, NOWAK | {"email": "b@example.org"}).status_code == 429


def test_the_list_is_for_the_desk_and_read_once_however_many_wait(
    organiser_client: Program, event: Tournament, base_url: str
) -> None:
    confirmed(event, 1)
    assert Program().get(base_url).status_code in (401, 403)
    (registration,) = organiser_client.get(base_url).json()  # the first use of a token is noted
    assert (registration["number"], registration["state"]) == (1, "accepted")
    assert "/registration/" in registration["link"]
    queries = []
    for count in (3, 5):
        for number in range(event.registrations.count() + 1, count + 1):
            confirmed(event, number)
        with CaptureQueriesContext(connection) as statements:
            rows = organiser_client.get(base_url).json()
        assert [row["position"] for row in rows] == [None, *range(1, count)]
        queries.append(len(statements))
    assert queries[0] == queries[1]


def test_the_next_page_is_of_the_same_state(
    organiser_client: Program, event: Tournament, base_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(base, "A_PAGE", 2)
    for number in range(1, 5):
        confirmed(event, number)
    page, seen = base_url + "?state=waiting", []
    while page:
        answer = organiser_client.get(page)
        seen += [(row["number"], row["state"]) for row in answer.json()]
        page = answer.headers.get("Link", "").partition(">")[0].removeprefix("<http://testserver")
    assert seen == [(number, "waiting") for number in range(2, 5)]
    unknown = organiser_client.get(base_url + "?state=wating")
    assert (unknown.status_code, "wating" in unknown.text) == (400, True)


def test_steps_are_done_and_undone(organiser_client: Program, event: Tournament, base_url: str) -> None:
    confirmed(event, 1), confirmed(event, 2)
    done = organiser_client.post(base_url + "steps/", {"step": "decline", "registrations": [1]}).json()
    assert states(event) == {1: "declined", 2: "accepted"}
    organiser_client.post(base_url + "steps/undo/", {"step": done["undo"]})
    assert states(event) == {1: "accepted", 2: "waiting"}
    # What cannot be done moves nobody.
    accept, wait = {"step": "accept", "registrations": [2]}, {"step": "wait", "registrations": []}
    for body in (accept, wait, {"step": "x"}):
        assert 400 <= organiser_client.post(base_url + "steps/", body).status_code < 500, body
    assert states(event) == {1: "accepted", 2: "waiting"}
    organiser_client.post(base_url + "steps/", {"step": "enter", "registrations": [1]})
    assert event.players.count() == 1


def test_the_desk_enters_a_list_and_changes_one(organiser_client: Program, base_url: str) -> None:
    body = {"registrations": [{"last_name": "Nowak"}, {"last_name": "Lima", "country": "PRT"}]}
    assert organiser_client.post(base_url + "list/", body).status_code == 201
    organiser_client.put(base_url + "2/", {"last_name": "Lima", "club": "Porto"})
    lima = organiser_client.get(base_url + "2/").json()
    assert (lima["club"], lima["position"]) == ("Porto", 1)


def test_a_plan_is_read_by_all_and_written_by_organisers(organiser_client: Program, base_url: str) -> None:
    plan = {"places": 5, "kept": [{"by": "country", "value": "FRA", "places": 2}]}
    assert Program().put(base_url + "plan/", plan).status_code in (401, 403)
    assert organiser_client.put(base_url + "plan/", plan).status_code == 200
    organiser_client.put(
        base_url + "questions/", {"questions": [{"kind": "yes_no", "text": {"en": "Lunch?"}}]}
    )
    seen = Program().get(base_url + "plan/").json()
    assert (seen["phase"], seen["left"], seen["plan"]["kept"]) == ("open", 5, plan["kept"])
    assert seen["questions"][0]["text"] == {"en": "Lunch?"}
    assert Program().get(base_url + "questions/").status_code == 200
