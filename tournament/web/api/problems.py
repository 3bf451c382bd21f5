"""What the services refuse, and what cannot be read, as refusals: 422 with every problem, 409 with what changed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _
from rest_framework.exceptions import ErrorDetail, NotAuthenticated, ValidationError
from rest_framework.response import Response
from rest_framework.views import exception_handler as default_handler

from scoring.engine.problems import Problem
from scoring.refusals import Fault, faults, refusal
from tournament.base.errors import Refused, Stale, TokenFallsShort, TooMany, Unsettled
from tournament.play.api.state.changes import changes_as_json
from tournament.web.api.headers import MATCH
from tournament.web.texts.problems import sentence

READ_AS = {"not_authenticated": "signed_out", "permission_denied": "forbidden", "max_length": "text_too_long"}
"""The framework's codes → ours; what else it finds in a field is "not_understood"."""
OURS = {"sign_in_wrong", "otp_missing", "otp_wrong"}
"""Codes that mean something to a program as they are."""


def exception_handler(error: Exception, context: dict[str, Any]) -> Response | None:
    """Refusals of the services become answers; everything else is handled by the framework, or crashes."""
    if isinstance(error, Stale):
        facts = {"table_version": error.version, "changes": changes_as_json(error.changes)}
        # RFC 9110 §13.1.1: whoever compares by a header is told so by its own status
        status = 412 if MATCH in context["request"].headers else 409
        return _refused(status, _nothing_changed(), error, **facts, **context["view"].as_it_stands())
    if isinstance(error, Unsettled):
        return _refused(409, _("Something is still open. Settle it, or say why you go on: reason."), error)
    if isinstance(error, TooMany):
        too_many = _refused(429, _nothing_changed(), error)
        too_many.headers["Retry-After"] = str(error.wait)
        return too_many
    if isinstance(error, Refused):
        return _refused(422, _nothing_changed(), error)
    if isinstance(error, TokenFallsShort):
        return _falls_short()
    answer = default_handler(error, context)
    return answer and _of_framework(error, answer)


def _nothing_changed() -> str:
    return _("Not saved: nothing has been changed.")


def _refused(status: int, detail: str, refused: Refused, **more: Any) -> Response:
    return refusal(status, detail, faults(refused.problems, sentence), **more)


def _falls_short() -> Response:
    said = sentence(short := Problem("token_falls_short"))
    answer = refusal(403, said, faults([short], sentence))
    answer.headers["WWW-Authenticate"] = 'Bearer realm="Hule", error="insufficient_scope"'
    return answer


def _of_framework(error: Exception, answer: Response) -> Response:
    found = list(_leaves(answer.data)) if isinstance(error, ValidationError) else [_detail(error, answer)]
    said = refusal(answer.status_code, found[0]["message"], found)
    for name in ("WWW-Authenticate", "Retry-After", "Allow"):
        if name in answer.headers:
            said.headers[name] = answer.headers[name]
    return said


def _detail(error: Exception, answer: Response) -> Fault:
    detail = answer.data["detail"]
    code = READ_AS.get(detail.code, detail.code)
    if isinstance(error, NotAuthenticated):
        detail = _("You are signed out. Sign in again; what you entered stays.")
    return {"code": code, "where": "", "message": str(detail), "params": {}}


def _leaves(found: Any, where: str = "") -> Iterator[Fault]:
    """What is wrong in each field, by its path: "tiles", "fans.all_pungs", "seats.3"."""
    if isinstance(found, ErrorDetail):
        place = where.removesuffix(".non_field_errors").removeprefix("non_field_errors")
        code = str(found.code)
        code = code if code in OURS else READ_AS.get(code, "not_understood")
        yield {"code": code, "where": place, "message": str(found), "params": {}}
        return
    parts = found.items() if isinstance(found, dict) else enumerate(found)
    for name, part in parts:
        # A field's own faults come as a list; a list of fields comes as dicts.
        here = isinstance(found, list) and isinstance(part, ErrorDetail)
        yield from _leaves(part, where if here else f"{where}.{name}".removeprefix("."))
