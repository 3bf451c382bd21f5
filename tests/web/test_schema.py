"""The OpenAPI schema describes every endpoint, and whatever an owner can read of an event is as it says."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

import pytest
from django.urls import reverse
from drf_spectacular.generators import SchemaGenerator
from jsonschema import Draft202012Validator

from tests.house.addresses import ADDRESSES, addresses, route_of, routes, words_of
from tests.house.event import House
from tests.support.programs import Program, codes_of, published_schema
from tournament.site.api.examples import nameless
from tournament.web.api.schema import PAGED_BY, is_listing


def written_out(path: str, methods: Mapping[str, Any]) -> list[str]:
    """A path of the schema, with each of the words that may stand in it."""
    urls = [path]
    for parameter in next(iter(methods.values())).get("parameters", ()):
        if parameter["in"] == "path" and (words := words_of(parameter["schema"].get("pattern", ""))):
            urls = [url.replace(f"{{{parameter['name']}}}", word) for url in urls for word in words]
    return urls


def unnamed(paths: Iterable[str]) -> list[str]:
    """The paths without the names of what is filled in."""
    return sorted(re.sub(r"<[^>]+>|\{[^}]+\}", "{}", path) for path in paths)


def test_the_schema_has_every_address_without_a_warning(capsys: pytest.CaptureFixture[str]) -> None:
    schema = SchemaGenerator().get_schema(request=None, public=True)
    assert schema["openapi"] == "3.1.0"
    described = [url for path, methods in schema["paths"].items() for url in written_out(path, methods)]
    there = [f"/{route}" for route in routes() if route.startswith("api/v1/")]
    assert unnamed(path for path in described if path.startswith("/api/v1/")) == unnamed(there)
    assert capsys.readouterr().err == ""


@pytest.mark.thorough
def test_the_documentation_is_public() -> None:
    assert [Program().get(reverse(name)).status_code for name in ("api_schema", "api_docs")] == [200, 200]


def test_an_address_that_is_none_is_said_as_every_refusal() -> None:
    for path in ("/api/v1/nothing/", "/api/v1/tournaments/a%20b/tables/x/"):
        answer = Program().get(path)
        assert (answer.status_code, answer["Content-Type"]) == (404, "application/problem+json")
        assert codes_of(answer) == ["not_found"]


def test_no_listing_is_without_an_end() -> None:
    """Each says how the next page is asked for, with a most; and where it is."""
    endless = []
    for path, steps in published_schema()["paths"].items():
        if "get" not in steps or not is_listing(steps["get"]):
            continue
        parameters = {field["name"]: field["schema"] for field in steps["get"].get("parameters", ())}
        ends = any("maximum" in parameters[name] for name in PAGED_BY if name in parameters)
        if not (ends and "Link" in steps["get"]["responses"]["200"]["headers"]):
            endless.append(path)
    assert endless == []


@pytest.mark.thorough
def test_every_answer_to_a_read_is_as_the_schema_says() -> None:
    schema, house, wrong = published_schema(), House(), []
    client, steps = house.client("owner"), {nameless(path): steps for path, steps in schema["paths"].items()}
    for name, entry in ADDRESSES:
        step = steps.get(nameless(route_of(entry)), {}).get("get")
        if step is None or not route_of(entry).startswith("api/v1/tournaments/"):
            continue
        content = step["responses"].get("200", {}).get("content", {}).get("application/json")
        for url in addresses(entry, name, house.kwargs(house.public)) if content is not None else ():
            answer = client.get(url)
            if answer.status_code == 200 and "json" in answer["Content-Type"]:
                shape = Draft202012Validator(content.get("schema", {}) | {"components": schema["components"]})
                wrong += [f"{url}: {fault.message}" for fault in shape.iter_errors(answer.json())]
    assert wrong == []
