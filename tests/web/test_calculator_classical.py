"""The classical game in the calculator: chosen like a rulebook, explained like one, asked by an address."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests.support.html import attribute, element, elements, read, words

HAND = "234m 678p 345s CCC 3p +3p self-drawn seat=S"


def page(client: Client, **query: Any) -> Any:
    return client.get(reverse("calculator"), {"rulebook": "classical", **query})


def part(response: Any, id_: str) -> str:
    """The text of the part of the page that bears this heading."""
    parts = elements(read(response), "section")
    return words(next(part for part in parts if any(elements(part, "h2", id=id_))))


def headline(response: Any) -> str:
    return words(element(read(response), "h1"))


def test_each_line_stands_with_its_worth_and_where_it_is_written(client: Client) -> None:
    response = page(client, hand=HAND, flower="summer")
    assert headline(response) == "144 points"
    counted = part(response, "counted")
    assert "for everybody Pung of Winds or Dragons 001:86 8 Season or Flower 001:88 Summer 4" in counted
    assert "Doubles, for everybody Pung or Kong of Dragons 001:96 ×2" in counted
    assert "36 × 4 = 144 144" in counted
    assert "Winner +576 East −288 2 × 144 West −144 North −144" in part(response, "payments")
    received = part(page(client, hand=HAND.removesuffix(" seat=S")), "payments")
    assert "Winner +384 South −128 2 × 64 West −128 2 × 64 North −128 2 × 64" in received


@pytest.mark.parametrize(
    ("query", "points"),
    [
        ({"way": "standing"}, "264 points"),
        ({"hand": "234m 678p 345s CCC S +S self-drawn seat=S round=S"}, "72 points"),
        ({"flower": ["spring", "summer", "autumn", "winter"]}, "500 points"),
        ({"hand": "234m 678p 345s 22p CC +C", "wins": 12}, "48 points"),
        ({"hand": "234m 678p 345s 22p CC +C", "wins": 13}, "500 points"),
    ],
)
def test_what_the_classical_game_asks_counts(client: Client, query: dict[str, Any], points: str) -> None:
    assert headline(page(client, **{"hand": HAND} | query)) == points


@pytest.mark.parametrize(
    ("query", "field", "problem"),
    [
        ({"way": "original"}, "way", "An original hand is East’s as dealt"),
        ({"hand": HAND + " flowers=2"}, "flowers", "The hand has 2 flowers, but 0 are named."),
        ({"wins": "100"}, "wins", "99"),
    ],
)
def test_faults_stand_at_their_fields(
    client: Client, query: dict[str, Any], field: str, problem: str
) -> None:
    tree = read(page(client, **{"hand": HAND} | query))
    assert problem in words(element(tree, "div", id=f"faults-{field}"))


def test_thirteen_tiles_are_answered_with_what_they_wait_for(client: Client) -> None:
    tree = read(page(client, hand="234m 678p 345s CCC 3p seat=S"))
    assert words(element(tree, "h1")) == "Waiting for 1 tile"
    rows = [words(row) for row in elements(element(tree, "table", class_="waits"), "tr")]
    assert rows[1] == "3 of Dots 64 60"


def test_seven_pairs_win_nothing(client: Client) -> None:
    tree = read(page(client, hand="1133m5577p22s EE C +C"))
    assert words(element(tree, "h1")) == "Not a winning hand"
    assert "Four sets and a pair win" in words(element(tree, "main"))


def test_the_link_opens_on_the_same_answer(client: Client) -> None:
    first = page(client, hand=HAND, flower=["summer", "plum"], way="standing", wins=2).context
    again = client.get(reverse("calculator") + first["link"]).context
    assert again["link"] == first["link"]
    for name in ("lines", "points", "changes"):
        assert again["found"][name] == first["found"][name]


def test_flowers_named_for_the_classical_game_count_by_the_rulebooks_too(client: Client) -> None:
    tree = read(client.get(reverse("calculator"), {"hand": HAND, "flower": ["summer", "plum"]}))
    assert attribute(element(tree, "input", name="flowers"), "value") == "2"
