"""A room: who hears of a tournament in the same way, and the last events told there.

A room remembers its last events, so that a whole hall coming back after a break in the network is answered from memory.
"""

import asyncio
import contextlib
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tournament.base.selectors.embargo import HIDING
from tournament.live import events
from tournament.live.events import Entry, Hearer

REPLAY = 100
"""How many missed events are told one by one; after more, one reset."""
BACKLOG = 2 * REPLAY
"""How many events may wait for a slow watcher before it is sent away to come back with what it has seen."""
NARROWING = ("passes_revoked", "pass_renewed", "role_changed", "role_ended", "tournament_handed_over")
"""After these somebody who was let in by a role may have none."""


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
    """Who watches a tournament as one kind of hearer, the version told so far, and the last events.

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
        """Who has seen this version is told all that it missed out of what is remembered."""
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
            watcher.put(events.reset(self.version))
        elif since < self.version:
            if since < self._whole_since:
                watcher.put(events.reset(self.version))
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
        self._close_who_may_not(any(entry.action in NARROWING for entry in fresh))

    def start_over(self, now: Versions) -> None:
        """Another course of the tournament is in its place: whatever was told of this one, read everything again."""
        self.read, self.version = now.version, now.of(self.hearer)
        self._forget()
        self._tell([events.reset(self.version)], self.watchers)

    def _go_on(self, fresh: Sequence[Entry]) -> None:
        told: list[tuple[int, bytes]] = []
        for entry in fresh:
            if self.hearer.is_told(entry):
                self.version = self._number(entry) or self.version
                told.append((self.version, self.hearer.change(entry, self.version)))
        self.read = fresh[-1].seq
        frames = [frame for _number, frame in told]
        if len(told) > REPLAY:
            frames = [events.reset(self.version)]
            self._forget()
        else:
            self._remember(told)
            if any(entry.action == HIDING for entry in fresh):
                self._forget()
        self._tell(frames, self.watchers)

    def _remember(self, told: Sequence[tuple[int, bytes]]) -> None:
        for one in told:
            if len(self._recent) == REPLAY:
                self._whole_since = self._recent[0][0]
            self._recent.append(one)

    def _forget(self) -> None:
        """Nothing that was told is told again."""
        self._recent.clear()
        self._whole_since = self.version

    def _close_who_may_not(self, is_narrower: bool) -> None:
        """They come back by themselves, and are let in anew or not."""
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
