"""The hub: one task a process reads the log for everybody who watches, and hands each watcher ready bytes.

A tournament that is watched has a room. A room remembers its last events, so that a whole hall coming back
after a break in the network is answered from memory.
"""

import asyncio
import contextlib
import logging
from collections import deque
from collections.abc import Callable, Iterable, Sequence

from tournament.live import events
from tournament.live.events import Entry
from tournament.live.log import Log

logger = logging.getLogger(__name__)

REPLAY = 100
"""How many missed events are told one by one; after more, one reset."""
BACKLOG = 2 * REPLAY
"""How many events may wait for a slow watcher before it is sent away to come back with what it has seen."""
PAUSE_AFTER_FAULT = 1.0
FOLLOWED_SECONDS = 60.0
"""How long a room without watchers is kept up to date after its version was last asked for."""


class Watcher:
    """One client's end: events wait here until they are taken. All calls from the event loop's thread."""

    def __init__(self) -> None:
        self._frames: deque[bytes] = deque()
        self._stir = asyncio.Event()
        self.is_closed = False

    def put(self, frame: bytes) -> None:
        if len(self._frames) >= BACKLOG:
            self.close()
        else:
            self._frames.append(frame)
            self._stir.set()

    def close(self) -> None:
        self._frames.clear()
        self.is_closed = True
        self._stir.set()

    async def take(self, patience: float) -> bytes | None:
        """All that waits, as one piece; a heartbeat after `patience` seconds of nothing; None once closed."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(patience):
                await self._stir.wait()
        if self.is_closed:
            return None
        self._stir.clear()
        waiting = b"".join(self._frames)
        self._frames.clear()
        return waiting or events.HEARTBEAT


class Room:
    """A watched tournament: who watches, the version told so far, and the last events."""

    def __init__(self, version: int, entries: Sequence[Entry]) -> None:
        self.version = version
        self.followed_until = 0.0
        """Until when it is kept although nobody watches, by the event loop's time."""
        self.watchers: set[Watcher] = set()
        self._recent = deque(((entry.seq, events.change(entry)) for entry in entries), maxlen=REPLAY)

    def admit(self, watcher: Watcher, since: int | None) -> None:
        """Add a watcher who has seen everything up to `since` (None: wants only what comes)."""
        self.watchers.add(watcher)
        if since is None or since >= self.version:
            return
        if since < self.version - len(self._recent):
            watcher.put(events.reset(self.version))
        else:
            self._tell([frame for seq, frame in self._recent if seq > since], [watcher])

    def advance(self, version: int, entries: Sequence[Entry]) -> None:
        """Tell what was written since. More than can be told one by one, or a log set back, is a reset."""
        frames = [events.change(entry) for entry in entries]
        if version < self.version or len(frames) > REPLAY:
            frames = [events.reset(version)]
            self._recent.clear()
        else:
            self._recent.extend(zip((entry.seq for entry in entries), frames, strict=True))
            if any(entry.action == events.HIDING for entry in entries):
                self._recent.clear()
        self.version = version
        self._tell(frames, self.watchers)

    def start_over(self) -> None:
        """Another course of the tournament is in its place: whatever was told of this one, read everything again."""
        self._recent.clear()
        self._tell([events.reset(self.version)], self.watchers)

    def _tell(self, frames: Sequence[bytes], watchers: Iterable[Watcher]) -> None:
        for watcher in watchers:
            for frame in frames:
                watcher.put(frame)


class Hub:
    """Rooms, and the task that keeps them up to date. `look_every` is the longest a write goes unseen."""

    def __init__(self, log: Log, look_every: float) -> None:
        self._log = log
        self._look_every = look_every
        self._rooms: dict[int, Room] = {}
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
                watcher.close()

    async def stop(self) -> None:
        self.close()
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])

    async def join(self, tournament_id: int, since: int | None) -> Watcher:
        """A new watcher, with what it missed since version `since` already waiting in it."""
        watcher = Watcher()
        async with self._opening:
            room = self._rooms.get(tournament_id) or await self._open(tournament_id)
            room.admit(watcher, since)
        if self._is_closed:
            watcher.close()
        return watcher

    def leave(self, tournament_id: int, watcher: Watcher) -> None:
        room = self._rooms.get(tournament_id)
        if room is not None:
            room.watchers.discard(watcher)
            self._forget_if_empty(tournament_id, room)

    def _forget_if_empty(self, tournament_id: int, room: Room) -> None:
        """A room opened anew meanwhile is another one, whose watchers go on hearing."""
        is_empty = not room.watchers and room.followed_until <= self._now()
        if is_empty and self._rooms.get(tournament_id) is room:
            del self._rooms[tournament_id]

    @property
    def is_running(self) -> bool:
        return self._task is not None and not self._is_closed

    async def follow(self, tournament_id: int) -> None:
        """Know a tournament's version from now on, for as long as it is asked for."""
        async with self._opening:
            if tournament_id not in self._rooms:
                await self._open(tournament_id)
            self._rooms[tournament_id].followed_until = self._now() + FOLLOWED_SECONDS

    def version(self, tournament_id: int) -> int | None:
        """The newest version; None when it is not followed, or between a write of this process and the look
        that learns of it: what a client of this process has written it also reads. Other processes' writes are known
        after `look_every` at the latest."""
        room = self._rooms.get(tournament_id)
        if room is None or self._is_closed or self._woken != self._looked or self._loop is None:
            return None
        room.followed_until = self._loop.time() + FOLLOWED_SECONDS
        return room.version

    async def _open(self, tournament_id: int) -> Room:
        versions = await self._log.versions([tournament_id])
        version = versions.get(tournament_id, 0)
        entries = await self._log.entries(tournament_id, after=version - REPLAY)
        room = Room(entries[-1].seq if entries else version, entries)
        self._rooms[tournament_id] = room
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
            except Exception:
                # The database may be away for a moment; the watchers stay and hear of everything afterwards.
                logger.exception("The live stream could not read the log")
                await asyncio.sleep(PAUSE_AFTER_FAULT)

    async def _look(self) -> None:
        rooms = dict(self._rooms)
        if not rooms:
            return
        era, self.era = self.era, await self._log.era()
        versions = await self._log.versions(rooms)
        for tournament_id, room in rooms.items():
            await self._bring_up_to_date(tournament_id, room, versions.get(tournament_id))
            if era != self.era:
                room.start_over()
            self._forget_if_empty(tournament_id, room)

    async def _bring_up_to_date(self, tournament_id: int, room: Room, version: int | None) -> None:
        if version is None:
            # Deleted: whoever comes back is told that there is no such tournament.
            for watcher in room.watchers:
                watcher.close()
            self._rooms.pop(tournament_id, None)
        elif version < room.version:
            room.advance(version, [])
        elif version > room.version:
            entries = await self._log.entries(tournament_id, after=room.version)
            room.advance(entries[-1].seq, entries)

    def _now(self) -> float:
        return self._loop.time() if self._loop is not None else 0.0

    def _call_soon(self, callback: Callable[[], None]) -> None:
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(callback)
