"""The types of ASGI, and requests that are answered before Django runs."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from importlib import import_module
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.http.cookie import parse_cookie

Scope = dict[str, Any]
Message = Mapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]


def no_body() -> Receive:
    """Return the `receive` of a request without a body that never disconnects, since others may wait for the page."""
    sent = False

    async def receive() -> Message:
        nonlocal sent
        if sent:
            await asyncio.Event().wait()
        sent = True
        return {"type": "http.request", "body": b"", "more_body": False}

    return receive


def request_from_cookies(cookies: str) -> HttpRequest:
    """Return a request with the session of these cookies.

    For what is answered before Django runs; Django's own middleware finds the session in the same way.
    """
    request = HttpRequest()
    key = parse_cookie(cookies).get(settings.SESSION_COOKIE_NAME)
    request.session = import_module(settings.SESSION_ENGINE).SessionStore(key)
    return request
