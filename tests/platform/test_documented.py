"""docs/operating.md names every setting and command there is; every block of docs/api.md runs."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from config.command import COMMANDS as HULE
from config.command import USAGE
from tests.support.processes import ROOT, make_place

GUIDE = (ROOT / "docs" / "operating.md").read_text("utf-8")
SETTINGS = ast.parse((ROOT / "config" / "settings.py").read_text("utf-8"))
TABLE = dict(re.findall(r"^\| `([A-Z_]+)` \| ([^|]+) \|", GUIDE, re.MULTILINE))
"""Variable → the default that is told."""
COMMANDS = [
    path.stem
    for app in ("tournament", "penalties", "scoring")
    for path in Path(ROOT / app / "management" / "commands").glob("[a-z]*.py")
]
READS_MORE = {
    "config/command.py": "the data folder, before the settings are loaded",
    "hule/__main__.py": "where a package of one's own keeps data",
    "tournament/management/database_copy.py": "for pg_dump",
    "tournament/management/worker.py": "for the worker",
}
"""Modules beside the settings that look at the environment, and why."""


def _read() -> dict[str, Any]:
    """Variable → its default where that is written out, else None."""
    found = {}
    for node in ast.walk(SETTINGS):
        if isinstance(node, ast.Call) and ast.unparse(node.func).partition(".")[0] == "env" and node.args:
            (default,) = [word.value for word in node.keywords if word.arg == "default"] or [
                ast.Constant(None)
            ]
            found[ast.literal_eval(node.args[0])] = (
                default.value if isinstance(default, ast.Constant) else None
            )
    return found


VARIABLES = _read()


def test_the_settings_read_the_environment() -> None:
    assert {"DATABASE_URL", "REDIS_URL", "HULE_DATA_DIR"} <= set(VARIABLES)


def test_the_table_has_every_variable_and_no_other() -> None:
    assert set(VARIABLES) ^ set(TABLE) == set()


def documented(default: Any) -> str:
    """Return how the table writes a default."""
    if default is False:
        return "off"
    if isinstance(default, int | float):
        return f"`{default:g}`"
    return f"`{default}`" if default else "none"


def test_the_table_has_the_defaults() -> None:
    defaults = {name: default for name, default in VARIABLES.items() if default is not None}
    wrong = {
        name: (TABLE[name], default)
        for name, default in defaults.items()
        if TABLE[name] != documented(default) and not (default == "" and TABLE[name].startswith("made once"))
    }
    assert wrong == {}


def test_no_other_module_has_settings_of_its_own() -> None:
    """One file reads them, so that one table can name them all."""
    rooms = ("config", "hule", "scoring", "penalties", "tournament")
    modules = (path for room in rooms for path in (ROOT / room).rglob("*.py"))
    reading = {
        str(path.relative_to(ROOT))
        for path in modules
        if re.search(r"os\.(environ(?!\.setdefault)|getenv)", path.read_text("utf-8"))
    }
    assert reading == set(READS_MORE)


def test_every_command_is_documented() -> None:
    assert [name for name in COMMANDS if not re.search(rf"^\| `{name}\b", GUIDE, re.MULTILINE)] == []


def test_every_command_of_hule_is_documented() -> None:
    assert [name for name in HULE if f"`hule {name}" not in GUIDE] == []
    assert [name for name in HULE if not re.search(rf"^  (.* )?{name} ", USAGE, re.MULTILINE)] == []


# --- docs/api.md is the tour for programs: every block of it runs against a server with a worker ----------
PAGE = ROOT / "docs" / "api.md"
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
TOKEN = """
from django.contrib.auth.models import User
from tournament.accounts.services import make_token
print(make_token(User.objects.create_user("olga", is_staff=True))[1])
"""


@contextmanager
def importing(folder: Path) -> Iterator[None]:
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        sys.modules.pop("hule_client", None)


def test_every_block_of_the_page_is_python() -> None:
    assert {kind for kind, _ in BLOCKS} == {"python"}


@pytest.mark.thorough
def test_the_tour_runs_from_the_first_block_to_the_last(
    monkeypatch: pytest.MonkeyPatch, migrated: Path, collected: Path
) -> None:
    known: dict[str, Any] = {}
    with (
        make_place(migrated, STATIC_ROOT=str(collected)) as place,
        place.web("manage.py", "serve", "--no-demo", "--port", "{port}") as site,
        importing(PAGE.parent / "client"),
    ):
        monkeypatch.setenv("HULE_URL", site.url)
        monkeypatch.setenv("HULE_TOKEN", place.python(TOKEN).strip())
        for _, block in BLOCKS:
            exec(compile(block, str(PAGE), "exec"), known)


def test_every_link_in_the_documentation_leads_to_a_file() -> None:
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]
    dead = [
        f"{page.relative_to(ROOT)}: {link}"
        for page in pages
        for link in re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text("utf-8"))
        if not link.startswith("http") and not (page.parent / link).exists()
    ]
    assert dead == []


def test_the_architecture_names_files_that_exist() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    paths = re.findall(r"`([a-z_]+/[a-z_/]+\.py)`", text)
    missing = [
        path for path in paths if not ((ROOT / path).exists() or (ROOT / "tournament" / path).exists())
    ]
    assert len(paths) > 20
    assert missing == []
