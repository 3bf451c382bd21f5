"""The hub: one task per process reads the log for all watchers, and gives each of them ready bytes.

A watched tournament has a `Room` for each kind of recipient: the public, the staff, and the card of a table. Events
say where something happened, and the page requests the rest with its reader's permissions. So no event says more than
the pages of its recipients: no player, no score, no foul.
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
from operator import itemgetter
from typing import Any, Protocol, TypeAlias

from tournament.base.log_actions import CHANGED, RESULTS_HIDDEN, LogAction, action_of

# --- Events ---


PLACE_KEYS = ("session", "table")
"""Keys of an entry's data in every event."""
ALL_PLACES = "all"
"""What a page shows that every change concerns."""
TABLE_KEYS = (*PLACE_KEYS, "table_version")
"""Keys in events where play is not hidden; by `table_version` a desk recognises its own entry."""

SPREAD_MS_PER_WATCHER, MIN_SPREAD_MS, MAX_SPREAD_MS = 3, 300, 3_000
"""Milliseconds over which watchers spread their requests after a change that concerns all."""
RETRY = b"retry: 2000\n\n"
RECONNECT_MS = (300, 3000)
"""Milliseconds after which clients reconnect when this process stops, at random."""
HEARTBEAT = b": still here\n\n"


@dataclass(frozen=True, slots=True)
class Entry:
    """The part of a log entry that the stream needs.

    `seq` is the tournament's version after it; `public_seq` its public version, or None if the public gets no event;
    `hidden` tells whether results of its session are hidden now.
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
class Recipient:
    """The public, the staff (whose events are numbered like the log), or the card of the table with this number."""

    is_staff: bool = False
    table: int | None = None

    def receives(self, entry: Entry) -> bool:
        """Return whether there is an event for this entry. A card gets its own table's, even when hidden."""
        return self.is_staff or entry.public_seq is not None or self._is_at_table(entry)

    def change_event(self, entry: Entry, version: int, watchers: int = 0) -> bytes:
        """Return `event: change` of one write, with the version after it.

        It says over how many milliseconds so many watchers should spread their requests, if they all ask.
        """
        sees_details = self.is_staff or self._is_at_table(entry)
        keys = TABLE_KEYS if sees_details or not entry.hidden else PLACE_KEYS
        action = entry.action if sees_details or self._may_name(entry) else CHANGED
        place_data = {key: entry.data[key] for key in keys if key in entry.data}
        return _event(
            "change",
            version,
            {"version": version, "action": action.code, "topics": action.topics}
            | place_data
            | _spread(watchers),
        )

    def _is_at_table(self, entry: Entry) -> bool:
        return self.table is not None and entry.data.get("table") == self.table

    @staticmethod
    def _may_name(entry: Entry) -> bool:
        is_at_a_hidden_table = entry.hidden and "table" in entry.data
        return entry.action.has_public_code and not is_at_a_hidden_table


PUBLIC = Recipient()
STAFF = Recipient(is_staff=True)


def reset_event(version: int, watchers: int = 0) -> bytes:
    """Return `event: reset`: reload everything, because too many events were missed."""
    return _event("reset", version, {"version": version} | _spread(watchers))


def _spread(watchers: int) -> dict[str, int]:
    """Return nothing for a few watchers: pages have a default."""
    spread = spread_ms(watchers)
    return {"spread": spread} if spread else {}


def spread_ms(watchers: int) -> int:
    """Return over how many milliseconds so many watchers spread their requests; 0 for a few."""
    spread = min(SPREAD_MS_PER_WATCHER * watchers, MAX_SPREAD_MS)
    return spread if spread > MIN_SPREAD_MS else 0


def _event(name: str, version: int, data: dict[str, Any]) -> bytes:
    body = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return f"id: {version}\nevent: {name}\ndata: {body}\n\n".encode()


def reconnect_frame() -> bytes:
    """Return the last frame of a process that stops: reconnect soon, each client after a random delay."""
    return b"retry: %d\n\n" % random.randint(*RECONNECT_MS)


# --- Versions of places ---


class PlaceVersions:
    """The newest version that concerns each place; pages decide by the same rule (`concerns` in js/loader.js)."""

    def __init__(self, version: int) -> None:
        self._everywhere = version
        """The newest version that concerns every place."""
        self._at: dict[str, int] = {}

    def add(self, entry: Entry, version: int) -> None:
        if not set(PLACE_KEYS) <= entry.data.keys() or entry.action.changes_seats:
            self._everywhere = version
        else:
            session, table = (entry.data[key] for key in PLACE_KEYS)
            self._at[f"{session}/"] = self._at[f"{session}/{table}"] = version

    def of(self, places: str) -> int:
        """Return the newest version that concerns these places: "4/2 5/" for session 4, table 2, and session 5."""
        return max(self._everywhere, *(self._at.get(place, 0) for place in places.split()), 0)


