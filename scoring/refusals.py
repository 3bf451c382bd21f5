"""How every address says no to a program: `application/problem+json` (RFC 9457), each fault at its place."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from http import HTTPStatus
from typing import Any

from rest_framework.response import Response

from scoring.engine.problems import Problem
from scoring.texts import problem_sentence

CONTENT_TYPE = "application/problem+json"
Fault = dict[str, Any]


def faults(problems: Iterable[Problem], say: Callable[[Problem], str] = problem_sentence) -> list[Fault]:
    """[{"code", "where", "message", "params"}]: each problem with its sentence in the reader's language."""
    return [
        {"code": one.code, "where": one.where, "message": say(one), "params": dict(one.params)}
        for one in problems
    ]


def refusal(status: int, detail: str, problems: list[Fault], **more: Any) -> Response:
    """{"title", "status", "detail", "problems"} and whatever else helps to go on."""
    return Response(problem(status, detail, problems, **more), status=status, content_type=CONTENT_TYPE)


def problem(status: int, detail: str, problems: list[Fault], **more: Any) -> dict[str, Any]:
    """The body of a refusal, for what is answered before the framework of the addresses is reached."""
    title = HTTPStatus(status).phrase
    return {"title": title, "status": status, "detail": detail, "problems": problems} | more
