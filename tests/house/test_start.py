"""What every process loads when it starts, a `manage.py` command as well as the server."""

import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = ("cryptography", "http_ece", "weasyprint", "openpyxl", "redis")
"""Loaded by the few that need them."""
LOADED = f"import django, sys; django.setup(); print([name for name in {HEAVY!r} if name in sys.modules])"


@pytest.mark.thorough
def test_heavy_modules_are_not_imported_at_start() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOADED],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "[]"
