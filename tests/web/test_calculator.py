"""The calculator without JavaScript: every question is an address, every answer is in the page."""

import json
import re
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.http import QueryDict
from django.test import Client
from django.urls import reverse
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scoring.engine import FANS, parse, to_text
from tests.scoring.strategies import hands
from tests.support.html import attribute, element, elements, read, words
from tests.web.conftest import LANGUAGES
from tournament.forms.calculator import CalculatorForm

CHOWS = "123m 123p 12s 789s 99m +3s seat=W round=S"
SEVEN_PAIRS = "1133m5577p22s EE C +C"
SHORT = "123m 678p 345s 78s 99m +6s flowers=2"


def page(client: Client, **query: Any) -> Any:
    return client.get(reverse("calculator"), query)


def part(response: Any, id_: str) -> str:
    """The text of the part of the page that bears this heading."""
    parts = elements(read(response), "section")
    return words(next(part for part in parts if any(elements(part, "h2", id=id_))))


def text(client: Client, **query: Any) -> str:
    return words(element(read(page(client, **query)), "main"))


def headline(response: Any) -> str:
    return words(element(read(response), "h1"))


def test_the_empty_page_asks_for_tiles_and_shows_an_example(client: Client) -> None:
    example = next(link for link in elements(read(page(client)), "a") if words(link) == "See an example")
    shown = client.get(reverse("calculator") + attribute(example, "href"))
    assert headline(shown) == "18 points"


def test_the_hand_is_read_with_its_fans_payments_and_what_was_not_counted(client: Client) -> None:
    response = page(client, hand=CHOWS)
    assert headline(response) == "18 points"
    assert "3 · chow, winning tile" in part(response, "read-as")
    counted = part(response, "counted")
    assert "Mixed Triple Chow 三色三同顺 sets 1, 2, 3 · MCR 37 8" in counted
    assert "Edge Wait 边张 set 3 · MCR 9 1" in counted
    assert "Sum, no flowers 18" in counted
    assert "No Honors is always part of All Chows" in words(element(read(response), "main"))
    payments = part(response, "payments")
    assert "Winner +42 26 + 8 + 8 Discarder −26 18 + 8 Other −8 8 Other −8 8" in payments
    assert "Self-drawn 20 points Winner +84" in payments
    agreeing = "Other rulebooks MCR to the letter, Botzone, Guide to Mahjong 18"
    assert part(response, "elsewhere") == agreeing


def test_a_rulebook_that_differs_says_in_what_and_why_and_can_be_chosen(client: Client) -> None:
    other = part(page(client, hand=SEVEN_PAIRS), "elsewhere")
    assert other.startswith("Other rulebooks Botzone 30 MCR to the letter differs")
    for name, clause in (("MCR to the letter", "MCR 55"), ("Guide to Mahjong", "Guide 31")):
        reason = f"{name}: All Types does not combine with Seven Pairs. {clause}"
        assert f"{name} differs − All Types 6 {reason}" in other
    assert headline(page(client, hand=SEVEN_PAIRS, rulebook="mwt")) == "24 points"


def test_a_hand_that_may_not_be_declared_is_explained_with_what_would_do(client: Client) -> None:
    for hand, sentences in {
        SHORT: (
            "6 points: 2 short of 8",
            "Flowers count only once the hand stands.",
            "Sum, flowers not counted 6",
            "What would have been enough",
            "Not enough to be declared, so nobody pays.",
        ),
        "19m19p19sESWNCF E +2s": ("These tiles are not a winning hand", "White dragon"),
    }.items():
        shown = text(client, hand=hand)
        assert [sentence for sentence in sentences if sentence not in shown] == []


def test_thirteen_tiles_are_answered_with_what_they_wait_for(client: Client) -> None:
    tree = read(page(client, hand="34m 456p 789s EEE 55p"))
    assert words(element(tree, "h1")) == "Waiting for 2 tiles"
    rows = [words(row) for row in elements(element(tree, "table", class_="waits"), "tr")]
    assert rows[1].startswith("2 of Characters")
    link = next(elements(element(tree, "table", class_="waits"), "a"))
    assert headline(client.get(attribute(link, "href"))) == f"{words(link)} points"


def test_with_two_to_go_the_dearest_way_on_is_shown(client: Client) -> None:
    assert page(client, hand="123m 456p 799s [EEE]").context["outlook"]["score"]["points"] == 12


def test_an_announcement_is_checked_with_its_reason(client: Client) -> None:
    fans = [line.fan.key for line in page(client, hand=CHOWS).context["answer"].explanation.score.fans]
    twice = "Mixed Double Chow was announced 2×, but counts 0×. Mixed Double Chow is always part of"
    announced: list[tuple[dict[str, Any], str]] = [
        ({"points": 18}, "The announcement is right 18 points"),
        ({"points": 24}, "24 points were announced; the hand is worth 18."),
        ({"fan": ["no_honors"]}, "Mixed Triple Chow counts 1×, but was announced 0×."),
        ({"fan": [*fans, "mixed_double_chow*2"]}, twice),
    ]
    for query, verdict in announced:
        assert verdict in text(client, hand=CHOWS, **query)


def test_circumstances_come_from_the_fields_or_the_text(client: Client) -> None:
    circumstances = {"seat": "W", "round": "S", "flag": "self_drawn", "flowers": 2}
    fields = page(client, hand="123m 123p 12s 789s 99m +3s", **circumstances)
    in_text = page(client, hand=f"{CHOWS} self-drawn flowers=2")
    assert fields.context["link"] == in_text.context["link"]
    assert fields.context["set"] == in_text.context["set"]
    assert in_text.context["tiles_text"] == "123m 123p 12s 789s 99m +3s"


