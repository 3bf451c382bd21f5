"""The calculator and the classical evening without JavaScript: by rulebooks, side by side, every step a form."""

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
from tests.support.pages import LANGUAGES, missing
from tournament.book.forms.calculator import CalculatorForm

CHOWS = "123m 123p 12s 789s 99m +3s seat=W round=S"
SEVEN_PAIRS = "1133m5577p22s EE C +C"
CLASSICAL = "234m 678p 345s CCC 3p +3p self-drawn seat=S"
SHORT = "123m 678p 345s 78s 99m +6s flowers=2"

PLAYERS = {f"name_{place}": name for place, name in enumerate(("Anna", "Bo", "Chen", "Dee"))}
RULE_LABELS = {"limit": 500, "east_doubles": "on", "losers_settle": "on", "losers_have_limit": "on"}
WON = "234m 678p 345s CCC 3p +3p"
BO_WINS = {"winner": "1", "points_0": "8", "points_1": "144", "points_3": "28"}


def page(client: Client, **query: Any) -> Any:
    return client.get(reverse("calculator"), query)


def part(response: Any, id_: str) -> str:
    """The text of the part of the page that bears this heading."""
    parts = elements(read(response), "section")
    return words(next(part for part in parts if any(elements(part, "h2", id=id_))))


def main_text(response: Any) -> str:
    return words(element(read(response), "main"))


def headline(response: Any) -> str:
    return words(element(read(response), "h1"))


def test_the_empty_page_asks_for_tiles_and_shows_an_example(client: Client) -> None:
    example = next(link for link in elements(read(page(client)), "a") if words(link) == "See an example")
    html = client.get(reverse("calculator") + attribute(example, "href"))
    assert headline(html) == "18 points"


def test_the_hand_is_read_with_its_fans_payments_and_what_was_not_counted(client: Client) -> None:
    response = page(client, hand=CHOWS)
    assert headline(response) == "18 points"
    assert "3 · chow, winning tile" in part(response, "read-as")
    counted = part(response, "counted")
    assert "Mixed Triple Chow 三色三同顺 sets 1, 2, 3 · MCR 37 8" in counted
    assert "Edge Wait 边张 set 3 · MCR 9 1" in counted
    assert "Sum, no flowers 18" in counted
    assert "No Honors is always part of All Chows" in main_text(response)
    payments = part(response, "payments")
    assert "Winner +42 26 + 8 + 8 Discarder −26 18 + 8 Other −8 8 Other −8 8" in payments
    assert "Self-drawn 20 points Winner +84" in payments
    agreeing = "Other rulebooks MCR to the letter, Botzone, Guide to Mahjong 18"
    assert part(response, "elsewhere") == agreeing


def test_a_rulebook_that_differs_says_in_what_and_why_and_can_be_chosen(client: Client) -> None:
    other = part(page(client, hand=SEVEN_PAIRS), "elsewhere")
    assert other.startswith("Other rulebooks Botzone 30 MCR to the letter different")
    for name, clause in (("MCR to the letter", "MCR 55"), ("Guide to Mahjong", "Guide 31")):
        reason = f"{name}: All Types does not combine with Seven Pairs. {clause}"
        assert f"{name} different − All Types 6 {reason}" in other
    assert headline(page(client, hand=SEVEN_PAIRS, rulebook="mwt")) == "24 points"


def test_a_hand_that_may_not_be_declared_is_explained_with_what_would_do(client: Client) -> None:
    for hand, sentences in {
        SHORT: (
            "6 points: 2 short of the 8 needed",
            "Flowers count only once the hand reaches the minimum.",
            "Sum, flowers not counted 6",
            "What would have reached the minimum",
            "Below the minimum, so nobody pays.",
        ),
        "19m19p19sESWNCF E +2s": ("These tiles are not a winning hand", "White dragon"),
    }.items():
        html = main_text(page(client, hand=hand))
        assert [sentence for sentence in sentences if sentence not in html] == []


def test_thirteen_tiles_are_answered_with_what_they_wait_for(client: Client) -> None:
    tree = read(page(client, hand="34m 456p 789s EEE 55p"))
    assert words(element(tree, "h1")) == "Waiting for 2 tiles"
    rows = [words(row) for row in elements(element(tree, "table", class_="waits"), "tr")]
    assert rows[1].startswith("2 of Characters")
    link = next(elements(element(tree, "table", class_="waits"), "a"))
    assert headline(client.get(attribute(link, "href"))) == f"{words(link)} points"


