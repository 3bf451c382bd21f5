"""Scoring over REST, of both games: for anybody, storing nothing, refusing with every problem."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from scoring.engine import parse
from tests.support.programs import Program, codes_of, published_schema
from tests.support.sampling import examples

URL = "/api/v1/score/"
CHOWS = "123m 123p 12s 789s 99m +3s seat=W round=S"
CLASSICAL = "234m 678p 345s CCC 3p +3p self-drawn seat=S"
RECORD: dict[str, Any] = {
    "concealed": ["2m", "3m", "4m", "E", "E", "E", "F", "F"],
    "melds": [
        {"type": "pung", "tiles": ["9s", "9s", "9s"]},
        {"type": "chow", "tiles": ["1p", "2p", "3p"]},
    ],
    "winning_tile": "F",
    "self_drawn": True,
    "seat_wind": "E",
    "prevalent_wind": "E",
}
EVENING = [
    {
        "winner": 1,
        "players": [{"points": 8}, {"tiles": "234m 678p 345s CCC 3p +3p self-drawn"}, {}, {"points": 28}],
    },
    {"winner": None, "players": [{}, {}, {}, {}]},
]


def ask(**question: Any) -> Any:
    return Program().post(URL, question)


def checked(response: Any, component: str) -> dict[str, Any]:
    """Return the answer, which is as the schema describes it and has nothing besides."""
    assert response.status_code == 200, response.content
    score: dict[str, Any] = response.json()
    components = published_schema()["components"]
    Draft202012Validator(components["schemas"][component] | {"components": components}).validate(score)
    assert score.keys() <= components["schemas"][component]["properties"].keys()
    return score


def answer(**question: Any) -> dict[str, Any]:
    is_classical = question.get("rulebook") == "classical"
    return checked(ask(**question), "ScoredClassicalHand" if is_classical else "ScoredHand")


def test_the_score_with_its_fans_payments_and_the_tiles_that_make_them() -> None:
    chows = answer(notation=CHOWS)
    assert (chows["win"], chows["points"], chows["rulebook"], chows["problems"]) == (True, 18, "mcr", [])
    first = chows["fans"][0]
    assert (first["key"], first["points"], first["clause"]) == ("mixed_triple_chow", 8, "MCR 37")
    groups = chows["reading"]["groups"]
    tiles = [groups[place]["tiles"] for place in first["groups"][0]]
    assert tiles == [["1m", "2m", "3m"], ["1p", "2p", "3p"], ["1s", "2s", "3s"]]
    no_honors = next(fan for fan in chows["rejected"] if fan["key"] == "no_honors")
    assert (no_honors["by"], no_honors["clause"]) == ("all_chows", "MCR principle 1")
    assert "All Chows" in no_honors["message"]
    by_discard, self_drawn = chows["ways"]
    assert (by_discard["points"], self_drawn["points"]) == (18, 20)
    assert by_discard["payments"] == {"winner": 42, "discarder": -26, "others": -8}
    assert self_drawn["payments"] == {"winner": 84, "others": -28}
    assert answer(hand=parse(CHOWS).to_json()) == chows, "a record and its text have the same answer"
    assert answer(notation=chows["notation"])["points"] == 18
    assert chows["differences"] is None, "nothing is claimed"


def test_a_rulebook_may_be_chosen_and_the_others_are_compared() -> None:
    by_mwt = answer(notation="1133m5577p22s EE C +C", rulebook="mwt")
    mcr = next(book for book in by_mwt["rulebooks"] if book["rulebook"] == "mcr")
    assert by_mwt["points"] + 6 == mcr["points"]
    assert [fan["key"] for fan in mcr["more"]] == ["all_types"]


def test_a_claim_is_checked() -> None:
    assert answer(notation=CHOWS, claim={"points": 18})["differences"] == []
    (wrong,) = answer(notation=CHOWS, claim={"points": 24})["differences"]
    assert wrong["message"] == "Points announced: 24. The hand is worth 18."


def test_too_little_comes_with_what_would_do() -> None:
    score = answer(notation="123m 678p 345s 78s 99m +6s")
    assert not score["meets_minimum"]
    assert score["missing"]
    assert score["improvements"][0]["message"]
    assert score["ways"][0]["payments"] == {}


def test_tiles_that_do_not_win_are_a_hand_all_the_same() -> None:
    """Thirteen tiles are answered with the waits."""
    waits = answer(notation="34m 456p 789s EEE 55p")["waits"]
    assert [(wait["tile"], wait["left"]) for wait in waits] == [("2m", 4), ("5m", 4)]
    by_discard = waits[0]["by_discard"]
    assert (by_discard["points"], by_discard["meets_minimum"]) == (6, False)
    assert not answer(notation="19m19p19sESWNCF E +2s")["win"]


def test_what_is_no_hand_is_refused_with_every_problem() -> None:
    record = parse(CHOWS).to_json()
    cases: tuple[tuple[dict[str, Any], list[str]], ...] = (
        ({"notation": "12x [EEE"}, ["unreadable", "meld_not_closed"]),
        ({"hand": None}, ["not_a_hand"]),
        ({"hand": record | {"seat_wind": "X", "flowers": 9}}, ["unknown_wind", "flowers_out_of_range"]),
    )
    for question, codes in cases:
        refused = ask(**question)
        assert (refused.status_code, codes_of(refused), refused.json()["win"]) == (422, codes, False)
        assert all(problem["message"] for problem in refused.json()["problems"])


def test_a_question_of_the_wrong_form_is_400() -> None:
    questions: tuple[dict[str, Any], ...] = (
        {},
        {"hand": {}, "notation": CHOWS},
        {"notation": CHOWS, "rulebook": "poker"},
        {"notation": CHOWS, "claim": {"fans": {"royal_flush": 1}}},
        {"notation": CLASSICAL, "claim": {"points": 64}, "rulebook": "classical"},
    )
    for question in questions:
        assert ask(**question).status_code == 400, question
    nested = '{"hand":' + "[" * 100_000
    assert Program().post(URL, nested, content_type="application/json").status_code == 400


ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=4)
    | st.sampled_from(["1m", "E", "chow", "kong"]),
    lambda inner: (
        st.lists(inner, max_size=5)
        | st.dictionaries(
            st.sampled_from([*parse(CHOWS).to_json(), "type", "tiles", "concealed"]), inner, max_size=6
        )
    ),
    max_leaves=20,
)

TEXTS = st.text(max_size=40) | st.text("123456789mpsESWNCFP[]()+ ", max_size=40).filter(str.strip)


@examples(50)
@given(ANYTHING, TEXTS)
def test_no_record_and_no_text_is_answered_with_a_crash(record: object, text: str) -> None:
    assert ask(hand=record).status_code in (200, 422)
    assert ask(notation=text).status_code in (200, 400, 422)


def test_the_classical_game_has_lines_payments_and_names() -> None:
    score = answer(rulebook="classical", notation=CLASSICAL)
    assert (score["win"], score["points"], score["added"], score["factor"]) == (True, 64, 32, 2)
    assert score["changes"] == {"E": -128, "S": 256, "W": -64, "N": -64}
    first = score["lines"][0]
    assert (first["key"], first["value"], first["clause"]) == ("pung_of_honours", 8, "001:86")
    assert first["name"] == "Pung of Winds or Dragons"
    waiting = answer(rulebook="classical", notation="234m 678p 345s CCC 3p seat=S")
    assert waiting["waits"] == [{"tile": "3p", "self_drawn": 64, "by_discard": 60}]


def test_what_the_classical_game_asks_besides_stands_in_the_record() -> None:
    plain = answer(rulebook="classical", hand=RECORD)
    more = answer(rulebook="classical", hand={**RECORD, "named_flowers": ["spring"], "standing": True})
    assert more["added"] == plain["added"] + 104
    assert more["factor"] == plain["factor"] * 2
    assert more["hand"]["named_flowers"] == ["spring"]


def test_what_cannot_be_in_the_classical_game_is_refused_with_its_code() -> None:
    changes: dict[str, dict[str, Any]] = {
        "unknown_flower": {"named_flowers": ["rose"]},
        "not_a_list": {"named_flowers": "spring"},
        "not_yes_or_no": {"standing": "yes"},
        "wins_out_of_range": {"wins_in_a_row": 10**15},
    }
    for code, change in changes.items():
        refused = ask(rulebook="classical", hand=RECORD | change)
        assert (refused.status_code, codes_of(refused)) == (422, [code]), change


def sheet(**evening: Any) -> Any:
    """Of an evening of the classical game: hands in, the score sheet out."""
    names = ["Anna", "Bo", "Chen", "Dee"]
    return Program().post(URL + "evening/", {"names": names, "hands": EVENING, **evening})


def test_of_an_evening_the_sheet_the_scores_and_who_deals_next() -> None:
    scores = checked(sheet(), "EveningAnswer")
    assert [row["points"] for row in scores["sheet"]] == [[8, 64, 0, 28], None]
    assert scores["totals"] == [-152, 256, -108, 4]
    assert scores["next"] == {"dealer": 1, "prevalent_wind": "E", "is_over": False}
    assert scores["sheet"][0]["scores"][1]["factor"] == 2
    by_rules_of_the_club = sheet(rules={"east_factor": 1, "losers_settle": False}).json()
    assert by_rules_of_the_club["totals"] == [-64, 192, -64, -64]


def test_of_an_evening_the_hand_at_fault_is_named_with_every_problem_in_words() -> None:
    refused = sheet(hands=[*EVENING, {"winner": 2, "players": [{"tiles": "1mx"}, {}, {}, {}]}])
    assert (refused.status_code, refused.json()["hand"]) == (422, 3)
    problems = {problem["where"]: problem["message"] for problem in refused.json()["problems"]}
    assert problems == {
        "hands.2.players.0.tiles": "“x” at character 3 is neither a tile nor a circumstance. "
        "A hand is written like this: 123m 55p 78s [EEE] (CCCC) +9s",
        "hands.2.players.2.points": "What did the winning hand score? Give its points or its tiles.",
    }
    too_long = sheet(names=["A" * 41, "Bo", "Chen", "Dee"], rules={"limit": 0, "nine_tiles_called": 1}).json()
    assert [problem["message"] for problem in too_long["problems"]] == [
        "“names.0” is a text of at most 40 characters.",
        "“rules.limit” is a whole number from 1 to 100000.",
        "“rules.nine_tiles_called” must be true or false.",
    ]
    no_evenings: tuple[Any, ...] = ([], "evening", {"names": 4})
    for body in no_evenings:
        assert Program().post(URL + "evening/", body).status_code == 422, body
