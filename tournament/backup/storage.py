"""The backups in the data folder, and their rotation."""

import re
import shutil
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from pathlib import Path
from typing import Final

from django.utils import timezone

from tournament.backup.archive import manifest_of
from tournament.backup.manifest import Manifest
from tournament.base.database import backup_folder
from tournament.base.errors import Refused

NAME: Final = re.compile(r"hule-\d{4}-\d\d-\d\d-\d{4}(?:-\d{1,4})?")
SUFFIX: Final = ".hule"
EARLIEST: Final = datetime.min.replace(tzinfo=UTC)
REQUESTED, AUTOMATIC, BEFORE_RESTORE, COMMAND = "requested", "automatic", "before_restore", "command"


@dataclass(frozen=True)
class StoredBackup:
    """A backup in the data folder; `manifest` is None if it cannot be read."""

    name: str
    path: Path
    size: int
    manifest: Manifest | None

    @property
    def made_at(self) -> datetime | None:
        return self.manifest.made_at if self.manifest else None

    @property
    def file_name(self) -> str:
        return self.path.name


def stored_backups() -> list[StoredBackup]:
    """Return all backups, the newest first. File times are not used: they change when a file is copied."""
    backups = [backup for path in backup_folder().glob(f"hule-*{SUFFIX}") if (backup := _backup_at(path))]
    return sorted(backups, key=lambda backup: (backup.made_at or EARLIEST, backup.name), reverse=True)


def newest_manifest() -> Manifest | None:
    """Return the manifest of the newest readable backup, or None."""
    return next((backup.manifest for backup in stored_backups() if backup.manifest), None)


def backup_age() -> float | None:
    """Return the seconds since the newest backup, or None without one."""
    newest = newest_manifest()
    return (timezone.now() - newest.made_at).total_seconds() if newest else None


def find(name: str) -> StoredBackup | None:
    """Return the backup of that name (without suffix), or None."""
    return _backup_at(backup_folder() / f"{name}{SUFFIX}") if NAME.fullmatch(name) else None


def _backup_at(path: Path) -> StoredBackup | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return StoredBackup(
        path.stem, path, status.st_size, _manifest_or_none(path, status.st_mtime_ns, status.st_size)
    )


@lru_cache(maxsize=512)
def _manifest_or_none(path: Path, _changed: int, _size: int) -> Manifest | None:
    try:
        return manifest_of(path)
    except Refused:
        return None


def new_path(moment: datetime | None = None, *, prefix: str = "hule-", suffix: str = SUFFIX) -> Path:
    """Return an unused path, named by the server's local time and, within a minute, a number."""
    first = f"{prefix}{timezone.localtime(moment, timezone.get_default_timezone()):%Y-%m-%d-%H%M}"
    names = (first, *(f"{first}-{number}" for number in range(2, 10_000)))
    return next(path for name in names if not (path := backup_folder() / f"{name}{suffix}").exists())


def rotate(now: datetime) -> None:
    """Delete expired automatic backups, and what killed processes left; what somebody asked for stays."""
    backups = {
        backup.manifest.made_at: backup
        for backup in stored_backups()
        if backup.manifest and backup.manifest.reason in (AUTOMATIC, BEFORE_RESTORE)
    }
    for moment in expired(backups, now):
        backups[moment].path.unlink(missing_ok=True)
    for path in backup_folder().glob(".*-*"):
        if now.timestamp() - path.stat().st_mtime > A_DAY.total_seconds():
            shutil.rmtree(path) if path.is_dir() else path.unlink()


LAST: Final = 12

A_DAY: Final = timedelta(days=1)

TWO_WEEKS: Final = timedelta(days=14)


def expired(moments: Iterable[datetime], now: datetime) -> set[datetime]:
    """Return those to delete: all but the last twelve, one an hour for a day, and one a day for two weeks."""
    newest_first = sorted(moments, reverse=True)
    remaining, hours, days = set(newest_first[:LAST]), set[Hashable](), set[Hashable]()
    for moment in newest_first:
        hour, day = (moment.date(), moment.hour), moment.date()
        if (now - moment < A_DAY and hour not in hours) or (now - moment < TWO_WEEKS and day not in days):
            remaining.add(moment)
        hours.add(hour)
        days.add(day)
    return set(newest_first) - remaining


def free_bytes() -> int:
    return shutil.disk_usage(backup_folder()).free