def test_an_announcement_is_checked_with_its_reason(client: Client) -> None:
    fans = [line.fan.key for line in page(client, hand=CHOWS).context["answer"].explanation.score.fans]
    twice = "Mixed Double Chow was announced 2×, but counts 0×. Mixed Double Chow is always part of"
    announced: list[tuple[dict[str, Any], str]] = [
        ({"points": 18}, "The announcement is right 18 points"),
        ({"points": 24}, "Points announced: 24. The hand is worth 18."),
        ({"fan": [*fans, "mixed_double_chow*2"]}, twice),
    ]
    for query, verdict in announced:
        assert verdict in main_text(page(client, hand=CHOWS, **query))


def test_circumstances_come_from_fields_or_text_and_stand_in_the_link(client: Client) -> None:
    circumstances = {"seat": "W", "round": "S", "flag": "self_drawn", "flowers": 2}
    fields = page(client, hand="123m 123p 12s 789s 99m +3s", **circumstances)
    in_text = page(client, hand=f"{CHOWS} self-drawn flowers=2")
    assert fields.context["link"] == in_text.context["link"]
    assert fields.context["set"] == in_text.context["set"]
    assert in_text.context["tiles_text"] == "123m 123p 12s 789s 99m +3s"
    of_gb_mahjong = page(client, hand="123m123p789s199m2s3s|SW1000|2")
    assert of_gb_mahjong.context["set"] == in_text.context["set"]
    first = page(client, hand=CHOWS, rulebook="guide", points=24, fan=["all_chows"])
    again = client.get(reverse("calculator") + first.context["link"])
    assert again.context["link"] == first.context["link"]
    assert again.context["result"]["fans"] == first.context["result"]["fans"]
    assert again.context["result"]["differences"] == first.context["result"]["differences"]


def test_a_circumstance_that_the_tiles_make_certain_is_on_and_locked(client: Client) -> None:
    tree = read(page(client, hand="23m456p99s678s [111m] +1m"))
    fields = [dict(field.attributes) for field in elements(tree, "input", name="flag")]
    checked = [(field["value"], "disabled" in field) for field in fields if "checked" in field]
    assert checked == [("last_of_kind", True)]


@pytest.mark.parametrize(
    ("query", "field", "problem"),
    [
        ({"hand": "123m 1x"}, "hand", "“1x” at character 6"),
        ({"hand": "11111m"}, "hand", "this hand has 5 of 1 of Characters"),
        ({"hand": CHOWS, "flag": "replacement"}, "flag", "A replacement tile is drawn, not discarded."),
        ({"hand": CHOWS, "flowers": 9}, "flowers", "8"),
        ({"hand": CHOWS, "points": "many"}, "points", "whole number"),
        ({"hand": "1m" * 200}, "hand", "300"),
        ({"rulebook": "classical", "way": "original"}, "way", "An original hand is East’s as dealt"),
        ({"rulebook": "classical", "hand": f"{CLASSICAL} flowers=2"}, "flowers", "flowers named: 0."),
        ({"rulebook": "classical", "wins": "100"}, "wins", "99"),
    ],
)
def test_faults_stand_at_their_fields(
    client: Client, query: dict[str, str], field: str, problem: str
) -> None:
    query = {"hand": CLASSICAL} | query
    tree = read(page(client, **query))
    assert problem in words(element(tree, "div", id=f"faults-{field}"))
    typed = attribute(element(tree, "input", name="hand"), "value")
    assert (bool(typed), query["hand"].startswith(typed)) == (True, True)


def test_the_answer_alone_names_its_address_and_carries_its_record(client: Client) -> None:
    answer = client.get(reverse("calculator_score"), {"hand": CHOWS, "rulebook": "mcr", "fan": ""})
    query = parse_qs(urlsplit(answer["HX-Replace-Url"]).query)
    assert query == {"hand": [to_text(parse(CHOWS))]}
    assert "<html" not in answer.content.decode()
    tree = read(client.get(reverse("calculator_score"), {"hand": "123m [EEE]"}))
    record = json.loads(words(element(tree, "script", id="calculator-record")))
    assert record["concealed"] == ["1m", "2m", "3m"]
    assert record["melds"][0]["tiles"] == ["E", "E", "E"]


