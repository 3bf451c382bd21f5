"""What cannot be at a table is refused, each fault with a code of its own."""

import json
from typing import Any

import pytest

from scoring.engine import Hand, InvalidHand, Problem, check_partial, find_problems, parse
from scoring.engine.problems import FIVE_OF_A_KIND, problem_code
from tests.scoring.golden import DATA

SOUND: dict[str, Any] = parse("123m 456p 78s EE [999p] +9s self-drawn").to_json()
REFUSALS: dict[str, list[Any]] = json.loads((DATA / "refusals.json").read_text("utf-8"))
"""Of whole hands: a change to the sound one, its problem and the place; of partial ones: the record, its problem."""
KONG = {"type": "kong", "tiles": ["C"] * 4, "concealed": False}


def codes(record: object) -> list[tuple[str, str]]:
    return [(problem.code, problem.where) for problem in find_problems(record)]


def test_a_sound_hand_is_not_refused() -> None:
    assert find_problems(SOUND) == ()
    assert check_partial(SOUND) == ()


def test_each_fault_has_a_code_and_a_place() -> None:
    wrong = []
    for change, code, where in REFUSALS["whole"]:
        with pytest.raises(InvalidHand) as refused:
            Hand.from_json(SOUND | change)
        problems = find_problems(SOUND | change)
        if (code, where) not in codes(SOUND | change) or refused.value.problems != problems:
            wrong.append((change, problems))
    assert wrong == []


def test_a_missing_field_is_refused() -> None:
    for name in ("concealed", "melds", "winning_tile", "self_drawn", "seat_wind", "prevalent_wind"):
        assert codes({key: value for key, value in SOUND.items() if key != name}) == [("missing", name)]


def test_something_else_altogether_is_refused() -> None:
    records: tuple[Any, ...] = (None, [], "123m", 5, True)
    for record in records:
        assert codes(record) == [("not_a_hand", "")]
        with pytest.raises(InvalidHand):
            Hand.from_json(record)


def test_all_problems_come_at_once() -> None:
    record = SOUND | {"concealed": ["1m", "0m"], "seat_wind": "X", "flowers": 12, "self_drawn": None}
    assert codes(record) == [
        ("unknown_tile", "concealed.1"),
        ("unknown_wind", "seat_wind"),
        ("not_yes_or_no", "self_drawn"),
        ("flowers_out_of_range", "flowers"),
    ]


def test_five_copies_and_a_kong_that_a_public_scorer_gives_515_points() -> None:
    record = SOUND | {"concealed": ["E"] * 5 + ["C", "C", "E"], "melds": [KONG, KONG], "winning_tile": "E"}
    assert {problem.code for problem in find_problems(record)} == {"five_of_a_kind"}


def test_a_hand_cannot_be_built_around_the_checks() -> None:
    with pytest.raises(InvalidHand) as refused:
        Hand(("1m",) * 5, (), "1m", True, "E", "E")
    assert {problem.code for problem in refused.value.problems} == {"tile_count", "five_of_a_kind"}


def test_a_fault_in_a_text_has_its_position() -> None:
    faults = [
        ("123m 4x", "unreadable", 6),
        ("[123m 456p 789s EE 55p +5p", "meld_not_closed", 1),
        ("123m 456p 789s EE 55p", "no_winning_tile", 22),
        ("123m] 456p 789s EE 55p +5p", "misplaced_mark", 5),
        ("123m 456p 789s EE 55p +5p 1m", "tile_after_winning_tile", 27),
        ("123m 456p 789s EE 55p +5p by-heart", "unknown_circumstance", 27),
    ]
    for text, code, position in faults:
        with pytest.raises(InvalidHand) as refused:
            parse(text)
        assert (code, position) in [(p.code, p.params["position"]) for p in refused.value.problems], text


def test_while_entering_only_what_stays_wrong_is_refused() -> None:
    for record, code in REFUSALS["partial"]:
        problems = [problem.code for problem in check_partial(record)]
        assert code in problems if code else problems == [], record


def test_a_code_is_declared_once_and_a_problem_is_of_a_declared_code_with_its_parameters() -> None:
    with pytest.raises(ValueError, match="declared twice"):
        problem_code("five_of_a_kind", "There are five.")
    with pytest.raises(KeyError):
        Problem("six_of_a_kind")
    with pytest.raises(TypeError, match="five_of_a_kind"):
        FIVE_OF_A_KIND(tile="E")
    with pytest.raises(TypeError, match="five_of_a_kind"):
        FIVE_OF_A_KIND(tile="E", count=5, colour="red")
