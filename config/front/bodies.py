"""No request brings more than it may: it is turned away before anything of it is written to a disk."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Final

from django.conf import settings

from tournament.live.pages import Message, Receive, Send, no_body

Scope = dict[str, Any]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

TOO_LARGE: Final = "hule.too_large"
"""In the scope of a request whose body was too large and has been left out: the most it may have, in bytes."""
_ABOUT_BODY: Final = frozenset({b"content-length", b"content-type", b"transfer-encoding"})


class TooLarge(Exception):
    """A body that did not say its size has grown too large."""


async def _as_forms_need(_scope: Scope) -> int:
    most: int = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    return most


def with_small_bodies(app: App, largest: Callable[[Scope], Awaitable[int]] = _as_forms_need) -> App:
    """The application that hands no body over `largest` on, which is asked of each request.

    One that says its size is answered by `app` itself, which finds `TOO_LARGE` in the scope; one that does not, as no
    browser sends it, by a line as soon as it is too large.
    """

    async def guarded(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await app(scope, receive, send)
            return
        most = await largest(scope)
        if _said(scope) > most:
            headers = [(name, value) for name, value in scope["headers"] if name not in _ABOUT_BODY]
            await app(scope | {"headers": headers, TOO_LARGE: most}, no_body(), send)
        else:
            try:
                await app(scope, _counted(receive, most), send)
            except TooLarge:
                await _refuse(send)

    return guarded


def _said(scope: Scope) -> int:
    length = dict(scope["headers"]).get(b"content-length", b"")
    return int(length) if length.isdigit() and len(length) < 19 else 0


def _counted(receive: Receive, most: int) -> Receive:
    come = 0

    async def counted() -> Message:
        nonlocal come
        message = await receive()
        come += len(message.get("body", b""))
        if come > most:
            raise TooLarge
        return message

    return counted


async def _refuse(send: Send) -> None:
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": 413, "headers": headers})
    await send({"type": "http.response.body", "body": b"This is too large to be sent here."})
