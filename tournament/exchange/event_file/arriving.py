"""Files that were sent and looked at, until whoever sent them says that they are to be taken in, or a day is over."""

from __future__ import annotations

import hashlib
import logging
import re
from contextlib import suppress
from pathlib import Path
from time import time
from typing import Final

from django.conf import settings
from django.core.files.storage import default_storage

from config.kept import private_folder

logger = logging.getLogger(__name__)
KEPT_FOR: Final = 24 * 60 * 60
"""Seconds."""
MOST: Final = 3
"""So many of one person: the oldest goes."""
_NAME: Final = re.compile("[0-9a-f]{64}")


def keep(whose: int, content: bytes) -> str:
    """What it is found by: for the same person alone."""
    folder = _folder(whose)
    name = hashlib.sha256(content).hexdigest()
    draft = folder / f".{name}"
    draft.touch(mode=0o600)
    draft.write_bytes(content)
    draft.replace(folder / name)
    _tidy()
    for old in sorted(folder.iterdir(), key=lambda path: path.stat().st_mtime)[:-MOST]:
        old.unlink(missing_ok=True)
    return name


def find(whose: int, name: str) -> bytes | None:
    """None when it is not there any more, or never was."""
    if not _NAME.fullmatch(name):
        return None
    try:
        return (_folder(whose) / name).read_bytes()
    except OSError:
        return None


def forget(whose: int, name: str) -> None:
    if _NAME.fullmatch(name):
        (_folder(whose) / name).unlink(missing_ok=True)


def _folder(whose: int) -> Path:
    folder = _all() / str(whose)
    private_folder(folder)
    return folder


def _all() -> Path:
    return Path(settings.DATA_DIR) / "arriving"


def _tidy() -> None:
    for path in _all().glob("*/*"):
        with suppress(OSError):
            if path.stat().st_mtime < time() - KEPT_FOR:
                path.unlink()


def forget_files(files: list[str]) -> None:
    """What was stored beside the database, of an event that did not come after all."""
    for name in files:
        try:
            default_storage.delete(name)
        except OSError:
            logger.exception("The file %s could not be deleted", name)
