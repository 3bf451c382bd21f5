"""Finals: which players go on, and what they keep of their points (RULES §8)."""

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
        """The part of the points that counts on."""
        return {Carry.FULL: Fraction(1), Carry.HALF: Fraction(1, 2), Carry.NOTHING: Fraction(0)}[self]


@dataclass(frozen=True, slots=True)
class Cut:
    """A stage as it was set up after session ``after``: its groups of player numbers, the best group first."""

    after: int
    groups: tuple[tuple[int, ...], ...]
    carry: Carry = Carry.FULL