def test_the_link_opens_on_the_same_answer(client: Client) -> None:
    first = page(client, hand=CHOWS, rulebook="guide", points=24, fan=["all_chows"])
    again = client.get(reverse("calculator") + first.context["link"])
    assert again.context["link"] == first.context["link"]
    assert again.context["found"]["fans"] == first.context["found"]["fans"]
    assert again.context["found"]["differences"] == first.context["found"]["differences"]


@pytest.mark.parametrize(
    ("query", "field", "problem"),
    [
        ({"hand": "123m 1x"}, "hand", "“1” at character 6"),
        ({"hand": "11111m"}, "hand", "here are 5 of 1 of Characters"),
        ({"hand": CHOWS, "flag": "replacement"}, "flag", "A replacement tile is drawn, not discarded."),
        ({"hand": CHOWS, "flowers": 9}, "flowers", "8"),
        ({"hand": CHOWS, "points": "many"}, "points", "whole number"),
        ({"hand": "1m" * 200}, "hand", "300"),
    ],
)
def test_faults_stand_at_their_fields(
    client: Client, query: dict[str, str], field: str, problem: str
) -> None:
    tree = read(page(client, **query))
    assert problem in words(element(tree, "div", id=f"faults-{field}"))
    assert attribute(element(tree, "input", name="hand"), "value") == query["hand"].split(" seat=")[0]


def test_the_answer_alone_names_the_address_to_share(client: Client) -> None:
    answer = client.get(reverse("calculator_score"), {"hand": CHOWS, "rulebook": "mcr", "fan": ""})
    query = parse_qs(urlsplit(answer["HX-Replace-Url"]).query)
    assert query == {"hand": [to_text(parse(CHOWS))]}
    assert "<html" not in answer.content.decode()


def test_the_answer_carries_the_record_for_the_tray(client: Client) -> None:
    tree = read(client.get(reverse("calculator_score"), {"hand": "123m [EEE]"}))
    record = json.loads(words(element(tree, "script", id="calculator-record")))
    assert record["concealed"] == ["1m", "2m", "3m"]
    assert record["melds"][0]["tiles"] == ["E", "E", "E"]


def english_in(page: str) -> list[str]:
    """English words and signs, but for the names of fans that say what language they are in."""
    page = re.sub(r'(?s)<script.*?</script>|<(\w+)[^>]*\slang="en"[^>]*>.*?</\1>', "", page)
    shown = re.sub(r"<[^>]+>", "\n", page).replace("Botzone", "").replace("Hule", "")
    return re.findall(r"[A-Za-z]{3,}|[\u3400-\u9fff] ?[,;:.(]", shown)


def test_in_chinese_no_english_word_and_no_english_sign(client: Client) -> None:
    for query in (
        {"hand": CHOWS},
        {"hand": SEVEN_PAIRS},
        {"hand": SHORT},
        {"hand": "1112345678999m +5m"},
        {"hand": "19m19p19sESWNCF P +P"},
        {"hand": "(1111m) [2222p] (3333s) (EEEE) C +C"},
        {"hand": "(12m) 456p +9s"},
        {"hand": SEVEN_PAIRS, "rulebook": "botzone"},
        {"hand": CHOWS, "rulebook": "classical", "flower": "winter"},
        {"hand": SEVEN_PAIRS, "rulebook": "classical"},
        {"hand": "34m 456p 789s EEE 55p", "rulebook": "classical"},
    ):
        response = client.get(reverse("calculator_score"), query, headers={"accept-language": "zh-hans"})
        assert english_in(response.text) == [], query


def test_every_fan_can_be_announced_in_every_language(client: Client) -> None:
    for language in LANGUAGES:
        response = client.get(reverse("calculator"), headers={"accept-language": language})
        keys = [fan["key"] for _points, fans in response.context["form"].announceable() for fan in fans]
        assert sorted(keys) == sorted(fan.key for fan in FANS)
        assert CalculatorForm(QueryDict("&".join(f"fan={key}" for key in keys))).errors == {}


NAMES = ["hand", "flag", "seat", "round", "flowers", "rulebook", "points", "fan", "x"]
CIRCUMSTANCES = ("self_drawn", "robbing_kong", "last_of_kind", "W", "guide", "8", "tile_hog*3")
VALUES = (
    st.text(max_size=20)
    | st.text("123456789mpsESWNCFP[]()+ -=", max_size=40)
    | st.sampled_from([CHOWS, SHORT, SEVEN_PAIRS, *CIRCUMSTANCES])
)
anyhow = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


@anyhow
@given(st.lists(st.tuples(st.sampled_from(NAMES), VALUES), max_size=8))
def test_no_address_is_answered_with_a_crash(client: Client, pairs: list[tuple[str, str]]) -> None:
    query: dict[str, list[str]] = {}
    for name, value in pairs:
        query.setdefault(name, []).append(value)
    assert client.get(reverse("calculator"), query).status_code == 200
    assert client.get(reverse("calculator_score"), query).status_code == 200


@settings(anyhow, max_examples=25)
@given(hands())
def test_any_hand_can_be_shared(client: Client, hand: Any) -> None:
    link = page(client, hand=to_text(hand)).context["link"]
    assert client.get(reverse("calculator") + link).context["link"] == link
