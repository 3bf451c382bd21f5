"""``python -m scoring``: JSON Lines in, JSON Lines out."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from scoring.__main__ import answers, main
from scoring.engine import MCR, Hand, parse, score

ROOT = Path(__file__).parents[2]
HAND = parse("34m 456p 789s 55m 234p +2m self-drawn seat=S flowers=2").to_json()


def as_line(record: bytes | dict[str, Any]) -> bytes:
    return record if isinstance(record, bytes) else json.dumps(record).encode()


def run(*records: bytes | dict[str, Any], arguments: tuple[str, ...] = ()) -> list[dict[str, Any]]:
    """What the program answers, started as one starts it: without Django."""
    command, given = [sys.executable, "-m", "scoring", *arguments], b"\n".join(map(as_line, records))
    done = subprocess.run(command, input=given, capture_output=True, cwd=ROOT, check=True)
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
    (b"[]", ["missing"], 4),
    ({"id": 2}, ["missing"], 5),
    ({"id": 3, "hand": None}, ["not_a_hand"], None),
    (b"[" * 100_000, ["not_json"], 7),
]


def test_a_line_that_is_no_hand_is_answered_with_its_problems() -> None:
    """An empty line is counted and not answered."""
    found = run(*(record for record, _, _ in REFUSED), b"", {"id": 9})
    codes = [[problem["code"] for problem in answer["problems"]] for answer in found]
    assert codes == [*(codes for _, codes, _ in REFUSED), ["missing"]]
    assert [answer.get("line") for answer in found] == [*(line for _, _, line in REFUSED), 9]
    assert not any(answer["win"] for answer in found)
    message = "There is no wind “X”: E, S, W or N."
    assert found[0]["problems"][0] == {"code": "unknown_wind", "where": "seat_wind", "message": message}


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
