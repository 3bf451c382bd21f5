"""Scripts and style sheets fit together: a browser says so only on the page that loads them, to nobody."""

import re
from collections.abc import Iterator
from pathlib import Path

from config import joined
from tournament.base.requests import SHEETS

STATIC = Path(__file__).parents[2] / "static" / "js"
SCRIPTS = {path: path.read_text("utf-8") for path in sorted(STATIC.rglob("*.js"))}
IMPORT = re.compile(r"^import \{([^}]*)\} from \"(\.[^\"]+)\";", re.MULTILINE)
WHOLE = re.compile(r"^import \* as \w+ from \"(\.[^\"]+)\";", re.MULTILINE)
EXPORT = re.compile(r"^export (?:async )?(?:const|function|class|let) (\w+)", re.MULTILINE)


def missing(path: Path) -> Iterator[str]:
    """What a script imports that is not there."""
    text = SCRIPTS[path]
    yield from (address for address in WHOLE.findall(text) if not (path.parent / address).exists())
    for imported, address in IMPORT.findall(text):
        exported = EXPORT.findall(SCRIPTS.get((path.parent / address).resolve(), ""))
        names = [name.split(" as ")[0].strip() for name in imported.split(",")]
        yield from (f"{name} of {address}" for name in names if name and name not in exported)


def test_what_a_script_imports_is_there() -> None:
    assert len(SCRIPTS) > 40
    assert {str(path): names for path in SCRIPTS if (names := list(missing(path)))} == {}


def test_what_a_page_runs_can_be_joined() -> None:
    """Collecting would fail: a ring of imports, say, or an import that the joining does not read."""
    for kind, scripts in joined.SCRIPTS.items():
        ours = [name for name in scripts if name.startswith(joined.OURS)]
        assert list(joined.in_order(ours, lambda name: (STATIC.parent / name).read_text("utf-8"))), kind


STYLES = Path(__file__).parents[2] / "static" / "css"


def test_a_token_is_set_once_in_a_sheet_and_links_alone_say_whether_it_is_dark() -> None:
    """But for what moves less for those who ask for that."""
    for sheet in ("tokens", *SHEETS):
        text = (STYLES / f"{sheet}.css").read_text().split("@media (prefers-reduced-motion")[0]
        names = re.findall(r"(--[\w-]+):", text)
        assert sorted(names) == sorted(set(names)), sheet
        assert "@media" not in text, sheet
    dark = re.compile("prefers-color-scheme|prefers-contrast|data-theme=.?dark|data-contrast")
    assert [path.name for path in STYLES.glob("*.css") if dark.search(path.read_text())] == []
