"""A data folder of the test's own, so that its backups are alone on the shelf."""

from collections.abc import Mapping
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import pytest


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, settings: object) -> Path:
    settings.DATA_DIR = tmp_path  # type: ignore[attr-defined]
    settings.MEDIA_ROOT = tmp_path / "files"  # type: ignore[attr-defined]
    return tmp_path


def parts_of(path: Path) -> dict[str, bytes]:
    with ZipFile(path) as file:
        return {name: file.read(name) for name in file.namelist()}


def packed(path: Path, parts: Mapping[str, bytes]) -> Path:
    """A file of these parts, whatever they are."""
    with ZipFile(path, "w", ZIP_DEFLATED) as file:
        for name, content in parts.items():
            file.writestr(name, content)
    return path
