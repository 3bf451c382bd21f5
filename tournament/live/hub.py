"""The hub: one task per process reads the log for everybody who watches, and hands each watcher ready bytes.

A tournament that is watched has a `Room` for each kind of hearer that is there: the public, the staff, and the card on
a table. All of them hear where something happened, and the page asks for the rest, as whoever is looking. So no event
says more than the page of those who hear it: no player, no score, no foul.
"""

import asyncio
import contextlib
import json
import logging
import random
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, Protocol, TypeAlias

from tournament.base.log_actions import CHANGED, RESULTS_HIDDEN, LogAction, action_of

# --- Events ---


PLACE = ("session", "table")
"""The keys of an entry's data that everybody is told."""
AT_A_TABLE = (*PLACE, "table_version")
"""The keys told where play is not hidden: by `table_version` a desk knows whether it wrote the entry itself."""

RETRY = b"retry: 2000\n\n"
MOVES_WITHIN = (300, 3000)
"""Milliseconds within which clients reconnect when this process ends, each at a random moment."""
HEARTBEAT = b": still here\n\n"


@dataclass(frozen=True, slots=True)
class Entry:
    """The part of a log entry that the stream needs.

    `seq` is the tournament's version after it, `public_seq` its public version, None where the public is told nothing.
    `hidden`: whether how its session was played is hidden now.
    """

    seq: int
    code: str
    data: Mapping[str, Any] = field(default_factory=dict)
    public_seq: int | None = None
    hidden: bool = False

    @property
    def action(self) -> LogAction:
        return action_of(self.code)


@dataclass(frozen=True, slots=True)
class Hearer:
    """Who hears: the public, the staff, or who holds the card of the table with this number."""

    is_staff: bool = False
    table: int | None = None

    @property
    def counts_all(self) -> bool:
        """Whether the events are numbered as the log is: all others know the public version alone."""
        return self.is_staff

    def is_told(self, entry: Entry) -> bool:
        """Whether there is an event. A card hears its own table, whatever is hidden."""
        return self.is_staff or entry.public_seq is not None or self._is_at(entry)

    def change(self, entry: Entry, version: int) -> bytes:
        """`event: change`: one write, with the version after it."""
        is_inside = self.is_staff or self._is_at(entry)
        keys = AT_A_TABLE if is_inside or not entry.hidden else PLACE
        action = entry.action if is_inside or self._names(entry) else CHANGED
        place = {key: entry.data[key] for key in keys if key in entry.data}
        return _event(
            "change", version, {"version": version, "action": action.code, "topics": action.topics} | place
        )

    def _is_at(self, entry: Entry) -> bool:
        return self.table is not None and entry.data.get("table") == self.table

    @staticmethod
    def _names(entry: Entry) -> bool:
        is_at_a_hidden_table = entry.hidden and "table" in entry.data
        return entry.action.is_named and not is_at_a_hidden_table


PUBLIC = Hearer()
STAFF = Hearer(is_staff=True)


def reset(version: int) -> bytes:
    """`event: reset`: too much has happened to tell it one by one; read everything again."""
    return _event("reset", version, {"version": version})


def _event(name: str, version: int, data: dict[str, Any]) -> bytes:
    body = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return f"id: {version}\nevent: {name}\ndata: {body}\n\n".encode()


def move() -> bytes:
    """Build the last words of a process that ends: reconnect soon, each client at another moment."""
    return b"retry: %d\n\n" % random.randint(*MOVES_WITHIN)


# --- Rooms ---


REPLAY = 100
"""How many missed events are told one by one; after more, one reset."""
BACKLOG = 2 * REPLAY
"""How many events may wait for a slow watcher before it is sent away to come back with what it has seen."""


@dataclass(frozen=True, slots=True)
class Versions:
    """Where a tournament is: its version, that of the public, and whether everybody may watch."""

    version: int
    public: int
    is_public: bool = True

    def of(self, hearer: Hearer) -> int:
        return self.version if hearer.counts_all else self.public


