"""The wheel in an empty environment: what a club has that never saw the source."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.support.processes import OWN, ROOT

QUIETLY = ("-q", "--disable-pip-version-check")


def build(folder: Path) -> Path:
    """As bin/wheel does; the wheel."""
    _python(
        sys.executable,
        "-m",
        "pip",
        "wheel",
        *QUIETLY,
        "--no-deps",
        "--no-build-isolation",
        "-w",
        folder,
        ROOT,
    )
    (made,) = folder.glob("hule-*.whl")
    return made


def install(wheel: Path, folder: Path) -> Path:
    """A new environment with the pinned requirements and the wheel, and nothing else; its `hule`."""
    _python(sys.executable, "-m", "venv", folder)
    pip = (folder / "bin" / "python", "-m", "pip", "install", *QUIETLY)
    _python(*pip, "--require-hashes", "-r", ROOT / "requirements.txt")
    _python(*pip, "--no-index", "--no-deps", wheel)
    return folder / "bin" / "hule"


def clean_environment(home: Path) -> dict[str, str]:
    """Of somebody who has just signed in, with an empty home."""
    kept = {name: value for name, value in os.environ.items() if name not in OWN}
    for name in ("PYTHONPATH", "DJANGO_SETTINGS_MODULE", "VIRTUAL_ENV", "XDG_DATA_HOME"):
        kept.pop(name, None)
    return kept | {"HOME": str(home)}


def _python(*words: str | Path) -> None:
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