# --- Rooms ---


REPLAY = 100
"""Missed events that are replayed; more are one reset."""
BACKLOG = 2 * REPLAY
"""Events that may wait for a slow watcher before it is closed, to reconnect with the version it has seen."""


@dataclass(frozen=True, slots=True)
class Versions:
    """A tournament's version, its public version, and whether everybody may watch."""

    version: int
    public: int
    is_public: bool = True

    def of(self, recipient: Recipient) -> int:
        return self.version if recipient.is_staff else self.public


class Watcher:
    """A client's queue of events, for the event loop's thread alone. `by_role`: admitted by a role."""

    def __init__(self, *, by_role: bool = False) -> None:
        self._frames: deque[bytes] = deque()
        self._wakeup = asyncio.Event()
        self.by_role = by_role
        self.is_closed = False
        self.final_frame = b""

    def put(self, frame: bytes) -> None:
        if len(self._frames) >= BACKLOG:
            self.close()
        else:
            self._frames.append(frame)
            self._wakeup.set()

    def close(self, final_frame: bytes = b"") -> None:
        self._frames.clear()
        self.is_closed = True
        self.final_frame = final_frame
        self._wakeup.set()

    async def take(self, patience: float) -> bytes | None:
        """Return all waiting frames joined; a heartbeat after `patience` seconds; None once closed."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(patience):
                await self._wakeup.wait()
        if self.is_closed:
            return None
        self._wakeup.clear()
        waiting = b"".join(self._frames)
        self._frames.clear()
        return waiting or HEARTBEAT


class Room:
    """The watchers of a tournament of one kind, their version, and the last events.

    The last events are remembered, so that many clients that reconnect at once are answered from memory. `last_read`
    is the newest log entry that was read; `version` the last version that was sent.
    """

    def __init__(self, recipient: Recipient, versions: Versions, entries: Sequence[Entry]) -> None:
        self.recipient = recipient
        self.followed_until = 0.0
        """Loop time until which the room is kept without watchers."""
        self.watchers: set[Watcher] = set()
        self._is_public = versions.is_public
        self.last_read, self.version = versions.version, versions.of(recipient)
        numbered = [(number, entry) for entry in entries if (number := self._number(entry)) is not None]
        self._complete_since = numbered[0][0] - 1 if numbered else self.version
        """All events after this version are remembered."""
        frames = [(number, recipient.change_event(entry, number)) for number, entry in numbered]
        self._recent = deque(frames, maxlen=REPLAY)
        self._concerned = PlaceVersions(self.version)
        if entries:
            self.last_read = max(self.last_read, entries[-1].seq)
        if numbered:
            self.version = max(self.version, numbered[-1][0])
            self._concerned = PlaceVersions(self.version)

    def version_at(self, places: str) -> int:
        """Return the newest version that concerns these places; "all": every version."""
        return self.version if places == ALL_PLACES else self._concerned.of(places)

    def admit(self, watcher: Watcher, since: int | None) -> None:
        """Add a watcher who has seen everything up to `since` (None: only new events)."""
        if not (self._is_public or watcher.by_role):
            watcher.close()
            return
        self.watchers.add(watcher)
        if since is None:
            return
        if self.recipient.table is not None:
            # Entries of its own table in a hidden session have no public version to replay from.
            watcher.put(reset_event(self.version))
        elif since < self.version:
            if since < self._complete_since:
                watcher.put(reset_event(self.version))
            else:
                self._send([frame for number, frame in self._recent if number > since], [watcher])

    def advance(self, versions: Versions, entries: Sequence[Entry]) -> None:
        """Send events for new entries; a reset if there are too many, or if the log is shorter than before."""
        new_entries = [entry for entry in entries if entry.seq > self.last_read]
        if versions.version < self.last_read:
            self.start_over(versions)
        elif new_entries:
            self._append(new_entries)
        self._is_public = versions.is_public
        self._close_unauthorised(any(entry.action.revokes_access for entry in new_entries))

    def start_over(self, versions: Versions) -> None:
        """Send a reset to everybody, because a backup replaced the log."""
        self.last_read, self.version = versions.version, versions.of(self.recipient)
        self._concerned = PlaceVersions(self.version)
        self._forget()
        self._send([reset_event(self.version, len(self.watchers))], self.watchers)

    def _append(self, new_entries: Sequence[Entry]) -> None:
        events: list[tuple[int, bytes]] = []
        for entry in new_entries:
            if self.recipient.receives(entry):
                self.version = self._number(entry) or self.version
                self._concerned.add(entry, self.version)
                frame = self.recipient.change_event(entry, self.version, len(self.watchers))
                events.append((self.version, frame))
        self.last_read = new_entries[-1].seq
        frames = [frame for _number, frame in events]
        if len(events) > REPLAY:
            frames = [reset_event(self.version, len(self.watchers))]
            self._forget()
        else:
            self._remember(events)
            if any(entry.action is RESULTS_HIDDEN for entry in new_entries):
                self._forget()
        self._send(frames, self.watchers)

    def _remember(self, events: Sequence[tuple[int, bytes]]) -> None:
        for numbered_frame in events:
            if len(self._recent) == REPLAY:
                self._complete_since = self._recent[0][0]
            self._recent.append(numbered_frame)

    def _forget(self) -> None:
        """Forget the last events: a watcher who missed them gets a reset."""
        self._recent.clear()
        self._complete_since = self.version

    def _close_unauthorised(self, role_ended: bool) -> None:
        """Close watchers who may no longer watch or have to be checked again; they reconnect by themselves."""
        if role_ended or not self._is_public:
            for watcher in self.watchers:
                if (role_ended and watcher.by_role) or not (self._is_public or watcher.by_role):
                    watcher.close()

    def _number(self, entry: Entry) -> int | None:
        return entry.seq if self.recipient.is_staff else entry.public_seq

    def _send(self, frames: Sequence[bytes], watchers: Iterable[Watcher]) -> None:
        for watcher in watchers:
            for frame in frames:
                watcher.put(frame)


# --- Hub ---


logger = logging.getLogger(__name__)

PAUSE_AFTER_FAULT = 1.0
FOLLOWED_SECONDS = 60.0
"""Time for which a room without watchers is kept up to date after its version was last used."""
SEND_STEPS = 5
"""Turns of the event loop after which watchers have sent their events."""
THROTTLE_FACTOR, MAX_THROTTLE_SECONDS = 4, 0.5

RoomKey: TypeAlias = tuple[int, Recipient]
"""A tournament's primary key and a kind of recipient."""


