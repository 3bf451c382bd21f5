"""Backups: making one, putting one back in the place of what stands, and throwing one away.

Not writes of a tournament: a backup leaves no entry. A restore leaves one in every tournament that came back.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Iterable
from functools import partial
from pathlib import Path

from django.contrib.auth.models import User
from django.db import DatabaseError, transaction
from django.utils import timezone

from tournament import access, log
from tournament.access import Actor, setup_code
from tournament.backup import shelf, status, turn
from tournament.backup.archive import opened
from tournament.backup.manifest import Manifest
from tournament.backup.restoring import restore
from tournament.backup.shelf import ASKED, AUTOMATIC, BEFORE_RESTORE
from tournament.backup.state import fingerprint
from tournament.backup.writing import Step, write
from tournament.errors import Refused, refuse
from tournament.models import Tournament
from tournament.work import later

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
        status.say(status.FAILED, code="backup_failed", fault=str(fault))
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


def restore_backup(
    actor: Actor, path: Path, *, named: str | None = None, step: Step = lambda done, of: None
) -> Manifest:
    """Put a backup in the place of what stands, which is backed up first. `named`: what was typed to confirm it.

    Raises Refused; then everything is as it was.
    """
    access.require_keeper(actor)
    if named is not None and named.strip() not in (path.stem, path.name):
        raise refuse("backup_not_named", "name")
    return _restored(actor, path, step)


def restore_first(code: str, path: Path) -> Manifest:
    """Into an installation where nobody has an account yet, by whoever knows the printed code."""
    if not setup_code.check(code):
        raise refuse("wrong_setup_code", "code")
    said = _restored(Actor.system("setup"), path, lambda done, of: None)
    setup_code.done()
    return said


def delete_backup(actor: Actor, name: str) -> None:
    """Throw one away. Raises Refused when it is gone already."""
    access.require_keeper(actor)
    kept = shelf.find(name)
    if kept is None:
        raise refuse("backup_gone")
    kept.path.unlink(missing_ok=True)


def _restored(actor: Actor, path: Path, step: Step) -> Manifest:
    try:
        with opened(path) as archive:
            archive.check(step)
            said = archive.manifest
            restore(
                archive, step=step, first=partial(_keep_what_stands, actor), then=partial(_log, actor, said)
            )
    except Refused:
        raise
    except (OSError, DatabaseError) as fault:
        logger.exception("The backup %s could not be put back", path.name)
        raise refuse("backup_failed", fault=str(fault)) from None
    logger.warning("Everything put back as it stood at %s (%s), by %s", said.made_at, path.name, actor.name)
    return said


def _keep_what_stands(actor: Actor) -> None:
    if Tournament.objects.exists() or User.objects.exists():
        _written(shelf.new_path(), BEFORE_RESTORE, actor)


def _log(actor: Actor, said: Manifest) -> None:
    """An entry in every tournament, by the account if it came back too."""
    mine = User.objects.filter(pk=actor.user.pk, username=actor.user.username).first() if actor.user else None
    who = Actor(mine, actor.name, is_system=mine is None)
    for tournament in Tournament.objects.order_by("pk"):
        with log.write(tournament, who, "backup_restored") as entry:
            entry.data = {"made_at": said.made_at.isoformat()}
