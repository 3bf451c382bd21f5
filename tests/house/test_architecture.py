"""What the contracts in `pyproject.toml` (`lint-imports`) cannot say: layers across packages, codes, who writes."""

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path

from tests.house.source import ROOT, log_actions, modules, nodes
from tests.support.packages import modules_of_layer

APPS = ("scoring", "penalties", "tournament")
LAYERS = (
    {"engine"},
    {"models"},
    {"texts"},
    {"selectors"},
    {"services"},
    {"forms", "exports", "display"},
    {"tags", "api", "views"},
    {"urls", "tasks"},
)
"""The modules of a package, from the bottom up: a file, or a folder of that name."""
ENGINES = ("scoring/engine", "scoring/classical", "scoring/games", "penalties/engine")
"""Beside those of `tournament`. The classical game and recorded ones have tiles and sets from the first engine, which
knows nothing of them."""
MAY_DRAW = "seating"
"""Seating draws by a seed passed in; no other engine needs chance."""
SENTENCES = ("django.utils.translation", "gettext", "penalties.texts", "scoring.texts")
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


def imports(*folders: str) -> Iterator[tuple[Path, str]]:
    """Each module of these folders with each name it imports."""
    return ((path, name) for path in modules(*folders) for name in imported(path))


def parts_imported(path: Path) -> Iterator[tuple[str, ...]]:
    """The dotted names below `tournament` that a module imports, as parts."""
    for node in nodes(path):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "tournament":
            yield from (tuple(f"{node.module}.{alias.name}".split(".")[1:]) for alias in node.names)


def layer_of(parts: Iterable[str]) -> int | None:
    """The height of the highest layer that the parts name."""
    heights = {name: height for height, layer in enumerate(LAYERS) for name in layer}
    return max((heights[part] for part in parts if part in heights), default=None)


def modules_of_packages() -> Iterator[tuple[Path, tuple[str, ...]]]:
    """Each module that lies in a package of `tournament`, with its name below `tournament` as parts."""
    for path in modules("tournament"):
        parts = path.relative_to(ROOT / "tournament").with_suffix("").parts
        if len(parts) > 1 and parts[0] not in ("management", "migrations"):
            yield path, parts


def of_layer(*names: str) -> list[Path]:
    """The modules of these layers in all packages."""
    return [path for name in names for paths in modules_of_layer(name).values() for path in paths]


def names_between(layer: str, *others: str) -> Iterator[tuple[Path, str]]:
    """Each module of this layer with each name it imports from those others."""
    for path in of_layer(layer):
        for imported in parts_imported(path):
            if not set(imported[1:-1]).isdisjoint(others):
                yield path, imported[-1]


def names_of_actions(layer: str) -> Iterator[tuple[Path, str]]:
    """Each module of this layer with each name that it takes from a module of texts imported as `actions`."""
    for path in of_layer(layer):
        for node in nodes(path):
            if isinstance(node, ast.Attribute) and ast.unparse(node.value).endswith("actions"):
                yield path, node.attr


def test_layers_import_those_below_in_other_packages_too() -> None:
    breaches = []
    for path, parts in modules_of_packages():
        layer = layer_of(parts[1:])
        for imported in parts_imported(path) if layer is not None else ():
            other = layer_of(imported[1:])
            if other is not None and layer is not None and other > layer:
                breaches.append(f"{path} imports {'.'.join(imported)}")
    assert breaches == []


def test_engines_import_engines_alone() -> None:
    breaches = [
        f"{path} imports {name}"
        for path in [*modules(*ENGINES), *of_layer("engine")]
        for name in imported(path)
        if (name.split(".")[0] in APPS and set(name.split(".")).isdisjoint({"engine", "classical", "games"}))
        or (name == "random" and MAY_DRAW not in path.parts)
    ]
    assert breaches == []


def test_puzzles_follow_from_what_is_passed_in() -> None:
    banned = {"django", "os", "secrets", "socket", "subprocess", "time"}
    assert [(path, name) for path, name in imports("scoring/quiz") if name.split(".")[0] in banned] == []


def test_services_and_engines_contain_no_sentences() -> None:
    """What they refuse, log and store is said at the edge; of the texts, services know the log's actions."""
    paths = [*modules("scoring/quiz", *ENGINES), *of_layer("engine", "services")]
    breaches = [(path, name) for path in paths for name in imported(path) if name.startswith(SENTENCES)]
    assert breaches == []
    of_texts = [*names_between("services", "texts"), *names_of_actions("services")]
    assert [(path, name) for path, name in of_texts if name not in {"log", *log_actions()}] == []
    assert [*names_between("engine", "texts")] == []


def test_forms_import_no_classes_from_services() -> None:
    """A form makes the value that a service is given; selectors judge it before. So both can see its class."""
    assert [(path, name) for path, name in names_between("forms", "services") if not name.isupper()] == []


def test_template_tags_import_only_classes_from_selectors() -> None:
    """What they draw is handed to them: of the selectors they know the shapes alone."""
    names = names_between("tags", "selectors", "services")
    assert [(path, name) for path, name in names if not name[0].isupper()] == []


def test_only_services_write() -> None:
    """Views, API and selectors translate and read: nothing there saves, creates or deletes a row."""
    writes = {"save", "delete", "create", "bulk_create", "bulk_update", "update_or_create", "get_or_create"}
    breaches = [
        f"{path}:{node.lineno} calls {node.func.attr}()"
        for path in of_layer("views", "api", "selectors", "tags")
        for node in nodes(path)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in writes
    ]
    assert breaches == []
