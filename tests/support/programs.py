"""Programs that ask the API, each with a token of an account."""

from functools import cache
from typing import Any

from drf_spectacular.generators import SchemaGenerator
from rest_framework.test import APIClient

from tournament.accounts.services import make_token

ROOT = "/api/v1/tournaments/"


class Program(APIClient):
    """What it sends is JSON; without a token it is a stranger's."""

    default_format = "json"


def client_of(user: Any) -> Program:
    program = Program()
    program.credentials(HTTP_AUTHORIZATION=f"Token {make_token(user)[1]}")
    return program


def codes_of(response: Any) -> list[str]:
    return [problem["code"] for problem in response.json()["problems"]]


def refusal(response: Any) -> tuple[int, list[str]]:
    """The status of a refused request, and its problems' codes."""
    return response.status_code, codes_of(response)


@cache
def published_schema() -> Any:
    return SchemaGenerator().get_schema(request=None, public=True)
