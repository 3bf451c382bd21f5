"""The same hand in five systems, side by side, with what differs and why."""

import re
from typing import Any

from django.test import Client
from django.urls import reverse
from hypothesis import HealthCheck, given, settings

from scoring.engine import to_text
from tests.scoring.strategies import hands
from tests.support.html import attribute, element, elements, read, words

DRAGONS = "234m 678p 345s CCC 3p +3p self-drawn seat=S"
SEVEN_PAIRS = "1133m5577p22s EE C +C"


def page(client: Client, **query: Any) -> Any:
    return client.get(reverse("calculator_systems"), query)


def rows(response: Any) -> list[str]:
    table = element(read(response), "table", class_="systems")
    return [words(row) for row in elements(element(table, "tbody"), "tr")]


def text(response: Any) -> str:
    return words(element(read(response), "main"))


def test_five_systems_stand_with_points_what_the_winner_receives_and_why_they_part(client: Client) -> None:
    response = page(client, hand=SEVEN_PAIRS)
    assert rows(response) == [
        "MCR Seven Pairs 24, All Types 6 30 +54",
        "MCR to the letter Seven Pairs 24 24 +48",
        "Botzone Seven Pairs 24, All Types 6 30 +54",
        "Guide to Mahjong Seven Pairs 24 24 +48",
        "Classical game not a winning hand 0 nothing",
    ]
    assert "All Types does not combine with Seven Pairs. MCR 55" in text(response)
    assert "Only four sets and a pair" in text(response)


def test_the_classical_game_says_why_it_parts(client: Client) -> None:
    response = page(client, hand=DRAGONS, flower="summer")
    assert "A chow has no value in the classical game" in text(response)
    assert "36 × 4 = 144" in text(response)
    assert "With less than 8 points the competition rules do not let it win" in text(response)
    assert rows(response)[4].endswith("144 +576")


def test_flowers_that_nobody_named_are_left_out_of_the_classical_game_with_a_word(client: Client) -> None:
    assert "leaves out flowers that are not named" in text(page(client, hand=DRAGONS + " flowers=2"))
    assert "leaves out flowers" not in text(page(client, hand=DRAGONS, flower="summer"))


def test_each_system_leads_to_the_calculator(client: Client) -> None:
    table = element(read(page(client, hand=DRAGONS, flower="summer")), "table", class_="systems")
    links = [attribute(link, "href") for link in elements(table, "a")]
    points = [words(element(read(client.get(link)), "h1")) for link in links]
    assert len(points) == 5
    assert points[4] == "144 points"


def test_the_calculator_leads_there_and_back(client: Client) -> None:
    for system in ("mcr", "classical"):
        tree = read(client.get(reverse("calculator"), {"hand": DRAGONS, "rulebook": system}))
        link = next(a for a in elements(tree, "a") if words(a) == "The same hand in five systems")
        assert "What it is worth" in text(client.get(attribute(link, "href")))


def test_without_a_whole_hand_it_leads_to_the_calculator(client: Client) -> None:
    for hand in ("", "123m", "12x", "11111m", "34m 456p 789s EEE 55p"):
        assert "To the calculator" in text(page(client, hand=hand)), hand


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25)
@given(hands())
def test_any_hand_is_answered(client: Client, hand: Any) -> None:
    assert len(rows(page(client, hand=to_text(hand)))) == 5


def test_in_chinese_no_english_word(client: Client) -> None:
    for hand in (DRAGONS, SEVEN_PAIRS, "[SSS] [WWW] [CCC] FF PP +P", ""):
        address = reverse("calculator_systems")
        response = client.get(address, {"hand": hand}, headers={"accept-language": "zh-hans"})
        main = response.text.partition("<main")[2].partition(">")[2].partition("</main>")[0]
        shown = re.sub(r'(?s)<(\w+)[^>]*\slang="(?:en|zxx)"[^>]*>.*?</\1>', "", main)
        shown = re.sub(r"(?s)<[^>]+>", " ", shown).replace("Botzone", "")
        assert re.findall(r"[A-Za-z]{4,}", shown) == [], hand
