"""Every step of the published schema, asked by a program that follows it, bends it and breaks it: nothing crashes, and
whatever is answered is written there."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiJsonRenderer
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import content_type_conformance, status_code_conformance

from tests.house.event import House
from tournament.services.signed_in import make_token

pytestmark = [pytest.mark.django_db, pytest.mark.thorough]

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance]
ITS_OWN = ("/api/v1/token/",)
"""They end the very token that asks."""


@pytest.fixture(autouse=True)
def one_connection() -> Iterator[None]:
    """The application's own requests would close the test's connection at their end; Django's client does the same."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.fixture
def house(db: None) -> House:
    return House()


def published() -> Any:
    """The schema as programs get it, asked of this very process."""
    written = SchemaGenerator().get_schema(request=None, public=True)
    found = schemathesis.openapi.from_dict(json.loads(OpenApiJsonRenderer().render(written)))
    found.app = get_wsgi_application()
    return found


schema = published()


@schema.parametrize()  # type: ignore[untyped-decorator]
@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck), database=None)
def test_no_step_crashes_or_answers_what_is_not_written(case: Any, house: House) -> None:
    """As the organiser of an event, where what stands in addresses is there."""
    token = make_token(house.people["organiser"])[1]
    there = house.kwargs(house.public)
    case.path_parameters = {
        name: str(there.get(name, value)) for name, value in (case.path_parameters or {}).items()
    }
    case.call_and_validate(checks=CHECKS, headers={"Authorization": f"Token {token}"})
