"""An example of every step in the published schema: what was really sent and answered.

Recorded by `tests/support/recording.py` and held to the schema by `tests/web/test_schema.py`.
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any, Final

RECORDED: Final = Path(__file__).with_name("examples.json")


def with_examples(result: dict[str, Any], **_kwargs: Any) -> dict[str, Any]:
    """A hook of drf-spectacular: beside each shape of JSON, one that was sent."""
    for path, steps in result["paths"].items():
        for method, step in steps.items():
            if example := example_of(method, path):
                _put(step.get("requestBody", {}), example["request"])
                _put(step["responses"].get(str(example["status"]), {}), example["response"])
    return result


def _put(body: dict[str, Any], example: Any) -> None:
    for kind, content in body.get("content", {}).items():
        if kind == "application/json" and example is not None:
            content["example"] = example


@cache
def examples() -> dict[str, dict[str, Any]]:
    """Method and path without the names of what is filled in → {"status", "request", "response"}."""
    recorded: dict[str, dict[str, Any]] = json.loads(RECORDED.read_text("utf-8"))
    return recorded


def nameless(path: str) -> str:
    """A path of the schema, or a route of the addresses, as examples are kept by."""
    return "/" + re.sub(r"<[^>]+>|\{[^}]+\}", "{}", path).strip("/") + "/"


def example_of(method: str, path: str) -> dict[str, Any]:
    return examples().get(f"{method} {nameless(path)}", {})
