"""Chance from a seed that comes out the same for everybody, on every version of Python."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TypeVar

T = TypeVar("T")


class Dice:
    """Throws from a seed. Of `Random` only ``random()`` is promised to stay as it is, so everything is made of it."""

    def __init__(self, seed: str) -> None:
        self._random = Random(seed)

    def below(self, limit: int) -> int:
        """0 to limit − 1."""
        return int(self._random.random() * limit)

    def happens(self, chance: float) -> bool:
        return self._random.random() < chance

    def pick(self, some: Sequence[T]) -> T:
        return some[self.below(len(some))]

    def mixed(self, some: Sequence[T]) -> list[T]:
        """All of them in another order."""
        left = list(some)
        return [left.pop(self.below(len(left))) for _ in some]

    def some(self, count: int, of: Sequence[T]) -> list[T]:
        """So many different ones; all of them where there are fewer."""
        return self.mixed(of)[:count]
