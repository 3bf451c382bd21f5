"""The append-only log: one entry a write, numbered, each carrying the hash of the one before.

The number of the newest entry is the tournament's version, and so that of its standings.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Any

from django.db import connection, transaction
from django.utils import timezone

from tournament.access import Actor
from tournament.models import LogEntry, Tournament


@dataclass
class Write:
    """A write under way. `action` and `data` go into the log; `unchanged()` says that nothing was written after all."""

    tournament: Tournament
    action: str
    data: dict[str, Any] = field(default_factory=dict)
    is_repeat: bool = False

    def becomes(self, action: str) -> None:
        """The write turned out to be another one than it was begun as."""
        self.action = action

    def unchanged(self) -> None:
        """The same write had been done before (same UUID): no entry, no new version."""
        self.is_repeat = True


Listener = Callable[[int, int, str], None]
"""Called with a tournament's pk, its version and the action, once a write is committed."""
_listeners: list[Listener] = []


def hear(listener: Listener) -> None:
    """What lies above the log registers here when the program starts (`apps.py`)."""
    _listeners.append(listener)


def tell(tournament: int, version: int, action: str) -> None:
    for listener in _listeners:
        listener(tournament, version, action)


_turn = threading.Lock()


@contextmanager
def _transaction() -> Iterator[None]:
    """SQLite lets one writer in, and the others look now and then whether they may: here those of a process queue.

    Who is in a transaction already does not, and so never waits for somebody who waits for its end.
    """
    queues = connection.vendor == "sqlite" and not connection.in_atomic_block
    with _turn if queues else nullcontext(), transaction.atomic():
        yield


@contextmanager
def write(tournament: Tournament, actor: Actor, action: str) -> Iterator[Write]:
    """One transaction and one log entry, with the tournament locked: writers of one tournament take turns.

    `action`: said in `words/log`; how it begins decides which pages draw themselves anew (`words.log.hall.ELSEWHERE`).
    """
    with _transaction():
        locked = Tournament.objects.select_for_update().get(pk=tournament.pk)
        under_way = Write(locked, action)
        yield under_way
        if under_way.is_repeat:
            return
        append(locked, actor, under_way.action, under_way.data)
        tournament.version = locked.version
        # plain values alone: thousands may wait for one commit
        transaction.on_commit(partial(tell, locked.pk, locked.version, under_way.action))


def append(tournament: Tournament, actor: Actor, action: str, data: dict[str, Any]) -> LogEntry:
    """Number, chain and store an entry. Call with the tournament's row locked."""
    before = (
        tournament.log.filter(seq=tournament.version).order_by("seq").values_list("hash", flat=True).first()
        or ""
    )
    seq, at = tournament.version + 1, timezone.now()
    entry = LogEntry.objects.create(
        tournament=tournament,
        seq=seq,
        at=at,
        actor=actor.user,
        actor_name=actor.name,
        action=action,
        data=data,
        previous_hash=before,
        hash=entry_hash(before, seq, at, actor.name, action, data),
    )
    tournament.version = seq
    tournament.save(update_fields=["version"])
    return entry


def entry_hash(before: str, seq: int, at: datetime, actor: str, action: str, data: dict[str, Any]) -> str:
    """SHA-256 over the previous hash and the entry, as JSON with sorted keys."""
    body = json.dumps([before, seq, at.isoformat(), actor, action, data], sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(body.encode()).hexdigest()


def first_broken_link(tournament: Tournament) -> int | None:
    """The number of the first entry that does not follow from the one before, or None when the chain holds."""
    before, expected = "", 0
    for entry in tournament.log.order_by("seq").iterator():
        expected += 1
        right = entry_hash(before, entry.seq, entry.at, entry.actor_name, entry.action, entry.data)
        if (entry.seq, entry.previous_hash, entry.hash) != (expected, before, right):
            return entry.seq
        before = entry.hash
    return None if expected == tournament.version else expected + 1
