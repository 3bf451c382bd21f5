"""Sums over the hands of an event: how many were won and how, for how much, and with which fans."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import reduce
from heapq import nsmallest
from typing import Final

MAX_BEST: Final = 5
"""Number of highest-scoring hands kept."""


@dataclass(frozen=True)
class PlayedHand:
    """A hand as far as the figures need it. `place` orders hands of the same points, the earlier first."""

    id: int
    place: tuple[int, int, int]
    """Session, number in the session, table."""
    won: bool
    self_drawn: bool = False
    points: int = 0
    """The fan total, flowers included."""
    fans: tuple[str, ...] = ()
    """Keys, each once; empty where only points were announced."""


@dataclass(frozen=True)
class Figures:
    """The sums of some hands; those of two sessions can be added."""

    hands: int = 0
    won: int = 0
    self_drawn: int = 0
    points: int = 0
    """Of all hands won."""
    known: int = 0
    """Hands won whose fans are known."""
    fans: Mapping[str, int] = field(default_factory=dict)
    """Key → how many of those hands had it."""
    best: tuple[tuple[int, tuple[int, int, int], int], ...] = ()
    """(minus its points, place, id) of the highest-scoring hands won, the earliest of equals first."""

    @property
    def wash_outs(self) -> int:
        return self.hands - self.won

    @property
    def by_discard(self) -> int:
        """Return the number of hands in which somebody dealt in."""
        return self.won - self.self_drawn

    @property
    def average(self) -> float | None:
        """Return the mean points of a won hand."""
        return self.points / self.won if self.won else None

    @property
    def best_ids(self) -> tuple[int, ...]:
        return tuple(id for _points, _place, id in self.best)

    @property
    def fans_by_frequency(self) -> tuple[tuple[str, int], ...]:
        return tuple(sorted(self.fans.items(), key=lambda item: (-item[1], item[0])))

    def __add__(self, other: Figures) -> Figures:
        return Figures(
            hands=self.hands + other.hands,
            won=self.won + other.won,
            self_drawn=self.self_drawn + other.self_drawn,
            points=self.points + other.points,
            known=self.known + other.known,
            fans=dict(Counter(self.fans) + Counter(other.fans)),
            best=tuple(nsmallest(MAX_BEST, (*self.best, *other.best))),
        )


def figures(hands: Iterable[PlayedHand]) -> Figures:
    played = list(hands)
    won = [hand for hand in played if hand.won]
    return Figures(
        hands=len(played),
        won=len(won),
        self_drawn=sum(hand.self_drawn for hand in won),
        points=sum(hand.points for hand in won),
        known=sum(bool(hand.fans) for hand in won),
        fans=dict(Counter(fan for hand in won for fan in hand.fans)),
        best=tuple(nsmallest(MAX_BEST, ((-hand.points, hand.place, hand.id) for hand in won))),
    )


def sum_figures(parts: Iterable[Figures]) -> Figures:
    """Return the figures of several sessions together."""
    return reduce(Figures.__add__, parts, Figures())
