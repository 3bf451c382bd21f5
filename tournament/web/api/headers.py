"""Headers that stand for a field of the body: for programs whose library repeats and compares by the standard's own.

`Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header) is the `uuid` of what is written, `If-Match` (RFC 9110)
the `table_version` that was seen. Where both are said, the body counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from rest_framework.request import Request
from rest_framework.serializers import Serializer

KEY: Final = "Idempotency-Key"
MATCH: Final = "If-Match"
STANDS_FOR: Final = {KEY: "uuid", MATCH: "table_version"}


@cache
def fields_of(form: type[Serializer[Any]]) -> Any:
    """Of a form without a context. Made once: they keep nothing of what they read, and to make them takes longer than
    reading does."""
    return form().fields


def body_of(request: Request, form: type[Serializer[Any]]) -> Any:
    """The body, with the fields that the headers say in its place."""
    body = request.data
    if not isinstance(body, Mapping):
        return body
    said = {
        field: _unquoted(request.headers[header])
        for header, field in STANDS_FOR.items()
        if header in request.headers and field not in body and field in fields_of(form)
    }
    return {**body, **{field: value for field, value in said.items() if value != "*"}} if said else body


def _unquoted(said: str) -> str | int:
    text = said.strip().removeprefix("W/").strip('"')
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else text
