"""Everything there is to say about a hand, in one answer; and ``python -m scoring``: JSON Lines in, JSON Lines out."""

import json
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from scoring.__main__ import answers, main
from scoring.calculator import Analysis, Announcement, analyse, analyse_text
from scoring.engine import BOTZONE, GUIDE, MCR, MWT, Fan, Hand, Slip, explain, parse, score
from tests.scoring.strategies import hands
from tests.support.sampling import examples

CHOWS = "123m 123p 12s 789s 99m +3s seat=W round=S"
SEVEN_PAIRS = "1133m5577p22s EE C +C"

ROOT = Path(__file__).parents[2]
HAND = parse("34m 456p 789s 55m 234p +2m self-drawn seat=S flowers=2").to_json()


def codes(answer: Analysis) -> list[str]:
    return [problem.code for problem in answer.problems]


def test_a_whole_hand_is_explained_and_paid_both_ways() -> None:
    by_discard, self_drawn = analyse_text(CHOWS).wins
    assert (by_discard.score.points, by_discard.payments) == (18, (42, -26, -8, -8))
    assert self_drawn.score.hand.self_drawn
    assert self_drawn.payments == (84, -28, -28, -28)


def test_nobody_pays_for_a_hand_under_the_minimum() -> None:
    """Robbing a kong is left out of the other way."""
    answer = analyse_text("123m 678p 345s 78s 99m +6s")
    assert answer.explanation is not None
    assert answer.explanation.missing
    assert answer.wins[0].payments is None
    (as_won, other) = analyse_text("123m 123p 12s 789s 99m +3s robbing-kong").wins
    assert Fan.ROBBING_THE_KONG in dict(as_won.score.counts)
    assert Fan.ROBBING_THE_KONG not in dict(other.score.counts)


def test_the_other_rulebooks_agree_or_say_why_not() -> None:
    by_book = {other.score.rulebook: other for other in analyse_text(SEVEN_PAIRS).comparisons}
    assert set(by_book) == {MWT, BOTZONE, GUIDE}
    to_the_letter = by_book[MWT]
    assert [line.fan for line in to_the_letter.less] == [Fan.ALL_TYPES]
    assert to_the_letter.more == ()
    assert to_the_letter.reasons[Fan.ALL_TYPES].clause == "MCR 55"
    assert not by_book[BOTZONE].differs


def test_a_fan_that_is_dearer_elsewhere_differs() -> None:
    house = replace(MCR, key="house", points=MCR.points | {Fan.TWO_CONCEALED_KONGS: 5})
    answer = analyse_text("12m 55p 789s (EEEE) (SSSS) +3m", house)
    botzone = next(other for other in answer.comparisons if other.score.rulebook is BOTZONE)
    assert [(line.fan, line.points) for line in botzone.more] == [(Fan.TWO_CONCEALED_KONGS, 6)]


def test_thirteen_tiles_wait_and_with_fewer_nothing_is_wrong_yet() -> None:
    thirteen, three = analyse_text("112233m 445566p 7s"), analyse_text("123m")
    assert (thirteen.missing, thirteen.explanation) == (1, None)
    assert [wait.tile for wait in thirteen.waits] == ["7s"]
    assert (three.missing, three.problems, three.waits) == (11, (), ())
    # What is said of a tile that has not come does not stop the waits.
    for circumstance in ("last-of-kind", "robbing-kong", "replacement self-drawn"):
        answer = analyse_text(f"55m 123p 789s EEE 66p {circumstance}")
        assert [wait.tile for wait in answer.waits] == ["5m", "6p"], circumstance


def test_an_announcement_is_held_against_the_score() -> None:
    fans = {Fan.MIXED_TRIPLE_CHOW: 1, Fan.NO_HONORS: 1}
    announcements = [
        (Announcement(points=18), []),
        (Announcement(points=24), [Slip.WRONG_SUM]),
        (Announcement(fans=fans), [Slip.FORGOTTEN] * 5 + [Slip.NOT_COUNTED]),
    ]
    for announced, slips in announcements:
        differences = analyse_text(CHOWS, MCR, announced).differences
        assert differences is not None
        assert Counter(line.slip for line in differences) == Counter(slips)
    assert analyse_text(CHOWS).differences is None


NO_HANDS: list[tuple[Any, str]] = [
    ("123m", "not_a_hand"),
    ({"concealed": 3, "melds": []}, "missing"),
    ({"concealed": ["1m"] * 14, "melds": []}, "missing"),
    ({"concealed": ["1m"] * 5, "melds": []}, "five_of_a_kind"),
    ({"concealed": ["1m"] * 13, "melds": [], "winning_tile": "1m"}, "missing"),
]


