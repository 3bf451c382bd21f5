"""Compare players' EMA numbers and names with a list of the association."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

from tournament.base.engine.names import name_key
from tournament.players.engine import EMA_DIGITS

_NUMBER: Final = re.compile(rf"\d{{{EMA_DIGITS - 1},{EMA_DIGITS}}}", re.ASCII)
"""Spreadsheets drop the leading zero."""


@dataclass(frozen=True)
class Member:
    """A line of the association's list. `names`: what may be the name, if more columns follow it."""

    number: str
    names: tuple[str, ...]


@dataclass(frozen=True)
class Holder:
    """A player of the event with an EMA number, or "" without."""

    player: int
    name: str
    ema_number: str = ""

    @property
    def link(self) -> str:
        """The player in the address of their page."""
        return f"p{self.player}"


class Finding(Enum):
    """How a player compares with the list, the most urgent first."""

    OTHER_NUMBER = "other_number"
    """The list has the name with another number."""
    OTHER_NAME = "other_name"
    """The list has the number with another name."""
    MISSING = "missing"
    """The player has no number, and the list has the name."""
    AMBIGUOUS = "ambiguous"
    """The list has the name more than once, or the number is another player's."""
    NOT_LISTED = "not_listed"
    """The list has neither the number nor the name."""
    WITHOUT = "without"
    """The player has no number, and the list does not have the name."""
    MATCHES = "matches"


@dataclass(frozen=True)
class Check:
    """A player compared with the list. `number`: what the list offers; `listed_name`: whose it says their number is."""

    holder: Holder
    finding: Finding
    number: str = ""
    listed_name: str = ""


def parse_member(cells: Sequence[str]) -> Member | None:
    """Read a line with a number and a name; None if it has none.

    >>> parse_member(["04000123 Anne Dupont"])
    Member(number='04000123', names=('Anne Dupont',))
    >>> parse_member(["4000123", "DUPONT", "Anne", "FRA"])
    Member(number='04000123', names=('DUPONT', 'DUPONT Anne', 'DUPONT Anne FRA'))
    >>> parse_member(["Number", "Name"]) is None
    True
    """
    number, *rest = " ".join(cells[:1]).split(maxsplit=1) + list(cells[1:]) or [""]
    rest = [cell for cell in rest if cell]
    if not _NUMBER.fullmatch(number) or not rest:
        return None
    names = (" ".join(rest[:columns]) for columns in range(1, min(len(rest), 3) + 1))
    return Member(number.zfill(EMA_DIGITS), tuple(names))


def check_numbers(holders: Iterable[Holder], members: Iterable[Member]) -> list[Check]:
    """Compare each player with the list, the most urgent first. Spelling and order of names make no difference."""
    holders = list(holders)
    by_number = {member.number: member for member in members}
    by_name: defaultdict[str, set[str]] = defaultdict(set)
    for member in by_number.values():
        for name in member.names:
            by_name[name_key(name)].add(member.number)
    checks = [_check(holder, by_name[name_key(holder.name)], by_number) for holder in holders]
    offered = Counter(check.number for check in checks)
    taken = {holder.ema_number for holder in holders}
    checks = [
        replace(check, finding=Finding.AMBIGUOUS, number="")
        if check.number and (offered[check.number] > 1 or check.number in taken)
        else check
        for check in checks
    ]
    order = list(Finding)
    return sorted(checks, key=lambda check: (order.index(check.finding), check.holder.player))


def _check(holder: Holder, numbers: set[str], by_number: dict[str, Member]) -> Check:
    number = holder.ema_number
    if number and number in numbers:
        return Check(holder, Finding.MATCHES)
    listed_name = by_number[number].names[-1] if number in by_number else ""
    if len(numbers) == 1:
        finding = Finding.OTHER_NUMBER if number else Finding.MISSING
        return Check(holder, finding, next(iter(numbers)), listed_name)
    if numbers:
        return Check(holder, Finding.AMBIGUOUS)
    if listed_name:
        return Check(holder, Finding.OTHER_NAME, listed_name=listed_name)
    return Check(holder, Finding.NOT_LISTED if number else Finding.WITHOUT)
