"""How long something takes, on a machine that does other things meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter


def quickest(do: Callable[[], object]) -> float:
    """Seconds of the quickest of three times."""
    return min(_seconds(do) for _ in range(3))


def _seconds(do: Callable[[], object]) -> float:
    started = perf_counter()
    do()
    return perf_counter() - started
