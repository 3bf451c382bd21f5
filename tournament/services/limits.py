"""What anybody may do without an account: so often from one address, and no more."""

from __future__ import annotations

from dataclasses import dataclass

from django.core.cache import cache


@dataclass(frozen=True)
class Limit:
    """`most` times from one address in `within` seconds."""

    of: str
    most: int
    within: int

    def is_passed(self, address: str) -> bool:
        """Count one more from there; whether that is too many."""
        key = f"{self.of}:{address}"
        cache.add(key, 0, self.within)
        return bool(cache.incr(key) > self.most)
