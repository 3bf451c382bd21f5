"""The scripts fit together: a browser says so only on the page that loads them, to nobody."""

import re
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from config.storage import StaticStorage

STATIC = Path(__file__).parents[2] / "static" / "js"
SCRIPTS = sorted(STATIC.rglob("*.js"))
IMPORT = re.compile(r"^import \{([^}]*)\} from \"(\.[^\"]+)\";", re.MULTILINE)
WHOLE = re.compile(r"^import \* as \w+ from \"(\.[^\"]+)\";", re.MULTILINE)
EXPORT = re.compile(r"^export (?:async )?(?:const|function|class|let) (\w+)", re.MULTILINE)
REWRITTEN = [re.compile(pattern) for pattern, _ in StaticStorage.patterns[-1][1]]
"""What the storage takes for an import: the types' in comments, too."""
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


def rewritten(path: Path) -> set[str]:
    """The scripts whose kept names stand in this one once it is stored."""
    text = path.read_text("utf-8")
    addresses = (found["url"] for pattern in REWRITTEN for found in pattern.finditer(text))
    return {name((path.parent / one).resolve()) for one in addresses if one.startswith(".")}


def circle(imports: dict[str, set[str]]) -> list[str]:
    """Scripts that import each other in a ring, the first again at the end; none where there is no ring."""
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_no_script_imports_itself_by_way_of_others() -> None:
    """A kept name follows from the content: in a circle each waits for the others', and `collectstatic` gives up."""
    assert circle({"a": {"b"}, "b": {"c"}, "c": {"a"}}) != []
    imports = {name(path): rewritten(path) for path in SCRIPTS}
    assert "desk/view.js" in imports["desk/memory.js"], "a type's import counts"
    assert circle(imports) == []


def test_scripts_stay_readable() -> None:
    assert {
        name(path): lines
        for path in SCRIPTS
        if (lines := len(path.read_text("utf-8").splitlines())) > LARGEST
    } == {}
