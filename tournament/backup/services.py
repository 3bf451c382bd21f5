"""Backups: making, uploading, deleting and restoring them.

Only a restore is logged in the tournaments.
"""

import logging
import secrets
from collections.abc import Iterable
from functools import partial
from pathlib import Path

from django.contrib.auth.models import User
from django.db import DatabaseError, transaction
from django.utils import timezone

from scoring.engine.problems import Problem, problem_code
from tournament.accounts import setup_code
from tournament.accounts.services import WRONG_SETUP_CODE
from tournament.backup import status, storage
from tournament.backup.archive import Progress, unpacked, write
from tournament.backup.dumps import DumpError
from tournament.backup.manifest import Manifest, fingerprint
from tournament.backup.restoring import restore
from tournament.backup.status import RESTORE
from tournament.backup.storage import AUTOMATIC, BEFORE_RESTORE, REQUESTED
from tournament.backup.texts import BACKUP_RESTORED
from tournament.base import access, database, log
from tournament.base.access import Actor
from tournament.base.database import BACKUP_UNDER_WAY
from tournament.base.errors import Refused
from tournament.base.models.tournament import Tournament
from tournament.base.work import enqueue

BACKUP_NO_ROOM = problem_code(
    "backup_no_room",
    "There is not enough room on the server’s disk: {wanted} MB are needed, {free} MB are free.",
)
BACKUP_GONE = problem_code("backup_gone", "This backup no longer exists.")
BACKUP_NOT_NAMED = problem_code("backup_not_named", "This is not the name of the backup.")
RESTORE_STOPPED = problem_code("restore_stopped", "The background worker stopped. Nothing was changed.")
WORKER_UNREACHABLE = problem_code(
    "worker_unreachable", "The background worker could not be reached. Nothing was changed."
)
BACKUP_FAILED = problem_code(
    "backup_failed", "The disk or the database failed: {fault}. Nothing was changed."
)
RESTORE_BY_COMMAND = problem_code(
    "restore_by_command", "With PostgreSQL, the administrator restores a backup with “manage.py restore”."
)

logger = logging.getLogger(__name__)


def request_backup(actor: Actor) -> None:
    """Have the worker make a backup; `backup.status` holds its progress."""
    access.require_backup_manager(actor)
    if status.current().is_waiting:
        return
    status.write(status.QUEUED)
    transaction.on_commit(partial(_send_request, actor.name))


def _send_request(by: str) -> None:
    if not enqueue("backup.make_backup", by):
        status.write(status.FAILED, code="worker_unreachable")


def make_backup(actor: Actor, *, reason: str = REQUESTED, path: Path | None = None) -> Path:
    """Write a backup and delete expired ones. Raises Refused when another one runs, DumpError and OSError."""
    access.require_backup_manager(actor)
    with database.backup_lock():
        path = path or storage.new_path()
        _write_with_status(path, reason, actor)
        storage.rotate(timezone.now())
    return path


def _write_with_status(path: Path, reason: str, actor: Actor) -> None:
    status.write(status.RUNNING)
    try:
        write(path, reason=reason, by=actor.name, progress=partial(status.write, status.RUNNING))
    except Exception as fault:
        status.write(status.FAILED, code="backup_failed", params={"fault": str(fault)})
        raise
    status.write(status.DONE)


def back_up_if_changed(actor: Actor) -> Path | None:
    """Make an automatic backup; return None if nothing has changed since the newest."""
    access.require_backup_manager(actor)
    newest = storage.newest_manifest()
    if (newest is None and not Tournament.objects.exists()) or (newest and newest.state == fingerprint()):
        return None
    return make_backup(actor, reason=AUTOMATIC)


def store_upload(actor: Actor, pieces: Iterable[bytes], size: int) -> storage.StoredBackup:
    """Check an uploaded backup and store it. Raises Refused."""
    access.require_backup_manager(actor)
    _require_sqlite()
    free = storage.free_bytes()
    if size > free:
        raise Refused(BACKUP_NO_ROOM(wanted=size >> 20, free=free >> 20))
    draft = database.backup_folder() / f".upload-{secrets.token_hex(4)}"
    try:
        draft.touch(mode=0o600)
        with draft.open("wb") as file:
            file.writelines(pieces)
        with unpacked(draft) as (about, _folder):
            path = storage.new_path(about.made_at)
        draft.replace(path)
    except OSError as fault:
        raise Refused(BACKUP_FAILED(fault=str(fault))) from None
    finally:
        draft.unlink(missing_ok=True)
    backup = storage.find(path.stem)
    assert backup is not None
    return backup


