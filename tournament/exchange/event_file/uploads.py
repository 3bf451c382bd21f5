"""Uploaded tournament files, kept for the user who previews them until they are imported, for a day at most."""

import hashlib
import re
from contextlib import suppress
from pathlib import Path
from time import time
from typing import Final

from django.conf import settings

from config.private_files import private_folder

MAX_AGE: Final = 24 * 60 * 60
"""Seconds."""
MAX_UPLOADS: Final = 3
"""Files kept for one user; the oldest is deleted."""
_DIGEST: Final = re.compile("[0-9a-f]{64}")


def store(user_id: int, content: bytes) -> str:
    """Keep a file for a user and return its name. Delete files that are too old or too many."""
    folder = _user_folder(user_id)
    name = hashlib.sha256(content).hexdigest()
    draft = folder / f".{name}"
    draft.touch(mode=0o600)
    draft.write_bytes(content)
    draft.replace(folder / name)
    _delete_old()
    for path in sorted(folder.iterdir(), key=lambda path: path.stat().st_mtime)[:-MAX_UPLOADS]:
        path.unlink(missing_ok=True)
    return name


def find(user_id: int, name: str) -> bytes | None:
    """Return the content of a user's file; None if there is none of this name."""
    if not _DIGEST.fullmatch(name):
        return None
    try:
        return (_user_folder(user_id) / name).read_bytes()
    except OSError:
        return None


def remove(user_id: int, name: str) -> None:
    if _DIGEST.fullmatch(name):
        (_user_folder(user_id) / name).unlink(missing_ok=True)


def _user_folder(user_id: int) -> Path:
    return private_folder(_root() / str(user_id))


def _root() -> Path:
    return Path(settings.DATA_DIR) / "arriving"


def _delete_old() -> None:
    for path in _root().glob("*/*"):
        with suppress(OSError):
            if path.stat().st_mtime < time() - MAX_AGE:
                path.unlink()
