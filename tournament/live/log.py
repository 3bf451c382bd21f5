"""What the hub asks of the log."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from tournament.live.events import Entry


class Log(Protocol):
    """Where the hub reads: the database, or a list in a test."""

    async def versions(self, tournament_ids: Iterable[int]) -> Mapping[int, int]:
        """Tournament → version; one that no longer exists is absent."""
        ...

    async def entries(self, tournament_id: int, after: int) -> Sequence[Entry]:
        """The entries with `seq > after`, in order."""
        ...

    async def era(self) -> str:
        """Changes whenever everything was replaced by a backup."""
        ...
