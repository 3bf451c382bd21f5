"""The OpenAPI schema describes every endpoint, and the server keeps to it on any input."""

import pytest
from django.urls import reverse
from drf_spectacular.generators import SchemaGenerator
from rest_framework.test import APIClient

from tests.house.addresses import patterns


def test_the_schema_has_every_address_without_a_warning(capsys: pytest.CaptureFixture[str]) -> None:
    schema = SchemaGenerator().get_schema(request=None, public=True)
    described = [path for path in schema["paths"] if path.startswith("/api/v1/")]
    assert len(described) == len([route for route, _ in patterns() if route.startswith("api/v1/")])
    assert capsys.readouterr().err == ""


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["api_schema", "api_docs"])
def test_the_documentation_is_public(name: str) -> None:
    assert APIClient().get(reverse(name)).status_code == 200
