"""One script and one sheet a page: what each kind of page is made of, and how its files become one (ADR 17).

They are joined when static files are collected. Scripts: small modules become one, each a function that is called once
and gives what it exports. It reads what we write and no more: `import {a, b as c} from "./x.js"`,
`import * as x from "./x.js"`, and `export` before a `const`, `function` or `class`. Whatever else is refused, so that
nothing is joined by half. Sheets: those for the dark and for high contrast ask in the one what their links' `media`
asked.
"""

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Final

from rcssmin import cssmin
from rjsmin import jsmin

from tournament.base.requests import ASKED_FOR, DEVICE
from tournament.base.requests import SHEETS as THEME_SHEETS

HTMX: Final = "django_htmx/htmx-2.min.js"
MORPH: Final = "vendor/idiomorph/idiomorph.min.js"
THEME: Final = "js/theme.js"
"""Runs before anything is painted, on every page; so it is in none of the joined files."""
_EVERYWHERE: Final = tuple(
    f"js/{name}.js"
    for name in ("fonts", "live", "dialog", "arrive", "been", "toast", "once", "nav", "calls", "organiser")
)
_REFRESHED: Final = (MORPH, *_EVERYWHERE, "js/refresh.js")
_ORGANISER: Final = (HTMX, *_REFRESHED, "js/clock.js", "js/zone.js", "js/swap.js")

SCRIPTS: Final[dict[str, tuple[str, ...]]] = {
    "site": _EVERYWHERE,
    "event": (*_REFRESHED, "js/phone/mine.js", "js/clock.js", "js/phone/phone.js"),
    "organiser": _ORGANISER,
    "check-in": (*_ORGANISER, "js/check-in.js"),
    "screen-preview": (*_ORGANISER, "js/screen.js"),
    "umpire": (HTMX, *_REFRESHED, "js/clock.js"),
    "paper": (HTMX, *_REFRESHED, "js/totals.js"),
    "desk": (*_EVERYWHERE, "js/desk/main.js"),
    "calculator": (HTMX, *_EVERYWHERE, "js/calculator/main.js"),
    "classical": (*_EVERYWHERE, "js/classical/evening.js"),
    "hall": (MORPH, *_EVERYWHERE, "js/screen.js"),
    "ceremony": _REFRESHED,
    "book": (*_EVERYWHERE, "js/book/terms.js"),
    "glossary": (*_EVERYWHERE, "js/book/narrow.js"),
    "quiz": (*_EVERYWHERE, "js/book/quiz.js"),
}
"""Kind of page → what it runs. What these import comes with them; htmx is where pages ask by it."""

TOKENS: Final = "css/tokens.css"
_GROUND: Final = ("base", "tiles", "controls", "forms", "signs", "score")
_PARTS: Final = ("picture", "entry", "board", "umpire")
"""What the desk is made of, in order; other pages take one of them or two."""
_STAFF: Final = (*_PARTS, "ranking", "organiser")
_PICTURE: Final = ("picture", "ranking")
_EVENT: Final = ("picture", "board", "ranking")
_READ: Final = ("ranking",)
_OWN: Final[dict[str, tuple[tuple[str, ...], tuple[str, ...]]]] = {
    "site": (_READ, ()),
    "event": (_EVENT, ("public", "event")),
    "event-fouls": (_READ, ("public", "desk")),
    "event-ceremony": (_READ, ("public", "ceremony")),
    "fouls": (_READ, ("desk",)),
    "organiser": (_STAFF, ("event",)),
    "organiser-ceremony": (_STAFF, ("ceremony",)),
    "umpire": (_STAFF, ("desk",)),
    "paper": (_STAFF, ("desk", "totals")),
    "desk": (_STAFF, ("desk", "landscape")),
    "calculator": (("entry", "ranking"), ("desk", "calculator", "landscape")),
    "systems": (_READ, ("desk", "calculator")),
    "classical": (_PICTURE, ("desk", "classical")),
    "hall": (_READ, ("hall", "slides")),
    "overlay": (_READ, ("overlay",)),
    "hall-ceremony": (_READ, ("hall", "slides", "ceremony")),
    "account": (_STAFF, ("account",)),
    "book": (_READ, ("desk", "terms", "rules")),
    "glossary": (_READ, ("glossary",)),
    "fans": (_READ, ("fans",)),
    "fan": (_READ, ("desk", "terms", "rules", "calculator", "fans")),
    "fans-sheet": (_READ, ("fans-sheet",)),
    "quiz": (_READ, ("desk", "terms", "rules", "calculator", "quiz")),
}
"""Kind of page → the sheets it shares, and its own. What staff alone look at is in none that the public loads."""
PRINT: Final = "css/print.css"


