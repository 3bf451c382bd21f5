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
from tournament.models import LogEntry, Session, Tournament
from tournament.models.prepared import Prepared
from tournament.selectors.embargo import HIDING, OPENING, is_of_play, next_public


@dataclass
class Write:
    """A write under way. `action` and `data` go into the log; `unchanged()` says that nothing was written after all."""

    tournament: Tournament
    action: str
    data: dict[str, Any] = field(default_factory=dict)
    is_repeat: bool = False
    session: Session | None = None
    """The one that it is about, where it was read in this write: whether its results are hidden is known then."""

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


_LOCKED = Prepared(lambda pk: Tournament.objects.select_for_update().filter(pk=pk), int)


@contextmanager
def write(tournament: Tournament, actor: Actor, action: str) -> Iterator[Write]:
    """One transaction and one log entry, with the tournament locked: writers of one tournament take turns.

    `action`: said in `words/log`; how it begins decides which pages draw themselves anew (`words.log.hall.ELSEWHERE`).
    """
    with _transaction():
        locked = _LOCKED.get(tournament.pk)
        under_way = Write(locked, action)
        yield under_way
        if under_way.is_repeat:
            return
        append(locked, actor, under_way.action, under_way.data, under_way.session)
        tournament.version, tournament.public_version = locked.version, locked.public_version
        tournament.log_head = locked.log_head
        # plain values alone: thousands may wait for one commit
        transaction.on_commit(partial(tell, locked.pk, locked.version, under_way.action))


def append(
    tournament: Tournament, actor: Actor, action: str, data: dict[str, Any], session: Session | None = None
) -> LogEntry:
    """Number, chain and store an entry. Call with the tournament's row locked."""
    before, seq, at = tournament.log_head, tournament.version + 1, timezone.now()
    hidden = _hidden_for(tournament, action, data, session)
    public = next_public(tournament.public_version, seq, action, data, hidden)
    entry = LogEntry.objects.create(
        tournament=tournament,
        seq=seq,
        public_seq=public,
        at=at,
        actor=actor.user,
        actor_name=actor.name,
        action=action,
        data=data,
        previous_hash=before,
        hash=entry_hash(before, seq, at, actor.name, action, data),
    )
    tournament.version, tournament.public_version = seq, public or tournament.public_version
    tournament.log_head = entry.hash
    tournament.save(update_fields=["version", "public_version", "log_head"])
    return entry


def _hidden_for(
    tournament: Tournament, action: str, data: dict[str, Any], session: Session | None
) -> frozenset[int]:
    """The hidden sessions, for the writes that ask: about `session` alone, where that is the one they are about."""
    if action != OPENING and not is_of_play(action, data):
        return frozenset()
    if session is not None and session.number == data.get("session"):
        return frozenset({session.number} if session.hidden else ())
    return frozenset(tournament.sessions.filter(hidden=True).values_list("number", flat=True))


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
    return None if (expected, before) == (tournament.version, tournament.log_head) else expected + 1


def first_wrong_public_number(tournament: Tournament) -> int | None:
    """The number of the first entry that the public is told of although it should not be, or not, or under another
    number; None when all follow from the log."""
    hidden: set[int] = set()
    public = seq = 0
    for seq, action, data, told in (
        tournament.log.order_by("seq").values_list("seq", "action", "data", "public_seq").iterator()
    ):
        if action == HIDING:
            hidden |= set(data["sessions"])
        elif action == OPENING:
            hidden -= set(data["sessions"])
        elif action == "seats_drawn":
            hidden = set(data.get("hidden", ()))
        elif action == "seats_restored" and "planned" in data:
            hidden = {number for number in hidden if number <= data["planned"]}
        if told != next_public(public, seq, action, data, hidden):
            return seq
        public = told or public
    return None if public == tournament.public_version else seq
