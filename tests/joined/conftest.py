"""Static files collected once, as `bin/run` does it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command
from django.test import override_settings

STORAGES = settings.STORAGES | {"staticfiles": {"BACKEND": "config.storage.StaticStorage"}}


@pytest.fixture(scope="module")
def collected(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The folder; pages that are asked for meanwhile name what is in it. Pyodide, which none loads, is left out."""
    folder = tmp_path_factory.mktemp("collected")
    with override_settings(STORAGES=STORAGES, STATIC_ROOT=folder):
        how = {"interactive": False, "verbosity": 0, "skip_checks": True}
        call_command("collectstatic", ignore_patterns=["pyodide*"], **how)
        yield folder
