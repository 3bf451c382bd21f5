"""Static files collected once, as `bin/run` does it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.test import override_settings

STORAGES = settings.STORAGES | {"staticfiles": {"BACKEND": "config.storage.StaticStorage"}}


@pytest.fixture(scope="module")
def collected(collected: Path) -> Iterator[Path]:
    """Pages that are asked for meanwhile name what is in the folder."""
    with override_settings(STORAGES=STORAGES, STATIC_ROOT=collected):
        yield collected
