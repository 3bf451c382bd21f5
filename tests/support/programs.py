"""API clients with a token of an account."""

from functools import cache
from typing import Any

from drf_spectacular.generators import SchemaGenerator
from rest_framework.test import APIClient

from tournament.accounts.services import make_token

ROOT = "/api/v1/tournaments/"


class Program(APIClient):
    """An API client that sends JSON; anonymous without a token."""

    default_format = "json"


def client_of(user: Any) -> Program:
    program = Program()
    program.credentials(HTTP_AUTHORIZATION=f"Token {make_token(user)[1]}")
    return program


def codes_of(response: Any) -> list[str]:
    return [problem["code"] for problem in response.json()["problems"]]


def refusal(response: Any) -> tuple[int, list[str]]:
    """Return the status code of a refused request, and the codes of its problems."""
    return response.status_code, codes_of(response)


@cache
def published_schema() -> Any:
    return SchemaGenerator().get_schema(request=None, public=True)
