"""Making a backup: one read of the database, streamed into one file that is there whole or not at all."""

from __future__ import annotations

import hashlib
import os
import secrets
import zipfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import IO, Final

from django.conf import settings
from django.contrib.auth.models import User
from django.core.files.storage import default_storage
from django.db import connection
from django.utils import timezone

from tournament.backup import manifest, tables
from tournament.backup.manifest import Manifest, Part
from tournament.backup.state import events, fingerprint
from tournament.base.models.certificates import CertificateDesign
from tournament.base.models.documents import DocumentJob
from tournament.base.snapshot import one_moment
from tournament.events.models.event_page import EventDocument

VERSION: Final = "0.1.0"
"""Hule's own, as in pyproject.toml."""
ROWS, FILES, PUSH_KEY = "rows/", "files/", "keys/push-key"
PIECE: Final = 1024 * 1024
LEVEL: Final = 3
"""How hard it is packed: at 6 it takes twice as long and is a tenth smaller."""

Step = Callable[[int, int], None]
"""Told so many of so many."""


def write(path: Path, *, why: str, by: str = "", step: Step = lambda done, of: None) -> Manifest:
    """Write everything as it stands at one moment to `path`. Raises OSError, as when the disk is full: then no file is
    there."""
    draft = path.with_name(f".{path.name}-{secrets.token_hex(4)}")
    try:
        with open(os.open(draft, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600), "w+b") as file:
            made = _write(file, why, by, step)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
    return made


def _write(file: IO[bytes], why: str, by: str, step: Step) -> Manifest:
    models, parts = tables.models(), []
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=LEVEL) as archive:
        with one_moment():
            now, state, stood = timezone.now(), fingerprint(), events()
            accounts = User.objects.count()
            documents = [*_made(), *EventDocument.objects.values_list("file", flat=True)]
            for done, model in enumerate(models):
                step(done, len(models) + 1)
                name = f"{ROWS}{tables.label(model)}.jsonl"
                parts.append(_part(archive, name, tables.rows(model), is_table=True))
        step(len(models), len(models) + 1)
        parts += [_part(archive, name, content) for name, content in _files(documents)]
        made = Manifest(
            tables.layout(), VERSION, now, why, by, connection.vendor, state, accounts, stood, tuple(parts)
        )
        archive.writestr(manifest.NAME, made.written())
    return made


def _made() -> list[str]:
    return [
        *DocumentJob.objects.exclude(file="").values_list("file", flat=True),
        *CertificateDesign.objects.exclude(file="").values_list("file", flat=True),
    ]


def _part(archive: zipfile.ZipFile, name: str, pieces: Iterable[bytes], *, is_table: bool = False) -> Part:
    seen, size, lines = hashlib.sha256(), 0, 0
    with archive.open(name, "w", force_zip64=True) as part:
        for piece in pieces:
            part.write(piece)
            seen.update(piece)
            size, lines = size + len(piece), lines + 1
    return Part(name, lines - 1 if is_table else 0, size, seen.hexdigest())


def _files(documents: Iterable[str]) -> Iterator[tuple[str, Iterator[bytes]]]:
    """Documents that are there, and the key by which phones know this server."""
    for name in documents:
        try:
            with default_storage.open(name) as file:
                yield FILES + name, iter(lambda: file.read(PIECE), b"")
        except OSError:
            continue  # it was deleted by hand; its row says that it was made, and it can be made anew
    key = Path(settings.DATA_DIR) / "push-key"
    if not settings.PUSH_KEY and key.exists():
        yield PUSH_KEY, iter([key.read_bytes()])
