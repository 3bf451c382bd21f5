"""Score hands from the command line: lines in, JSON Lines out, in the same order.

    python -m scoring [--rulebook NAME] [--explain] < hands.jsonl

A line is a hand as text (`scoring.engine.notation`), or a JSON record with an ``id`` and a ``hand``, a text or a
record. For an invalid line the output has its problems.
"""

import argparse
import json
import sys
from collections.abc import Iterable, Iterator
from typing import Any, Final

from scoring.engine import (
    RULEBOOKS,
    Hand,
    InvalidHand,
    Problem,
    Rulebook,
    explain,
    find_rulebook,
    parse,
    score,
)
from scoring.engine.notation import MAX_TEXT_LENGTH
from scoring.engine.problems import MISSING, problem_code

NOT_JSON = problem_code("not_json", "Line {line} is not JSON.")

WORTH_NOTHING: Final = {
    "win": False,
    "points": 0,
    "points_without_flowers": 0,
    "meets_minimum": False,
    "fans": [],
}
"""The score of an invalid hand."""


def main(arguments: list[str] | None = None) -> int:
    """Answer every line of standard input. Return the exit status 0."""
    parser = argparse.ArgumentParser(
        prog="python -m scoring", description="Score hands, a text or a JSON record a line."
    )
    parser.add_argument("--rulebook", choices=[rulebook.key for rulebook in RULEBOOKS], default="mcr")
    parser.add_argument("--explain", action="store_true", help="say what was not counted, and why")
    options = parser.parse_args(arguments)
    for answer in answers(sys.stdin.buffer, find_rulebook(options.rulebook), options.explain):
        print(json.dumps(answer), flush=False)
    return 0


def answers(lines: Iterable[bytes], rulebook: Rulebook, explained: bool = False) -> Iterator[dict[str, Any]]:
    """Yield the answer to each line that is not empty, in order."""
    for number, line in enumerate(lines, start=1):
        if line.strip():
            yield answer(line, number, rulebook, explained)


def answer(line: bytes, number: int, rulebook: Rulebook, explained: bool) -> dict[str, Any]:
    """Return the score of a line, or its problems."""
    try:
        text = line.decode().strip()
        if not text.startswith("{") and len(text) <= MAX_TEXT_LENGTH:
            return {"id": None, "line": number} | _of_hand(text, rulebook, explained)
        record = json.loads(text)
    except (ValueError, RecursionError):
        return {"id": None, "line": number} | _refused([NOT_JSON(line=number)])
    if not isinstance(record, dict) or "hand" not in record:
        identity = record.get("id") if isinstance(record, dict) else None
        return {"id": identity, "line": number} | _refused([MISSING("hand", line=number)])
    return {"id": record.get("id")} | _of_hand(record["hand"], rulebook, explained)


def _of_hand(record: Any, rulebook: Rulebook, explained: bool) -> dict[str, Any]:
    try:
        hand = parse(record) if isinstance(record, str) else Hand.from_json(record)
    except InvalidHand as refused:
        return _refused(refused.problems)
    result = explain(hand, rulebook) if explained else score(hand, rulebook)
    return result.to_json() | {"problems": []}


def _refused(problems: Iterable[Problem]) -> dict[str, Any]:
    faults = [
        {"code": problem.code, "where": problem.where, "message": _sentence(problem)} for problem in problems
    ]
    return WORTH_NOTHING | {"problems": faults}


def _sentence(problem: Problem) -> str:
    """Return the sentence of a problem. Django, which translates it, is only loaded when one is needed."""
    from django.conf import settings

    if not settings.configured:
        settings.configure(USE_I18N=False)
    from scoring.texts import problem_sentence

    return problem_sentence(problem)


if __name__ == "__main__":
    sys.exit(main())