def test_what_is_no_hand_is_refused() -> None:
    """A text may end before the winning tile, but not without it."""
    assert [codes(analyse(record))[0] for record, _ in NO_HANDS] == [code for _, code in NO_HANDS]
    first_problem = {
        "123m 456p 789s EEE 55m +": ["no_winning_tile"],
        "12x": ["unreadable"],
        "123m +": [],
        "[123m": ["meld_not_closed"],
    }
    assert {text: codes(analyse_text(text))[:1] for text in first_problem} == first_problem


@given(hands())
@examples(50)
def test_a_page_and_a_program_are_told_what_the_desk_is_told(hand: Hand) -> None:
    """The answer holds the explanation, and that the score, each under the same names with the same values."""
    of_desk, of_command = score(hand).to_json(), explain(hand).to_json()
    of_page = analyse(hand.to_json()).to_json()
    assert {name: of_command[name] for name in of_desk} == of_desk
    assert {name: of_page[name] for name in of_command} == of_command


def as_line(record: bytes | dict[str, Any]) -> bytes:
    return record if isinstance(record, bytes) else json.dumps(record).encode()


def run(*records: bytes | dict[str, Any], arguments: tuple[str, ...] = ()) -> list[dict[str, Any]]:
    """What the program answers, started as one starts it: without Django."""
    command, lines = [sys.executable, "-m", "scoring", *arguments], b"\n".join(map(as_line, records))
    done = subprocess.run(command, input=lines, capture_output=True, cwd=ROOT, check=True)
    assert done.stderr == b""
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_answers_come_in_order_and_in_full() -> None:
    lines = [as_line({"id": "a", "hand": HAND}), as_line({"id": 7, "hand": HAND | {"flowers": 0}})]
    first, second = answers(lines, MCR)
    assert first == {"id": "a", "problems": []} | score(Hand.from_json(HAND)).to_json()
    assert (first["points"], first["points_without_flowers"], first["meets_minimum"]) == (9, 7, False)
    assert [(fan["name"], fan["points"], fan["count"]) for fan in first["fans"]] == [
        ("Fully Concealed Hand", 4, 1),
        ("All Chows", 2, 1),
        ("Mixed Double Chow", 1, 1),
        ("Flower Tiles", 1, 2),
    ]
    assert (second["id"], second["points"]) == (7, 7)
    assert list(answers([], MCR)) == []


REFUSED: list[tuple[bytes | dict[str, Any], list[str], int | None]] = [
    (
        {"id": 1, "hand": HAND | {"flowers": 9, "seat_wind": "X"}},
        ["unknown_wind", "flowers_out_of_range"],
        None,
    ),
    (b"{not json", ["not_json"], 2),
    (b"\xff\xfe", ["not_json"], 3),
    (b"123m 8z", ["unreadable"], 4),
    ({"id": 2}, ["missing"], 5),
    ({"id": 3, "hand": None}, ["not_a_hand"], None),
    (b"[" * 100_000, ["not_json"], 7),
]


def test_a_line_that_is_no_hand_is_answered_with_its_problems() -> None:
    """An empty line is counted and not answered."""
    answers = run(*(record for record, _, _ in REFUSED), b"", {"id": 9})
    codes = [[problem["code"] for problem in answer["problems"]] for answer in answers]
    assert codes == [*(codes for _, codes, _ in REFUSED), ["missing"]]
    assert [answer.get("line") for answer in answers] == [*(line for _, _, line in REFUSED), 9]
    assert not any(answer["win"] for answer in answers)
    message = "There is no wind “X”: E, S, W or N."
    assert answers[0]["problems"][0] == {"code": "unknown_wind", "where": "seat_wind", "message": message}


def test_a_line_may_be_a_hand_as_text() -> None:
    text, record = "123m456p789s11z22z +2z", {"id": 1, "hand": "[NNN]78889m11888p8m"}
    bare, named = answers([text.encode(), as_line(record)], MCR)
    assert bare == {"id": None, "line": 1, "problems": []} | score(parse(text)).to_json()
    assert named == {"id": 1, "problems": []} | score(parse("[NNN]78889m11888p8m")).to_json()


def test_another_rulebook_and_the_reasons() -> None:
    kongs = parse("23m 456p 99s [1111s] (9999p) +4m").to_json()
    (answer,) = run({"id": 1, "hand": kongs}, arguments=("--rulebook", "mwt", "--explain"))
    assert answer["points"] == 6
    reasons = {line["key"]: line["reason"] for line in answer["rejected"]}
    assert reasons["melded_kong_and_concealed_kong"] == "not_in_rulebook"


def test_an_unknown_rulebook_is_refused() -> None:
    with pytest.raises(SystemExit) as refused:
        main(["--rulebook", "riichi"])
    assert refused.value.code == 2
