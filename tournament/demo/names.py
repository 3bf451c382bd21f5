"""Names to people a tournament with: common given and family names of twenty countries, in their own scripts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Final

SOURCE: Final = Path(__file__).parent / "data" / "names.txt"


@dataclass(frozen=True)
class People:
    """A country's names; `share`: how many of its players come, compared to the others; `ema`: an EMA member."""

    country: str
    share: int
    ema: bool
    given: tuple[str, ...]
    family: tuple[str, ...]


@dataclass(frozen=True)
class Name:
    first: str
    last: str
    people: People


def everybody(random: Random) -> Iterator[Name]:
    """Different people, the countries in the proportion of their shares, until all 5,664 have come."""
    left = {people: _mixed(random, people) for people in peoples()}
    while left:
        people = random.choices(list(left), [people.share for people in left])[0]
        first, last = left[people].pop()
        yield Name(first, last, people)
        if not left[people]:
            del left[people]


@cache
def peoples() -> tuple[People, ...]:
    """The countries of data/names.txt, in its order."""
    lines = [line for line in SOURCE.read_text("utf-8").splitlines() if line and not line.startswith("#")]
    return tuple(_people(*lines[start : start + 3]) for start in range(0, len(lines), 3))


def _people(head: str, given: str, family: str) -> People:
    country, share, ema = head.split()
    return People(country, int(share), ema == "EMA", _names(given), _names(family))


def _names(line: str) -> tuple[str, ...]:
    return tuple(name.replace("_", " ") for name in line.split())


def _mixed(random: Random, people: People) -> list[tuple[str, str]]:
    """Every given name with every family name, in any order."""
    pairs = [(first, last) for first in people.given for last in people.family]
    return random.sample(pairs, len(pairs))
