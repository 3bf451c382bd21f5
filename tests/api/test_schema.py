"""The OpenAPI schema describes every endpoint, and the server keeps to it on any input."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

import pytest
from django.urls import reverse
from drf_spectacular.generators import SchemaGenerator
from rest_framework.test import APIClient

from tests.house.addresses import routes, words_of
from tests.support.factories import make_tournament
from tournament.api.schema_said import PAGED_BY, is_listing


def written_out(path: str, methods: Mapping[str, Any]) -> list[str]:
    """A path of the schema, with each of the words that may stand in it."""
    found = [path]
    for parameter in next(iter(methods.values())).get("parameters", ()):
        if parameter["in"] == "path" and (words := words_of(parameter["schema"].get("pattern", ""))):
            found = [one.replace(f"{{{parameter['name']}}}", word) for one in found for word in words]
    return found


def unnamed(paths: Iterable[str]) -> list[str]:
    """The paths without the names of what is filled in."""
    return sorted(re.sub(r"<[^>]+>|\{[^}]+\}", "{}", path) for path in paths)


def test_the_schema_has_every_address_without_a_warning(capsys: pytest.CaptureFixture[str]) -> None:
    schema = SchemaGenerator().get_schema(request=None, public=True)
    described = [one for path, methods in schema["paths"].items() for one in written_out(path, methods)]
    there = [f"/{route}" for route in routes() if route.startswith("api/v1/")]
    assert unnamed(path for path in described if path.startswith("/api/v1/")) == unnamed(there)
    assert capsys.readouterr().err == ""


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["api_schema", "api_docs"])
def test_the_documentation_is_public(name: str) -> None:
    assert APIClient().get(reverse(name)).status_code == 200


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/api/v1/nothing/", "/api/v1/tournaments/a%20b/tables/x/"])
def test_an_address_that_is_none_is_said_as_every_refusal(path: str) -> None:
    answer = APIClient().get(path)
    assert (answer.status_code, answer["Content-Type"]) == (404, "application/problem+json")
    assert [one["code"] for one in answer.json()["problems"]] == ["not_found"]


def published() -> Any:
    return SchemaGenerator().get_schema(request=None, public=True)


def test_it_is_openapi_3_1() -> None:
    assert published()["openapi"] == "3.1.0"


def test_no_listing_is_without_an_end() -> None:
    """Each says how the next page is asked for, with a most; and where it is."""
    endless = []
    for path, steps in published()["paths"].items():
        if "get" not in steps or not is_listing(steps["get"]):
            continue
        taken = {one["name"]: one["schema"] for one in steps["get"].get("parameters", ())}
        ends = any("maximum" in taken[name] for name in PAGED_BY if name in taken)
        if not (ends and "Link" in steps["get"]["responses"]["200"]["headers"]):
            endless.append(path)
    assert endless == []


@pytest.mark.django_db
def test_a_list_comes_a_page_at_a_time() -> None:
    event = make_tournament(players=8)
    asked = APIClient().get(f"/api/v1/tournaments/{event.slug}/players/?per_page=3&page=3")
    assert [one["number"] for one in asked.json()] == [7, 8]
    assert "Link" not in asked.headers
    first = APIClient().get(f"/api/v1/tournaments/{event.slug}/players/?per_page=3")
    assert first["Link"].endswith('/players/?per_page=3&page=2>; rel="next"')


@pytest.mark.django_db
@pytest.mark.parametrize("asked", ["page=0", "per_page=1001", "page=x"])
def test_a_page_that_is_none_is_said_to_be_none(asked: str) -> None:
    event = make_tournament(players=8)
    answer = APIClient().get(f"/api/v1/tournaments/{event.slug}/players/?{asked}")
    assert (answer.status_code, answer["Content-Type"]) == (400, "application/problem+json")
