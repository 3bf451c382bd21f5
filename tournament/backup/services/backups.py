"""Backups: making one, taking one from elsewhere, throwing one away. Not writes of a tournament: no log has them."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Iterable
from functools import partial
from pathlib import Path

from django.db import transaction
from django.utils import timezone

from tournament.backup import shelf, status
from tournament.backup.archive import opened
from tournament.backup.shelf import ASKED, AUTOMATIC
from tournament.backup.state import fingerprint
from tournament.backup.writing import write
from tournament.base import access, turn
from tournament.base.access import Actor
from tournament.base.errors import refuse
from tournament.base.models.tournament import Tournament
from tournament.base.work import later

logger = logging.getLogger(__name__)


def request_backup(actor: Actor) -> None:
    """Have the worker make one; `backup.status` tells how far it is."""
    access.require_keeper(actor)
    if status.now().is_waiting:
        return
    status.say(status.QUEUED)
    transaction.on_commit(partial(_send, actor.name))


def _send(by: str) -> None:
    if not later("make_backup", by):
        status.say(status.FAILED, code="worker_unreachable")


def make_backup(actor: Actor, *, why: str = ASKED, path: Path | None = None) -> Path:
    """Write everything into one file, on the shelf or at `path`. Raises Refused when another one is under way, OSError
    when there is no room."""
    access.require_keeper(actor)
    with turn.alone():
        path = path or shelf.new_path()
        _written(path, why, actor)
        shelf.rotate(timezone.now())
    return path


def keep_backups(actor: Actor) -> Path | None:
    """The one that makes itself: None when nothing was written since the newest."""
    access.require_keeper(actor)
    newest = next((kept.said for kept in shelf.all_kept() if kept.said), None)
    if (newest is None and not Tournament.objects.exists()) or (newest and newest.state == fingerprint()):
        return None
    return make_backup(actor, why=AUTOMATIC)


def _written(path: Path, why: str, actor: Actor) -> None:
    status.say(status.RUNNING)
    try:
        write(path, why=why, by=actor.name, step=partial(status.say, status.RUNNING))
    except Exception as fault:
        status.say(status.FAILED, code="backup_failed", params={"fault": str(fault)})
        raise
    status.say(status.DONE)


def keep_upload(actor: Actor, pieces: Iterable[bytes], size: int) -> shelf.Kept:
    """Put a backup that comes from elsewhere on the shelf, once all of it has been looked at. Raises Refused."""
    access.require_keeper(actor)
    free = shelf.free_bytes()
    if size > free:
        raise refuse("backup_no_room", wanted=size >> 20, free=free >> 20)
    draft = turn.folder() / f".upload-{secrets.token_hex(4)}"
    try:
        draft.touch(mode=0o600)
        with draft.open("wb") as file:
            file.writelines(pieces)
        with opened(draft) as archive:
            archive.check()
            path = shelf.new_path(archive.manifest.made_at)
        draft.replace(path)
    except OSError as fault:
        raise refuse("backup_failed", fault=str(fault)) from None
    finally:
        draft.unlink(missing_ok=True)
    kept = shelf.find(path.stem)
    assert kept is not None
    return kept


def delete_backup(actor: Actor, name: str) -> None:
    """Throw one away. Raises Refused when it is gone already."""
    access.require_keeper(actor)
    kept = shelf.find(name)
    if kept is None:
        raise refuse("backup_gone")
    kept.path.unlink(missing_ok=True)
