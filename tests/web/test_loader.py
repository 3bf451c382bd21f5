"""When pages load their parts again (static/js/loader.js), in the Node that comes with Playwright."""

import subprocess
from pathlib import Path

from tests.support.processes import NODE


def test_parts_are_loaded_when_something_changed() -> None:
    script = Path(__file__).with_name("loader.test.mjs")
    run = subprocess.run([NODE, "--test", script], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
