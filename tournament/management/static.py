"""Collects static files only when one has changed: reading them all costs a second at each start."""

import hashlib
from pathlib import Path
from typing import Final

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command

SOURCES: Final = tuple(Path(settings.BASE_DIR, "config", name) for name in ("bundles.py", "storage.py"))
"""Modules that join and store static files."""


def has_changed() -> bool:
    """Return whether static files, or their storage, have changed since the last `collect`."""
    stamp = _stamp()
    return not (stamp.exists() and settings.STATIC_ROOT.exists() and stamp.read_text() == _fingerprint())


def collect() -> None:
    fingerprint = _fingerprint()
    call_command("collectstatic", interactive=False, verbosity=0, skip_checks=True)
    _stamp().write_text(fingerprint)


def _stamp() -> Path:
    """Return the path of the fingerprint, beside the folder whose files are served."""
    return Path(settings.STATIC_ROOT).with_name("static-stamp")


def _fingerprint() -> str:
    """Return a digest of every file's path, size and time, and of the code that joins them."""
    digest = hashlib.sha256(repr(settings.STORAGES["staticfiles"]).encode())
    for source in SOURCES:
        digest.update(source.read_bytes())
    for finder in get_finders():
        for name, storage in finder.list([]):
            status = Path(storage.path(name)).stat()
            digest.update(f"{name}:{status.st_size}:{status.st_mtime_ns}\n".encode())
    return digest.hexdigest()
