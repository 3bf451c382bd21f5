"""The file of a backup: written from one snapshot of the database, and read as untrusted input."""

import hashlib
import os
import re
import secrets
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Final

from django.apps import apps
from django.conf import settings
from django.contrib.auth.models import User
from django.core.files.storage import default_storage
from django.db import connection, transaction
from django.utils import timezone

from scoring.engine.problems import problem_code
from tournament.backup import manifest
from tournament.backup.dumps import DumpError, applied_migrations, later_migrations, tools
from tournament.backup.manifest import BACKUP_NEWER, BACKUP_UNREADABLE, Manifest, events, fingerprint
from tournament.base.database import backup_folder, read_snapshot
from tournament.base.errors import Refused
from tournament.base.models.documents import CertificateDesign, DocumentJob
from tournament.base.models.events import EventDocument
from tournament.base.models.people import Visit
from tournament.play.models import HandPhoto

BACKUP_OTHER_DATABASE = problem_code(
    "backup_other_database",
    "This backup holds a database of another kind ({database}) than this server uses. Export each tournament there as "
    "a tournament file, and import it here.",
)
BACKUP_PARTS = problem_code("backup_parts", "The contents of this file do not match a Hule backup.")
BACKUP_TOO_LARGE = problem_code(
    "backup_too_large", "This file would unpack to more than any backup holds. Nothing of it was unpacked."
)
BACKUP_DAMAGED = problem_code(
    "backup_damaged", "The part {part} differs from the time of the backup. The file is damaged."
)
BACKUP_DATABASE = problem_code(
    "backup_database", "The database in this backup is damaged or was not made by Hule: {fault}."
)

VERSION: Final = "0.1.0"
"""Hule's own, as in pyproject.toml."""
FILES, PUSH_KEY = "files/", "keys/push-key"
LEVEL: Final = 3
"""Compression level: 6 takes twice as long and is a tenth smaller."""
MAX_PARTS: Final = 20_000
MAX_UNPACKED_BYTES: Final = 40 * 1024**3
MAX_PACKING_RATIO: Final = 400
"""Highest ratio of unpacked to packed size; a database has ten, at most a hundred."""
SMALL: Final = 1024 * 1024
"""Bytes below which a part's ratio is not checked."""
SAFE: Final = re.compile(r"files/documents/[A-Za-z0-9_][A-Za-z0-9_.-]{0,200}")
"""Names of documents (`documents.exports.jobs`)."""
BROKEN: Final = (
    OSError,
    ValueError,
    EOFError,
    NotImplementedError,
    RuntimeError,
    zipfile.BadZipFile,
    zlib.error,
)
"""What reading a damaged ZIP file raises."""

Progress = Callable[[int, int], None]
"""Called with the steps done and their number."""


def write(path: Path, *, reason: str, by: str = "", progress: Progress = lambda done, of: None) -> Manifest:
    """Write a snapshot to `path`. Leaves no file on DumpError and OSError."""
    transaction.get_connection().validate_no_atomic_block()
    draft = path.with_name(f".{path.name}-{secrets.token_hex(4)}")
    try:
        with (
            TemporaryDirectory(prefix=".dump-", dir=backup_folder()) as folder,
            open(os.open(draft, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600), "w+b") as file,
        ):
            contents = _write(file, Path(folder) / tools().part, reason, by, progress)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
    return contents


