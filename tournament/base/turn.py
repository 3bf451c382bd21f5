"""Taking turns: one backup or restore at a time, and nobody else writes while what stands is replaced.

Locks of the system on files in the data folder, which every process sees: they end with whoever holds them, however
that one ends.
"""

from __future__ import annotations

import fcntl
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings

from config.kept import private_folder
from tournament.base.errors import refuse


def folder() -> Path:
    """Where backups are kept."""
    return private_folder(Path(settings.DATA_DIR) / "backups")


@contextmanager
def alone() -> Iterator[None]:
    """One at a time: raises Refused while another backup or restore is under way."""
    with _locked("turn"):
        yield


@contextmanager
def replacing() -> Iterator[None]:
    """From here on `is_replaced` is true for everybody."""
    with alone(), _locked("restoring", patient=True):
        yield


def is_replaced() -> bool:
    """Whether a restore is under way; costs three calls of the system."""
    try:
        file = os.open(Path(settings.DATA_DIR) / "backups" / ".restoring", os.O_RDONLY)
    except OSError:
        return False
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(file)
    return False


def era() -> str:
    """Changes whenever everything was replaced: whoever remembers what was read before forgets it then."""
    try:
        return (Path(settings.DATA_DIR) / "backups" / ".restored").read_text()
    except OSError:
        return ""


def begin_era() -> None:
    """Everything was replaced."""
    draft = folder() / f".restored-{secrets.token_hex(4)}"
    draft.write_text(secrets.token_hex(8))
    draft.replace(folder() / ".restored")


@contextmanager
def _locked(name: str, *, patient: bool = False) -> Iterator[None]:
    """`patient`: whoever looks holds it for a moment."""
    file = os.open(folder() / f".{name}", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | (0 if patient else fcntl.LOCK_NB))
    except OSError:
        os.close(file)
        raise refuse("backup_under_way") from None
    try:
        yield
    finally:
        os.close(file)