def english_in(page: str) -> list[str]:
    """English words and signs, but for the names of fans that say what language they are in."""
    page = re.sub(r'(?s)<script.*?</script>|<(\w+)[^>]*\slang="(?:en|zxx)"[^>]*>.*?</\1>', "", page)
    html = re.sub(r"<[^>]+>", "\n", page).replace("Botzone", "").replace("Hule", "")
    return re.findall(r"[A-Za-z]{3,}|[\u3400-\u9fff] ?[,;:.(]", html)


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
    for hand in (CLASSICAL, SEVEN_PAIRS, "[SSS] [WWW] [CCC] FF PP +P", ""):
        address, chinese = reverse("calculator_systems"), {"accept-language": "zh-hans"}
        text = client.get(address, {"hand": hand}, headers=chinese).text
        main = text.partition("<main")[2].partition(">")[2].partition("</main>")[0]
        assert [word for word in english_in(main) if word.isascii()] == [], hand


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
@pytest.mark.thorough
def test_no_address_is_answered_with_a_crash(client: Client, pairs: list[tuple[str, str]]) -> None:
    query: dict[str, list[str]] = {}
    for name, value in pairs:
        query.setdefault(name, []).append(value)
    assert client.get(reverse("calculator"), query).status_code == 200
    assert client.get(reverse("calculator_score"), query).status_code == 200


@settings(anyhow, max_examples=25)
@given(hands())
@pytest.mark.thorough
def test_any_hand_can_be_shared_and_is_answered_by_five_systems(client: Client, hand: Any) -> None:
    link = page(client, hand=to_text(hand)).context["link"]
    assert client.get(reverse("calculator") + link).context["link"] == link
    assert len(rows(systems(client, hand=to_text(hand)))) == 5


def classical(client: Client, **query: Any) -> Any:
    return client.get(reverse("calculator"), {"rulebook": "classical", **query})


def test_a_classical_hand_has_its_lines_and_payments(client: Client) -> None:
    response = classical(client, hand=CLASSICAL, flower="summer")
    assert headline(response) == "144 points"
    counted = part(response, "counted")
    assert "for everybody Pung of Winds or Dragons 001:86 8 Season or Flower 001:88 Summer 4" in counted
    assert "Doubles, for everybody Pung or Kong of Dragons 001:96 ×2" in counted
    assert "36 × 4 = 144 144" in counted
    assert "Winner +576 East −288 2 × 144 West −144 North −144" in part(response, "payments")
    received = part(classical(client, hand=CLASSICAL.removesuffix(" seat=S")), "payments")
    assert "Winner +384 South −128 2 × 64 West −128 2 × 64 North −128 2 × 64" in received


@pytest.mark.parametrize(
    ("query", "points"),
    [
        ({"way": "standing"}, "264 points"),
        ({"flower": ["spring", "summer", "autumn", "winter"]}, "500 points"),
        ({"hand": "234m 678p 345s 22p CC +C", "wins": 13}, "500 points"),
    ],
)
def test_what_the_classical_game_asks_counts(client: Client, query: dict[str, Any], points: str) -> None:
    assert headline(classical(client, **{"hand": CLASSICAL} | query)) == points


def test_the_link_of_a_classical_hand_opens_on_the_same_answer(client: Client) -> None:
    """Flowers that are named count by the rulebooks, too."""
    first = classical(client, hand=CLASSICAL, flower=["summer", "plum"], way="standing", wins=2).context
    again = client.get(reverse("calculator") + first["link"]).context
    assert again["link"] == first["link"]
    for name in ("lines", "points", "changes"):
        assert again["result"][name] == first["result"][name]
    by_rulebook = read(page(client, hand=CLASSICAL, flower=["summer", "plum"]))
    assert attribute(element(by_rulebook, "input", name="flowers"), "value") == "2"


def systems(client: Client, **query: Any) -> Any:
    return client.get(reverse("calculator_systems"), query)


def rows(response: Any) -> list[str]:
    table = element(read(response), "table", class_="systems")
    return [words(row) for row in elements(element(table, "tbody"), "tr")]


