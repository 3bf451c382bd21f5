"""``python -m scoring``: JSON Lines in, JSON Lines out."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from scoring.engine import Hand, parse, score

ROOT = Path(__file__).parents[2]
HAND = parse("34m 456p 789s 55m 234p +2m self-drawn seat=S flowers=2").to_json()


def run(*lines: bytes | dict[str, Any], arguments: tuple[str, ...] = ()) -> list[dict[str, Any]]:
    given = b"\n".join(line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines)
    done = subprocess.run(
        [sys.executable, "-m", "scoring", *arguments], input=given, capture_output=True, cwd=ROOT, check=True
    )
    assert done.stderr == b""
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_answers_come_in_order_and_in_full() -> None:
    first, second = run({"id": "a", "hand": HAND}, {"id": 7, "hand": HAND | {"flowers": 0}})
    assert first == {"id": "a", "problems": []} | json.loads(
        json.dumps(score(Hand.from_json(HAND)).to_json())
    )
    assert (first["points"], first["points_without_flowers"], first["meets_minimum"]) == (9, 7, False)
    assert [(fan["name"], fan["points"], fan["count"]) for fan in first["fans"]] == [
        ("Fully Concealed Hand", 4, 1),
        ("All Chows", 2, 1),
        ("Mixed Double Chow", 1, 1),
        ("Flower Tiles", 1, 2),
    ]
    assert (second["id"], second["points"]) == (7, 7)


def test_a_line_that_is_no_hand_is_answered_with_its_problems() -> None:
    answers = run(
        {"id": 1, "hand": HAND | {"flowers": 9, "seat_wind": "X"}},
        b"{not json",
        b"\xff\xfe",
        b"[]",
        b"",
        {"id": 2},
        {"id": 3, "hand": None},
        b"[" * 100_000,
    )
    codes = [[problem["code"] for problem in answer["problems"]] for answer in answers]
    assert codes == [
        ["unknown_wind", "flowers_out_of_range"],
        ["not_json"],
        ["not_json"],
        ["missing"],
        ["missing"],
        ["not_a_hand"],
        ["not_json"],
    ]
    assert not any(answer["win"] for answer in answers)
    assert [answer.get("line") for answer in answers] == [None, 2, 3, 4, 6, None, 8]
    assert answers[0]["problems"][0] == {
        "code": "unknown_wind",
        "where": "seat_wind",
        "message": "There is no wind “X”: E, S, W or N.",
    }


def test_another_rulebook_and_the_reasons() -> None:
    kongs = parse("23m 456p 99s [1111s] (9999p) +4m").to_json()
    (answer,) = run({"id": 1, "hand": kongs}, arguments=("--rulebook", "mwt", "--explain"))
    assert answer["points"] == 6
    rejected = {line["key"]: line["reason"] for line in answer["rejected"]}
    assert rejected["melded_kong_and_concealed_kong"] == "not_in_rulebook"


def test_an_unknown_rulebook_is_refused() -> None:
    with pytest.raises(subprocess.CalledProcessError) as refused:
        run(arguments=("--rulebook", "riichi"))
    assert refused.value.returncode == 2


def test_nothing_in_nothing_out() -> None:
    assert run() == []
