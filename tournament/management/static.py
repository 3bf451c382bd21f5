"""Collecting static files only when one has changed: reading them all costs a second at each start."""

import hashlib
from pathlib import Path
from typing import Final

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command

JOINING: Final = tuple(Path(settings.BASE_DIR, "config", name) for name in ("bundles.py", "storage.py"))
"""What joins static files, and keeps them."""


def has_changed() -> bool:
    """Whether the files, or how they are kept, are others than at the last `collect`."""
    stamp = _stamp()
    return not (stamp.exists() and settings.STATIC_ROOT.exists() and stamp.read_text() == _fingerprint())


def collect() -> None:
    fingerprint = _fingerprint()
    call_command("collectstatic", interactive=False, verbosity=0, skip_checks=True)
    _stamp().write_text(fingerprint)


def _stamp() -> Path:
    """Beside the folder, not in it: what lies in it is served."""
    return Path(settings.STATIC_ROOT).with_name("static-stamp")


def _fingerprint() -> str:
    """Of every file's path, size and time, and of what joins them and keeps them."""
    seen = hashlib.sha256(repr(settings.STORAGES["staticfiles"]).encode())
    for source in JOINING:
        seen.update(source.read_bytes())
    for finder in get_finders():
        for name, storage in finder.list([]):
            status = Path(storage.path(name)).stat()
            seen.update(f"{name}:{status.st_size}:{status.st_mtime_ns}\n".encode())
    return seen.hexdigest()
