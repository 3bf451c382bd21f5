"""Backups: making, taking and throwing away, and putting one in the place of what stands.

None of it is a write of a tournament: no log has it but for a restore.
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
from tournament.backup import shelf, status
from tournament.backup.archive import Step, opened, write
from tournament.backup.manifest import Manifest, fingerprint
from tournament.backup.restoring import restore
from tournament.backup.shelf import ASKED, AUTOMATIC, BEFORE_RESTORE
from tournament.backup.status import RESTORE
from tournament.backup.texts import BACKUP_RESTORED
from tournament.base import access, database, log
from tournament.base.access import Actor
from tournament.base.database import BACKUP_UNDER_WAY
from tournament.base.errors import Refused
from tournament.base.models.tournament import Tournament
from tournament.base.work import later

BACKUP_NO_ROOM = problem_code(
    "backup_no_room",
    "There is not enough room on the server’s disk: {wanted} MB are needed, {free} MB are free.",
)
BACKUP_GONE = problem_code("backup_gone", "This backup is no longer there.")
BACKUP_NOT_NAMED = problem_code("backup_not_named", "This is not the name of the backup.")
RESTORE_STOPPED = problem_code(
    "restore_stopped", "The background worker stopped on the way. Nothing was changed."
)
WORKER_UNREACHABLE = problem_code(
    "worker_unreachable", "The background worker could not be reached. Nothing was changed."
)
BACKUP_FAILED = problem_code(
    "backup_failed", "The disk or the database failed: {fault}. Nothing was changed."
)

logger = logging.getLogger(__name__)


def request_backup(actor: Actor) -> None:
    """Have the worker make one; `backup.status` tells how far it is."""
    access.require_keeper(actor)
    if status.now().is_waiting:
        return
    status.say(status.QUEUED)
    transaction.on_commit(partial(_send_request, actor.name))


def _send_request(by: str) -> None:
    if not later("backup.make_backup", by):
        status.say(status.FAILED, code="worker_unreachable")


def make_backup(actor: Actor, *, why: str = ASKED, path: Path | None = None) -> Path:
    """Write everything into one file, on the shelf or at `path`.

    Raises Refused when another one is under way, OSError when there is no room.
    """
    access.require_keeper(actor)
    with database.alone():
        path = path or shelf.new_path()
        _write_noting_status(path, why, actor)
        shelf.rotate(timezone.now())
    return path


def _write_noting_status(path: Path, why: str, actor: Actor) -> None:
    status.say(status.RUNNING)
    try:
        write(path, why=why, by=actor.name, step=partial(status.say, status.RUNNING))
    except Exception as fault:
        status.say(status.FAILED, code="backup_failed", params={"fault": str(fault)})
        raise
    status.say(status.DONE)


def keep_backups(actor: Actor) -> Path | None:
    """Make the backup that makes itself: None when nothing was written since the newest."""
    access.require_keeper(actor)
    newest = shelf.newest_manifest()
    if (newest is None and not Tournament.objects.exists()) or (newest and newest.state == fingerprint()):
        return None
    return make_backup(actor, why=AUTOMATIC)


def keep_upload(actor: Actor, pieces: Iterable[bytes], size: int) -> shelf.Kept:
    """Put a backup that comes from elsewhere on the shelf, once all of it has been looked at. Raises Refused."""
    access.require_keeper(actor)
    free = shelf.free_bytes()
    if size > free:
        raise Refused(BACKUP_NO_ROOM(wanted=size >> 20, free=free >> 20))
    draft = database.folder() / f".upload-{secrets.token_hex(4)}"
    try:
        draft.touch(mode=0o600)
        with draft.open("wb") as file:
            file.writelines(pieces)
        with opened(draft) as archive:
            archive.check()
            path = shelf.new_path(archive.manifest.made_at)
        draft.replace(path)
    except OSError as fault:
        raise Refused(BACKUP_FAILED(fault=str(fault))) from None
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
        raise Refused(BACKUP_GONE())
    kept.path.unlink(missing_ok=True)


SETUP = "setup"
"""Who restores into an installation where nobody has an account."""
STEPS = 3
"""A backup is checked, what stands is written down, then it is replaced."""
STOPPED = RESTORE_STOPPED()
UNREACHABLE = WORKER_UNREACHABLE()


def request_restore(actor: Actor, path: Path, *, named: str) -> None:
    """Have the worker put a backup back; `backup.status` tells how far it is. `named`: what was typed to confirm it."""
    access.require_keeper(actor)
    if named.strip() not in (path.stem, path.name):
        raise Refused(BACKUP_NOT_NAMED("name"))
    _queue(path, actor)


def request_first_restore(code: str, path: Path) -> None:
    """Where nobody has an account yet, by whoever knows the printed code."""
    if not setup_code.check(code):
        raise Refused(WRONG_SETUP_CODE("code"))
    _queue(path, Actor.system(SETUP))


def _queue(path: Path, actor: Actor) -> None:
    if status.now().is_waiting:
        raise Refused(BACKUP_UNDER_WAY())
    status.say(status.QUEUED, what=RESTORE)
    if not later("backup.restore_backup", path.stem, actor.user.pk if actor.user else None, actor.name):
        _note_failure(UNREACHABLE)
        raise Refused(UNREACHABLE)


def carry_out(name: str, actor: Actor) -> None:
    """Do the restore that was asked for: what the worker calls. Raises Forbidden."""
    if not _is_wanted(name):
        return
    say = partial(status.say, what=RESTORE)
    try:
        about = restore_backup(actor, _path_of(name), step=partial(say, status.RUNNING))
    except Refused as refused:
        _note_failure(refused.problems[0])
    except BaseException:
        _note_failure(STOPPED)
        raise
    else:
        say(status.DONE, params={"made_at": about.made_at.isoformat()})


def _is_wanted(name: str) -> bool:
    """Say whether a restore is still to be made.

    Not one that has waited too long, nor one that is begun again because its worker died: it would take back what
    people have written since.
    """
    last = status.now()
    if last.what == RESTORE and last.is_waiting and last.state != status.QUEUED:
        _note_failure(STOPPED)
    elif last.what == RESTORE and last.is_waiting:
        return True
    logger.warning("The restore of %s was asked for too long ago, or begun before: it is not made", name)
    return False


def _path_of(name: str) -> Path:
    if (kept := shelf.find(name)) is None:
        raise Refused(BACKUP_GONE())
    return kept.path


def _note_failure(problem: Problem) -> None:
    status.say(status.FAILED, what=RESTORE, code=problem.code, params=problem.params)


def restore_backup(actor: Actor, path: Path, *, step: Step = lambda done, of: None) -> Manifest:
    """Put a backup in the place of what stands, which is backed up first.

    Leaves an entry in every tournament that came back. Raises Refused; then everything is as it was.
    """
    access.require_keeper(actor)
    try:
        with opened(path) as archive:
            archive.check(_step_part(step, 0))
            about = archive.manifest
            restore(
                archive,
                step=_step_part(step, 2),
                first=partial(_keep_what_stands, actor, _step_part(step, 1)),
                then=partial(_log_restore, actor, about),
            )
    except (OSError, DatabaseError) as fault:
        logger.exception("The backup %s could not be put back", path.name)
        raise Refused(BACKUP_FAILED(fault=str(fault))) from None
    if not setup_code.is_open():
        setup_code.done()
    logger.warning("Everything put back as it stood at %s (%s), by %s", about.made_at, path.name, actor.name)
    return about


def _step_part(step: Step, part: int) -> Step:
    """Counts one of the three steps as the part of the whole that it is."""
    return lambda done, of: step(part * of + done, STEPS * of)


def _keep_what_stands(actor: Actor, step: Step) -> None:
    if Tournament.objects.exists() or User.objects.exists():
        write(shelf.new_path(), why=BEFORE_RESTORE, by=actor.name, step=step)


def _log_restore(actor: Actor, about: Manifest) -> None:
    """An entry in every tournament, by the account if it came back too."""
    mine = User.objects.filter(pk=actor.user.pk, username=actor.user.username).first() if actor.user else None
    who = Actor.system(actor.name if actor.user is None else "restore") if mine is None else Actor.of(mine)
    for tournament in Tournament.objects.order_by("pk"):
        with log.write(tournament, who, BACKUP_RESTORED) as entry:
            entry.data = {"made_at": about.made_at.isoformat()}
