"""A tournament's foul book on pages and in the API: changed rules, house fouls, and who sees the penalties."""

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from penalties.engine import FOUL_BOOKS, FoulBook
from penalties.engine.rules import Choice
from penalties.models import Penalty
from tests.support.closing import players_at, table_of
from tests.support.factories import SYSTEM
from tests.support.pages import missing, organised, refused_page
from tests.support.programs import ROOT, Program, refusal
from tournament.base.models.tournament import Tournament
from tournament.events.services import update_tournament
from tournament.fouls.forms import FoulForm
from tournament.fouls.selectors import assess
from tournament.fouls.services.penalties import give_penalty
from tournament.play.engine.statements import Accusation

HOUSE = {"name": "Phone rings", "kind": "ladder", "amounts": "0, 5, 10", "repeats": "tournament"}
HOUSE |= {"paid_to": "nobody"}

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
EVENT_WITH = {"running": 0}


def accuse(event: Tournament, foul: str, **details: int) -> Accusation:
    player = players_at(table_of(event.sessions.get(number=1)))[0]
    return Accusation(player, foul, 1, details=details)


def give(event: Tournament, foul: str, **details: int) -> Penalty:
    table = table_of(event.sessions.get(number=1))
    return give_penalty(table, SYSTEM, accuse(event, foul, **details), uuid=uuid4())


def book_of(event: Tournament) -> FoulBook:
    return Tournament.objects.get(pk=event.pk).rules.fouls


def url(event: Tournament, name: str, *more: str) -> str:
    return reverse(name, args=[event.slug, *more])


def public_page(event: Tournament) -> str:
    return Client().get(url(event, "fouls_page")).text


def test_a_changed_rule_applies_to_later_penalties(olga: Client, event: Tournament) -> None:
    before = give(event, "forgot_winning_tile")
    form = {"amount_0": "15", "paid_to_0": "nobody"}
    assert olga.post(url(event, "organiser_foul", "forgot_winning_tile"), form).status_code == 302
    after = give(event, "forgot_winning_tile")
    before.refresh_from_db()
    assert [penalty.sanction["points"]["amount"] for penalty in (before, after)] == [10, 15]
    assert "changed here" in public_page(event)
    olga.post(url(event, "organiser_foul", "empty_call"), {"amounts": "5 10", "repeats": "tournament"})
    assert [give(event, "empty_call").sanction["points"]["amount"] for _ in range(3)] == [5, 10, 10]


def test_visitors_search_the_foul_book_of_the_tournament(event: Tournament) -> None:
    client, page = Client(), url(event, "fouls_page")
    response = client.get(page, {"q": "诈胡"})
    assert [foul["key"] for foul in response.context["fouls"]] == ["false_hu"]
    assert "No fouls match." in client.get(page, {"q": "pinochle"}).text


def test_the_umpire_chooses_from_a_scale_or_a_range(olga: Client, event: Tournament) -> None:
    cases: tuple[tuple[str, object], ...] = (("5-60", range(5, 61)), ("5, 25", (5, 25)))
    for text, amounts in cases:
        olga.post(url(event, "organiser_foul", "rules_violation"), {"amounts": text})
        assert give(event, "rules_violation", points=25).sanction["points"]["amount"] == 25
        changed = book_of(event).find("rules_violation")
        assert changed is not None
        assert isinstance(changed.rule, Choice)
        assert changed.rule.amounts == amounts
        assert text.replace("-", "–") in public_page(event)


def test_lateness_has_the_changed_bands_of_minutes(olga: Client, event: Tournament) -> None:
    form = {"bands": "5: 30, 10: 60", "further_points": "30", "further_minutes": "5"}
    olga.post(url(event, "organiser_foul", "late"), form | {"others_start_after": "10"})
    table = table_of(event.sessions.get(number=1))
    for minutes, amount in ((5, 30), (6, 60), (11, 90)):
        sanction = assess(table, accuse(event, "late", minutes=minutes)).sanction
        assert sanction is not None
        assert sanction.points is not None
        assert sanction.points.amount == amount


def test_a_house_foul_has_penalties_counts_repeats_and_is_shown(olga: Client, event: Tournament) -> None:
    assert olga.post(url(event, "organiser_foul_new"), HOUSE).status_code == 302
    assert [give(event, "house_1").sanction for _ in range(2)] == [
        {"warning": True},
        {"points": {"amount": 5, "scope": "session", "paid_to": "nobody"}},
    ]
    page = public_page(event)
    assert missing(page, "Phone rings", "Repeats are counted in the whole tournament.") == []
    answer = olga.post(url(event, "organiser_foul", "house_1"), {"restore": ""}, follow=True)
    assert "stays in the book" in answer.text
    assert book_of(event).find("house_1")


