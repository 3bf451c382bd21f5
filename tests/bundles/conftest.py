"""Static files collected once, as `bin/run` does it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command
from django.test import override_settings

STORAGES = settings.STORAGES | {"staticfiles": {"BACKEND": "config.storage.StaticStorage"}}


@contextmanager
def collected_in(folder: Path, *left_out: str) -> Iterator[Path]:
    """Pages that are asked for meanwhile name what is in the folder."""
    with override_settings(STORAGES=STORAGES, STATIC_ROOT=folder):
        how = {"interactive": False, "verbosity": 0, "skip_checks": True}
        call_command("collectstatic", ignore_patterns=list(left_out), **how)
        yield folder


@pytest.fixture(scope="module")
def collected(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with collected_in(tmp_path_factory.mktemp("collected")) as folder:
        yield folder


@pytest.fixture
def collected_without_pyodide(tmp_path: Path) -> Iterator[Path]:
    """Packing that takes most of the time."""
    with collected_in(tmp_path, "pyodide*") as folder:
        yield folder
