"""What takes seconds to make and nobody changes: made by the first process of a run, found by the others."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable
from pathlib import Path

import pytest


def made_for_all(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], None]) -> Path:
    """The folder `name` of this run, filled by `make`; who comes while it is being made waits."""
    # pytest-xdist gives each of its processes a folder in the one of the run.
    ours = factory.getbasetemp()
    run = ours.parent if "PYTEST_XDIST_WORKER" in os.environ else ours
    folder, done = run / name, run / f"{name}.done"
    with (run / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            folder.mkdir(exist_ok=True)
            make(folder)
            done.touch()
    return folder
