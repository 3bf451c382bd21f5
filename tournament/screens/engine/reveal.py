"""A ceremony from the last place to the first: what is told at each step, ties together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Protocol, TypeVar


class Placed(Protocol):
    """Anything with a rank."""

    @property
    def rank(self) -> int: ...


P = TypeVar("P", bound=Placed)


def steps(lines: Iterable[P], first: int | None = None) -> list[tuple[P, ...]]:
    """The lines in the order they are told, those of one rank together: the last place of the best `first` (None: of
    all) to the winner."""
    wanted = sorted(
        (line for line in lines if first is None or line.rank <= first), key=lambda line: line.rank
    )
    return [tuple(shared) for _rank, shared in groupby(wanted, key=lambda line: line.rank)][::-1]


def told(steps: Sequence[tuple[P, ...]], count: int) -> tuple[tuple[P, ...], ...]:
    """What has been told after so many steps, the newest first."""
    return tuple(reversed(steps[:count]))
