"""What the stream reads from the database: the log, and whether a visitor may watch.

One thread with one connection serves all of it: a thousand watchers cost no more connections than one.
"""

import asyncio
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from django.db import close_old_connections, connections

from tournament.access import can_see
from tournament.access.visits import visitor_with
from tournament.backup.turn import era
from tournament.live.events import Entry, without_results
from tournament.models import LogEntry, Session, Tournament

P = ParamSpec("P")
R = TypeVar("R")


class Database:
    """The log in the database; a `tournament.live.hub.Log`."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="live")

    async def versions(self, tournament_ids: Iterable[int]) -> dict[int, int]:
        return await self._read(_versions, list(tournament_ids))

    async def entries(self, tournament_id: int, after: int) -> list[Entry]:
        return await self._read(_entries, tournament_id, after)

    async def era(self) -> str:
        return era()

    async def admit(self, slug: str, cookies: str) -> int | None:
        """The tournament's id, or None when there is none of that name or this visitor may not see it."""
        return await self._read(_admit, slug, cookies)

    async def close(self) -> None:
        await self._read(connections.close_all)
        self._thread.shutdown()

    async def _read(self, query: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        def with_fresh_connection() -> R:
            close_old_connections()
            try:
                return query(*args, **kwargs)
            finally:
                close_old_connections()

        return await asyncio.get_running_loop().run_in_executor(self._thread, with_fresh_connection)


def _versions(tournament_ids: list[int]) -> dict[int, int]:
    return dict(Tournament.objects.filter(pk__in=tournament_ids).values_list("pk", "version"))


def _entries(tournament_id: int, after: int) -> list[Entry]:
    rows = LogEntry.objects.filter(tournament=tournament_id, seq__gt=after).order_by("seq")
    entries = [Entry(*row) for row in rows.values_list("seq", "action", "data")]
    # Asked after the entries: what was hidden meanwhile is not told either.
    hidden = set(
        Session.objects.filter(tournament=tournament_id, hidden=True).values_list("number", flat=True)
    )
    return [without_results(entry) if entry.data.get("session") in hidden else entry for entry in entries]


def _admit(slug: str, cookies: str) -> int | None:
    tournament = Tournament.objects.filter(slug=slug).first()
    if tournament is None or not (tournament.is_public or can_see(visitor_with(cookies), tournament)):
        return None
    return tournament.pk
