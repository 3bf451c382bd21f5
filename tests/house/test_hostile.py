"""What no page of ours sends, at every address: answered, and never by a crash.

Addresses are read from the URL configuration and bodies from the API's own description, so that a new address and a new
field are attacked the day they are added. The test's client raises what the server would log as an error.
"""

import json
from collections.abc import Iterator
from itertools import product
from typing import Any
from uuid import UUID

import pytest
from django.test import Client
from drf_spectacular.generators import SchemaGenerator

from tests.house.event import House
from tests.support.sampling import sample
from tests.support.strange_values import VALUES

pytestmark = pytest.mark.django_db

WRITES = ("post", "put", "patch", "delete")
BODIES = (
    *("[" * 200_000, '{"a":' * 100_000, "9" * 6_000, '{"table_version": 1e400, "uuid": NaN}'),
    *('"\\ud800"', '{"username": "\\ud800", "password": "\\udfff", "reason": "\\u0000"}', "\x00"),
)
"""JSON that is none, is too deep, or holds what no text holds."""
QUERIES = (
    *("q=%00", "q=%ED%A0%80", "page=-1", "since=1e400", "%FF=%FF"),
    *(f"page={'9' * 5_000}", f"session={'9' * 30}"),
)


def attack(client: Client, method: str, url: str, body: str = "") -> tuple[int, list[str]]:
    """The status of the answer, 0 where there is none, and what went wrong, if something did."""
    try:
        response = getattr(client, method)(url, data=body, content_type="application/json")
    except Exception as fault:
        return 0, [f"{method} {url:.200} {body[:40]!r}: {fault!r:.200}"]
    status = response.status_code
    return status, [f"{method} {url:.200} {body[:40]!r}: {status}"] if status >= 500 else []


@pytest.mark.thorough
def test_no_body_is_too_strange(house: House) -> None:
    """Two drawn bodies each; where a method is not allowed, one is enough: it is not read."""
    client, crashes = house.client("organiser"), []
    for (_, url), method in product(house.urls(where=lambda name, _: name != "logout"), WRITES):
        for body in sample(BODIES, 2, key=f"{method} {url}"):
            status, wrong = attack(client, method, url, body)
            crashes += wrong
            if status == 405:
                break
    assert crashes == []


@pytest.mark.thorough
def test_no_query_is_too_strange(house: House) -> None:
    client, crashes = house.client("organiser"), []
    for _, url in house.urls():
        for query in sample(QUERIES, 2, key=url):
            crashes += attack(client, "get", f"{url}?{query}")[1]
    assert crashes == []


@pytest.mark.thorough
def test_every_address_says_what_may_be_asked_of_it(house: House) -> None:
    client, urls = house.client("visitor"), sample(house.urls(), 100)
    assert [wrong for _, url in urls for wrong in attack(client, "options", url)[1]] == []


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
        kind = next(name for name in kind if name != "null")
    if kind == "object":
        fields = schema.get("properties", {})
        return {key: plausible(field, parts, depth + 1) for key, field in fields.items()}
    if kind == "array":
        return [plausible(schema["items"], parts, depth + 1)]
    texts = {"uuid": str(UUID(int=1)), "date-time": "2026-03-01T10:00:00Z", "date": "2026-03-01"}
    return {"integer": 1, "number": 1, "boolean": False}.get(kind or "", texts.get(form or "", "a"))


def with_a_strange_value(body: Any, where: str) -> Iterator[Any]:
    """The body with drawn values in the place of each of its fields, those inside others too."""
    fields = body.items() if isinstance(body, dict) else enumerate(body) if isinstance(body, list) else ()
    for key, field in fields:
        at = f"{where} {key}"
        for value in (*sample(VALUES, 3, key=at), *with_a_strange_value(field, at)):
            changed = body.copy()
            changed[key] = value
            yield changed


@pytest.mark.thorough
def test_no_field_of_a_request_is_too_strange(house: House) -> None:
    schema: Any = SchemaGenerator().get_schema(request=None, public=True)
    client, crashes, tried = house.client("organiser"), [], 0
    kwargs = house.kwargs(house.public)
    kwargs |= {"step": "start", "id": kwargs["pk"]}
    for path, operations in schema["paths"].items():
        for method in operations.keys() & set(WRITES):
            content = operations[method].get("requestBody", {}).get("content", {})
            if "application/json" not in content:
                continue
            body = plausible(content["application/json"]["schema"], schema["components"]["schemas"])
            for changed in with_a_strange_value(body, f"{method} {path}"):
                crashes += attack(client, method, path.format_map(kwargs), json.dumps(changed))[1]
                tried += 1
    assert crashes == []
    assert tried > 400
