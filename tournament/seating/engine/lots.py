"""Drawing lots that anybody can check: every number comes from SHA-256 of the seed and a counter."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from itertools import count
from typing import TypeVar

Item = TypeVar("Item")


class Lots:
    """The numbers of a seed: the n-th is SHA-256 of ``"seed:n"``, so any language can repeat the draw."""

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._counter = count()

    def below(self, limit: int) -> int:
        """The next number from 0 to ``limit`` − 1 (the bias of 256 bits modulo ``limit`` is nothing)."""
        digest = sha256(f"{self._seed}:{next(self._counter)}".encode()).digest()
        return int.from_bytes(digest, "big") % limit

    def shuffled(self, items: Sequence[Item]) -> list[Item]:
        """The items in drawn order (Fisher-Yates from the end)."""
        drawn = list(items)
        for last in range(len(drawn) - 1, 0, -1):
            other = self.below(last + 1)
            drawn[last], drawn[other] = drawn[other], drawn[last]
        return drawn
