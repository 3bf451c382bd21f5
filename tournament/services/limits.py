"""What anybody may do without an account: so often from one place, and no more."""

from __future__ import annotations

from dataclasses import dataclass

from django.core.cache import caches


@dataclass(frozen=True)
class Limit:
    """`most` times in `within` seconds from one place: an address (`access.address.place_of`), or a table."""

    of: str
    most: int
    within: int

    def is_passed(self, place: str | int) -> bool:
        """Count one more from there; whether that is too many."""
        limits, key = caches["limits"], f"{self.of}:{place}"
        if limits.add(key, 1, self.within):
            return self.most < 1
        try:
            return bool(limits.incr(key) > self.most)
        except ValueError:  # its time ended in between
            return False
