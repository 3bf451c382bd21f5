"""What every address reads, and how it says no: `application/problem+json` (RFC 9457), each fault at its place."""

import re
from collections.abc import Callable, Iterable
from http import HTTPStatus
from typing import Any, TypedDict

from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser
from rest_framework.response import Response

from scoring.engine.problems import Problem
from scoring.texts import problem_sentence

HALF_CHARACTER = re.compile(r"[\ud800-\udfff]")
"""JSON can write half of a pair ("\\ud800"): no text, nothing that could be stored, said back or logged."""


class FlatJSONParser(JSONParser):
    """JSON, and a plain refusal of what is nested too deeply to be read or holds what is no text."""

    def parse(self, *args: Any, **kwargs: Any) -> Any:
        try:
            read = super().parse(*args, **kwargs)
            if _has_half_character(read):
                raise ParseError
            return read
        except RecursionError:
            raise ParseError from None


def _has_half_character(value: Any) -> bool:
    if isinstance(value, str):
        return not value.isascii() and HALF_CHARACTER.search(value) is not None
    if isinstance(value, dict):
        return any(map(_has_half_character, value)) or any(map(_has_half_character, value.values()))
    return isinstance(value, list) and any(map(_has_half_character, value))


CONTENT_TYPE = "application/problem+json"


class Fault(TypedDict):
    """A problem with its sentence in the reader's language."""

    code: str
    where: str
    message: str
    params: dict[str, Any]


def faults(problems: Iterable[Problem], say: Callable[[Problem], str] = problem_sentence) -> list[Fault]:
    """Say each problem."""
    return [
        {
            "code": problem.code,
            "where": problem.where,
            "message": say(problem),
            "params": dict(problem.params),
        }
        for problem in problems
    ]


def refusal(status: int, detail: str, problems: list[Fault], **more: Any) -> Response:
    """{"title", "status", "detail", "problems"} and whatever else helps to go on."""
    return Response(problem(status, detail, problems, **more), status=status, content_type=CONTENT_TYPE)


def problem(status: int, detail: str, problems: list[Fault], **more: Any) -> dict[str, Any]:
    """The body of a refusal, for what is answered before the framework of the addresses is reached."""
    title = HTTPStatus(status).phrase
    return {"title": title, "status": status, "detail": detail, "problems": problems} | more
