"""Rate limits: for requests without an account, and for guesses at secrets."""

from __future__ import annotations

from dataclasses import dataclass

from django.core.cache import caches

from scoring.engine.problems import Problem
from tournament.base.errors import TooMany

QUARTER_HOUR = 15 * 60
"""Seconds."""


@dataclass(frozen=True)
class Limit:
    """At most `maximum` events in `within` seconds, counted by a key such as an address (`rate_limit_key`).

    What affects a third party, as letters to a mailbox, is counted by both and only where it happens: neither
    strangers nor refused requests then use up that person's limit.
    """

    of: str
    maximum: int
    within: int

    def exceeded_by(self, place: str | int) -> bool:
        """Count an event and return whether it exceeds the limit."""
        limits, key = caches["limits"], self._key(place)
        if limits.add(key, 1, self.within):
            return self.maximum < 1
        try:
            return bool(limits.incr(key) > self.maximum)
        except ValueError:  # it expired in between
            return False

    def undo_count(self, place: str | int) -> None:
        """Undo the last count, for a guess that was right."""
        try:
            caches["limits"].decr(self._key(place))
        except ValueError:  # it expired in between
            return

    def _key(self, place: str | int) -> str:
        return f"{self.of}:{place}"


@dataclass(frozen=True)
class GuessLimit:
    """A limit for guesses at a secret: after `burst` it allows one each `pace`. It slows down, it never locks.

    Guesses are counted before they are checked, so that parallel ones cannot pass the limit.
    """

    burst: Limit
    pace: Limit

    @classmethod
    def named(cls, name: str, *, burst: int, seconds: int) -> GuessLimit:
        """Return limits of `burst` guesses in a quarter of an hour, then one each `seconds`."""
        return cls(Limit(name, burst, QUARTER_HOUR), Limit(f"{name}-pace", 1, seconds))

    def require(self, place: str, problem: Problem) -> None:
        """Count a guess; raise TooMany with the problem if it may not be checked."""
        if self.burst.exceeded_by(place) and self.pace.exceeded_by(place):
            raise TooMany(problem, self.pace.within)

    def forgive(self, place: str) -> None:
        """Undo the count of a right guess."""
        self.burst.undo_count(place)
