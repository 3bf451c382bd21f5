"""The house keeps its shape: imports run downwards, engines are pure, only services write."""

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.house.source import ROOT, modules, nodes, nodes_of

ROOMS = ("scoring", "penalties", "tournament")
"""From the bottom up: a room may import those before it and itself."""
FLOORS = (
    {"errors", "engine", "shapes"},
    {"models"},
    {"access", "invitations", "outbound", "passes", "visits", "zones", "work", "words"},
    {"selectors"},
    {"log", "backup", "event_file", "mail", "webhooks"},
    {"services"},
    {"api", "audit", "demo", "display", "documents", "exchange", "live", "push", "sign_in"},
    {"forms", "management", "tasks", "templatetags", "urls", "views"},
    {"apps"},
)
"""The floors of `tournament`, from the bottom up: each may import what is below it and on it."""
ENGINES = (*(f"{room}/engine" for room in ROOMS), "scoring/classical", "scoring/games")
"""Pure Python; the classical game and recorded ones have tiles and sets from the first engine, which knows nothing of
them."""
IMPURE = {
    *("django", "rest_framework", "celery", "random", "secrets", "time", "datetime", "os", "socket"),
    "subprocess",
}
MAY_DRAW = {"random"}
"""Seating draws by a seed passed in; no other engine needs chance."""
SENTENCES = ("django.utils.translation", "gettext", "penalties.texts", "scoring.texts", "tournament.words")
"""Where words are made."""


def imported(path: Path) -> set[str]:
    """The absolute names a module imports, inside functions too."""
    names = set()
    for node in nodes(path):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
    return names


def imports(*rooms: str) -> Iterator[tuple[Path, str]]:
    """Each module of these rooms with each name it imports."""
    return ((path, name) for path in modules(*rooms) for name in imported(path))


def imported_parts(path: Path) -> set[str]:
    """The parts of `tournament` that a module imports."""
    by_name = {
        alias.name
        for node in nodes(path)
        if isinstance(node, ast.ImportFrom) and node.module == "tournament"
        for alias in node.names
    }
    return by_name | {name.split(".")[1] for name in imported(path) if name.startswith("tournament.")}


def names_from(room: str, *packages: str) -> Iterator[tuple[str, str]]:
    """Each module of this room with each name it imports from these packages."""
    for path, node in nodes_of(room):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(packages):
            yield from ((path.name, alias.name) for alias in node.names)


def test_imports_run_downwards() -> None:
    breaches = [
        f"{path} imports {name}"
        for height, room in enumerate(ROOMS)
        for path, name in imports(room)
        if name.split(".")[0] in ROOMS[height + 1 :]
    ]
    assert breaches == []


def test_floors_rest_on_those_below() -> None:
    height = {part: floor for floor, parts in enumerate(FLOORS) for part in parts}
    breaches = []
    for path in modules("tournament"):
        part = path.relative_to(ROOT / "tournament").parts[0].removesuffix(".py")
        for name in imported_parts(path) if part != "__init__" else ():
            if height[name] > height[part]:
                breaches.append(f"{path} imports tournament.{name}")
    assert breaches == []


def test_engines_and_the_quiz_are_pure() -> None:
    breaches = []
    for engine in ENGINES:
        for path, name in imports(engine):
            room, _, part = name.partition(".")
            impure = IMPURE - (MAY_DRAW if "seating" in path.parts else set())
            outside_engine = room in ROOMS and part.split(".")[0] not in {"engine", Path(engine).name}
            if room in impure or outside_engine:
                breaches.append(f"{path} imports {name}")
    assert breaches == []
    # Puzzles follow from what is passed in; the date is a value, and chance has a seed.
    banned = IMPURE - MAY_DRAW - {"datetime"}
    assert [(path, name) for path, name in imports("scoring/quiz") if name.split(".")[0] in banned] == []


def test_services_and_engines_speak_in_codes() -> None:
    """What they refuse, log and store is said at the edge, in the language of who reads it there."""
    rooms = ("tournament/services", "scoring/quiz", *ENGINES)
    assert [(path, name) for path, name in imports(*rooms) if name.startswith(SENTENCES)] == []


def test_what_forms_fill_in_stands_below_the_services() -> None:
    """A form makes the value that a service is given; selectors judge it before. So both can see its class."""
    names = names_from("tournament/forms", "tournament.services")
    assert [(path, name) for path, name in names if not name.isupper()] == []


def test_template_tags_draw_and_do_not_ask() -> None:
    """What they draw is handed to them: of the selectors they know the shapes alone."""
    names = names_from("tournament/templatetags", "tournament.selectors", "tournament.services")
    assert [(path, name) for path, name in names if not name[0].isupper()] == []


def test_only_services_write() -> None:
    """Views, API and selectors translate and read: nothing there saves, creates or deletes a row."""
    writes = {"save", "delete", "create", "bulk_create", "bulk_update", "update_or_create", "get_or_create"}
    breaches = [
        f"{path}:{node.lineno} calls {node.func.attr}()"
        for part in ("views", "api", "selectors", "templatetags")
        for path, node in nodes_of(f"tournament/{part}")
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in writes
    ]
    assert breaches == []
