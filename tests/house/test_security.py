"""docs/security.md promises nothing that no test holds."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs/security.md").read_text("utf-8")
NAMED = re.findall(r"`(tests/[\w/]+\.py)::(?:\w+::)?(\w+)`", TEXT)


def functions(file: str) -> set[str]:
    return set(re.findall(r"^ *(?:async )?def (\w+)\(", (ROOT / file).read_text("utf-8"), re.MULTILINE))


def test_every_promise_names_tests_that_there_are() -> None:
    known = {file: functions(file) for file in {file for file, _ in NAMED}}
    assert [f"{file}::{name}" for file, name in NAMED if name not in known[file]] == []
    lines = [line for line in TEXT.splitlines() if line.startswith("| ")]
    promises = [line for line in lines if not line.startswith(("| who would", "| what happens"))]
    assert len(promises) > 30
    assert [line for line in promises if "::" not in line] == []
