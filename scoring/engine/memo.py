"""A dictionary that computes missing values and is bounded in size."""

from collections.abc import Callable
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Memo(dict[K, V], Generic[K, V]):
    """``memo[key]`` is ``work_out(key)``, cached; emptied at ``maximum`` keys, so that requests cannot fill memory."""

    __slots__ = ("_most", "_work_out")

    def __init__(self, work_out: Callable[[K], V], maximum: int) -> None:
        super().__init__()
        self._work_out = work_out
        self._most = maximum

    def __missing__(self, key: K) -> V:
        if len(self) >= self._most:
            self.clear()
        value = self[key] = self._work_out(key)
        return value
