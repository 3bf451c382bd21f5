"""docs/operating.md says what there is: a setting or command it does not name fails here."""

import re
from pathlib import Path

import pytest

from tests.processes import ROOT

GUIDE = (ROOT / "docs" / "operating.md").read_text()
VARIABLES = re.findall(r"""\benv(?:\.\w+)?\(\s*"([A-Z_]+)""", (ROOT / "config" / "settings.py").read_text())
COMMANDS = [
    path.stem
    for app in ("tournament", "penalties", "scoring")
    for path in Path(ROOT / app / "management" / "commands").glob("[a-z]*.py")
]


def test_the_settings_read_the_environment() -> None:
    assert {"DATABASE_URL", "REDIS_URL", "HULE_DATA_DIR"} <= set(VARIABLES)


@pytest.mark.parametrize("name", sorted(set(VARIABLES)))
def test_every_variable_is_documented(name: str) -> None:
    assert f"\n| `{name}` |" in GUIDE


@pytest.mark.parametrize("name", re.findall(r"^\| `([A-Z_]+)` \|", GUIDE, re.MULTILINE))
def test_every_documented_variable_is_read(name: str) -> None:
    assert name in VARIABLES


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_is_documented(name: str) -> None:
    assert re.search(rf"^\| `{name}\b", GUIDE, re.MULTILINE)
