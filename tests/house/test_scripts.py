"""The scripts fit together: a browser says so only on the page that loads them, to nobody."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from config.joined import kinds
from config.joined.scripts import OURS, in_order

STATIC = Path(__file__).parents[2] / "static" / "js"
SCRIPTS = sorted(STATIC.rglob("*.js"))
IMPORT = re.compile(r"^import \{([^}]*)\} from \"(\.[^\"]+)\";", re.MULTILINE)
WHOLE = re.compile(r"^import \* as \w+ from \"(\.[^\"]+)\";", re.MULTILINE)
EXPORT = re.compile(r"^export (?:async )?(?:const|function|class|let) (\w+)", re.MULTILINE)
LARGEST = 250


def name(path: Path) -> str:
    return path.relative_to(STATIC).as_posix()


def missing(path: Path) -> Iterator[str]:
    """What a script imports that is not there."""
    text = path.read_text("utf-8")
    for address in WHOLE.findall(text):
        if not (path.parent / address).exists():
            yield address
    for wanted, address in IMPORT.findall(text):
        there = path.parent / address
        offered = set(EXPORT.findall(there.read_text("utf-8"))) if there.exists() else set()
        yield from (
            f"{one.split(' as ')[0].strip()} of {address}"
            for one in wanted.split(",")
            if one.strip() and one.split(" as ")[0].strip() not in offered
        )


@pytest.mark.parametrize("path", SCRIPTS, ids=name)
def test_what_a_script_imports_is_there(path: Path) -> None:
    assert list(missing(path)) == []


@pytest.mark.parametrize("kind", kinds.SCRIPTS)
def test_what_a_page_runs_can_be_joined(kind: str) -> None:
    """Collecting would fail: a ring of imports, say, or an import that the joining does not read."""
    ours = [one for one in kinds.SCRIPTS[kind] if one.startswith(OURS)]
    assert list(in_order(ours, lambda name: (STATIC.parent / name).read_text("utf-8")))


def test_scripts_stay_readable() -> None:
    assert {
        name(path): lines
        for path in SCRIPTS
        if (lines := len(path.read_text("utf-8").splitlines())) > LARGEST
    } == {}
