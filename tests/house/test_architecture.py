"""The house keeps its shape: imports run downwards, engines are pure, modules stay readable."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROOMS = ("scoring", "penalties", "tournament")
"""From the bottom up: a room may import those before it and itself."""

IMPURE = {
    "django",
    "rest_framework",
    "celery",
    "random",
    "secrets",
    "time",
    "datetime",
    "os",
    "socket",
    "subprocess",
}
MAY_DRAW = {"random"}
"""Seating draws by a seed passed in; no other engine needs chance."""


def modules(room: str) -> Iterator[Path]:
    return (path for path in sorted((ROOT / room).rglob("*.py")) if "migrations" not in path.parts)


def imported(path: Path) -> set[str]:
    """The absolute names a module imports, inside functions too."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
    return found


@pytest.mark.parametrize("room", ROOMS)
def test_imports_run_downwards(room: str) -> None:
    above = ROOMS[ROOMS.index(room) + 1 :]
    breaches = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in modules(room)
        for name in imported(path)
        if name.split(".")[0] in above
    ]
    assert breaches == []


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


def test_floors_rest_on_those_below() -> None:
    height = {part: at for at, parts in enumerate(FLOORS) for part in parts}
    breaches = []
    for path in modules("tournament"):
        part = path.relative_to(ROOT / "tournament").parts[0].removesuffix(".py")
        for name in imported_parts(path) if part != "__init__" else ():
            if height[name] > height[part]:
                breaches.append(f"{path.relative_to(ROOT)} imports tournament.{name}")
    assert breaches == []


def imported_parts(path: Path) -> set[str]:
    """The parts of `tournament` that a module imports."""
    found = {name.split(".")[1] for name in imported(path) if name.startswith("tournament.")}
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module == "tournament":
            found |= {alias.name for alias in node.names}
    return found


ENGINES = (*(f"{room}/engine" for room in ROOMS), "scoring/classical", "scoring/games")
"""Pure Python; the classical game and recorded ones have tiles and sets from the first engine, which knows nothing of
them."""


@pytest.mark.parametrize("engine", ENGINES)
def test_engines_are_pure(engine: str) -> None:
    breaches = []
    within = {"engine", Path(engine).name}
    for path in modules(engine):
        allowed = MAY_DRAW if "seating" in path.parts else set()
        for name in imported(path):
            top = name.split(".")[0]
            outside_engine = top in ROOMS and not within & set(name.split(".")[1:2])
            if top in IMPURE - allowed or outside_engine:
                breaches.append(f"{path.relative_to(ROOT)} imports {name}")
    assert breaches == []


SENTENCES = ("django.utils.translation", "gettext", "penalties.texts", "scoring.texts", "tournament.words")
"""Where words are made."""


def test_services_and_engines_speak_in_codes() -> None:
    """What they refuse, log and store is said at the edge, in the language of who reads it there."""
    rooms = ("tournament/services", *ENGINES)
    breaches = [
        f"{path.relative_to(ROOT)} imports {name}"
        for room in rooms
        for path in modules(room)
        for name in imported(path)
        if name.startswith(SENTENCES)
    ]
    assert breaches == []


def test_the_quiz_is_pure() -> None:
    """Puzzles follow from what is passed in: no Django, no clock; the date is a value, and chance has a seed."""
    banned = IMPURE - MAY_DRAW - {"datetime"}
    breaches = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in modules("scoring/quiz")
        for name in imported(path)
        if name.split(".")[0] in banned or name.startswith(SENTENCES)
    ]
    assert breaches == []


@pytest.mark.parametrize("room", ROOMS)
def test_modules_can_be_read_in_one_sitting(room: str) -> None:
    long = {
        str(path.relative_to(ROOT)): lines
        for path in modules(room)
        if (lines := len(path.read_text("utf-8").splitlines())) > 250
    }
    assert long == {}


def test_what_forms_fill_in_stands_below_the_services() -> None:
    """A form makes the value that a service is given; selectors judge it before. So both can see its class."""
    above = [
        f"{path.name} imports {alias.name}"
        for path in modules("tournament/forms")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("tournament.services")
        for alias in node.names
        if not alias.name.isupper()
    ]
    assert above == []


def test_template_tags_draw_and_do_not_ask() -> None:
    """What they draw is handed to them: of the selectors they know the shapes alone."""
    asked = [
        f"{path.name} calls {alias.name}"
        for path in modules("tournament/templatetags")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ImportFrom)
        and (node.module or "").startswith(("tournament.selectors", "tournament.services"))
        for alias in node.names
        if not alias.name[0].isupper()
    ]
    assert asked == []


def test_only_services_write() -> None:
    """Views, API and selectors translate and read: nothing there saves, creates or deletes a row."""
    writes = {"save", "delete", "create", "bulk_create", "bulk_update", "update_or_create", "get_or_create"}
    breaches = []
    for part in ("views", "api", "selectors", "templatetags"):
        for path in modules(f"tournament/{part}"):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if (
                    isinstance(node, ast.Call)
                    and isinstance(node.func, ast.Attribute)
                    and node.func.attr in writes
                ):
                    breaches.append(f"{path.relative_to(ROOT)}:{node.lineno} calls {node.func.attr}()")
    assert breaches == []
