"""Small modules become one script: each a function that is called once and gives what it exports.

It reads what we write and no more: `import {a, b as c} from "./x.js"`, `import * as x from "./x.js"`, and `export`
before a `const`, `function` or `class`. Whatever else is refused, so that nothing is joined by half.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from rjsmin import jsmin

Read = Callable[[str], str]
"""A file's text, by its name under static/."""

OURS: Final = "js/"
"""Where the small modules are. What stands elsewhere is a script of its own and goes in as it is."""
IMPORT: Final = re.compile(r"^import (?:\{([^}]*)\}|\* as (\w+)) from \"(\.[^\"]+)\";$", re.MULTILINE)
EXPORT: Final = re.compile(r"^export (?=(?:async )?(?:function|const|class) (\w+))", re.MULTILINE)
LEFT_OVER: Final = re.compile(r"^(?:import|export)\b.*|\bimport(?:\(|\.meta)", re.MULTILINE)
RENAMED: Final = re.compile(r"(\w+) as (\w+)")
COMMENT: Final = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)


class NotJoined(ValueError):
    """A module that cannot stand in a joined script: its name, and why."""


@dataclass(frozen=True)
class Module:
    """`imports`: by what pattern a function's constants take them, and from which module."""

    name: str
    imports: tuple[tuple[str, str], ...]
    exports: tuple[str, ...]
    body: str


def read_module(name: str, text: str) -> Module:
    """Raises `NotJoined`."""
    imports = []
    for some, whole, address in IMPORT.findall(text):
        pattern = whole or "{" + RENAMED.sub(r"\1: \2", " ".join(some.split())) + "}"
        imports.append((pattern, posixpath.normpath(posixpath.join(posixpath.dirname(name), address))))
    body = EXPORT.sub("", IMPORT.sub("", text))
    if found := LEFT_OVER.search(COMMENT.sub("", body)):
        raise NotJoined(f"{name}: cannot join {found[0]!r}")
    return Module(name, tuple(imports), tuple(EXPORT.findall(text)), body)


def in_order(names: Iterable[str], read: Read) -> Iterator[Module]:
    """These modules and all they import, each once, as a browser would run them. Raises `NotJoined` for a ring."""
    done: set[str] = set()

    def visit(name: str, on_the_way: tuple[str, ...]) -> Iterator[Module]:
        if name in on_the_way:
            raise NotJoined(f"a ring: {' → '.join((*on_the_way, name))}")
        if name in done:
            return
        module = read_module(name, read(name))
        for _pattern, wanted in module.imports:
            yield from visit(wanted, (*on_the_way, name))
        done.add(name)
        yield module

    for name in names:
        yield from visit(name, ())


def joined(names: Iterable[str], read: Read) -> str:
    """One script for `<script defer>`: what is not ours first, as it is, then our modules without their comments."""
    names = tuple(names)
    others = [read(name) for name in names if not name.startswith(OURS)]
    modules = list(in_order((name for name in names if name.startswith(OURS)), read))
    number = {module.name: f"m{place}" for place, module in enumerate(modules)}
    ours = "\n".join(_function(module, number) for module in modules)
    return "\n;".join([*others, jsmin('(() => {"use strict";\n' + ours + "\n})();")])


def _function(module: Module, number: dict[str, str]) -> str:
    taken = "".join(f"const {pattern} = {number[wanted]};\n" for pattern, wanted in module.imports)
    given = f"return {{{', '.join(module.exports)}}};" if module.exports else ""
    return f"const {number[module.name]} = (() => {{\n{taken}{module.body}\n{given}}})();"
