"""The backups that are kept in the data folder, and which of them stay."""

import re
import shutil
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from pathlib import Path
from typing import Final

from django.utils import timezone

from tournament.backup.archive import manifest_of
from tournament.backup.manifest import Manifest
from tournament.base.database import folder
from tournament.base.errors import Refused

NAME: Final = re.compile(r"hule-\d{4}-\d\d-\d\d-\d{4}(?:-\d{1,4})?")
SUFFIX: Final = ".hule"
ASKED, AUTOMATIC, BEFORE_RESTORE, COMMAND = "asked", "automatic", "before_restore", "command"


@dataclass(frozen=True)
class Kept:
    """A backup on the shelf; `said` is None when it cannot be read."""

    name: str
    path: Path
    size: int
    said: Manifest | None

    @property
    def file_name(self) -> str:
        return self.path.name


def all_kept() -> list[Kept]:
    """The newest first; by the moment in their names, since those of files change when they are copied."""
    backups = [kept for path in folder().glob(f"hule-*{SUFFIX}") if (kept := _kept_at(path))]
    return sorted(backups, key=lambda kept: (_made_at_text(kept), kept.name), reverse=True)


def newest_manifest() -> Manifest | None:
    """What the newest backup that can be read says of itself; None when there is none."""
    return next((kept.said for kept in all_kept() if kept.said), None)


def find(name: str) -> Kept | None:
    """By its name, without the suffix."""
    return _kept_at(folder() / f"{name}{SUFFIX}") if NAME.fullmatch(name) else None


def _kept_at(path: Path) -> Kept | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return Kept(path.stem, path, status.st_size, _manifest_or_none(path, status.st_mtime_ns, status.st_size))


@lru_cache(maxsize=512)
def _manifest_or_none(path: Path, _changed: int, _size: int) -> Manifest | None:
    try:
        return manifest_of(path)
    except Refused:
        return None


def _made_at_text(kept: Kept) -> str:
    return kept.said.made_at.astimezone(timezone.get_default_timezone()).isoformat() if kept.said else ""


def new_path(moment: datetime | None = None) -> Path:
    """A name that is free: the server's own time, and a number when there are several in a minute."""
    first = f"hule-{timezone.localtime(moment, timezone.get_default_timezone()):%Y-%m-%d-%H%M}"
    return next(
        path for name in _numbered_names(first) if not (path := folder() / f"{name}{SUFFIX}").exists()
    )


def _numbered_names(first: str) -> Iterator[str]:
    yield first
    yield from (f"{first}-{number}" for number in range(2, 10_000))


def rotate(now: datetime) -> None:
    """Delete those made by themselves whose time is over; those that somebody asked for stay."""
    kept = {
        backup.said.made_at: backup
        for backup in all_kept()
        if backup.said and backup.said.why in (AUTOMATIC, BEFORE_RESTORE)
    }
    for moment in gone(kept, now):
        kept[moment].path.unlink(missing_ok=True)


LAST: Final = 12

A_DAY: Final = timedelta(days=1)

TWO_WEEKS: Final = timedelta(days=14)


def gone(made: Iterable[datetime], now: datetime) -> set[datetime]:
    """Choose those that go.

    Kept are the last twelve, the newest of each hour for a day and of each day for two weeks.
    """
    newest_first = sorted(made, reverse=True)
    kept, hours, days = set(newest_first[:LAST]), set[Hashable](), set[Hashable]()
    for moment in newest_first:
        hour, day = (moment.date(), moment.hour), moment.date()
        if (now - moment < A_DAY and hour not in hours) or (now - moment < TWO_WEEKS and day not in days):
            kept.add(moment)
        hours.add(hour)
        days.add(day)
    return set(newest_first) - kept


def free_bytes() -> int:
    return shutil.disk_usage(folder()).free