class Watcher:
    """One client's end: events wait here until they are taken. All calls from the event loop's thread.

    `by_role`: let in for a role, not because everybody may watch.
    """

    def __init__(self, *, by_role: bool = False) -> None:
        self._frames: deque[bytes] = deque()
        self._stir = asyncio.Event()
        self.by_role = by_role
        self.is_closed = False
        self.last_words = b""

    def put(self, frame: bytes) -> None:
        if len(self._frames) >= BACKLOG:
            self.close()
        else:
            self._frames.append(frame)
            self._stir.set()

    def close(self, last_words: bytes = b"") -> None:
        self._frames.clear()
        self.is_closed = True
        self.last_words = last_words
        self._stir.set()

    async def take(self, patience: float) -> bytes | None:
        """Return all that waits, as one piece; a heartbeat after `patience` seconds of nothing; None once closed."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(patience):
                await self._stir.wait()
        if self.is_closed:
            return None
        self._stir.clear()
        waiting = b"".join(self._frames)
        self._frames.clear()
        return waiting or HEARTBEAT


class Room:
    """Who watches a tournament as one kind of hearer, the version told so far, and the last events.

    The last events are remembered, so that a whole hall coming back after a break in the network is answered from
    memory.

    `entries`: what was written last, as far as it is told here. `read`: the newest entry of the log that is in it.
    """

    def __init__(self, hearer: Hearer, now: Versions, entries: Sequence[Entry]) -> None:
        self.hearer = hearer
        self.followed_until = 0.0
        """Until when it is kept although nobody watches, by the event loop's time."""
        self.watchers: set[Watcher] = set()
        self._is_public = now.is_public
        self.read, self.version = now.version, now.of(hearer)
        numbered = [(number, entry) for entry in entries if (number := self._number(entry)) is not None]
        self._whole_since = numbered[0][0] - 1 if numbered else self.version
        """Who has seen this version can be told all that it missed from what is remembered."""
        frames = [(number, hearer.change(entry, number)) for number, entry in numbered]
        self._recent = deque(frames, maxlen=REPLAY)
        if entries:
            self.read = max(self.read, entries[-1].seq)
        if numbered:
            self.version = max(self.version, numbered[-1][0])

    def admit(self, watcher: Watcher, since: int | None) -> None:
        """Add a watcher who has seen everything up to `since` (None: wants only what comes)."""
        if not (self._is_public or watcher.by_role):
            watcher.close()
            return
        self.watchers.add(watcher)
        if since is None:
            return
        if self.hearer.table is not None:
            # What its own table wrote in a hidden session has no number that the card may know.
            watcher.put(reset(self.version))
        elif since < self.version:
            if since < self._whole_since:
                watcher.put(reset(self.version))
            else:
                self._tell([frame for number, frame in self._recent if number > since], [watcher])

    def advance(self, now: Versions, entries: Sequence[Entry]) -> None:
        """Tell what was written since. More than can be told one by one, or a log set back, is a reset."""
        fresh = [entry for entry in entries if entry.seq > self.read]
        if now.version < self.read:
            self.start_over(now)
        elif fresh:
            self._go_on(fresh)
        self._is_public = now.is_public
        self._close_unauthorised(any(entry.action.ends_access for entry in fresh))

    def start_over(self, now: Versions) -> None:
        """Reset everybody: the tournament's log was replaced by another one, from a backup."""
        self.read, self.version = now.version, now.of(self.hearer)
        self._forget()
        self._tell([reset(self.version)], self.watchers)

    def _go_on(self, fresh: Sequence[Entry]) -> None:
        events: list[tuple[int, bytes]] = []
        for entry in fresh:
            if self.hearer.is_told(entry):
                self.version = self._number(entry) or self.version
                events.append((self.version, self.hearer.change(entry, self.version)))
        self.read = fresh[-1].seq
        frames = [frame for _number, frame in events]
        if len(events) > REPLAY:
            frames = [reset(self.version)]
            self._forget()
        else:
            self._remember(events)
            if any(entry.action is RESULTS_HIDDEN for entry in fresh):
                self._forget()
        self._tell(frames, self.watchers)

    def _remember(self, events: Sequence[tuple[int, bytes]]) -> None:
        for numbered_frame in events:
            if len(self._recent) == REPLAY:
                self._whole_since = self._recent[0][0]
            self._recent.append(numbered_frame)

    def _forget(self) -> None:
        """Repeat nothing that was told: whoever missed it gets a reset."""
        self._recent.clear()
        self._whole_since = self.version

    def _close_unauthorised(self, is_narrower: bool) -> None:
        """Close whoever may no longer watch, or has to be checked again: they reconnect by themselves."""
        if is_narrower or not self._is_public:
            for watcher in self.watchers:
                if (is_narrower and watcher.by_role) or not (self._is_public or watcher.by_role):
                    watcher.close()

    def _number(self, entry: Entry) -> int | None:
        return entry.seq if self.hearer.counts_all else entry.public_seq

    def _tell(self, frames: Sequence[bytes], watchers: Iterable[Watcher]) -> None:
        for watcher in watchers:
            for frame in frames:
                watcher.put(frame)


# --- Hub ---


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
        """The log's era. What is remembered of another one is forgotten: its versions say nothing of those of now."""

    def start(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._task = asyncio.create_task(self._run(), name="live hub")

    def wake(self) -> None:
        """Look at the log now. From any thread, at any time, also when the loop is gone."""
        self._call_soon(self._note_wake)

    def _note_wake(self) -> None:
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
        """Add a new watcher, with what it missed since version `since` already waiting in it."""
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
        """Drop a room that nobody needs, unless another one was opened in its place meanwhile."""
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
        """Let everybody who was told send it on, then rest four times (`REST`) as long as that took.

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
