"""The append-only log: one entry a write, numbered, each carrying the hash of the one before.

The number of the newest entry is the tournament's version, and so that of its standings.
"""

import hashlib
import json
import secrets
import threading
from collections.abc import Iterator, Mapping, Set
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Any

from django.db import connection, transaction
from django.utils import timezone

from scoring.engine.problems import problem_code
from tournament.base import hooks
from tournament.base.access import Actor
from tournament.base.database import Prepared, PreparedUpdate
from tournament.base.engine.entries import is_kept, promises, sealed
from tournament.base.errors import Refused
from tournament.base.log_actions import RESULTS_OPENED, LogAction, action_of
from tournament.base.models.log import ACCOUNT, LogEntry
from tournament.base.models.play import Session
from tournament.base.models.tournament import FormerAccount, Tournament
from tournament.base.selectors import next_public

DELETED_MEANWHILE = problem_code("deleted_meanwhile", "Somebody else has deleted this in the meantime.")


@dataclass
class Write:
    """A write under way. `action` and `data` go into the log; `unchanged()` says that nothing was written after all."""

    tournament: Tournament
    action: LogAction
    data: dict[str, Any] = field(default_factory=dict)
    is_repeat: bool = False
    session: Session | None = None
    """The one that it is about, where it was read in this write: whether its results are hidden is known then."""

    def becomes(self, action: LogAction) -> None:
        """The write turned out to be another one than it was begun as."""
        self.action = action

    def unchanged(self) -> None:
        """The same write had been done before (same UUID): no entry, no new version."""
        self.is_repeat = True


_queue = threading.Lock()


@contextmanager
def _transaction() -> Iterator[None]:
    """SQLite lets one writer in, and the others look now and then whether they may: here those of a process queue.

    Who is in a transaction already does not, and so never waits for somebody who waits for its end.
    """
    queues = connection.vendor == "sqlite" and not connection.in_atomic_block
    with _queue if queues else nullcontext(), transaction.atomic():
        yield


_LOCKED = Prepared(lambda pk: Tournament.objects.select_for_update().filter(pk=pk), int)
_WRITE_NUMBERS = PreparedUpdate(Tournament, "version", "public_version", "log_head")


@contextmanager
def write(tournament: Tournament, actor: Actor, action: LogAction) -> Iterator[Write]:
    """One transaction and one log entry, with the tournament locked: writers of one tournament take turns."""
    with _transaction():
        try:
            locked = _LOCKED.get(tournament.pk)
        except Tournament.DoesNotExist:
            raise Refused(DELETED_MEANWHILE()) from None
        under_way = Write(locked, action)
        yield under_way
        if under_way.is_repeat:
            return
        append(locked, actor, under_way.action, under_way.data, under_way.session)
        tournament.version, tournament.public_version = locked.version, locked.public_version
        tournament.log_head = locked.log_head
        # plain values alone: thousands may wait for one commit
        transaction.on_commit(
            partial(hooks.entry_committed, locked.pk, locked.version, under_way.action.code)
        )


def append(
    tournament: Tournament,
    actor: Actor,
    action: LogAction,
    data: dict[str, Any],
    session: Session | None = None,
) -> LogEntry:
    """Number, chain and store an entry. Call with the tournament's row locked."""
    before, seq, at = tournament.log_head, tournament.version + 1, timezone.now()
    hidden = _hidden_for(tournament, action, data, session)
    public = next_public(tournament.public_version, seq, action, data, hidden)
    body, texts = sealed(data, _salt)
    entry = LogEntry.objects.create(
        tournament=tournament,
        seq=seq,
        public_seq=public,
        at=at,
        actor=actor.user,
        actor_code=actor.code,
        action=action.code,
        data=body,
        texts=texts,
        previous_hash=before,
        hash=entry_hash(before, seq, at, actor.code, action.code, body, promises(texts)),
    )
    tournament.version, tournament.public_version = seq, public or tournament.public_version
    tournament.log_head = entry.hash
    _WRITE_NUMBERS(tournament)
    hooks.entry_written(entry)
    return entry


def _hidden_for(
    tournament: Tournament, action: LogAction, data: dict[str, Any], session: Session | None
) -> frozenset[int]:
    """The hidden sessions, for the writes that ask: about `session` alone, where that is the one they are about."""
    if action is not RESULTS_OPENED and not action.tells_of_play(data):
        return frozenset()
    if session is not None and session.number == data.get("session"):
        return frozenset({session.number} if session.hidden else ())
    return frozenset(tournament.sessions.filter(hidden=True).values_list("number", flat=True))


def _salt() -> str:
    """128 bits: a name is guessed, this is not."""
    return secrets.token_hex(16)


def entry_hash(
    before: str,
    seq: int,
    at: datetime,
    actor: str,
    action: str,
    data: dict[str, Any],
    texts: Mapping[str, str],
) -> str:
    """Hash the previous hash and the entry, as JSON with sorted keys: codes, numbers, and of texts the hash."""
    content = [before, seq, at.isoformat(), actor, action, data, texts]
    return hashlib.sha256(json.dumps(content, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def first_broken_link(tournament: Tournament) -> int | None:
    """Find the number of the first entry that does not follow from the one before; None when the chain holds.

    Nor may its texts be others than those it was written with; an erased text breaks nothing.
    """
    before, expected = "", 0
    former = {account.user_id: account for account in tournament.former_accounts.all()}
    for entry in tournament.log.order_by("seq").iterator():
        expected += 1
        follows = (entry.seq, entry.previous_hash, entry.hash) == (expected, before, hash_of(entry, before))
        if not (follows and all(map(is_kept, entry.texts.values())) and _is_by_its_actor(entry, former)):
            return entry.seq
        before = entry.hash
    return None if (expected, before) == (tournament.version, tournament.log_head) else expected + 1


def hash_of(entry: LogEntry, before: str) -> str:
    """Work out the hash that a stored entry has to have after that one."""
    texts = promises(entry.texts)
    return entry_hash(before, entry.seq, entry.at, entry.actor_code, entry.action, entry.data, texts)


def _is_by_its_actor(entry: LogEntry, former: Mapping[int, FormerAccount]) -> bool:
    """Whether the account beside it, unless it is deleted, is the one that the chain has, or stands in for that."""
    if entry.actor_id is None:
        return True
    if (stand_in := former.get(entry.actor_id)) is not None:
        return entry.seq <= stand_in.until and entry.actor_code == f"{ACCOUNT}{stand_in.account}"
    return entry.actor_code == f"{ACCOUNT}{entry.actor_id}"


def first_wrong_public_number(tournament: Tournament) -> int | None:
    """Find the first entry whose public number does not follow from the log; None when all do.

    That is one that the public is told of although it should not be, or not, or under another number.
    """
    hidden: Set[int] = frozenset()
    public = seq = 0
    for seq, code, data, stored in (
        tournament.log.order_by("seq").values_list("seq", "action", "data", "public_seq").iterator()
    ):
        action = action_of(code)
        if action.hidden_after is not None:
            hidden = action.hidden_after(hidden, data)
        if stored != next_public(public, seq, action, data, hidden):
            return seq
        public = stored or public
    return None if public == tournament.public_version else seq