class Log(Protocol):
    """What the hub reads: the database, or a list in a test."""

    async def versions(self, tournament_ids: Iterable[int]) -> Mapping[int, Versions]:
        """Return versions by tournament; without those that do not exist."""
        ...

    async def entries(self, tournament_id: int, after: int) -> Sequence[Entry]:
        """Return the entries with `seq > after`, in order."""
        ...

    async def public_entries(self, tournament_id: int, after: int) -> Sequence[Entry]:
        """Return the entries with `public_seq > after`, in order."""
        ...

    async def restore_id(self) -> str:
        """Return an id that changes whenever a backup replaced everything."""
        ...


class Hub:
    """Rooms, and the task that keeps them up to date. A write is noticed after `poll_seconds` at the latest."""

    def __init__(self, log: Log, poll_seconds: float) -> None:
        self._log = log
        self._poll_seconds = poll_seconds
        self._rooms: dict[RoomKey, Room] = {}
        self._opening = asyncio.Lock()
        self._wakeup = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[None] | None = None
        self._is_closed = False
        self._wakeups = self._polled = 0
        self.restore_id = ""
        """The log's era; versions of different eras cannot be compared."""

    def start(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._task = asyncio.create_task(self._run(), name="live hub")

    def wake(self) -> None:
        """Read the log now. Callable from any thread, even when the loop is gone."""
        self._call_soon(self._count_wakeup)

    def _count_wakeup(self) -> None:
        self._wakeups += 1
        self._wakeup.set()

    def close_soon(self) -> None:
        """Close every stream. Callable from any thread or signal handler."""
        self._call_soon(self.close)

    def close(self) -> None:
        self._is_closed = True
        for room in self._rooms.values():
            for watcher in room.watchers:
                watcher.close(reconnect_frame())

    async def stop(self) -> None:
        self.close()
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])

    async def join(
        self,
        tournament_id: int,
        since: int | None,
        recipient: Recipient = PUBLIC,
        *,
        watcher: Watcher | None = None,
        by_role: bool = False,
    ) -> Watcher:
        """Add a watcher, by default a new one; events since version `since` already wait in it."""
        watcher = watcher or Watcher(by_role=by_role)
        async with self._opening:
            room = await self._room((tournament_id, recipient))
            room.admit(watcher, since)
        if self._is_closed:
            watcher.close(reconnect_frame())
        return watcher

    def leave(self, tournament_id: int, watcher: Watcher, recipient: Recipient = PUBLIC) -> None:
        key = (tournament_id, recipient)
        room = self._rooms.get(key)
        if room is not None:
            room.watchers.discard(watcher)
            self._drop_if_empty(key, room)

    def _drop_if_empty(self, key: RoomKey, room: Room) -> None:
        """Drop a room without watchers, unless another one has replaced it."""
        is_empty = not room.watchers and room.followed_until <= self._now()
        if is_empty and self._rooms.get(key) is room:
            del self._rooms[key]

    @property
    def is_running(self) -> bool:
        return self._task is not None and not self._is_closed

    async def follow(self, tournament_id: int) -> None:
        """Keep a tournament's public version up to date for a while."""
        async with self._opening:
            room = await self._room((tournament_id, PUBLIC))
            room.followed_until = self._now() + FOLLOWED_SECONDS

    def version(self, tournament_id: int, places: str = ALL_PLACES) -> int | None:
        """Return the newest public version that concerns these places; None if it is not followed, or if this process
        has written since the last poll, so that a client reads its own writes. Writes of other processes are known
        after `poll_seconds` at the latest.
        """
        room = self._rooms.get((tournament_id, PUBLIC))
        if room is None or self._is_closed or self._wakeups != self._polled or self._loop is None:
            return None
        room.followed_until = self._loop.time() + FOLLOWED_SECONDS
        return room.version_at(places)

    def spread_seconds(self, tournament_id: int) -> float:
        """Return over how many seconds the public is asked to spread its requests; 0 for a few watchers."""
        room = self._rooms.get((tournament_id, PUBLIC))
        return spread_ms(len(room.watchers)) / 1000 if room else 0.0

    async def _room(self, key: RoomKey) -> Room:
        return self._rooms.get(key) or await self._open(key)

    async def _open(self, key: RoomKey) -> Room:
        tournament_id, recipient = key
        by_tournament = await self._log.versions([tournament_id])
        versions = by_tournament.get(tournament_id, Versions(0, 0))
        read = self._log.entries if recipient.is_staff else self._log.public_entries
        # A card always starts with a reset, so it needs no earlier entries.
        entries = (
            await read(tournament_id, versions.of(recipient) - REPLAY) if recipient.table is None else ()
        )
        room = self._rooms[key] = Room(recipient, versions, entries)
        self._wakeup.set()
        return room

    async def _run(self) -> None:
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._poll_seconds if self._rooms else None):
                    await self._wakeup.wait()
            self._wakeup.clear()
            wakeups = self._wakeups
            try:
                await self._poll()
                self._polled = wakeups
                await self._throttle()
            except Exception:
                # The database may be down for a moment; watchers stay and get all events afterwards.
                logger.exception("The live stream could not read the log")
                await asyncio.sleep(PAUSE_AFTER_FAULT)

    async def _throttle(self) -> None:
        """Let watchers send their events, then pause `THROTTLE_FACTOR` times as long.

        When a hundred tables write within a second, sending each write by itself to a full hall would starve the
        writers; after a pause the events are sent together.
        """
        began = self._now()
        for _step in range(SEND_STEPS):
            await asyncio.sleep(0)
        await asyncio.sleep(min(THROTTLE_FACTOR * (self._now() - began), MAX_THROTTLE_SECONDS))

    async def _poll(self) -> None:
        rooms = dict(self._rooms)
        if not rooms:
            return
        restore_id, self.restore_id = self.restore_id, await self._log.restore_id()
        watched_keys = sorted(rooms, key=itemgetter(0))
        versions = await self._log.versions({tournament_id for tournament_id, _recipient in watched_keys})
        for tournament_id, keys in groupby(watched_keys, itemgetter(0)):
            tournament_rooms = {key: rooms[key] for key in keys}
            await self._update_rooms(tournament_id, tournament_rooms, versions.get(tournament_id))
            for key, room in tournament_rooms.items():
                if restore_id != self.restore_id and key in self._rooms:
                    room.start_over(versions[tournament_id])
                self._drop_if_empty(key, room)

    async def _update_rooms(
        self, tournament_id: int, rooms: Mapping[RoomKey, Room], versions: Versions | None
    ) -> None:
        if versions is None:
            # Deleted: whoever reconnects gets 404.
            for key, room in rooms.items():
                for watcher in room.watchers:
                    watcher.close()
                self._rooms.pop(key, None)
            return
        last_read = min(room.last_read for room in rooms.values())
        entries = (
            await self._log.entries(tournament_id, after=last_read) if versions.version > last_read else ()
        )
        for room in rooms.values():
            room.advance(versions, entries)

    def _now(self) -> float:
        return self._loop.time() if self._loop is not None else 0.0

    def _call_soon(self, callback: Callable[[], None]) -> None:
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(callback)
