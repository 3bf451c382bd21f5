"""Calls for an umpire by program: raised without an account, within limits; answered by who umpires in person."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from tests.api.test_api import ROOT, client_of
from tests.support.factories import SYSTEM, make_organiser, make_tournament, make_umpire, make_user
from tournament.models import Call, Membership, Tournament
from tournament.services import calls
from tournament.services.calls import raise_call, take_call
from tournament.services.limits import Limit

pytestmark = pytest.mark.django_db


@pytest.fixture
def running() -> Tournament:
    return make_tournament(running=0)


def home(tournament: Tournament) -> str:
    return f"{ROOT}{tournament.slug}/"


def call(tournament: Tournament, client: APIClient | None = None, **body: Any) -> Any:
    """What a call from table 1 is answered with."""
    address = home(tournament) + "sessions/1/tables/1/calls/"
    return (client or APIClient()).post(address, {"topic": "tiles"} | body, format="json")


def test_without_an_account_an_umpire_is_called_and_seen_to_be_on_the_way(running: Tournament) -> None:
    address = home(running) + "sessions/1/tables/1/calls/"
    assert APIClient().get(address).json() == []
    assert call(running).status_code == 201
    assert call(running, topic="score").json() == call(running).json()
    take_call(Call.objects.get(), SYSTEM)
    [seen] = APIClient().get(address).json()
    assert seen["taken_at"]
    assert not {"topic", "taken_by"} & set(seen)


def test_an_umpire_takes_a_call_and_ends_it_at_its_own_address(running: Tournament) -> None:
    raise_call(running.sessions.get(number=1).tables.get(number=2), SYSTEM, "foul")
    umpire = client_of(make_umpire(running))
    [waiting] = umpire.get(home(running) + "calls/").json()
    assert (waiting["session"], waiting["table"], waiting["topic"], waiting["taken_by"]) == (1, 2, "foul", "")
    assert umpire.post(waiting["url"]).json()["taken_by"] == "uma"
    assert umpire.get(waiting["url"]).json()["done_at"] is None
    assert umpire.delete(waiting["url"]).json()["done_at"]
    assert umpire.get(home(running) + "calls/").json() == []


def test_a_call_that_somebody_else_has_taken_is_theirs(running: Tournament) -> None:
    address = call(running).json()["url"]
    client_of(make_umpire(running)).post(address)
    late = client_of(make_umpire(running, "una")).post(address)
    assert (late.status_code, late.json()["problems"][0]["code"]) == (422, "call_taken_already")


def test_the_longest_waiting_comes_first_and_those_taken_last(running: Tournament) -> None:
    tables = running.sessions.get(number=1).tables.order_by("number")
    first, *_others = [raise_call(table, SYSTEM, "tiles") for table in tables[:3]]
    take_call(first, SYSTEM)
    organiser = client_of(make_organiser(running))
    assert [one["table"] for one in organiser.get(home(running) + "calls/").json()] == [2, 3, 1]


@pytest.fixture(params=["FROM_ONE_ADDRESS", "FROM_ONE_TABLE"])
def three(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """Three calls are taken from one address, or from one table."""
    monkeypatch.setattr(calls, request.param, Limit("few", most=3, within=600))
    return 3


def test_only_so_many_are_taken_by_pages_and_programs_together(running: Tournament, three: int) -> None:
    assert [call(running).status_code for _again in range(three)] == [201] * three
    refused = call(running)
    assert (refused.status_code, refused.json()["problems"][0]["code"]) == (429, "calls_too_many")
    page = f"/t/{running.slug}/sessions/1/1/call/"
    assert "Too many calls came from here." in APIClient().post(page, {"topic": "tiles"}, follow=True).text


def test_a_joke_at_one_table_leaves_the_others_their_calls(running: Tournament) -> None:
    while call(running).status_code == 201:
        pass
    assert raise_call(running.sessions.get(number=1).tables.get(number=2), SYSTEM, "tiles").is_open


@pytest.mark.parametrize("body", [{"topic": ""}, {"topic": "pizza"}])
def test_a_call_says_what_it_is_about(running: Tournament, body: dict[str, Any]) -> None:
    refused = call(running, **body)
    assert refused.status_code == 422
    assert [one["where"] for one in refused.json()["problems"]] == ["topic"]


@pytest.mark.parametrize("topic", [None, [], {"$": 1}, "x" * 4000, "\0"])
def test_what_is_no_topic_is_not_understood(running: Tournament, topic: Any) -> None:
    assert call(running, topic=topic).status_code == 400
    assert not Call.objects.exists()


def test_strangers_do_not_call_in_a_private_tournament() -> None:
    assert call(make_tournament(running=0, public=False)).status_code == 404


def test_neither_players_nor_the_tables_card_answer_calls(running: Tournament) -> None:
    address = call(running).json()["url"]
    card = make_umpire(running, "card")
    Membership.objects.filter(user=card).update(everywhere=False, table_number=1)
    statuses = {
        name: [client.post(address).status_code, client.delete(address).status_code]
        for name, client in {
            "visitor": APIClient(),
            "player": client_of(make_user("pia")),
            "card": client_of(card),
        }.items()
    }
    assert statuses == {"visitor": [401, 401], "player": [403, 403], "card": [403, 403]}
    assert client_of(card).get(home(running) + "calls/").json() == []
    assert APIClient().get(home(running) + "calls/").status_code == 401
