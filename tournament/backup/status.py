"""How far the backup or restore is that the worker makes, and what became of the last one.

It is a file, for a restore replaces rows. The file is as long from the start as it ever gets, so that a full disk can
be told of in it.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from django.utils import timezone

from tournament.base.database import folder
from tournament.base.models.tournament import ANSWER_WITHIN, DONE_WITHIN, Job

LENGTH: Final = 2048
BACKUP, RESTORE = "backup", "restore"
QUEUED, RUNNING, DONE, FAILED = map(
    str, (Job.State.QUEUED, Job.State.RUNNING, Job.State.DONE, Job.State.FAILED)
)

BEGUN_WITHIN: Final = timedelta(minutes=1)
"""A restore that waits for longer is not made: it would take back what was written while nobody thought of it."""


@dataclass(frozen=True)
class Status:
    """`what`: BACKUP or RESTORE. `code` and `params`: the problem of one that failed."""

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
        """Changes whenever it would look different."""
        return f"{self.what}-{self.state}-{self.done}-{self.is_late:d}-{self.is_lost:d}"


def say(
    state: str,
    done: int = 0,
    of: int = 1,
    *,
    what: str = BACKUP,
    code: str = "",
    params: Mapping[str, str | int] = MappingProxyType({}),
) -> None:
    """Write it down; what cannot be written down is left."""
    short = {name: value[:200] if isinstance(value, str) else value for name, value in params.items()}
    status = asdict(Status(what, state, timezone.now().isoformat(), done, of, code, short))
    text = json.dumps(status, ensure_ascii=False).encode().ljust(LENGTH)[:LENGTH]
    try:
        with _path().open("r+b" if _path().exists() else "w+b") as file:
            file.write(text)
    except OSError:
        pass


def now() -> Status:
    try:
        return Status(**json.loads(_path().read_bytes()))
    except (OSError, ValueError, TypeError):
        return Status()


def _path() -> Path:
    return folder() / ".status"
