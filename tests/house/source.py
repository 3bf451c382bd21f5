"""The source of the program as syntax trees, and the models that it stores."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from django.apps import apps
from django.contrib.auth.models import User
from django.db.models import Model

ROOT = Path(__file__).parents[2]


def modules(*rooms: str) -> list[Path]:
    """The modules of these packages, without migrations."""
    paths = (path for room in rooms for path in sorted((ROOT / room).rglob("*.py")))
    return [path for path in paths if "migrations" not in path.parts]


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(ast.parse(path.read_text("utf-8"))))


def nodes_of(*rooms: str) -> Iterator[tuple[Path, ast.AST]]:
    """Each module of these packages with each node of it."""
    return ((path, node) for path in modules(*rooms) for node in nodes(path))


def log_actions() -> set[str]:
    """The constants of log actions."""
    return {
        node.targets[0].id
        for _, node in nodes_of("tournament")
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Name)
        and node.targets[0].id.isupper()
        and isinstance(node.value, ast.Call)
        and ast.unparse(node.value.func) in ("LogAction", "staff_action", "_step", "_screen_action")
    }


def ours() -> dict[str, type[Model]]:
    """The models of accounts and of Hule, without what only ties two rows together."""
    owned = ("otp_totp", "otp_static", "tournament", "penalties")
    models: list[type[Model]] = [User]
    for app in owned:
        models += apps.get_app_config(app).get_models()
    return {model._meta.label: model for model in models}
