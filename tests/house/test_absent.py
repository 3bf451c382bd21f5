"""What a test says is absent could be there: a text of the source or of a catalogue, or a name that tests use."""

import ast
import re
from collections.abc import Iterable, Iterator

from tests.house.source import ROOT, modules, nodes

SOURCES = (
    *("config/**/*.py", "penalties/**/*.py", "scoring/**/*.py", "tournament/**/*.py", "templates/**/*.*"),
    *("static/js/**/*.js", "locale/**/*.po", "docs/**/*.md", "deploy/**/*.*"),
)
IN_ATTRIBUTES = {
    'id="p5"': 'id="p{{',
    'id="p13"': 'id="p{{',
    "#hNone": "#h{{",
    'style="': "style=",
    'name="email"': '"email"',
}
"""What is absent → how its source says it."""
OF_OTHERS = {"--hash=sha256:", "--from", "Service-Worker-Allowed", "Failed to load resource"}
"""Words of pip, Docker, HTTP and Chromium."""


def absent(node: ast.AST) -> ast.Constant | None:
    """Return the text of an assertion that something does not contain it."""
    if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.NotIn):
        text = node.left
        return text if isinstance(text, ast.Constant) and isinstance(text.value, str | bytes) else None
    return None


def text_of(constant: ast.Constant) -> str:
    value = constant.value
    return " ".join((value.decode() if isinstance(value, bytes) else str(value)).split())


def without_breaks(source: str) -> str:
    """Return a source with single spaces, and with the parts of its strings joined."""
    return re.sub(r'" "', "", " ".join(source.split()))


def constants(tree: Iterable[ast.AST]) -> Iterator[str]:
    """Return the other texts of a module."""
    denied = {id(text) for node in tree if (text := absent(node))}
    for node in tree:
        if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes) and id(node) not in denied:
            yield str(node.value)


def test_what_is_absent_has_a_source() -> None:
    files = (path for pattern in SOURCES for path in ROOT.glob(pattern) if path.suffix not in (".pyc", ".mo"))
    sources = "\n".join(
        without_breaks(path.read_text("utf-8", "replace")) for path in files if path.is_file()
    )
    data = "\n".join(text for path in modules("tests") for text in constants(nodes(path)))
    invented = [
        f"{path.relative_to(ROOT)}:{text.lineno} {text.value!r}"
        for path in modules("tests")
        for node in nodes(path)
        if (text := absent(node))
        and (words := text_of(text)) not in OF_OTHERS
        and IN_ATTRIBUTES.get(words, words) not in sources
        and words not in data
    ]
    assert invented == []
