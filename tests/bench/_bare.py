"""A minimal ASGI application: the same body for every request, of BODY bytes."""

import os
from typing import Any

_BODY = b"x" * int(os.environ.get("BODY", "1"))
_HEADERS = [(b"content-type", b"text/html; charset=utf-8"), (b"content-length", str(len(_BODY)).encode())]


async def application(scope: dict[str, Any], receive: Any, send: Any) -> None:
    if scope["type"] == "http":
        await send({"type": "http.response.start", "status": 200, "headers": _HEADERS})
        await send({"type": "http.response.body", "body": _BODY})
