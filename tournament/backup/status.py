"""The progress of the current backup or restore, or the result of the last one.

Stored in a file, because a restore replaces rows. Its length is fixed, so that it can be written on a full disk.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from django.utils import timezone

from tournament.base.database import backup_folder
from tournament.base.models.tournament import ANSWER_WITHIN, DONE_WITHIN, Job

LENGTH: Final = 2048
BACKUP, RESTORE = "backup", "restore"
QUEUED, RUNNING, DONE, FAILED = map(
    str, (Job.State.QUEUED, Job.State.RUNNING, Job.State.DONE, Job.State.FAILED)
)

BEGUN_WITHIN: Final = timedelta(minutes=1)
"""A restore that waits longer is not run: it would undo what was written meanwhile."""


@dataclass(frozen=True)
class Status:
    """The progress or result of a backup or restore (`what`). `code` and `params` are the problem of a failed one."""

    what: str = BACKUP
    state: str = DONE
    at: str = ""
    done: int = 0
    of: int = 1
    code: str = ""
    params: dict[str, Any] = field(default_factory=dict)

    @property
    def moment(self) -> datetime | None:
        return datetime.fromisoformat(self.at) if self.at else None

    @property
    def age(self) -> timedelta:
        return timezone.now() - (self.moment or timezone.now())

    @property
    def is_waiting(self) -> bool:
        within = BEGUN_WITHIN if (self.what, self.state) == (RESTORE, QUEUED) else DONE_WITHIN
        return self.state in (QUEUED, RUNNING) and self.age < within

    @property
    def is_late(self) -> bool:
        return self.state == QUEUED and self.age > ANSWER_WITHIN

    @property
    def is_lost(self) -> bool:
        return self.state in (QUEUED, RUNNING) and not self.is_waiting

    @property
    def mark(self) -> str:
        """A text that changes whenever the status would look different."""
        return f"{self.what}-{self.state}-{self.done}-{self.is_late:d}-{self.is_lost:d}"


def write(
    state: str,
    done: int = 0,
    of: int = 1,
    *,
    what: str = BACKUP,
    code: str = "",
    params: Mapping[str, str | int] = MappingProxyType({}),
) -> None:
    """Write the status; errors are ignored."""
    short_params = {name: value[:200] if isinstance(value, str) else value for name, value in params.items()}
    status = asdict(Status(what, state, timezone.now().isoformat(), done, of, code, short_params))
    text = json.dumps(status, ensure_ascii=False).encode().ljust(LENGTH)[:LENGTH]
    try:
        with _path().open("r+b" if _path().exists() else "w+b") as file:
            file.write(text)
    except OSError:
        pass


def current() -> Status:
    try:
        return Status(**json.loads(_path().read_bytes()))
    except (OSError, ValueError, TypeError):
        return Status()


def _path() -> Path:
    return backup_folder() / ".status"
