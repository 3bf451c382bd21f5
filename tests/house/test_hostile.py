"""What no page of ours sends, at every address: answered, and never by a crash.

Addresses are read from the URL configuration and bodies from the API's own description, so that a new address and a new
field are attacked the day they are added. The test's client raises what the server would log as an error.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from django.test import Client
from drf_spectacular.generators import SchemaGenerator

from tests.house.addresses import ADDRESSES, addresses
from tests.house.event import House

pytestmark = pytest.mark.django_db

WRITES = ("post", "put", "patch", "delete")
BODIES = (
    "[" * 200_000,
    '{"a":' * 100_000,
    "9" * 6_000,
    '{"table_version": 1e400, "uuid": NaN}',
    '"\\ud800"',
    '{"username": "\\ud800", "password": "\\udfff", "reason": "\\u0000"}',
    "\x00",
)
"""JSON that is none, is too deep, or holds what no text holds."""
VALUES: tuple[Any, ...] = (
    10**30,
    -(10**30),
    2**63,
    1e308,
    "9" * 6_000,
    "\ud800",
    "nul\0nul",
    "x" * 200_000,
    "NaN",
    "Infinity",
    True,
    None,
    {},
    [[[]]],
    [{}] * 3,
    "9999-12-31T23:59:59Z",
    "0001-01-01T00:00:00+14:00",
)
"""In the place of any one field of a request."""
QUERIES = (
    "q=%00",
    "q=%ED%A0%80",
    "page=" + "9" * 5_000,
    "page=-1",
    "since=1e400",
    "session=" + "9" * 30,
    "%FF=%FF",
)


@pytest.fixture
def house() -> House:
    return House()


def urls(house: House, *without: str) -> Iterator[str]:
    for name, entry in ADDRESSES:
        if name not in without:
            yield from addresses(entry, name, house.kwargs(house.public))


def met(client: Client, method: str, url: str, body: str | bytes) -> str | None:
    """What went wrong with one request, if something did."""
    try:
        answer = getattr(client, method)(url, data=body, content_type="application/json")
    except Exception as fault:
        return f"{method} {url} {body[:40]!r}: {fault!r:.200}"
    return f"{method} {url}: {answer.status_code}" if answer.status_code >= 500 else None


@pytest.mark.thorough
@pytest.mark.parametrize("body", BODIES, ids=[one[:12] for one in BODIES])
def test_no_body_is_too_strange(house: House, body: str) -> None:
    client = house.client("organiser")
    asked = product(urls(house, "logout"), WRITES)
    assert [said for url, method in asked if (said := met(client, method, url, body))] == []


@pytest.mark.thorough
@pytest.mark.parametrize("query", QUERIES, ids=[one[:12] for one in QUERIES])
def test_no_query_is_too_strange(house: House, query: str) -> None:
    client = house.client("organiser")
    assert [said for url in urls(house) if (said := met(client, "get", f"{url}?{query}", ""))] == []


def test_every_address_says_what_may_be_asked_of_it(house: House) -> None:
    client = house.client("visitor")
    assert [said for url in urls(house) if (said := met(client, "options", url, ""))] == []


def described() -> dict[str, Any]:
    schema: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)
    return schema


def plausible(schema: dict[str, Any], parts: dict[str, Any], depth: int = 0) -> Any:
    """A value of that description, as simple as it may be."""
    if "$ref" in schema:
        return plausible(parts[schema["$ref"].rpartition("/")[2]], parts, depth + 1)
    for several in ("allOf", "oneOf", "anyOf"):
        if several in schema:
            return plausible(schema[several][0], parts, depth + 1)
    if schema.get("enum"):
        return schema["enum"][0]
    if depth > 8:
        return None
    kind, form = schema.get("type"), schema.get("format")
    if isinstance(kind, list):  # OpenAPI 3.1: ["string", "null"]
        kind = next(one for one in kind if one != "null")
    if kind == "object":
        return {key: plausible(one, parts, depth + 1) for key, one in schema.get("properties", {}).items()}
    if kind == "array":
        return [plausible(schema["items"], parts, depth + 1)]
    texts = {
        "uuid": "00000000-0000-4000-8000-000000000001",
        "date-time": "2026-03-01T10:00:00Z",
        "date": "2026-03-01",
    }
    return {"integer": 1, "number": 1, "boolean": False}.get(kind or "", texts.get(form or "", "a"))


def places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to every field of a value, those inside others too."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in inside:
        yield (*at, key)
        yield from places(one, (*at, key))


def with_value(body: Any, way: tuple[Any, ...], value: Any) -> Any:
    if not way:
        return value
    changed = dict(body) if isinstance(body, dict) else list(body)
    changed[way[0]] = with_value(body[way[0]], way[1:], value)
    return changed


def operations() -> list[tuple[str, str]]:
    return [
        (path, method)
        for path, methods in described()["paths"].items()
        for method in methods
        if method in WRITES
    ]


@pytest.mark.thorough
def test_no_field_of_a_request_is_too_strange(house: House) -> None:
    schema, client = described(), house.client("organiser")
    parts, facts, wrong, tried = schema["components"]["schemas"], house.kwargs(house.public), [], 0
    facts |= {"step": "start", "id": facts["pk"]}
    for path, method in operations():
        asked = (
            schema["paths"][path][method].get("requestBody", {}).get("content", {}).get("application/json")
        )
        if asked is None:
            continue
        body = plausible(asked["schema"], parts)
        url = path.format_map(facts)
        for way, value in product(places(body), VALUES):
            tried += 1
            if said := met(client, method, url, json.dumps(with_value(body, way, value))):
                wrong.append(f"{way} {said}")
    assert wrong == []
    assert tried > 2_000
