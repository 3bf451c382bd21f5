"""Gives each request an id, for its log lines and its response, and logs a line for each at INFO."""

import logging
import re
import secrets
import time
from collections.abc import Mapping
from typing import Any, Final

from django.conf import settings

from config.front.addresses import is_in_networks
from config.front.asgi import App, Receive, Scope, Send
from config.log_lines import MAX_REFUSAL_LENGTH, request_id

logger = logging.getLogger(__name__)

HEADER: Final = b"x-request-id"
VALID_ID: Final = re.compile(r"[\w.:-]{8,128}", re.ASCII)


def with_request_lines(app: App) -> App:
    async def application(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await app(scope, receive, send)
            return
        id_, started, status = request_id_of(scope), time.monotonic(), 0

        async def answer(message: Mapping[str, Any]) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message = {**message, "headers": [*message.get("headers", ()), (HEADER, id_.encode())]}
            await send(message)

        token = request_id.set(id_)
        try:
            await app(scope, receive, answer)
        finally:
            _write(scope, status, time.monotonic() - started)
            request_id.reset(token)

    return application


def request_id_of(scope: Scope) -> str:
    """Return the X-Request-ID of a trusted proxy, else a new id."""
    value: str = dict(scope["headers"]).get(HEADER, b"").decode("latin-1")
    peer = (scope.get("client") or ("",))[0]
    if VALID_ID.fullmatch(value) and is_in_networks(peer, settings.TRUSTED_PROXIES):
        return value
    return secrets.token_hex(8)


def _write(scope: Scope, status: int, seconds: float) -> None:
    """Log a request without its query, which may contain somebody's search."""
    if logger.isEnabledFor(logging.INFO):
        fields = {
            "method": scope["method"],
            # Escaped, as Django does, so that a line break in a path does not start a log line.
            "path": scope["path"][:MAX_REFUSAL_LENGTH].encode("unicode_escape").decode("ascii"),
            "status": status,
            "ms": round(seconds * 1000),
        }
        logger.info("%s %s: %d in %d ms", *fields.values(), extra=fields)
