"""Which scripts and sheets each kind of page loads, and how they are joined into one file each (ADR 17).

Files are joined when static files are collected. A module becomes a function that is called once and returns its
exports. Three statements are understood: `import {a, b as c} from "./x.js"`, `import * as x from "./x.js"` and
`export` before a `const`, `function` or `class`; any other import or export raises `BundleError`. In a joined sheet
the dark and high-contrast themes are wrapped in the media queries of their links.
"""

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Final

from rcssmin import cssmin
from rjsmin import jsmin

THEME_SHEETS: Final = {"dark": ("theme",), "contrast": ("contrast",), "contrast-dark": ("theme", "contrast")}
"""Style sheet → the cookies it depends on, in the order of the links."""
ENABLING_VALUES: Final = {"theme": "dark", "contrast": "more"}
DEVICE_QUERIES: Final = {"theme": "(prefers-color-scheme: dark)", "contrast": "(prefers-contrast: more)"}

HTMX: Final = "django_htmx/htmx-2.min.js"
MORPH: Final = "vendor/idiomorph/idiomorph.min.js"
THEME: Final = "js/theme.js"
"""Runs on every page before anything is painted, so it is in no joined file."""
_EVERYWHERE: Final = tuple(
    f"js/{name}.js"
    for name in (
        "fonts",
        "live",
        "dialog",
        "focus",
        "first-visit",
        "toast",
        "submit-once",
        "nav",
        "calls",
        "organiser",
    )
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
    "photo": (*_EVERYWHERE, "js/shrink.js"),
    "desk": (*_EVERYWHERE, "js/desk/main.js"),
    "calculator": (HTMX, *_EVERYWHERE, "js/calculator/main.js"),
    "classical": (*_EVERYWHERE, "js/classical/evening.js"),
    "hall": (MORPH, *_EVERYWHERE, "js/screen.js"),
    "ceremony": _REFRESHED,
    "book": (*_EVERYWHERE, "js/book/terms.js"),
    "glossary": (*_EVERYWHERE, "js/book/filter.js"),
    "quiz": (*_EVERYWHERE, "js/book/quiz.js"),
}
"""Scripts by kind of page; imported modules are added when they are joined."""

TOKENS: Final = "css/tokens.css"
_GROUND: Final = ("base", "tiles", "controls", "forms", "signs", "score")
_PARTS: Final = ("picture", "entry", "board", "umpire")
"""Sheets of the desk, in order; other pages use one or two of them."""
_STAFF: Final = (*_PARTS, "ranking", "organiser")
_PICTURE: Final = ("picture", "ranking")
_EVENT: Final = ("picture", "board", "ranking")
_READ: Final = ("ranking",)
_OWN: Final[dict[str, tuple[tuple[str, ...], tuple[str, ...]]]] = {
    "site": (_READ, ()),
    "event": (_EVENT, ("public", "event")),
    "event-fouls": (_READ, ("public", "desk")),
    "event-overlays": (_EVENT, ("public", "event", "overlay")),
    "event-ceremony": (_READ, ("public", "ceremony")),
    "fouls": (_READ, ("desk",)),
    "organiser": (_STAFF, ("event",)),
    "organiser-ceremony": (_STAFF, ("ceremony",)),
    "umpire": (_STAFF, ("desk",)),
    "paper": (_STAFF, ("desk", "totals")),
    "desk": (_PARTS, ("desk", "landscape", "wide")),
    "calculator": (("entry", "ranking"), ("desk", "calculator", "landscape")),
    "systems": (_READ, ("desk", "calculator")),
    "classical": (_PICTURE, ("desk", "classical")),
    "hall": (_READ, ("hall", "slides")),
    "overlay": (_READ, ("overlay", "stream")),
    "hall-ceremony": (_READ, ("hall", "slides", "ceremony")),
    "account": (_STAFF, ("account",)),
    "book": (_READ, ("desk", "terms", "rules")),
    "glossary": (_READ, ("glossary",)),
    "help": (_READ, ("help",)),
    "fans": (_READ, ("fans",)),
    "fan": (_READ, ("desk", "terms", "rules", "calculator", "fans")),
    "fans-sheet": (_READ, ("fans-sheet",)),
    "quiz": (_READ, ("desk", "terms", "rules", "calculator", "quiz")),
}
"""By kind of page: shared sheets, and its own. Public pages load no sheet that only staff need."""
PRINT: Final = "css/print.css"


def _sheets_of(shared: tuple[str, ...], own: tuple[str, ...]) -> tuple[str, ...]:
    return (*(f"css/{name}.css" for name in (*_GROUND, *shared)), PRINT, *(f"css/{name}.css" for name in own))


SHEETS: Final[dict[str, tuple[str, ...]]] = {kind: _sheets_of(*parts) for kind, parts in _OWN.items()}
"""Sheets by kind of page, after the tokens and themes."""


JOINED: Final = "joined"
"""Folder of the joined files under static/."""


def script_file(kind: str) -> str:
    """Return the name of the joined script under static/."""
    return f"{JOINED}/{kind}.js"


