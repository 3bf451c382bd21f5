"""The file of a backup: written from one snapshot of the database, and read as untrusted input."""

import hashlib
import json
import os
import re
import secrets
import shutil
import zipfile
import zlib
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Final

from django.conf import settings
from django.contrib.auth.models import User
from django.core.files.storage import default_storage
from django.db import connection
from django.utils import timezone

from scoring.engine.problems import problem_code
from tournament.backup import manifest
from tournament.backup.manifest import Manifest, Part, events, fingerprint
from tournament.base.database import read_snapshot
from tournament.base.errors import Refused
from tournament.base.models.documents import CertificateDesign, DocumentJob
from tournament.base.models.events import EventDocument

BACKUP_UNREADABLE = problem_code("backup_unreadable", "This file is not a backup, or it is incomplete.")
BACKUP_NEWER = problem_code(
    "backup_newer", "This backup was made by a newer version of Hule. Update this server first."
)
BACKUP_LAYOUT = problem_code(
    "backup_layout",
    "This backup was made by another version of Hule ({version}), with a different database "
    "structure. Restore it with that version, then upgrade.",
)
BACKUP_PARTS = problem_code("backup_parts", "The contents of this file do not match a Hule backup.")
BACKUP_TOO_LARGE = problem_code(
    "backup_too_large", "This file would unpack to more than any backup holds. Nothing of it was unpacked."
)
BACKUP_DAMAGED = problem_code(
    "backup_damaged", "The part {part} differs from the time of the backup. The file is damaged."
)
BACKUP_ROW = problem_code("backup_row", "Row {row} of {table} in this backup cannot be read.")

# --- Writing ---


VERSION: Final = "0.1.0"
"""Hule's own, as in pyproject.toml."""
ROWS, FILES, PUSH_KEY = "rows/", "files/", "keys/push-key"
PIECE: Final = 1024 * 1024
LEVEL: Final = 3
"""Compression level: 6 takes twice as long and is a tenth smaller."""

Progress = Callable[[int, int], None]
"""Called with the parts done and their number."""


def write(path: Path, *, reason: str, by: str = "", progress: Progress = lambda done, of: None) -> Manifest:
    """Write a snapshot to `path`; `progress` is called with the parts done and their number.

    Leaves no file on OSError.
    """
    draft = path.with_name(f".{path.name}-{secrets.token_hex(4)}")
    try:
        with open(os.open(draft, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600), "w+b") as file:
            contents = _write(file, reason, by, progress)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
    return contents


def _write(file: IO[bytes], reason: str, by: str, progress: Progress) -> Manifest:
    models, parts = manifest.models(), []
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=LEVEL) as archive:
        with read_snapshot():
            now, state, tournaments = timezone.now(), fingerprint(), events()
            accounts = User.objects.count()
            documents = [*_document_files(), *EventDocument.objects.values_list("file", flat=True)]
            for done, model in enumerate(models):
                progress(done, len(models) + 1)
                name = f"{ROWS}{manifest.label(model)}.jsonl"
                parts.append(_write_part(archive, name, manifest.rows(model), is_table=True))
        progress(len(models), len(models) + 1)
        parts += [_write_part(archive, name, content) for name, content in _loose_files(documents)]
        contents = Manifest(
            manifest.layout(),
            VERSION,
            now,
            reason,
            by,
            connection.vendor,
            state,
            accounts,
            tournaments,
            tuple(parts),
        )
        archive.writestr(manifest.NAME, contents.to_bytes())
    return contents


def _document_files() -> list[str]:
    return [
        *DocumentJob.objects.exclude(file="").values_list("file", flat=True),
        *CertificateDesign.objects.exclude(file="").values_list("file", flat=True),
    ]


def _write_part(
    archive: zipfile.ZipFile, name: str, pieces: Iterable[bytes], *, is_table: bool = False
) -> Part:
    digest, size, lines = hashlib.sha256(), 0, 0
    with archive.open(name, "w", force_zip64=True) as part:
        for piece in pieces:
            part.write(piece)
            digest.update(piece)
            size, lines = size + len(piece), lines + 1
    return Part(name, lines - 1 if is_table else 0, size, digest.hexdigest())


def _loose_files(documents: Iterable[str]) -> Iterator[tuple[str, Iterator[bytes]]]:
    """Yield (name, pieces) of each document that exists and of the key for web push."""
    for name in documents:
        try:
            with default_storage.open(name) as file:
                yield FILES + name, iter(lambda: file.read(PIECE), b"")
        except OSError:
            continue  # deleted by hand; it can be made again from its row
    key = Path(settings.DATA_DIR) / "push-key"
    if not settings.PUSH_KEY and key.exists():
        yield PUSH_KEY, iter([key.read_bytes()])


# --- Reading ---


MAX_PARTS: Final = 20_000
MAX_ROWS: Final = 20_000_000
"""Five hundred tournaments of 400 players and twelve sessions."""
MAX_UNPACKED_BYTES: Final = 40 * 1024**3
MAX_PACKING_RATIO: Final = 400
"""Highest ratio of unpacked to packed size; rows have ten, at most a hundred."""
SMALL: Final = 1024 * 1024
"""Bytes below which a part's ratio is not checked."""
MAX_LINE_BYTES: Final = 32 * 1024 * 1024
SAFE: Final = re.compile(r"documents/[A-Za-z0-9_][A-Za-z0-9_.-]{0,200}")
"""Names of documents (`documents.exports.jobs`)."""


