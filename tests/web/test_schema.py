"""The OpenAPI schema describes every endpoint: examples, what an owner reads, and programs that bend or break it."""

import copy
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any, Final

import pytest
import schemathesis
from django.core.cache import caches
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections, transaction
from django.urls import reverse
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiJsonRenderer
from hypothesis import HealthCheck, settings
from jsonschema import Draft202012Validator
from schemathesis.checks import not_a_server_error
from schemathesis.pytest.lazy import get_all_tests
from schemathesis.specs.openapi.checks import content_type_conformance, status_code_conformance

from tests.house.addresses import ADDRESSES, addresses, route_of, routes, words_of
from tests.house.event import House
from tests.support.programs import Program, codes_of, published_schema
from tournament.accounts.services import make_token
from tournament.site.api.examples import example_of, examples, nameless
from tournament.web.api.schema import PAGED_BY, is_listing

EMPTY: Final = {
    "post /api/v1/tournaments/{}/ceremony/publish/, asked",
    "post /api/v1/tournaments/{}/players/substitutes/, asked",
    "post /api/v1/tournaments/{}/registrations/{}/erasure/, asked",
    "post /api/v1/tournaments/{}/results/open/, asked",
    "post /api/v1/tournaments/{}/seats/replan/preview/, asked",
    "post /api/v1/tournaments/{}/sessions/{}/tables/{}/penalties/{}/undo/, asked",
    "post /api/v1/tournaments/{}/sessions/{}/{}/, asked",
    "post /api/v1/tournaments/{}/webhooks/{}/test/, asked",
}
"""Asked without a word, as most programs do."""
LONG: Final = {
    "get /api/v1/tournaments/{}/file/, 200",
    "get /api/v1/tournaments/{}/fouls/, 200",
    "get /api/v1/tournaments/{}/registrations/{}/data/, 200",
    "get /api/v1/tournaments/{}/transcript/, 200",
    "post /api/v1/tournament-files/, 201",
    "post /api/v1/tournament-files/, asked",
}
"""Whole files: docs/tournament-file.md and docs/transcript.md have theirs."""
OF_A_WHOLE_TABLE: Final = {
    "post /api/v1/tournaments/{}/sessions/{}/tables/{}/absences/, 201",
    "post /api/v1/tournaments/{}/sessions/{}/tables/{}/absences/, asked",
}
"""The table's state is in the answer with all that may follow; the step after it, PATCH, has an example."""
WITHOUT: Final = EMPTY | LONG | OF_A_WHOLE_TABLE

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance]
EXAMPLES = settings(max_examples=5, deadline=None, suppress_health_check=list(HealthCheck), database=None)


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


@cache
def bodies() -> dict[str, dict[str, Any]]:
    """What is asked and what is answered well, of each step: its name, and its content as JSON."""
    contents = {}
    for path, steps in published_schema()["paths"].items():
        for method, step in steps.items():
            answers = {code: body for code, body in step["responses"].items() if code.startswith("2")}
            for what, body in {"asked": step.get("requestBody", {}), **answers}.items():
                if content := body.get("content", {}).get("application/json"):
                    contents[f"{method} {nameless(path)}, {what}"] = content
    return contents


def without_read_only(components: Any) -> Any:
    """As a request has them: what is read only need not be sent (OpenAPI 3.1, 4.8.24.3)."""
    changed = copy.deepcopy(components)
    for shape in changed["schemas"].values():
        fields = shape.get("properties", {})
        shape["required"] = [name for name in shape.get("required", ()) if not fields[name].get("readOnly")]
    return changed


@pytest.mark.thorough
def test_every_step_has_an_example_or_is_known_to_have_none() -> None:
    assert {name for name, content in bodies().items() if "example" not in content} == WITHOUT


def test_every_example_is_as_the_schema_says() -> None:
    components = published_schema()["components"]
    of_requests = without_read_only(components)
    faults = {
        name: fault.message
        for name, content in bodies().items()
        if "example" in content
        for shapes in [of_requests if name.endswith("asked") else components]
        for fault in Draft202012Validator(content["schema"] | {"components": shapes}).iter_errors(
            content["example"]
        )
    }
    assert faults == {}


def test_no_example_is_of_a_step_that_is_gone() -> None:
    paths = published_schema()["paths"]
    there = {f"{method} {nameless(path)}" for path, steps in paths.items() for method in steps}
    assert set(examples()) - there == set()
    assert example_of("get", "/api/v1/nothing/") == {}


@pytest.fixture
def published() -> Iterator[Any]:
    """The schema as programs get it, asked of this very process.

    Its own requests would close the test's connection at their end; Django's client does the same.
    """
    schema = SchemaGenerator().get_schema(request=None, public=True)
    program = schemathesis.openapi.from_dict(json.loads(OpenApiJsonRenderer().render(schema)))
    program.app = get_wsgi_application()
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield program
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.mark.thorough
def test_no_step_crashes_or_answers_what_is_not_written(published: Any, subtests: pytest.Subtests) -> None:
    """As the organiser of an event, where what stands in addresses is there; each time of the same event."""
    house = House()
    known, token = house.kwargs(house.public), make_token(house.people["organiser"])[1]

    def ask(case: Any) -> None:
        path_parameters = (case.path_parameters or {}).items()
        case.path_parameters = {name: str(known.get(name, value)) for name, value in path_parameters}
        caches["limits"].clear()
        with transaction.atomic():
            case.call_and_validate(checks=CHECKS, headers={"Authorization": f"Token {token}"})
            transaction.set_rollback(True)

    steps = 0
    tests: Any = get_all_tests(schema=published, test_func=ask, settings=EXAMPLES, given_kwargs=None)
    for test in tests:
        operation, ask_for_each_case = test.ok()
        with subtests.test(operation.label):
            ask_for_each_case()
        steps += 1
    assert steps > 200
