"""Finals: which players advance, and which part of their points they keep (RULES §8)."""

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction


class Carry(StrEnum):
    """What a finalist keeps of the points so far."""

    FULL = "full"
    HALF = "half"
    NOTHING = "dropped"

    @property
    def share(self) -> Fraction:
        """The fraction of the points that is kept."""
        return {Carry.FULL: Fraction(1), Carry.HALF: Fraction(1, 2), Carry.NOTHING: Fraction(0)}[self]


@dataclass(frozen=True, slots=True)
class Cut:
    """A final set up after session `after`: groups of player numbers, the best group first."""

    after: int
    groups: tuple[tuple[int, ...], ...]
    carry: Carry = Carry.FULL