def _write(file: IO[bytes], dump: Path, reason: str, by: str, progress: Progress) -> Manifest:
    with read_snapshot():
        now, state, tournaments = timezone.now(), fingerprint(), events()
        accounts, migrations = User.objects.count(), tuple(applied_migrations())
        names = _document_names()
        progress(0, 2)
        tools().write(dump, without=_tables_left_out())
    progress(1, 2)
    contents = Manifest(
        version=VERSION,
        made_at=now,
        reason=reason,
        by=by,
        database=connection.vendor,
        sha256=_digest(dump),
        migrations=migrations,
        state=state,
        accounts=accounts,
        tournaments=tournaments,
    )
    with zipfile.ZipFile(
        file, "w", zipfile.ZIP_DEFLATED, compresslevel=LEVEL, strict_timestamps=False
    ) as archive:
        archive.writestr(manifest.NAME, contents.to_bytes())
        archive.write(dump, dump.name)
        for name in names:
            if default_storage.exists(name):  # otherwise deleted by hand; it can be made again from its row
                archive.write(default_storage.path(name), FILES + name)
        key = Path(settings.DATA_DIR) / "push-key"
        if not settings.PUSH_KEY and key.exists():
            archive.write(key, PUSH_KEY)
    return contents


def _tables_left_out() -> list[str]:
    """Return the tables whose rows are not backed up: who is signed in, and failed attempts to."""
    others = [model for app in ("axes", "sessions") for model in apps.get_app_config(app).get_models()]
    return [Visit._meta.db_table, *(model._meta.db_table for model in others)]


def _document_names() -> list[str]:
    models = (DocumentJob, CertificateDesign, EventDocument, HandPhoto)
    return [
        name for model in models for name in model.objects.exclude(file="").values_list("file", flat=True)
    ]


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@contextmanager
def unpacked(path: Path) -> Iterator[tuple[Manifest, Path]]:
    """Check a backup from an untrusted source and unpack it into a temporary folder. Raises Refused and OSError.

    It contains nothing but what a backup contains, nothing unpacks to more than the limits, no name leads out of the
    folder, and its database is undamaged.
    """
    with _opened(path) as file, TemporaryDirectory(prefix=".files-", dir=backup_folder()) as folder:
        contents, part = _manifest_of(file), tools().part
        _check_names(file.namelist(), contents)
        for name in file.namelist():
            try:
                file.extract(name, folder)
            except BROKEN:
                raise Refused(BACKUP_DAMAGED(part=name)) from None
        if _digest(Path(folder) / part) != contents.sha256:
            raise Refused(BACKUP_DAMAGED(part=part))
        try:
            tools().check(Path(folder) / part)
        except DumpError as fault:
            raise Refused(BACKUP_DATABASE(fault=str(fault))) from None
        yield contents, Path(folder)


def manifest_of(path: Path) -> Manifest:
    """Read the manifest of a backup, nothing else. Raises Refused."""
    with _opened(path) as file:
        return _manifest_of(file)


@contextmanager
def _opened(path: Path) -> Iterator[zipfile.ZipFile]:
    try:
        file = zipfile.ZipFile(path)
    except BROKEN:
        raise Refused(BACKUP_UNREADABLE()) from None
    with file:
        yield file


def _manifest_of(file: zipfile.ZipFile) -> Manifest:
    parts = file.infolist()
    if (
        len(parts) > MAX_PARTS
        or sum(part.file_size for part in parts) > MAX_UNPACKED_BYTES
        or any(part.file_size > max(SMALL, MAX_PACKING_RATIO * part.compress_size) for part in parts)
    ):
        raise Refused(BACKUP_TOO_LARGE())
    try:
        return manifest.read(file.read(manifest.NAME))
    except (KeyError, *BROKEN):
        raise Refused(BACKUP_UNREADABLE()) from None


def _check_names(names: list[str], contents: Manifest) -> None:
    """Check that the backup is of an installation like this one. Raises Refused."""
    if contents.database != connection.vendor:
        raise Refused(BACKUP_OTHER_DATABASE(database=contents.database))
    if later_migrations(contents.migrations):
        raise Refused(BACKUP_NEWER())
    needed = {manifest.NAME, tools().part}
    if (
        len({*names}) < len(names)
        or not needed <= {*names}
        or not all(map(SAFE.fullmatch, {*names} - needed - {PUSH_KEY}))
    ):
        raise Refused(BACKUP_PARTS())
