"""Every step of the schema has an example, and each is as the schema says."""

import copy
from functools import cache
from typing import Any, Final

import pytest
from jsonschema import Draft202012Validator

from tests.support.programs import published_schema
from tournament.site.api.examples import example_of, examples, nameless

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