def sheet_file(kind: str) -> str:
    return f"{JOINED}/{kind}.css"


ReadFile = Callable[[str], str]
"""Returns a file's text by its name under static/."""

OURS: Final = "js/"
"""Folder of our modules. Scripts elsewhere are included unchanged."""
IMPORT: Final = re.compile(r"^import (?:\{([^}]*)\}|\* as (\w+)) from \"(\.[^\"]+)\";$", re.MULTILINE)
EXPORT: Final = re.compile(r"^export (?=(?:async )?(?:function|const|class) (\w+))", re.MULTILINE)
LEFT_OVER: Final = re.compile(r"^(?:import|export)\b.*|\bimport(?:\(|\.meta)", re.MULTILINE)
RENAMED: Final = re.compile(r"(\w+) as (\w+)")
COMMENT: Final = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)


class BundleError(ValueError):
    """A module that cannot be joined; the message names it and the reason."""


@dataclass(frozen=True)
class Module:
    """A parsed module. `imports` holds pairs of a destructuring pattern and the imported module's name."""

    name: str
    imports: tuple[tuple[str, str], ...]
    exports: tuple[str, ...]
    body: str


def read_module(name: str, text: str) -> Module:
    """Parse a module. Raises `BundleError` for an import or export that is not understood."""
    imports = []
    for names, namespace, path in IMPORT.findall(text):
        pattern = namespace or "{" + RENAMED.sub(r"\1: \2", " ".join(names.split())) + "}"
        imports.append((pattern, posixpath.normpath(posixpath.join(posixpath.dirname(name), path))))
    body = EXPORT.sub("", IMPORT.sub("", text))
    if statement := LEFT_OVER.search(COMMENT.sub("", body)):
        raise BundleError(f"{name}: cannot join {statement[0]!r}")
    return Module(name, tuple(imports), tuple(EXPORT.findall(text)), body)


def sorted_modules(names: Iterable[str], read_file: ReadFile) -> Iterator[Module]:
    """Yield these modules and all they import, each once, dependencies first. Raises `BundleError` for a cycle."""
    done: set[str] = set()

    def visit(name: str, ancestors: tuple[str, ...]) -> Iterator[Module]:
        if name in ancestors:
            raise BundleError(f"a cycle: {' → '.join((*ancestors, name))}")
        if name in done:
            return
        module = read_module(name, read_file(name))
        for _pattern, imported in module.imports:
            yield from visit(imported, (*ancestors, name))
        done.add(name)
        yield module

    for name in names:
        yield from visit(name, ())


def join_scripts(names: Iterable[str], read_file: ReadFile) -> str:
    """Return one script for `<script defer>`: vendor scripts unchanged, then our modules without comments."""
    names = tuple(names)
    plain = [read_file(name) for name in names if not name.startswith(OURS)]
    modules = list(sorted_modules((name for name in names if name.startswith(OURS)), read_file))
    variable = {module.name: f"m{place}" for place, module in enumerate(modules)}
    ours = "\n".join(_function(module, variable) for module in modules)
    return "\n;".join([*plain, jsmin('(() => {"use strict";\n' + ours + "\n})();")])


def _function(module: Module, variable: dict[str, str]) -> str:
    imports = "".join(f"const {pattern} = {variable[imported]};\n" for pattern, imported in module.imports)
    exports = f"return {{{', '.join(module.exports)}}};" if module.exports else ""
    return f"const {variable[module.name]} = (() => {{\n{imports}{module.body}\n{exports}}})();"


ROOT: Final = re.compile(r":root(?= \{)")
INSIDE: Final = re.compile(r"(?<=[\w\])]) (?=::?[a-z])")
"""rcssmin removes the descendant combinator of `.a :is(b)` inside a container query; `.a *:is(b)` it keeps."""


def join_sheets(names: Iterable[str], read_file: ReadFile) -> str:
    """Return one sheet: the tokens, the themes, then these sheets, without comments."""
    themes = (
        for_theme(read_file(f"css/{sheet}.css"), conditions) for sheet, conditions in THEME_SHEETS.items()
    )
    return str(
        cssmin(
            INSIDE.sub(" *", "\n".join([read_file(TOKENS), *themes, *(read_file(name) for name in names)]))
        )
    )


def for_theme(text: str, conditions: tuple[str, ...]) -> str:
    """Return a theme's sheet in media queries, for readers who chose it or left it to their device."""
    cases = product((True, False), repeat=len(conditions))
    return "\n".join(_in_case(text, dict(zip(conditions, case, strict=True))) for case in cases)


def _in_case(text: str, is_chosen: dict[str, bool]) -> str:
    where = "".join(
        f'[data-{name}="{ENABLING_VALUES[name]}"]' if chosen else f":not([data-{name}])"
        for name, chosen in is_chosen.items()
    )
    rules = ROOT.sub(f":root:where({where})", text)
    asks = " and ".join(DEVICE_QUERIES[name] for name, chosen in is_chosen.items() if not chosen)
    return f"@media {asks} {{\n{rules}\n}}" if asks else rules
