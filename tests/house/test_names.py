"""No vague names in Python, scripts or templates (docs/adr/0033-plain-names.md)."""

import ast
import re

from tests.house.source import ROOT, nodes_of

VAGUE = {
    *("said", "told", "asked", "wish", "wished", "wanted", "found", "made", "held", "kept", "given"),
    *("one", "ones", "around", "surroundings"),
}
DECLARED = re.compile(r"\b(?:const|let|var|function)\s+(\w+)|\b(\w+)\)? =>")
LOOPS = re.compile(r"\{% (?:for|with) (\w+)\b")


def test_python_names_say_what_they_hold() -> None:
    vague = {
        (str(path.relative_to(ROOT)), name)
        for path, node in nodes_of("scoring", "penalties", "tournament", "config", "hule", "docs", "tests")
        for name in (
            [node.id]
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
            else [node.arg]
            if isinstance(node, ast.arg)
            else [node.name]
            if isinstance(node, ast.FunctionDef | ast.ClassDef)
            else []
        )
        if name in VAGUE
    }
    assert vague == set()


def test_names_in_scripts_and_templates_say_what_they_hold() -> None:
    vague = [
        f"{path.relative_to(ROOT)}: {name}"
        for pattern, folder, kind in ((DECLARED, "static/js", "*.js"), (LOOPS, "templates", "*.html"))
        for path in sorted((ROOT / folder).rglob(kind))
        for match in pattern.finditer(path.read_text("utf-8"))
        if (name := match[1] or match[match.lastindex or 1]) in VAGUE
    ]
    assert vague == []