@pytest.mark.thorough
def test_problems_of_a_house_foul(olga: Client, event: Tournament, subtests: pytest.Subtests) -> None:
    cases: list[tuple[dict[str, str], str]] = [
        ({"name": ""}, "The name is missing."),
        ({"amounts": ""}, "Which points?"),
        ({"kind": "fixed"}, "one figure"),
        ({"kind": "choice"}, "leave the warning out"),
        ({"amounts": "5-60"}, "only possible if the umpire decides"),
        ({"kind": "choice", "amounts": "60-5"}, "is not an amount of points"),
    ]
    for change, sentence in cases:
        with subtests.test(sentence, change=change):
            refused = olga.post(url(event, "organiser_foul_new"), HOUSE | change)
            assert sentence in refused_page(refused)
    assert book_of(event) == event.rules.fouls


def test_a_foul_is_restored_and_an_unused_house_foul_removed(olga: Client, event: Tournament) -> None:
    olga.post(url(event, "organiser_foul", "empty_call"), {"amounts": "5", "repeats": "hand"})
    olga.post(url(event, "organiser_foul_new"), HOUSE)
    for key in ("empty_call", "house_1"):
        olga.post(url(event, "organiser_foul", key), {"restore": ""})
    assert book_of(event) == event.rules.fouls


def test_another_rulebook_before_the_draw_keeps_the_house_fouls(client: Client) -> None:
    event = organised(client, drawn=False)
    client.post(url(event, "organiser_foul_new"), HOUSE)
    event = Tournament.objects.get(pk=event.pk)
    event.rulebook = "guide"
    update_tournament(event, SYSTEM)
    book = book_of(event)
    assert (book.key, bool(book.find("house_1"))) == ("guide", True)


def test_a_foul_saved_without_changes_stays_the_same() -> None:
    changed = {}
    for foul in (foul for book in FOUL_BOOKS.values() for foul in book.fouls):
        data = {name: field.initial for name, field in FoulForm(foul).fields.items()}
        form = FoulForm(foul, {name: "" if value is None else value for name, value in data.items()})
        if not form.is_valid() or form.rule() != foul.rule:
            changed[foul.key] = form.errors
    assert changed == {}


def test_everybody_reads_the_book_and_every_rule_can_be_put_as_it_was_read(
    organiser_client: Program, base_url: str
) -> None:
    book = Program().get(base_url).json()
    assert (book["book"], book["fouls"][0]["key"], len(book["fouls"])) == ("mcr", "late", 18)
    assert {foul["origin"] for foul in book["fouls"]} == {"book"}
    assert Program().get(book["fouls"][0]["url"]).json() == book["fouls"][0]
    for foul in book["fouls"]:
        answer = organiser_client.put(foul["url"], {"rule": foul["rule"]})
        assert (answer.status_code, answer.json()) == (200, foul)


def test_a_house_foul_is_added_renamed_and_removed(
    event: Tournament, organiser_client: Program, base_url: str
) -> None:
    """It stays once there is a penalty for it."""
    foul = organiser_client.post(base_url, PHONE).json()
    assert (foul["origin"], foul["names"]["zh_hant"], foul["description"]["en"]) == ("house", "手机响", "")
    names = organiser_client.put(foul["url"], {"rule": LADDER, "names": {"en": "Telephone"}}).json()["names"]
    assert names == {"en": "Telephone", "zh_hans": "Telephone", "zh_hant": "Telephone"}
    assert organiser_client.put(foul["url"], {"rule": LADDER}).json()["names"] == names
    assert [organiser_client.delete(foul["url"]).status_code for _again in range(2)] == [204, 404]
    used = organiser_client.post(base_url, PHONE).json()
    give(event, used["key"])
    assert refusal(organiser_client.delete(used["url"])) == (422, ["foul_in_use"])


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
    give(event, "forgot_winning_tile")
    shown = f"{ROOT}{event.slug}/penalties-shown/"
    for public, status in ((False, 404), (True, 200)):
        assert organiser_client.put(shown, {"public": public}).json() == {"public": public}
        assert Program().get(shown).json() == {"public": public}
        penalties = Program().get(f"{ROOT}{event.slug}/sessions/1/tables/1/penalties/")
        assert penalties.status_code == status
    assert organiser_client.put(shown, {"public": "perhaps"}).status_code == 400
