"""How the API says no: 422 with every problem, 409 with what changed, 403 and 404 as usual."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext as _
from rest_framework import status
from rest_framework.response import Response
from rest_framework.views import exception_handler as default_handler

from scoring.engine.problems import Problem
from tournament.errors import Refused, Stale, Unsettled
from tournament.words.problems import sentence


def exception_handler(error: Exception, context: dict[str, Any]) -> Response | None:
    """Refusals of the services become answers; everything else is handled by the framework, or crashes."""
    if isinstance(error, Stale):
        body = as_json(error) | {"table_version": error.version, "changes": error.changes}
        return Response(body, status=status.HTTP_409_CONFLICT)
    if isinstance(error, Unsettled):
        body = as_json(error) | {
            "detail": _("Something is still open. Settle it, or say why you go on: reason.")
        }
        return Response(body, status=status.HTTP_409_CONFLICT)
    if isinstance(error, Refused):
        return Response(as_json(error), status=status.HTTP_422_UNPROCESSABLE_ENTITY)
    return default_handler(error, context)


def as_json(refused: Refused) -> dict[str, Any]:
    """{"detail", "problems": [{"code", "where", "message", "params"}]}: a sentence for each fault, at its place."""
    return {"detail": _("Not saved: nothing has been changed."), "problems": said(refused.problems)}


def said(problems: Iterable[Problem]) -> list[dict[str, Any]]:
    """Each problem with its sentence."""
    return [
        {
            "code": problem.code,
            "where": problem.where,
            "message": sentence(problem),
            "params": dict(problem.params),
        }
        for problem in problems
    ]
