"""Each request has an id, which is in all its lines of the log and in its answer; and at INFO a line of its own."""

import logging
import re
import secrets
import time
from collections.abc import Mapping
from typing import Any, Final

from django.conf import settings

from config.log_lines import LONGEST, request_id
from tournament.base.requests import is_among
from tournament.live.pages import App, Receive, Scope, Send

logger = logging.getLogger(__name__)

HEADER: Final = b"x-request-id"
GIVEN: Final = re.compile(r"[\w.:-]{8,128}", re.ASCII)


def with_request_lines(app: App) -> App:
    async def told(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await app(scope, receive, send)
            return
        mine, begun, status = id_of(scope), time.monotonic(), 0

        async def answer(message: Mapping[str, Any]) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message = {**message, "headers": [*message.get("headers", ()), (HEADER, mine.encode())]}
            await send(message)

        before = request_id.set(mine)
        try:
            await app(scope, receive, answer)
        finally:
            _write(scope, status, time.monotonic() - begun)
            request_id.reset(before)

    return told


def id_of(scope: Scope) -> str:
    """As our own proxy says, which writes it into its log too; else a new one. Nobody else names our lines."""
    given: str = dict(scope["headers"]).get(HEADER, b"").decode("latin-1")
    peer = (scope.get("client") or ("",))[0]
    if GIVEN.fullmatch(given) and is_among(peer, settings.TRUSTED_PROXIES):
        return given
    return secrets.token_hex(8)


def _write(scope: Scope, status: int, seconds: float) -> None:
    """Write the line of a request, without the query, which may be somebody's search."""
    if logger.isEnabledFor(logging.INFO):
        fields = {
            "method": scope["method"],
            # As Django does: a path that came with an escaped line break is no second line.
            "path": scope["path"][:LONGEST].encode("unicode_escape").decode("ascii"),
            "status": status,
            "ms": round(seconds * 1000),
        }
        logger.info("%s %s: %d in %d ms", *fields.values(), extra=fields)
