"""How often something may be done in a while: without an account, or with a wrong password."""

from __future__ import annotations

from dataclasses import dataclass

from django.core.cache import caches

from scoring.engine.problems import Problem
from tournament.base.errors import TooMany

QUARTER = 15 * 60
"""Seconds in which attempts at a secret are counted together."""


@dataclass(frozen=True)
class Limit:
    """`most` times in `within` seconds from one place: an address (`base.requests.place_of`).

    What concerns somebody else, as letters to a mailbox, is counted by both, and where it is done: then neither others
    nor what was refused use it up for whom it is about.
    """

    of: str
    most: int
    within: int

    def is_passed(self, place: str | int) -> bool:
        """Count one more from there; whether that is too many."""
        limits, key = caches["limits"], self._key(place)
        if limits.add(key, 1, self.within):
            return self.most < 1
        try:
            return bool(limits.incr(key) > self.most)
        except ValueError:  # its time ended in between
            return False

    def give_back(self, place: str | int) -> None:
        """Take back the one that was counted last: it was a guess that was right."""
        try:
            caches["limits"].decr(self._key(place))
        except ValueError:  # its time ended in between
            return

    def _key(self, place: str | int) -> str:
        return f"{self.of}:{place}"


@dataclass(frozen=True)
class Guesses:
    """Attempts at a secret: after `freely` one is looked at each time `pace` allows. Slowed, never locked.

    Each is counted before it is looked at, so that many at once are not looked at before the first is counted.
    """

    freely: Limit
    pace: Limit

    @classmethod
    def at(cls, what: str, *, freely: int, seconds: int) -> Guesses:
        """So many in a quarter of an hour, then one each `seconds`."""
        return cls(Limit(what, freely, QUARTER), Limit(f"{what}-pace", 1, seconds))

    def require(self, place: str, problem: Problem) -> None:
        """Count one more attempt. Raises TooMany with that problem when it is not to be looked at."""
        if self.freely.is_passed(place) and self.pace.is_passed(place):
            raise TooMany(problem, self.pace.within)

    def was_right(self, place: str) -> None:
        """Take the attempt back: it was no guess."""
        self.freely.give_back(place)