def test_five_systems_stand_with_points_what_the_winner_receives_and_why_they_part(client: Client) -> None:
    response = systems(client, hand=SEVEN_PAIRS)
    assert rows(response) == [
        "MCR Seven Pairs 24, All Types 6 30 +54",
        "MCR to the letter Seven Pairs 24 24 +48",
        "Botzone Seven Pairs 24, All Types 6 30 +54",
        "Guide to Mahjong Seven Pairs 24 24 +48",
        "Classical game not a winning hand 0 nothing",
    ]
    assert "All Types does not combine with Seven Pairs. MCR 55" in main_text(response)
    assert "Only four sets and a pair" in main_text(response)


def test_the_classical_game_says_why_it_parts_from_the_others(client: Client) -> None:
    response = systems(client, hand=CLASSICAL, flower="summer")
    assert "A chow has no value in the classical game" in main_text(response)
    assert "36 × 4 = 144" in main_text(response)
    assert "With less than 8 points the competition rules do not let it win" in main_text(response)
    assert rows(response)[4].endswith("144 +576")
    assert "leaves out flowers that are not named" in main_text(
        systems(client, hand=CLASSICAL + " flowers=2")
    )
    assert "leaves out flowers" not in main_text(systems(client, hand=CLASSICAL, flower="summer"))
    assert "some of this multiplies: 32 × 2 = 64" in main_text(systems(client, hand=CLASSICAL))


@pytest.mark.thorough
def test_each_system_leads_to_the_calculator_and_that_there(client: Client) -> None:
    table = element(read(systems(client, hand=CLASSICAL, flower="summer")), "table", class_="systems")
    links = [attribute(link, "href") for link in elements(table, "a")]
    points = [words(element(read(client.get(link)), "h1")) for link in links]
    assert (len(points), points[4]) == (5, "144 points")
    for system in ("mcr", "classical"):
        tree = read(page(client, hand=CLASSICAL, rulebook=system))
        link = next(a for a in elements(tree, "a") if words(a) == "The same hand in five systems")
        assert "What it is worth" in main_text(client.get(attribute(link, "href")))


def test_without_a_whole_hand_it_leads_to_the_calculator(client: Client) -> None:
    for hand in ("", "123m", "12x", "11111m", "34m 456p 789s EEE 55p"):
        assert "Open calculator" in main_text(systems(client, hand=hand)), hand


def post(client: Client, **fields: Any) -> Any:
    return client.post(reverse("classical"), fields)


def started(client: Client) -> str:
    """The evening that the page carries before the first hand."""
    return str(post(client, step="start", **PLAYERS, **RULE_LABELS).context["carried"])


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
    html = text(played(client, BO_WINS))
    assert missing(html, "Hand 2 · East round", "Anna pays Bo 2 × 144 288", "Chen pays Dee 28") == []
    assert "East lost: Bo, who was South, is East now and deals." in html
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
    other = post(client, step="agree", evening=carried, **PLAYERS, limit=100)
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
def test_faults_of_an_evening_stand_at_their_fields(
    client: Client, hand: dict[str, str], field: str, problem: str
) -> None:
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
        assert "This session of classical mahjong cannot be read" in response.content.decode(), evening[:30]


@pytest.mark.thorough
def test_after_the_last_round_no_hand_is_asked_for(client: Client) -> None:
    winners = [(hand + 1) % 4 for hand in range(16)]
    response = played(client, *({"winner": winner, f"points_{winner}": "20"} for winner in winners))
    assert words(element(read(response), "h1")) == "The four rounds are played"
    assert not any(elements(read(response), "form", id="hand"))
    refused = post(client, step="hand", evening=response.context["carried"], winner=0, points_0="20")
    assert len(json.loads(refused.context["carried"])["hands"]) == 16


FIELDS = ["step", "evening", "winner", "points_0", "tiles_1", "flowers_2", "ways", "limit", "name_0"]
ENTRIES = st.text(max_size=20) | st.sampled_from(["hand", "undo", "agree", "start", "1", WON, "plum", "500"])


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
@given(st.dictionaries(st.sampled_from(FIELDS), ENTRIES, max_size=7))
@pytest.mark.thorough
def test_nothing_that_is_sent_is_answered_with_a_crash(client: Client, fields: dict[str, str]) -> None:
    carried = {"evening": started(client)}
    assert client.post(reverse("classical"), carried | fields).status_code in (200, 400)