def delete_backup(actor: Actor, name: str) -> None:
    """Delete a backup. Raises Refused if it does not exist."""
    access.require_backup_manager(actor)
    backup = storage.find(name)
    if backup is None:
        raise Refused(BACKUP_GONE())
    backup.path.unlink(missing_ok=True)


SETUP = "setup"
"""Name of the actor of a restore before any account exists."""
STOPPED = RESTORE_STOPPED()
UNREACHABLE = WORKER_UNREACHABLE()


def request_restore(actor: Actor, path: Path, *, typed_name: str) -> None:
    """Have the worker restore a backup. Raises Refused unless `typed_name` is its name."""
    access.require_backup_manager(actor)
    if typed_name.strip() not in (path.stem, path.name):
        raise Refused(BACKUP_NOT_NAMED("name"))
    _queue(path, actor)


def request_first_restore(code: str, path: Path) -> None:
    """Have the worker restore a backup before any account exists. Raises Refused for a wrong setup code."""
    if not setup_code.check(code):
        raise Refused(WRONG_SETUP_CODE("code"))
    _queue(path, Actor.system(SETUP))


def _require_sqlite() -> None:
    if not database.can_restore_in_browser():
        raise Refused(RESTORE_BY_COMMAND())


def _queue(path: Path, actor: Actor) -> None:
    _require_sqlite()
    if status.current().is_waiting:
        raise Refused(BACKUP_UNDER_WAY())
    status.write(status.QUEUED, what=RESTORE)
    if not enqueue("backup.restore_backup", path.stem, actor.user.pk if actor.user else None, actor.name):
        _write_failure(UNREACHABLE)
        raise Refused(UNREACHABLE)


def run_restore(name: str, actor: Actor) -> None:
    """Run a requested restore, in the worker. Raises Forbidden."""
    if not _is_still_due(name):
        return
    write_status = partial(status.write, what=RESTORE)
    try:
        about = restore_backup(actor, _path_of(name), progress=partial(write_status, status.RUNNING))
    except Refused as refused:
        _write_failure(refused.problems[0])
    except BaseException:
        _write_failure(STOPPED)
        raise
    else:
        write_status(status.DONE, params={"made_at": about.made_at.isoformat()})


def _is_still_due(name: str) -> bool:
    """Return whether a restore is to run: a late one, or one of a dead worker, would undo newer writes."""
    current = status.current()
    if current.what == RESTORE and current.is_waiting and current.state != status.QUEUED:
        _write_failure(STOPPED)
    elif current.what == RESTORE and current.is_waiting:
        return True
    logger.warning("The restore of %s was asked for too long ago, or begun before: it is not made", name)
    return False


def _path_of(name: str) -> Path:
    if (backup := storage.find(name)) is None:
        raise Refused(BACKUP_GONE())
    return backup.path


def _write_failure(problem: Problem) -> None:
    status.write(status.FAILED, what=RESTORE, code=problem.code, params=problem.params)


def restore_backup(actor: Actor, path: Path, *, progress: Progress = lambda done, of: None) -> Manifest:
    """Back up the current state, restore a backup and log it in every tournament. On Refused nothing has changed."""
    access.require_backup_manager(actor)
    progress(0, 3)
    try:
        with unpacked(path) as (about, folder), database.restore_lock():
            progress(1, 3)
            if Tournament.objects.exists() or User.objects.exists():
                write(storage.new_path(), reason=BEFORE_RESTORE, by=actor.name)
            progress(2, 3)
            restore(about, folder, after=partial(_log_restore, actor, about))
    except (OSError, DumpError, DatabaseError) as fault:
        logger.exception("The backup %s could not be put back", path.name)
        raise Refused(BACKUP_FAILED(fault=str(fault))) from None
    if not setup_code.is_open():
        setup_code.invalidate()
    logger.warning("Everything put back as it stood at %s (%s), by %s", about.made_at, path.name, actor.name)
    return about


def _log_restore(actor: Actor, about: Manifest) -> None:
    """Log the restore in every tournament, by the actor's account if it exists in the backup."""
    account = (
        User.objects.filter(pk=actor.user.pk, username=actor.user.username).first() if actor.user else None
    )
    log_actor = (
        Actor.system(actor.name if actor.user is None else "restore")
        if account is None
        else Actor.of(account)
    )
    for tournament in Tournament.objects.order_by("pk"):
        with log.write(tournament, log_actor, BACKUP_RESTORED, None) as entry:
            entry.data = {"made_at": about.made_at.isoformat()}