class Archive:
    """An open backup from an untrusted source. `manifest` is what it claims; `check` verifies it.

    Everything is checked before anything is changed: exactly the parts of the manifest exist, every part has its
    size, lines and SHA-256, nothing unpacks to more than the limits, and no name leads out of its folder.
    """

    def __init__(self, file: zipfile.ZipFile, contents: Manifest) -> None:
        self._file = file
        self.manifest = contents

    def check(self, progress: Progress = lambda done, of: None) -> None:
        """Read and verify all parts. Raises Refused."""
        self._check_parts()
        for done, part in enumerate(self.manifest.parts):
            progress(done, len(self.manifest.parts))
            self._check_content(part)

    def rows(self, model: type[Any]) -> Generator[list[Any]]:
        """Yield the rows of a table, each as long as its heading. Raises Refused."""
        with self._file.open(_part_name(model)) as part:
            lines = iter(lambda: part.readline(MAX_LINE_BYTES), b"")
            names = next(lines, b"")
            for number, line in enumerate(lines, 1):
                row = _json_or_none(line)
                if not isinstance(row, list) or len(row) != len(_json_or_none(names)):
                    raise Refused(BACKUP_ROW(table=manifest.label(model), row=number))
                yield row

    def files(self) -> list[str]:
        """Return the names of the documents in it, relative to the folder of files."""
        return [part.name.removeprefix(FILES) for part in self.manifest.parts if part.name.startswith(FILES)]

    def unpack(self, name: str, to: Path) -> None:
        with self._file.open(FILES + name) as part, to.open("wb") as file:
            shutil.copyfileobj(part, file, PIECE)

    @property
    def push_key(self) -> str | None:
        if PUSH_KEY not in self._file.namelist():
            return None
        with self._file.open(PUSH_KEY) as part:
            return part.read(1000).decode("ascii", "replace").strip()

    def _check_parts(self) -> None:
        """Check that the parts are those of an installation like this one. Raises Refused."""
        contents = self.manifest
        if contents.layout != manifest.layout():
            raise Refused(BACKUP_LAYOUT(version=contents.version))
        names = [part.name for part in contents.parts]
        table_names = {_part_name(model) for model in manifest.models()}
        other_names = set(names) - table_names - {PUSH_KEY}
        if (
            len(set(names)) < len(names)
            or not table_names <= set(names)
            or not all(map(_is_document, other_names))
        ):
            raise Refused(BACKUP_PARTS())
        if sorted([*names, manifest.NAME]) != sorted(self._file.namelist()):
            raise Refused(BACKUP_PARTS())
        if sum(part.rows for part in contents.parts) > MAX_ROWS:
            raise Refused(BACKUP_TOO_LARGE())

    def _check_content(self, part: Part) -> None:
        digest, size, lines = hashlib.sha256(), 0, 0
        try:
            with self._file.open(part.name) as content:
                heading = content.readline(MAX_LINE_BYTES) if part.name.startswith(ROWS) else b""
                self._check_columns(part, heading)
                digest.update(heading)
                size += len(heading)
                while piece := content.read(PIECE):
                    digest.update(piece)
                    size, lines = size + len(piece), lines + piece.count(b"\n")
                    if size > part.size:
                        break
        except (OSError, ValueError, EOFError, NotImplementedError, RuntimeError, *_BROKEN):
            raise Refused(BACKUP_DAMAGED(part=part.name)) from None
        row_count = lines if part.name.startswith(ROWS) else 0
        if (size, row_count, digest.hexdigest()) != (part.size, part.rows, part.sha256):
            raise Refused(BACKUP_DAMAGED(part=part.name))

    def _check_columns(self, part: Part, heading: bytes) -> None:
        columns = {
            _part_name(model): [f.attname for f in manifest.fields(model)] for model in manifest.models()
        }
        if part.name in columns and _json_or_none(heading) != columns[part.name]:
            raise Refused(BACKUP_LAYOUT(version=self.manifest.version))


_BROKEN: Final = (zipfile.BadZipFile, zlib.error)


@contextmanager
def open_archive(path: Path) -> Iterator[Archive]:
    """Open a backup and read its manifest, nothing else. Raises Refused."""
    try:
        file = zipfile.ZipFile(path)
    except (OSError, ValueError, EOFError, zipfile.BadZipFile):
        raise Refused(BACKUP_UNREADABLE()) from None
    with file:
        yield Archive(file, _manifest_of(file))


def manifest_of(path: Path) -> Manifest:
    with open_archive(path) as archive:
        return archive.manifest


def _manifest_of(file: zipfile.ZipFile) -> Manifest:
    parts = file.infolist()
    if len(parts) > MAX_PARTS:
        raise Refused(BACKUP_TOO_LARGE())
    unpacked = sum(part.file_size for part in parts)
    suspicious = [
        part for part in parts if part.file_size > max(SMALL, MAX_PACKING_RATIO * max(part.compress_size, 1))
    ]
    if suspicious or unpacked > MAX_UNPACKED_BYTES:
        raise Refused(BACKUP_TOO_LARGE())
    try:
        info = file.getinfo(manifest.NAME)
        if info.file_size > manifest.MAX_MANIFEST_BYTES:
            raise Refused(BACKUP_TOO_LARGE())
        return manifest.read(file.read(info))
    except manifest.OtherFormat:
        raise Refused(BACKUP_NEWER()) from None
    except (KeyError, OSError, ValueError, EOFError, NotImplementedError, RuntimeError, *_BROKEN):
        raise Refused(BACKUP_UNREADABLE()) from None


def _part_name(model: type[Any]) -> str:
    return f"{ROWS}{manifest.label(model)}.jsonl"


def _is_document(name: str) -> bool:
    return SAFE.fullmatch(name.removeprefix(FILES)) is not None and name.startswith(FILES)


def _json_or_none(line: bytes) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None
