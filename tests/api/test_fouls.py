"""The foul book by program: read by everybody, changed and restored by organisers; and who sees the penalties."""

from typing import Any
from uuid import uuid4

import pytest
from rest_framework.test import APIClient

from tests.api.test_api import ROOT, client_of
from tests.support.factories import SYSTEM, make_organiser, make_tournament, make_umpire
from tournament.engine.statements import Accusation
from tournament.models import Table, Tournament
from tournament.services.penalties import give_penalty

pytestmark = pytest.mark.django_db

LADDER = {
    "kind": "ladder",
    "steps": [{"warning": True}, {"points": {"amount": 5, "scope": "session", "paid_to": "nobody"}}],
    "repeats": "tournament",
    "if_seen": {},
}
PHONE = {"names": {"en": "Phone rings", "zh_hans": "手机响"}, "rule": LADDER}


@pytest.fixture
def running() -> Tournament:
    return make_tournament(running=0)


@pytest.fixture
def organiser(running: Tournament) -> APIClient:
    return client_of(make_organiser(running))


@pytest.fixture
def at(running: Tournament) -> str:
    return f"{ROOT}{running.slug}/fouls/"


def give(tournament: Tournament, foul: str, **details: Any) -> Any:
    table = Table.objects.select_related("session__tournament").get(
        session__tournament=tournament, session__number=1, number=1
    )
    player = table.seats.order_by("id")[0].player.number
    return give_penalty(table, SYSTEM, Accusation(player, foul, 1, details=details), uuid=uuid4()).sanction


def change(organiser: APIClient, at: str, key: str, rule: Any, **more: Any) -> Any:
    return organiser.put(f"{at}{key}/", {"rule": rule} | more, format="json")


def test_everybody_reads_the_book(at: str) -> None:
    book = APIClient().get(at).json()
    assert (book["book"], book["fouls"][0]["key"], len(book["fouls"])) == ("mcr", "late", 18)
    assert {foul["origin"] for foul in book["fouls"]} == {"book"}
    assert APIClient().get(book["fouls"][0]["url"]).json() == book["fouls"][0]


def test_every_rule_is_taken_back_as_it_was_given(organiser: APIClient, at: str) -> None:
    for foul in organiser.get(at).json()["fouls"]:
        answer = organiser.put(foul["url"], {"rule": foul["rule"]}, format="json")
        assert (answer.status_code, answer.json()) == (200, foul)


def test_another_amount_holds_from_then_on_until_it_is_restored(
    running: Tournament, organiser: APIClient, at: str
) -> None:
    rule = organiser.get(at + "forgot_winning_tile/").json()["rule"]
    rule["sanction"]["points"]["amount"] = 15
    assert change(organiser, at, "forgot_winning_tile", rule).json()["origin"] == "changed"
    assert give(running, "forgot_winning_tile")["points"]["amount"] == 15
    assert organiser.delete(at + "forgot_winning_tile/").status_code == 204
    assert give(running, "forgot_winning_tile")["points"]["amount"] == 10


def test_a_house_foul_is_added_renamed_and_taken_out(organiser: APIClient, at: str) -> None:
    made = organiser.post(at, PHONE, format="json").json()
    assert (made["origin"], made["names"]["zh_hant"], made["description"]["en"]) == ("house", "手机响", "")
    renamed = organiser.put(made["url"], {"rule": LADDER, "names": {"en": "Telephone"}}, format="json").json()
    assert renamed["names"] == {"en": "Telephone", "zh_hans": "Telephone", "zh_hant": "Telephone"}
    assert change(organiser, at, made["key"], LADDER).json()["names"] == renamed["names"]
    assert [organiser.delete(made["url"]).status_code for _again in range(2)] == [204, 404]


def test_a_house_foul_that_was_given_stays(running: Tournament, organiser: APIClient, at: str) -> None:
    url = organiser.post(at, PHONE, format="json").json()["url"]
    give(running, "house_1")
    refused = organiser.delete(url)
    assert (refused.status_code, refused.json()["problems"][0]["code"]) == (422, "foul_in_use")


def test_a_house_foul_has_a_name(organiser: APIClient, at: str) -> None:
    refused = organiser.post(at, PHONE | {"names": {"en": " "}}, format="json")
    assert (refused.status_code, refused.json()["problems"][0]["code"]) == (422, "name_missing")


@pytest.mark.parametrize(
    "rule",
    [
        None,
        "ladder",
        [],
        {"kind": ["ladder"]},
        LADDER | {"steps": []},
        LADDER | {"steps": [{"points": {"amount": 10**9, "scope": "session", "paid_to": "nobody"}}]},
        {"kind": "choice", "amounts": {"least": 1, "most": 10**15}, "scope": "session", "paid_to": "nobody"},
        {"kind": "cases", "fact": "circumstance", "cases": []},
    ],
)
def test_what_is_no_rule_is_not_understood(organiser: APIClient, at: str, rule: Any) -> None:
    refused = organiser.post(at, PHONE | {"rule": rule}, format="json")
    assert refused.status_code == 400
    assert [one["where"] for one in refused.json()["problems"]] == ["rule"]
    assert len(organiser.get(at).json()["fouls"]) == 18


def test_a_foul_keeps_the_kind_of_its_rule(organiser: APIClient, at: str) -> None:
    assert change(organiser, at, "late", LADDER).status_code == 400


def test_an_umpire_writes_no_foul_book(running: Tournament, at: str) -> None:
    umpire = client_of(make_umpire(running))
    answers = [
        umpire.post(at, PHONE, format="json"),
        change(umpire, at, "empty_call", LADDER),
        umpire.delete(at + "empty_call/"),
    ]
    assert [answer.status_code for answer in answers] == [403] * 3


def test_the_organiser_says_whether_everybody_sees_the_penalties(
    running: Tournament, organiser: APIClient
) -> None:
    give(running, "forgot_winning_tile")
    shown, listed = (
        f"{ROOT}{running.slug}/penalties-shown/",
        f"{ROOT}{running.slug}/sessions/1/tables/1/penalties/",
    )
    for public, status in ((False, 404), (True, 200)):
        assert organiser.put(shown, {"public": public}, format="json").json() == {"public": public}
        assert APIClient().get(shown).json() == {"public": public}
        assert APIClient().get(listed).status_code == status
    assert organiser.put(shown, {"public": "perhaps"}, format="json").status_code == 400
    assert client_of(make_umpire(running)).put(shown, {"public": True}, format="json").status_code == 403
