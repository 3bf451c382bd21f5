"""The hub: one task a process reads the log for everybody who watches, and hands each watcher ready bytes.

A tournament that is watched has a room (`rooms.py`) for each kind of hearer that is there.
"""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from typing import Protocol, TypeAlias

from tournament.live.events import PUBLIC, Entry, Hearer, move
from tournament.live.rooms import REPLAY, Room, Versions, Watcher

logger = logging.getLogger(__name__)

PAUSE_AFTER_FAULT = 1.0
FOLLOWED_SECONDS = 60.0
"""How long a room without watchers is kept up to date after its version was last asked for."""
STEPS_TO_SEND = 5
"""Turns of the event loop after which watchers who were told have handed it to the network."""
REST, LONGEST_REST = 4, 0.5

Place: TypeAlias = tuple[int, Hearer]
"""A tournament, and as whom one hears of it there."""


class Log(Protocol):
    """Where the hub reads: the database, or a list in a test."""

    async def versions(self, tournament_ids: Iterable[int]) -> Mapping[int, Versions]:
        """Tournament → versions; one that no longer exists is absent."""
        ...

    async def entries(self, tournament_id: int, after: int) -> Sequence[Entry]:
        """The entries with `seq > after`, in order."""
        ...

    async def public_entries(self, tournament_id: int, after: int) -> Sequence[Entry]:
        """The entries with `public_seq > after`, in order."""
        ...

    async def era(self) -> str:
        """Changes whenever everything was replaced by a backup."""
        ...


class Hub:
    """Rooms, and the task that keeps them up to date. `look_every` is the longest a write goes unseen."""

    def __init__(self, log: Log, look_every: float) -> None:
        self._log = log
        self._look_every = look_every
        self._rooms: dict[Place, Room] = {}
        self._opening = asyncio.Lock()
        self._stir = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[None] | None = None
        self._is_closed = False
        self._woken = self._looked = 0
        self.era = ""
        """What is remembered of another one is forgotten: its versions say nothing of those of now."""

    def start(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._task = asyncio.create_task(self._run(), name="live hub")

    def wake(self) -> None:
        """Look at the log now. From any thread, at any time, also when the loop is gone."""
        self._call_soon(self._woken_now)

    def _woken_now(self) -> None:
        self._woken += 1
        self._stir.set()

    def close_soon(self) -> None:
        """Let every stream end. From any thread or signal handler."""
        self._call_soon(self.close)

    def close(self) -> None:
        self._is_closed = True
        for room in self._rooms.values():
            for watcher in room.watchers:
                watcher.close(move())

    async def stop(self) -> None:
        self.close()
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])

    async def join(
        self, tournament_id: int, since: int | None, hearer: Hearer = PUBLIC, *, by_role: bool = False
    ) -> Watcher:
        """A new watcher, with what it missed since version `since` already waiting in it."""
        watcher = Watcher(by_role=by_role)
        async with self._opening:
            room = await self._room((tournament_id, hearer))
            room.admit(watcher, since)
        if self._is_closed:
            watcher.close(move())
        return watcher

    def leave(self, tournament_id: int, watcher: Watcher, hearer: Hearer = PUBLIC) -> None:
        place = (tournament_id, hearer)
        room = self._rooms.get(place)
        if room is not None:
            room.watchers.discard(watcher)
            self._forget_if_empty(place, room)

    def _forget_if_empty(self, place: Place, room: Room) -> None:
        """A room opened anew meanwhile is another one, whose watchers go on hearing."""
        is_empty = not room.watchers and room.followed_until <= self._now()
        if is_empty and self._rooms.get(place) is room:
            del self._rooms[place]

    @property
    def is_running(self) -> bool:
        return self._task is not None and not self._is_closed

    async def follow(self, tournament_id: int) -> None:
        """Know a tournament's public version from now on, for as long as it is asked for."""
        async with self._opening:
            room = await self._room((tournament_id, PUBLIC))
            room.followed_until = self._now() + FOLLOWED_SECONDS

    def version(self, tournament_id: int) -> int | None:
        """The newest public version; None when it is not followed, or between a write of this process and the look
        that learns of it: what a client of this process has written it also reads. Other processes' writes are known
        after `look_every` at the latest."""
        room = self._rooms.get((tournament_id, PUBLIC))
        if room is None or self._is_closed or self._woken != self._looked or self._loop is None:
            return None
        room.followed_until = self._loop.time() + FOLLOWED_SECONDS
        return room.version

    async def _room(self, place: Place) -> Room:
        return self._rooms.get(place) or await self._open(place)

    async def _open(self, place: Place) -> Room:
        tournament_id, hearer = place
        versions = await self._log.versions([tournament_id])
        now = versions.get(tournament_id, Versions(0, 0))
        read = self._log.entries if hearer.counts_all else self._log.public_entries
        # A card is told to read everything when it comes, so nothing is kept for it.
        entries = await read(tournament_id, now.of(hearer) - REPLAY) if hearer.table is None else ()
        room = self._rooms[place] = Room(hearer, now, entries)
        self._stir.set()
        return room

    async def _run(self) -> None:
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._look_every if self._rooms else None):
                    await self._stir.wait()
            self._stir.clear()
            woken = self._woken
            try:
                await self._look()
                self._looked = woken
                await self._rest()
            except Exception:
                # The database may be away for a moment; the watchers stay and hear of everything afterwards.
                logger.exception("The live stream could not read the log")
                await asyncio.sleep(PAUSE_AFTER_FAULT)

    async def _rest(self) -> None:
        """Let everybody who was told send it on, and then rest four times as long as that took.

        A hall's last minute writes a hundred times in a second. Told one by one, a full hall of watchers would take the
        process from those who write; told together, what comes meanwhile is one piece for each.
        """
        began = self._now()
        for _step in range(STEPS_TO_SEND):
            await asyncio.sleep(0)
        await asyncio.sleep(min(REST * (self._now() - began), LONGEST_REST))

    async def _look(self) -> None:
        rooms = dict(self._rooms)
        if not rooms:
            return
        era, self.era = self.era, await self._log.era()
        watched = sorted(rooms, key=_tournament)
        versions = await self._log.versions({tournament_id for tournament_id, _hearer in watched})
        for tournament_id, places in groupby(watched, _tournament):
            here = {place: rooms[place] for place in places}
            await self._bring_up_to_date(tournament_id, here, versions.get(tournament_id))
            for place, room in here.items():
                if era != self.era and place in self._rooms:
                    room.start_over(versions[tournament_id])
                self._forget_if_empty(place, room)

    async def _bring_up_to_date(
        self, tournament_id: int, rooms: Mapping[Place, Room], now: Versions | None
    ) -> None:
        if now is None:
            # Deleted: whoever comes back is told that there is no such tournament.
            for place, room in rooms.items():
                for watcher in room.watchers:
                    watcher.close()
                self._rooms.pop(place, None)
            return
        read = min(room.read for room in rooms.values())
        entries = await self._log.entries(tournament_id, after=read) if now.version > read else ()
        for room in rooms.values():
            room.advance(now, entries)

    def _now(self) -> float:
        return self._loop.time() if self._loop is not None else 0.0

    def _call_soon(self, callback: Callable[[], None]) -> None:
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(callback)


def _tournament(place: Place) -> int:
    return place[0]
