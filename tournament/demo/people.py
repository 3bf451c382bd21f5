"""Invented people from the tables in data/: a name of one culture, a club of the same country, an EMA number."""

from collections.abc import Iterator
from csv import DictReader
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Final

DATA: Final = Path(__file__).parent / "data"
HOME_ADVANTAGE: Final = 3
"""How many times as many players an event's own country sends."""
WITHOUT_EMA_NUMBER: Final = 0.15


@dataclass(frozen=True)
class Club:
    country: str
    """ISO 3166 alpha-3."""
    city: str
    name: str


@dataclass(frozen=True)
class Names:
    """Given and family names that go together: women and men are apart where family names differ.

    `ema`: the country's digits in EMA numbers, empty outside the EMA. `share`: weight among the players.
    """

    country: str
    ema: str
    share: int
    given_names: tuple[str, ...]
    family_names: tuple[str, ...]


@dataclass(frozen=True)
class InventedPerson:
    first_name: str
    last_name: str
    club: Club
    ema_number: str


def read_table(name: str) -> list[dict[str, str]]:
    """Return the rows of a table of data/: column → cell."""
    with (DATA / f"{name}.tsv").open(encoding="utf-8", newline="") as file:
        return list(DictReader(file, delimiter="\t"))


@cache
def all_clubs() -> tuple[Club, ...]:
    return tuple(Club(row["country"], row["city"], row["club"]) for row in read_table("clubs"))


@cache
def all_names() -> tuple[Names, ...]:
    return tuple(
        Names(
            row["country"],
            row["ema"],
            int(row["share"]),
            tuple(row["given names"].split(", ")),
            tuple(row["family names"].split(", ")),
        )
        for row in read_table("names")
    )


def invent_people(random: Random, count: int, home: str = "") -> list[InventedPerson]:
    """Return people in random order, from 3 to 5,567: those of data/people.tsv, and others with different names.

    `home`: the event's country, which sends more players than others.
    """
    special = [_special_person(random, number, row) for number, row in enumerate(read_table("people"))]
    drawn = _draw_names(random, home)
    others = [_person(random, number, *next(drawn)) for number in range(len(special), count)]
    return random.sample([*special, *others], count)


def _special_person(random: Random, number: int, row: dict[str, str]) -> InventedPerson:
    """Return a person of data/people.tsv: a very long name, and two namesakes."""
    (club,) = (club for club in all_clubs() if (club.country, club.city) == (row["country"], row["city"]))
    ema = next(names.ema for names in all_names() if names.country == row["country"])
    return InventedPerson(row["first name"], row["last name"], club, _ema_number(random, ema, number))


def _person(random: Random, number: int, names: Names, first_name: str, last_name: str) -> InventedPerson:
    club = random.choice([club for club in all_clubs() if club.country == names.country])
    return InventedPerson(first_name, last_name, club, _ema_number(random, names.ema, number))


def _ema_number(random: Random, ema: str, number: int) -> str:
    """Return eight digits for most players of EMA countries; the last four keep them unique."""
    if not ema or random.random() < WITHOUT_EMA_NUMBER:
        return ""
    return f"{ema}{random.randint(0, 99):02d}{number:04d}"


def _draw_names(random: Random, home: str) -> Iterator[tuple[Names, str, str]]:
    """Yield different names, given and family, countries in proportion to their shares."""
    remaining = {names: _shuffled_pairs(random, names) for names in all_names()}
    weights = {names: names.share * (HOME_ADVANTAGE if names.country == home else 1) for names in remaining}
    while remaining:
        names = random.choices(list(remaining), [weights[names] for names in remaining])[0]
        yield names, *remaining[names].pop()
        if not remaining[names]:
            del remaining[names]


def _shuffled_pairs(random: Random, names: Names) -> list[tuple[str, str]]:
    """Return every combination of given and family name, shuffled."""
    pairs = [(first, last) for first in names.given_names for last in names.family_names]
    return random.sample(pairs, len(pairs))
