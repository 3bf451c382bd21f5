"""How far the backup is that the worker makes, and what became of the last one; a file, for a restore replaces rows.

The file is as long from the start as it ever gets, so that a full disk can be told of in it.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from django.utils import timezone

from tournament.backup.turn import folder
from tournament.models.jobs import ANSWER_WITHIN, DONE_WITHIN, Job

LENGTH: Final = 1024
QUEUED, RUNNING, DONE, FAILED = map(
    str, (Job.State.QUEUED, Job.State.RUNNING, Job.State.DONE, Job.State.FAILED)
)


@dataclass(frozen=True)
class Status:
    """`code`: the problem of one that failed, `fault` what the system called it."""

    state: str = DONE
    at: str = ""
    done: int = 0
    of: int = 1
    code: str = ""
    fault: str = ""

    @property
    def moment(self) -> datetime | None:
        return datetime.fromisoformat(self.at) if self.at else None

    @property
    def age(self) -> timedelta:
        return timezone.now() - (self.moment or timezone.now())

    @property
    def is_waiting(self) -> bool:
        return self.state in (QUEUED, RUNNING) and self.age < DONE_WITHIN

    @property
    def is_late(self) -> bool:
        return self.state == QUEUED and self.age > ANSWER_WITHIN

    @property
    def is_lost(self) -> bool:
        return self.state in (QUEUED, RUNNING) and not self.is_waiting

    @property
    def mark(self) -> str:
        """Changes whenever it would look different."""
        return f"{self.state}-{self.done}-{self.is_late:d}-{self.is_lost:d}"


def say(state: str, done: int = 0, of: int = 1, code: str = "", fault: str = "") -> None:
    """Write it down; what cannot be written down is left."""
    said = asdict(Status(state, timezone.now().isoformat(), done, of, code, fault[:200]))
    text = json.dumps(said).encode().ljust(LENGTH)[:LENGTH]
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
