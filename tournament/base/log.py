"""The append-only log: one numbered entry for each write, with the hash of the entry before it.

The number of the newest entry is the tournament's version, and the version of its standings.
"""

import hashlib
import json
import secrets
import threading
from collections.abc import Iterator, Mapping, Set
from contextlib import AbstractContextManager, contextmanager, nullcontext
from datetime import datetime
from functools import partial
from typing import Any, Final

from django.db import connection, transaction
from django.utils import timezone

from scoring.engine.problems import problem_code
from tournament.base import access, hooks
from tournament.base.access import Actor, Right
from tournament.base.engine.entries import is_intact, separate_texts, text_hashes
from tournament.base.errors import Refused
from tournament.base.log_actions import RESULTS_REVEALED, LogAction, action_of
from tournament.base.models.log import ACCOUNT, LogEntry, Write
from tournament.base.models.play import Session, Table
from tournament.base.models.tournament import FormerAccount, Tournament
from tournament.base.selectors import next_public_version
from tournament.base.sql import lock_tournament

DELETED_MEANWHILE = problem_code("deleted_meanwhile", "Someone else has deleted this in the meantime.")

HEAD_FIELDS: Final = ("version", "public_version", "log_head")
"""The fields of a tournament that each entry changes."""

_writers = threading.Lock()


@contextmanager
def atomic() -> Iterator[None]:
    """Open a transaction. For SQLite, writers of this process wait in line instead of polling for its lock.

    Within an outer transaction they do not, and so cannot deadlock.
    """
    must_queue = connection.vendor == "sqlite" and not connection.in_atomic_block
    with _writers if must_queue else nullcontext(), transaction.atomic():
        yield


@contextmanager
def write(tournament: Tournament, actor: Actor, action: LogAction, right: Right | None) -> Iterator[Write]:
    """Check the right, lock the tournament, open a transaction and write one log entry at its end.

    `right`: None if the caller has checked it, or if nobody needs one. Raises Forbidden without the right,
    and Refused if the tournament was deleted.
    """
    if right is not None:
        access.require(actor, tournament, right)
    with atomic():
        try:
            locked = lock_tournament(tournament)
        except Tournament.DoesNotExist:
            raise Refused(DELETED_MEANWHILE()) from None
        pending = Write(locked, action)
        yield pending
        if pending.is_unchanged:
            return
        append(locked, actor, pending.action, pending.data, pending.session)
        tournament.version, tournament.public_version = locked.version, locked.public_version
        tournament.log_head = locked.log_head
        # plain values only: thousands of callbacks may wait for one commit
        transaction.on_commit(partial(hooks.entry_committed, locked.pk, locked.version, pending.action.code))


def write_at(table: Table, actor: Actor, action: LogAction, right: Right) -> AbstractContextManager[Write]:
    """Check the right at a table, then write about its tournament as `write` does."""
    access.require_at(actor, table, right)
    return write(table.session.tournament, actor, action, None)


def append(
    tournament: Tournament,
    actor: Actor,
    action: LogAction,
    data: dict[str, Any],
    session: Session | None = None,
) -> LogEntry:
    """Store the next entry. The caller holds the lock on the tournament's row."""
    previous_hash, seq, at = tournament.log_head, tournament.version + 1, timezone.now()
    hidden = _hidden_sessions(tournament, action, data, session)
    public = next_public_version(tournament.public_version, seq, action, data, hidden)
    body, texts = separate_texts(data, _salt)
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
        previous_hash=previous_hash,
        hash=entry_hash(previous_hash, seq, at, actor.code, action.code, body, text_hashes(texts)),
    )
    tournament.version, tournament.public_version = seq, public or tournament.public_version
    tournament.log_head = entry.hash
    tournament.save(update_fields=HEAD_FIELDS)
    hooks.entry_written(entry)
    return entry


def _hidden_sessions(
    tournament: Tournament, action: LogAction, data: dict[str, Any], session: Session | None
) -> frozenset[int]:
    """Return the hidden sessions, as far as the action depends on them."""
    if action is not RESULTS_REVEALED and not action.reveals_play(data):
        return frozenset()
    if session is not None and session.number == data.get("session"):
        return frozenset({session.number} if session.hidden else ())
    return frozenset(tournament.sessions.filter(hidden=True).values_list("number", flat=True))


def _salt() -> str:
    """Return 128 random bits, so that a text cannot be guessed from its hash."""
    return secrets.token_hex(16)


def entry_hash(
    previous_hash: str,
    seq: int,
    at: datetime,
    actor: str,
    action: str,
    data: dict[str, Any],
    texts: Mapping[str, str],
) -> str:
    """Return the hash of the previous hash and the entry: JSON with sorted keys. Of texts only the hashes count."""
    content = [previous_hash, seq, at.isoformat(), actor, action, data, texts]
    return hashlib.sha256(json.dumps(content, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def first_broken_link(tournament: Tournament) -> int | None:
    """Return the number of the first entry that breaks the chain; None if it holds.

    A changed text or another account beside an entry breaks it too; an erased text does not.
    """
    previous_hash, expected_seq = "", 0
    former = {account.user_id: account for account in tournament.former_accounts.all()}
    for entry in tournament.log.order_by("seq").iterator():
        expected_seq += 1
        expected = (expected_seq, previous_hash, hash_of(entry, previous_hash))
        follows = (entry.seq, entry.previous_hash, entry.hash) == expected
        if not (follows and all(map(is_intact, entry.texts.values())) and _actor_matches(entry, former)):
            return entry.seq
        previous_hash = entry.hash
    is_complete = (expected_seq, previous_hash) == (tournament.version, tournament.log_head)
    return None if is_complete else expected_seq + 1


def hash_of(entry: LogEntry, previous_hash: str) -> str:
    """Return the hash that a stored entry must have."""
    texts = text_hashes(entry.texts)
    return entry_hash(previous_hash, entry.seq, entry.at, entry.actor_code, entry.action, entry.data, texts)


def _actor_matches(entry: LogEntry, former: Mapping[int, FormerAccount]) -> bool:
    """Return whether the entry's account, unless deleted, is the one in the chain, or stands in for that one."""
    if entry.actor_id is None:
        return True
    if (stand_in := former.get(entry.actor_id)) is not None:
        return entry.seq <= stand_in.until and entry.actor_code == f"{ACCOUNT}{stand_in.account}"
    return entry.actor_code == f"{ACCOUNT}{entry.actor_id}"


def first_wrong_public_number(tournament: Tournament) -> int | None:
    """Return the first entry with a wrong public number; None if all are right."""
    hidden: Set[int] = frozenset()
    public = seq = 0
    for seq, code, data, stored in (
        tournament.log.order_by("seq").values_list("seq", "action", "data", "public_seq").iterator()
    ):
        action = action_of(code)
        if action.hidden_after is not None:
            hidden = action.hidden_after(hidden, data)
        if stored != next_public_version(public, seq, action, data, hidden):
            return seq
        public = stored or public
    return None if public == tournament.public_version else seq
