"""Errors of the API as `application/problem+json` (RFC 9457), with a place for each problem, and the JSON parser."""

import re
from collections.abc import Callable, Iterable
from http import HTTPStatus
from typing import Any, TypedDict

from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser
from rest_framework.response import Response

from scoring.engine.problems import Problem
from scoring.texts import problem_sentence

LONE_SURROGATE = re.compile(r"[\ud800-\udfff]")
"""JSON can escape half of a surrogate pair ("\\ud800"), which can be neither stored nor encoded."""


class FlatJSONParser(JSONParser):
    """JSON parser that refuses data nested too deeply or with lone surrogates."""

    def parse(self, *args: Any, **kwargs: Any) -> Any:
        try:
            data = super().parse(*args, **kwargs)
            if _has_lone_surrogate(data):
                raise ParseError
            return data
        except RecursionError:
            raise ParseError from None


def _has_lone_surrogate(value: Any) -> bool:
    if isinstance(value, str):
        return not value.isascii() and LONE_SURROGATE.search(value) is not None
    if isinstance(value, dict):
        return any(map(_has_lone_surrogate, value)) or any(map(_has_lone_surrogate, value.values()))
    return isinstance(value, list) and any(map(_has_lone_surrogate, value))


CONTENT_TYPE = "application/problem+json"


class Fault(TypedDict):
    """A problem with its sentence in the reader's language."""

    code: str
    where: str
    message: str
    params: dict[str, Any]


def faults(problems: Iterable[Problem], sentence: Callable[[Problem], str] = problem_sentence) -> list[Fault]:
    return [
        {
            "code": problem.code,
            "where": problem.where,
            "message": sentence(problem),
            "params": dict(problem.params),
        }
        for problem in problems
    ]


def refusal(status: int, detail: str, problems: list[Fault], **more: Any) -> Response:
    """Return a response {"title", "status", "detail", "problems"} with additional fields."""
    return Response(problem(status, detail, problems, **more), status=status, content_type=CONTENT_TYPE)


def problem(status: int, detail: str, problems: list[Fault], **more: Any) -> dict[str, Any]:
    """Return the body of a refusal, for errors outside Django REST framework."""
    title = HTTPStatus(status).phrase
    return {"title": title, "status": status, "detail": detail, "problems": problems} | more
