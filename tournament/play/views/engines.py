"""What the desk keeps for when the network is gone: the engines as one file, and the words for their codes."""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from django.conf import settings

from tournament.base.models.tournament import Tournament
from tournament.web.texts.problems import templates

ENGINES = ("scoring", "penalties", "tournament/*")
LEFT_OUT = ("seating", "__pycache__")
"""Nobody draws seats at a table."""
EPOCH = (1980, 1, 1, 0, 0, 0)
"""A file's time in the archive: the same sources make the same bytes."""


@lru_cache(maxsize=1)
def engines() -> bytes:
    """The engines' sources as a zip file that Python imports from."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as bundle:
        for path in _sources():
            name = path.relative_to(settings.BASE_DIR).as_posix()
            bundle.writestr(zipfile.ZipInfo(name, EPOCH), path.read_bytes(), zipfile.ZIP_DEFLATED)
    return archive.getvalue()


@lru_cache(maxsize=1)
def engines_digest() -> str:
    """Names the engines: another name when a line of them changed."""
    return hashlib.sha256(engines()).hexdigest()[:12]


def words_of(tournament: Tournament) -> dict[str, Any]:
    """The tournament's rules, and the sentences of the reader's language by code."""
    return {
        "rules": tournament.rules_snapshot,
        "sentences": templates(),
    }


def _sources() -> Iterator[Path]:
    base = settings.BASE_DIR
    yield base / "tournament" / "__init__.py"
    for part in sorted(
        path for pattern in ENGINES for path in base.glob(pattern) if path.name not in LEFT_OUT
    ):
        found = [*part.glob("engine.py"), *part.glob("engine/**/*.py")]
        if found:
            yield part / "__init__.py"
            yield from sorted(path for path in found if not set(LEFT_OUT) & set(path.parts))
