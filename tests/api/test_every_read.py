"""Whatever an owner can read of an event is as the schema says."""

from __future__ import annotations

from typing import Any

import pytest
from drf_spectacular.generators import SchemaGenerator
from jsonschema import Draft202012Validator

from tests.house.addresses import ADDRESSES, addresses, route_of
from tests.house.event import House

pytestmark = pytest.mark.django_db


def shape_of(schema: dict[str, Any], answer: dict[str, Any]) -> Any:
    """A validator of what a step says of an answer of its; None where it says nothing of JSON."""
    content = answer.get("content", {}).get("application/json")
    if content is None:
        return None
    return Draft202012Validator(content.get("schema", {}) | {"components": schema["components"]})


def test_every_answer_to_a_read_is_as_the_schema_says() -> None:
    schema = SchemaGenerator().get_schema(request=None, public=True)
    house, wrong = House(), {}
    client = house.client("owner")
    for name, entry in ADDRESSES:
        if not route_of(entry).startswith("api/v1/tournaments/") or "get" not in _steps(schema, entry):
            continue
        for url in addresses(entry, name, house.kwargs(house.public)):
            answer = client.get(url)
            if answer.status_code != 200 or "json" not in answer["Content-Type"]:
                continue
            shape = shape_of(schema, _steps(schema, entry)["get"]["responses"]["200"])
            if shape is not None and (fault := next(shape.iter_errors(answer.json()), None)):
                wrong[name] = fault.message
    assert wrong == {}


def _steps(schema: dict[str, Any], entry: Any) -> dict[str, Any]:
    wanted = _nameless(route_of(entry))
    return next((steps for path, steps in schema["paths"].items() if _nameless(path) == wanted), {})


def _nameless(path: str) -> str:
    return "/".join("{}" if part[:1] in "<{" and part else part for part in path.strip("/").split("/"))
