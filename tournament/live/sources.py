"""What the stream reads from the database: the log, and whether a visitor may watch.

One thread with one connection serves all of it: a thousand watchers cost no more connections than one.
"""

import asyncio
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import ParamSpec, TypeVar

from django.db import close_old_connections, connections

from tournament.base.access import Actor, Audience, audience_of, memberships
from tournament.base.access.visits import visitor_with
from tournament.base.models.log_entry import LogEntry
from tournament.base.models.play import Session
from tournament.base.models.tournament import Tournament
from tournament.base.turn import era
from tournament.live.events import PUBLIC, STAFF, Entry, Hearer
from tournament.live.rooms import Versions

P = ParamSpec("P")
R = TypeVar("R")


@dataclass(frozen=True)
class Admission:
    """Who may watch what. `by_role`: not because everybody may."""

    tournament_id: int
    hearer: Hearer
    by_role: bool


class Database:
    """The log in the database; a `tournament.live.hub.Log`."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="live")

    async def versions(self, tournament_ids: Iterable[int]) -> dict[int, Versions]:
        return await self._read(_versions, list(tournament_ids))

    async def entries(self, tournament_id: int, after: int) -> list[Entry]:
        return await self._read(_entries, tournament_id, after)

    async def public_entries(self, tournament_id: int, after: int) -> list[Entry]:
        return await self._read(_public_entries, tournament_id, after)

    async def era(self) -> str:
        return era()

    async def admit(self, slug: str, cookies: str, *, as_staff: bool) -> Admission | None:
        """None when there is no tournament of that name, or this visitor may not see it, or not from inside."""
        return await self._read(_admit, slug, cookies, as_staff=as_staff)

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


def _versions(tournament_ids: list[int]) -> dict[int, Versions]:
    found = Tournament.objects.filter(pk__in=tournament_ids)
    rows = found.values_list("pk", "version", "public_version", "is_public")
    return {key: Versions(version, public, is_public) for key, version, public, is_public in rows}


def _entries(tournament_id: int, after: int) -> list[Entry]:
    return _read_entries(tournament_id, seq__gt=after)


def _public_entries(tournament_id: int, after: int) -> list[Entry]:
    return _read_entries(tournament_id, public_seq__gt=after)


def _read_entries(tournament_id: int, **since: int) -> list[Entry]:
    rows = LogEntry.objects.filter(tournament=tournament_id, **since).order_by("seq")
    read = list(rows.values_list("seq", "action", "data", "public_seq"))
    # Asked after the entries: what was hidden meanwhile is not told either.
    hidden = set(
        Session.objects.filter(tournament=tournament_id, hidden=True).values_list("number", flat=True)
    )
    return [Entry(*row, hidden=row[2].get("session") in hidden) for row in read]


def _admit(slug: str, cookies: str, *, as_staff: bool) -> Admission | None:
    tournament = Tournament.objects.filter(slug=slug).first()
    if tournament is None:
        return None
    if tournament.is_public and not as_staff:
        return Admission(tournament.pk, PUBLIC, by_role=False)
    hearer = _inside(visitor_with(cookies), tournament)
    if hearer is None:
        return None
    return Admission(tournament.pk, hearer if as_staff else PUBLIC, by_role=True)


def _inside(actor: Actor, tournament: Tournament) -> Hearer | None:
    """As whom somebody with a role hears; None for who has none."""
    if audience_of(actor, tournament) is Audience.STAFF:
        return STAFF
    card = memberships(actor, tournament).first()
    return Hearer(table=card.table_number) if card else None