def _sheets_of(shared: tuple[str, ...], own: tuple[str, ...]) -> tuple[str, ...]:
    return (*(f"css/{name}.css" for name in (*_GROUND, *shared)), PRINT, *(f"css/{name}.css" for name in own))


SHEETS: Final[dict[str, tuple[str, ...]]] = {kind: _sheets_of(*parts) for kind, parts in _OWN.items()}
"""Kind of page → its sheets, over the tokens and those for the dark and for high contrast."""


def script_file(kind: str) -> str:
    """The name of the joined file under static/."""
    return f"joined/{kind}.js"


def sheet_file(kind: str) -> str:
    return f"joined/{kind}.css"


ReadFile = Callable[[str], str]
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
    if statement := LEFT_OVER.search(COMMENT.sub("", body)):
        raise NotJoined(f"{name}: cannot join {statement[0]!r}")
    return Module(name, tuple(imports), tuple(EXPORT.findall(text)), body)


def in_order(names: Iterable[str], read: ReadFile) -> Iterator[Module]:
    """These modules and all they import, each once, as a browser would run them. Raises `NotJoined` for a ring."""
    done: set[str] = set()

    def visit(name: str, on_the_way: tuple[str, ...]) -> Iterator[Module]:
        if name in on_the_way:
            raise NotJoined(f"a ring: {' → '.join((*on_the_way, name))}")
        if name in done:
            return
        module = read_module(name, read(name))
        for _pattern, imported in module.imports:
            yield from visit(imported, (*on_the_way, name))
        done.add(name)
        yield module

    for name in names:
        yield from visit(name, ())


def join_scripts(names: Iterable[str], read: ReadFile) -> str:
    """One script for `<script defer>`: what is not ours first, as it is, then our modules without their comments."""
    names = tuple(names)
    others = [read(name) for name in names if not name.startswith(OURS)]
    modules = list(in_order((name for name in names if name.startswith(OURS)), read))
    number = {module.name: f"m{place}" for place, module in enumerate(modules)}
    ours = "\n".join(_function(module, number) for module in modules)
    return "\n;".join([*others, jsmin('(() => {"use strict";\n' + ours + "\n})();")])


def _function(module: Module, number: dict[str, str]) -> str:
    taken = "".join(f"const {pattern} = {number[imported]};\n" for pattern, imported in module.imports)
    exports = f"return {{{', '.join(module.exports)}}};" if module.exports else ""
    return f"const {number[module.name]} = (() => {{\n{taken}{module.body}\n{exports}}})();"


ROOT: Final = re.compile(r":root(?= \{)")
INSIDE: Final = re.compile(r"(?<=[\w\])]) (?=::?[a-z])")
"""In a container's rules rcssmin takes the blank of `.a :is(b)` away, another thing then; `.a *:is(b)` it leaves."""


def join_sheets(names: Iterable[str], read: ReadFile) -> str:
    """The tokens, what is laid over them, and these sheets, without comments."""
    themes = (themed(read(f"css/{sheet}.css"), asked) for sheet, asked in THEME_SHEETS.items())
    return str(cssmin(INSIDE.sub(" *", "\n".join([read(TOKENS), *themes, *(read(name) for name in names)]))))


def themed(text: str, asked: tuple[str, ...]) -> str:
    """A sheet of tokens, for whoever has chosen all that it stands for, or left it to a device that asks for it.

    Its rules weigh no more than before: `:where()` counts for nothing.
    """
    return "\n".join(_in_case(text, dict(zip(asked, case, strict=True))) for case in _cases(asked))


def _cases(asked: tuple[str, ...]) -> Iterator[tuple[bool, ...]]:
    return product((True, False), repeat=len(asked))


def _in_case(text: str, is_chosen: dict[str, bool]) -> str:
    where = "".join(
        f'[data-{name}="{ASKED_FOR[name]}"]' if chosen else f":not([data-{name}])"
        for name, chosen in is_chosen.items()
    )
    rules = ROOT.sub(f":root:where({where})", text)
    asks = " and ".join(DEVICE[name] for name, chosen in is_chosen.items() if not chosen)
    return f"@media {asks} {{\n{rules}\n}}" if asks else rules
