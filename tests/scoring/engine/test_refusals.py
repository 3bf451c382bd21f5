"""What cannot be at a table is refused, each fault with a code of its own."""

from typing import Any

import pytest

from scoring.engine import Hand, InvalidHand, check_partial, find_problems, parse

PUNG = {"type": "pung", "tiles": ["9p"] * 3, "concealed": False}
BY_DISCARD = {"self_drawn": False}
ROBBING = BY_DISCARD | {"robbing_kong": True}
SOUND: dict[str, Any] = parse("123m 456p 78s EE [999p] +9s self-drawn").to_json()
KONG = {"type": "kong", "tiles": ["C"] * 4, "concealed": False}


def meld(type_: str, tiles: str, concealed: bool = False) -> dict[str, Any]:
    return {"type": type_, "tiles": tiles.split(), "concealed": concealed}


Refusal = tuple[dict[str, Any], str, str]
"""A change to the sound hand, the code of its problem and the place."""

NOT_THE_RIGHT_TYPE: list[Refusal] = [
    ({"concealed": "1m 2m"}, "not_a_list", "concealed"),
    ({"concealed": [*SOUND["concealed"][:-1], 5]}, "not_a_tile", "concealed.10"),
    ({"melds": {}}, "not_a_list", "melds"),
    ({"melds": ["999p"]}, "not_a_meld", "melds.0"),
    ({"melds": [{"type": "pung", "tiles": "999p"}]}, "not_a_list", "melds.0.tiles"),
    ({"melds": [PUNG | {"concealed": 0}]}, "not_yes_or_no", "melds.0.concealed"),
    ({"winning_tile": 9}, "not_a_tile", "winning_tile"),
    ({"self_drawn": 1}, "not_yes_or_no", "self_drawn"),
    ({"last_of_kind": "yes"}, "not_yes_or_no", "last_of_kind"),
    ({"seat_wind": 0}, "not_a_wind", "seat_wind"),
    ({"flowers": "2"}, "not_a_number", "flowers"),
    ({"flowers": True}, "not_a_number", "flowers"),
]

UNKNOWN: list[Refusal] = [
    ({"concealed": [*SOUND["concealed"][:-1], "0m"]}, "unknown_tile", "concealed.10"),
    ({"winning_tile": "H"}, "unknown_tile", "winning_tile"),
    ({"seat_wind": "C"}, "unknown_wind", "seat_wind"),
    ({"prevalent_wind": "east"}, "unknown_wind", "prevalent_wind"),
    ({"melds": [meld("quad", "9p 9p 9p 9p")]}, "unknown_meld", "melds.0.type"),
]

TILES_THAT_CANNOT_BE: list[Refusal] = [
    ({"concealed": SOUND["concealed"][:-1]}, "winning_tile_not_held", "winning_tile"),
    ({"concealed": SOUND["concealed"] + ["1m"]}, "tile_count", "concealed"),
    ({"melds": []}, "tile_count", "concealed"),
    ({"melds": [meld("chow", "1p 2p 3p")] * 5}, "too_many_melds", "melds"),
    ({"concealed": ["9p", "9p", "3m", "4p", "5p", "6p", "7s", "8s", "E", "E", "9s"]}, "five_of_a_kind", ""),
    ({"melds": [meld("pung", "E E E")]}, "five_of_a_kind", ""),
    ({"melds": [meld("chow", "E S W")]}, "chow_of_honours", "melds.0.tiles"),
    ({"melds": [meld("chow", "1m 2m 3p")]}, "chow_across_suits", "melds.0.tiles"),
    ({"melds": [meld("chow", "8m 9m 1p")]}, "chow_across_suits", "melds.0.tiles"),
    ({"melds": [meld("chow", "1m 3m 5m")]}, "chow_not_in_sequence", "melds.0.tiles"),
    ({"melds": [meld("kong", "C C C")]}, "meld_size", "melds.0.tiles"),
    ({"melds": [meld("pung", "C C C C")]}, "meld_size", "melds.0.tiles"),
    ({"melds": [meld("pung", "C C F")]}, "meld_not_alike", "melds.0.tiles"),
    ({"melds": [meld("pung", "9p 9p 9p", concealed=True)]}, "concealed_meld", "melds.0.concealed"),
    ({"winning_tile": "1s"}, "winning_tile_not_held", "winning_tile"),
    ({"flowers": 9}, "flowers_out_of_range", "flowers"),
    ({"flowers": -1}, "flowers_out_of_range", "flowers"),
]

CONTRADICTIONS: list[Refusal] = [
    ({"robbing_kong": True}, "robbing_self_drawn", "robbing_kong"),
    (ROBBING | {"last_tile_of_wall": True}, "robbing_with_last_tile", "robbing_kong"),
    (ROBBING | {"winning_tile": "E"}, "robbed_tile_held", "robbing_kong"),
    (ROBBING | {"melds": [KONG], "replacement": True}, "robbing_with_replacement", "robbing_kong"),
    ({"replacement": True}, "replacement_without_kong", "replacement"),
    (BY_DISCARD | {"melds": [KONG], "replacement": True}, "replacement_not_drawn", "replacement"),
    ({"last_of_kind": True, "winning_tile": "E"}, "last_of_kind_held", "last_of_kind"),
]


def codes(record: object) -> list[tuple[str, str]]:
    return [(problem.code, problem.where) for problem in find_problems(record)]


def test_a_sound_hand_is_not_refused() -> None:
    assert find_problems(SOUND) == ()
    assert check_partial(SOUND) == ()


def test_each_fault_has_a_code_and_a_place() -> None:
    wrong = []
    for change, code, where in NOT_THE_RIGHT_TYPE + UNKNOWN + TILES_THAT_CANNOT_BE + CONTRADICTIONS:
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
    others: tuple[Any, ...] = (None, [], "123m", 5, True)
    for record in others:
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
        ("123m 456p 789s EE 555p", "no_winning_tile", 23),
        ("123m] 456p 789s EE 55p +5p", "misplaced_mark", 5),
        ("123m 456p 789s EE 55p +5p 1m", "tile_after_winning_tile", 27),
        ("123m 456p 789s EE 55p +5p by-heart", "unknown_circumstance", 27),
    ]
    for text, code, position in faults:
        with pytest.raises(InvalidHand) as refused:
            parse(text)
        assert (code, position) in [(p.code, p.params["position"]) for p in refused.value.problems], text


PARTIAL: list[tuple[Any, str | None]] = [
    ({}, None),
    ({"concealed": []}, None),
    ({"concealed": ["1m", "1m"], "winning_tile": None}, None),
    ({"concealed": ["1m"], "replacement": True}, None),
    ({"winning_tile": "5p", "concealed": ["1m"]}, None),
    ({"concealed": ["1m"] * 5}, "five_of_a_kind"),
    ({"concealed": ["E", "E"], "melds": [meld("pung", "E E E")]}, "five_of_a_kind"),
    ({"melds": [meld("chow", "E S W")]}, "chow_of_honours"),
    ({"concealed": ["1m", "2m", "3m"] * 5}, "too_many_tiles"),
    ({"self_drawn": True, "robbing_kong": True}, "robbing_self_drawn"),
    ({"concealed": ["5p", "5p"], "winning_tile": "5p", "last_of_kind": True}, "last_of_kind_held"),
    ({"concealed": ["1m"], "flowers": 10}, "flowers_out_of_range"),
    ("1m", "not_a_hand"),
]


def test_while_entering_only_what_stays_wrong_is_refused() -> None:
    for record, code in PARTIAL:
        problems = [problem.code for problem in check_partial(record)]
        assert code in problems if code else problems == [], record
