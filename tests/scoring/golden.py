"""Reads the hands with known answers in ``tests/data/scoring``."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from scoring.engine import Fan, Hand, parse

DATA = Path(__file__).parents[1] / "data" / "scoring"

Counts = dict[Fan, int]


class Golden(NamedTuple):
    """A hand and its answer; ``points`` is None for a hand that does not win."""

    id: str
    hand: Hand
    points: int | None
    choices: tuple[Counts, ...]
    """Equally valued choices of fans; none where the source gives only points."""


def lines(name: str) -> Iterator[list[str]]:
    """The fields of each line of a data file, comments left out."""
    for line in (DATA / name).read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            yield [field.strip() for field in line.split("|")]


def counts(field: str) -> Counts:
    """``"18 1x2"`` as All Chows once and Pure Double Chow twice."""
    words = [word.partition("x") for word in field.split() if word != "-"]
    return {Fan(int(number)): int(times or 1) for number, _, times in words}


@cache
def golden(name: str) -> tuple[Golden, ...]:
    """The hands of a file of golden data."""
    return tuple(
        Golden(
            identity,
            parse(text),
            None if points == "-" else int(points),
            tuple(counts(choice) for choice in choices if choice != "?"),
        )
        for identity, text, points, *choices in lines(name)
    )
