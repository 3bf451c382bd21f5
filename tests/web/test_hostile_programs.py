"""Every step of the published schema, asked by a program that follows it, bends it and breaks it: nothing crashes, and
whatever is answered is written there."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from django.core.cache import caches
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections, transaction
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiJsonRenderer
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.pytest.lazy import get_all_tests
from schemathesis.specs.openapi.checks import content_type_conformance, status_code_conformance

from tests.house.event import House
from tournament.accounts.services import make_token

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance]
EXAMPLES = settings(max_examples=5, deadline=None, suppress_health_check=list(HealthCheck), database=None)


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
