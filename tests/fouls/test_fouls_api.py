"""The foul book by program: read by everybody, changed and restored by organisers; and who sees the penalties."""

from typing import Any
from uuid import uuid4

import pytest

from tests.support.factories import SYSTEM
from tests.support.programs import ROOT, Program, refusal
from tournament.base.models.play import Table
from tournament.base.models.tournament import Tournament
from tournament.fouls.services.penalties import give_penalty
from tournament.play.engine.statements import Accusation

PATH = "fouls/"


LADDER = {
    "kind": "ladder",
    "steps": [{"warning": True}, {"points": {"amount": 5, "scope": "session", "paid_to": "nobody"}}],
    "repeats": "tournament",
    "if_seen": {},
}
PHONE = {"names": {"en": "Phone rings", "zh_hans": "手机响"}, "rule": LADDER}
NO_RULES: tuple[Any, ...] = (
    *(None, {"kind": ["ladder"]}, LADDER | {"steps": []}),
    LADDER | {"steps": [{"points": {"amount": 10**9, "scope": "session", "paid_to": "nobody"}}]},
    {"kind": "cases", "fact": "circumstance", "cases": []},
)


@pytest.fixture
def event(running_event: Tournament) -> Tournament:
    return running_event


def amount_given(event: Tournament, foul: str) -> int | None:
    """Give a penalty for the foul; the points it costs, if it costs some."""
    table = Table.objects.select_related("session__tournament").get(
        session__tournament=event, number=1, session__number=1
    )
    accused = Accusation(table.seats.order_by("id")[0].player.number, foul, 1)
    sanction: Any = give_penalty(table, SYSTEM, accused, uuid=uuid4()).sanction
    return sanction["points"]["amount"] if sanction.get("points") else None


def test_everybody_reads_the_book_and_every_rule_is_taken_back_as_it_was_given(
    organiser_client: Program, base_url: str
) -> None:
    book = Program().get(base_url).json()
    assert (book["book"], book["fouls"][0]["key"], len(book["fouls"])) == ("mcr", "late", 18)
    assert {foul["origin"] for foul in book["fouls"]} == {"book"}
    assert Program().get(book["fouls"][0]["url"]).json() == book["fouls"][0]
    for foul in book["fouls"]:
        answer = organiser_client.put(foul["url"], {"rule": foul["rule"]})
        assert (answer.status_code, answer.json()) == (200, foul)


def test_another_amount_holds_until_it_is_restored(
    event: Tournament, organiser_client: Program, base_url: str
) -> None:
    url = base_url + "forgot_winning_tile/"
    rule = organiser_client.get(url).json()["rule"]
    rule["sanction"]["points"]["amount"] = 15
    assert organiser_client.put(url, {"rule": rule}).json()["origin"] == "changed"
    assert amount_given(event, "forgot_winning_tile") == 15
    assert organiser_client.delete(url).status_code == 204
    assert amount_given(event, "forgot_winning_tile") == 10


def test_a_house_foul_is_added_renamed_and_taken_out(
    event: Tournament, organiser_client: Program, base_url: str
) -> None:
    """Not one that was given."""
    foul = organiser_client.post(base_url, PHONE).json()
    assert (foul["origin"], foul["names"]["zh_hant"], foul["description"]["en"]) == ("house", "手机响", "")
    names = organiser_client.put(foul["url"], {"rule": LADDER, "names": {"en": "Telephone"}}).json()["names"]
    assert names == {"en": "Telephone", "zh_hans": "Telephone", "zh_hant": "Telephone"}
    assert organiser_client.put(foul["url"], {"rule": LADDER}).json()["names"] == names
    assert [organiser_client.delete(foul["url"]).status_code for _again in range(2)] == [204, 404]
    given = organiser_client.post(base_url, PHONE).json()
    amount_given(event, given["key"])
    assert refusal(organiser_client.delete(given["url"])) == (422, ["foul_in_use"])


def test_a_house_foul_has_a_name_and_a_rule(organiser_client: Program, base_url: str) -> None:
    assert refusal(organiser_client.post(base_url, PHONE | {"names": {"en": " "}})) == (
        422,
        ["name_missing"],
    )
    for rule in NO_RULES:
        refused = organiser_client.post(base_url, PHONE | {"rule": rule})
        assert refused.status_code == 400, rule
        assert [problem["where"] for problem in refused.json()["problems"]] == ["rule"]
    assert len(organiser_client.get(base_url).json()["fouls"]) == 18
    assert organiser_client.put(base_url + "late/", {"rule": LADDER}).status_code == 400, (
        "a foul keeps its kind of rule"
    )


def test_the_organiser_shows_or_hides_penalties(event: Tournament, organiser_client: Program) -> None:
    amount_given(event, "forgot_winning_tile")
    shown = f"{ROOT}{event.slug}/penalties-shown/"
    for public, status in ((False, 404), (True, 200)):
        assert organiser_client.put(shown, {"public": public}).json() == {"public": public}
        assert Program().get(shown).json() == {"public": public}
        penalties = Program().get(f"{ROOT}{event.slug}/sessions/1/tables/1/penalties/")
        assert penalties.status_code == status
    assert organiser_client.put(shown, {"public": "perhaps"}).status_code == 400
