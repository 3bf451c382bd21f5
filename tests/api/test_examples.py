"""Every step of the schema has an example, and each is as the schema says."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any, Final

import pytest
from drf_spectacular.generators import SchemaGenerator
from jsonschema import Draft202012Validator

from tournament.api.examples import example_of, examples, nameless

SCHEMA: Final = SchemaGenerator().get_schema(request=None, public=True)
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


def bodies() -> Iterator[tuple[str, dict[str, Any]]]:
    """What is asked and what is answered well, of each step: its name, and its content as JSON."""
    for path, steps in SCHEMA["paths"].items():
        for method, step in steps.items():
            known = f"{method} {nameless(path)}"
            answers = {code: one for code, one in step["responses"].items() if code.startswith("2")}
            for what, one in (("asked", step.get("requestBody", {})), *answers.items()):
                if content := one.get("content", {}).get("application/json"):
                    yield f"{known}, {what}", content


def without_read_only(shapes: Any) -> Any:
    """As a request has them: what is read only need not be sent (OpenAPI 3.1, 4.8.24.3)."""
    found = copy.deepcopy(shapes)
    for shape in found["schemas"].values():
        fields = shape.get("properties", {})
        shape["required"] = [one for one in shape.get("required", ()) if not fields[one].get("readOnly")]
    return found


BODIES: Final = dict(bodies())


def test_every_step_has_an_example_or_is_known_to_have_none() -> None:
    assert {name for name, content in BODIES.items() if "example" not in content} == WITHOUT


@pytest.mark.parametrize("name", [name for name, content in BODIES.items() if "example" in content])
def test_an_example_is_as_the_schema_says(name: str) -> None:
    content = BODIES[name]
    shapes = without_read_only(SCHEMA["components"]) if name.endswith("asked") else SCHEMA["components"]
    shape = Draft202012Validator(content["schema"] | {"components": shapes})
    assert [fault.message for fault in shape.iter_errors(content["example"])] == []


def test_no_example_is_of_a_step_that_is_gone() -> None:
    there = {f"{method} {nameless(path)}" for path, steps in SCHEMA["paths"].items() for method in steps}
    assert set(examples()) - there == set()


def test_a_step_that_is_not_there_has_no_example() -> None:
    assert example_of("get", "/api/v1/nothing/") == {}
