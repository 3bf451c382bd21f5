"""An evening of the classical game on its page: every step is a form that carries the whole of it."""

import json
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.html import attribute, element, elements, read, words
from tests.support.pages import missing

NAMES = {f"name_{place}": name for place, name in enumerate(("Anna", "Bo", "Chen", "Dee"))}
AGREED = {"limit": 500, "east_doubles": "on", "losers_settle": "on", "losers_have_limit": "on"}
WON = "234m 678p 345s CCC 3p +3p"
BO_WINS = {"winner": "1", "points_0": "8", "points_1": "144", "points_3": "28"}


def post(client: Client, **fields: Any) -> Any:
    return client.post(reverse("classical"), fields)


def started(client: Client) -> str:
    """The evening that the page carries before the first hand."""
    return str(post(client, step="start", **NAMES, **AGREED).context["carried"])


def played(client: Client, *hands: dict[str, Any]) -> Any:
    """The page after these hands."""
    carried, response = started(client), None
    for hand in hands:
        response = post(client, step="hand", evening=carried, **hand)
        carried = response.context["carried"]
    return response


def text(response: Any) -> str:
    return words(element(read(response), "main"))


def test_the_first_page_asks_who_plays_and_calls_the_nameless_by_number(client: Client) -> None:
    tree = read(client.get(reverse("classical")))
    assert words(element(tree, "h1")) == "Classical evening"
    assert attribute(element(tree, "input", name="limit"), "value") == "500"
    assert "Player 1 is East and deals." in text(post(client, step="start", limit=500))


def test_a_hand_settles_says_who_deals_next_and_stands_in_the_score_sheet(client: Client) -> None:
    shown = text(played(client, BO_WINS))
    assert missing(shown, "Hand 2 · East round", "Anna pays Bo 2 × 144 288", "Chen pays Dee 28") == []
    assert "East lost: Bo, who was South, is East now and deals." in shown
    response = played(client, BO_WINS, {"winner": "nobody"}, {"winner": "1", "points_1": "40"})
    table = element(read(response), "table", class_="evening-sheet")
    rows = [words(row) for row in elements(element(table, "tbody"), "tr")]
    assert rows[0] == "1 East round −312 8 · −312 East 576 144 · +576 wins −188 0 · −188 −76 28 · −76"
    assert "wash-out" in rows[1]
    assert rows[2].startswith("3 East round −392 0 · −80 816 40 · +240 wins East")


def test_tiles_are_scored_line_by_line(client: Client) -> None:
    hand = {"winner": "1", "tiles_1": WON, "flowers_1": "summer", "ways": ["self_drawn"]}
    response = played(client, hand)
    assert "Bo · South · 144" in text(response)
    assert "Pung of Winds or Dragons 001:86" in text(response)
    assert response.context["evening"].totals == (-288, 576, -144, -144)
    for language in ("zh-hans", "zh-hant"):
        fields = {"step": "hand", "evening": started(client), **hand}
        response = client.post(reverse("classical"), fields, headers={"accept-language": language})
        assert "箭刻" in response.text


def test_an_evening_is_opened_again_corrected_and_settled_by_other_rules(client: Client) -> None:
    before = played(client, BO_WINS).context
    carried = before["carried"]
    assert post(client, step="open", evening=carried).context["evening"] == before["evening"]
    later = post(client, step="hand", evening=carried, winner="2", points_2="60", points_0="4")
    back = post(client, step="undo", evening=later.context["carried"])
    assert back.context["carried"] == carried
    other = post(client, step="agree", evening=carried, **NAMES, limit=100)
    assert other.context["evening"].totals == (-100, 300, -100, -100)


@pytest.mark.parametrize(
    ("hand", "field", "problem"),
    [
        ({"points_0": "4"}, "winner", "Choose"),
        ({"winner": "0"}, "points_0", "What did the winning hand score?"),
        ({"winner": "0", "points_0": "9" * 5000}, "points_0", "whole number"),
        ({"winner": "0", "points_0": "20", "tiles_0": WON}, "tiles_0", "either the tiles or the points"),
        ({"winner": "0", "tiles_0": "1133m5577p22s EE C +C"}, "tiles_0", "not a winning hand"),
        ({"winner": "0", "tiles_0": WON, "ways": "replacement"}, "ways", "A replacement tile is drawn"),
        ({"winner": "0", "points_0": "20", "flowers_3": "plum"}, "flowers_3", "with tiles alone"),
    ],
)
def test_faults_stand_at_their_fields(client: Client, hand: dict[str, str], field: str, problem: str) -> None:
    carried = started(client)
    response = post(client, step="hand", evening=carried, **hand)
    assert any(problem in str(error) for error in response.context["form"].errors[field])
    assert response.context["carried"] == carried
    assert [name for name, value in hand.items() if value[:50] not in response.content.decode()] == []


def test_what_is_no_evening_is_refused_with_a_sentence(client: Client) -> None:
    no_hand = '{"names": ["a","b","c","d"], "hands": [1]}'
    for evening in ("", "{", "[]", "null", '{"names": 1}', "[" * 100_000, no_hand):
        response = post(client, step="open", evening=evening)
        assert response.status_code == 400, evening[:30]
        assert "This evening cannot be read" in response.content.decode(), evening[:30]


@pytest.mark.thorough
def test_after_the_last_round_no_hand_is_asked_for(client: Client) -> None:
    winners = [(hand + 1) % 4 for hand in range(16)]
    response = played(client, *({"winner": winner, f"points_{winner}": "20"} for winner in winners))
    assert words(element(read(response), "h1")) == "The four rounds are played"
    assert not any(elements(read(response), "form", id="hand"))
    refused = post(client, step="hand", evening=response.context["carried"], winner=0, points_0="20")
    assert len(json.loads(refused.context["carried"])["hands"]) == 16


FIELDS = ["step", "evening", "winner", "points_0", "tiles_1", "flowers_2", "ways", "limit", "name_0"]
VALUES = st.text(max_size=20) | st.sampled_from(["hand", "undo", "agree", "start", "1", WON, "plum", "500"])


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
@given(st.dictionaries(st.sampled_from(FIELDS), VALUES, max_size=7))
@pytest.mark.thorough
def test_nothing_that_is_sent_is_answered_with_a_crash(client: Client, fields: dict[str, str]) -> None:
    carried = {"evening": started(client)}
    assert client.post(reverse("classical"), carried | fields).status_code in (200, 400)
