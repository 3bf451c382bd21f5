"""The backups that are kept in the data folder, and which of them stay."""

from __future__ import annotations

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

# --- Rotation ---
# Which of the backups that were made by themselves are kept: dense for the last hours, thin for the last weeks.


LAST: Final = 12
A_DAY: Final = timedelta(days=1)
TWO_WEEKS: Final = timedelta(days=14)


def gone(made: Iterable[datetime], now: datetime) -> set[datetime]:
    """Those that go: kept are the last twelve, the newest of each hour for a day and of each day for two weeks."""
    newest_first = sorted(made, reverse=True)
    kept, hours, days = set(newest_first[:LAST]), set[Hashable](), set[Hashable]()
    for moment in newest_first:
        hour, day = (moment.date(), moment.hour), moment.date()
        if (now - moment < A_DAY and hour not in hours) or (now - moment < TWO_WEEKS and day not in days):
            kept.add(moment)
        hours.add(hour)
        days.add(day)
    return set(newest_first) - kept


# --- The backups that are kept in the data folder, the newest first ---


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
    found = [kept for path in folder().glob(f"hule-*{SUFFIX}") if (kept := _kept(path))]
    return sorted(found, key=lambda kept: (_made(kept), kept.name), reverse=True)


def find(name: str) -> Kept | None:
    """By its name, without the suffix."""
    return _kept(folder() / f"{name}{SUFFIX}") if NAME.fullmatch(name) else None


def new_path(moment: datetime | None = None) -> Path:
    """A name that is free: the server's own time, and a number when there are several in a minute."""
    first = f"hule-{timezone.localtime(moment, timezone.get_default_timezone()):%Y-%m-%d-%H%M}"
    return next(path for name in _names(first) if not (path := folder() / f"{name}{SUFFIX}").exists())


def rotate(now: datetime) -> None:
    """Delete those made by themselves whose time is over; those that somebody asked for stay."""
    kept = {
        each.said.made_at: each
        for each in all_kept()
        if each.said and each.said.why in (AUTOMATIC, BEFORE_RESTORE)
    }
    for moment in gone(kept, now):
        kept[moment].path.unlink(missing_ok=True)


def free_bytes() -> int:
    return shutil.disk_usage(folder()).free


def _names(first: str) -> Iterator[str]:
    yield first
    yield from (f"{first}-{number}" for number in range(2, 10_000))


def _kept(path: Path) -> Kept | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return Kept(path.stem, path, status.st_size, _said(path, status.st_mtime_ns, status.st_size))


@lru_cache(maxsize=512)
def _said(path: Path, _changed: int, _size: int) -> Manifest | None:
    try:
        return manifest_of(path)
    except Refused:
        return None


def _made(kept: Kept) -> str:
    return kept.said.made_at.astimezone(timezone.get_default_timezone()).isoformat() if kept.said else ""
