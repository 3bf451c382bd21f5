"""Limits of request bodies: size, speed, and memory of all of them together.

A body that is too large is refused before any of it is written to disk. Views that take larger files say so, and
from whom (`largest_by`).
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from time import monotonic
from typing import Any, Final, Self, TypeVar

from asgiref.sync import sync_to_async
from django.conf import settings
from django.contrib.auth import get_user
from django.db import close_old_connections
from django.urls import Resolver404, resolve

from config.front.asgi import App, Message, Receive, Scope, Send, no_body, request_from_cookies
from config.front.limits import Budget, Refused, Visitor, visitor_of

View = TypeVar("View", bound=Callable[..., Any])
TOO_LARGE: Final = "hule.too_large"
"""Scope key of a request whose body was too large and left out; the limit in bytes."""
_BODY_HEADERS: Final = frozenset({b"content-length", b"content-type", b"transfer-encoding"})

PAUSE_SECONDS: Final = 30.0
"""Longest wait for the next part of a body."""
RATE: Final = 2048
"""Bytes a second that a body needs on average after `PAUSE_SECONDS`; a phone with a poor signal manages it."""
MEMORY: Final = 128 * 1024 * 1024
MEMORY_PER_ADDRESS: Final = 32 * 1024 * 1024
MEMORY_PER_ACCOUNT: Final = 32 * 1024 * 1024
"""Bytes of bodies in memory: of all visitors who are not signed in, of one address, and of one account."""


async def _form_limit(_scope: Scope) -> int:
    limit: int = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    return limit


def with_small_bodies(app: App, largest: Callable[[Scope], Awaitable[int]] = _form_limit) -> App:
    """Wrap an application so that no body is larger than `largest(scope)` bytes or slower than `RATE`.

    If the Content-Length is too large, `app` answers without a body, with `TOO_LARGE` in the scope; a body without a
    length is `Refused` as soon as it is too large (`with_limits` answers that). Bodies that may be larger than a form
    do not count towards the memory.
    """
    memory = Budget("bytes for bodies", MEMORY, MEMORY_PER_ADDRESS, MEMORY_PER_ACCOUNT)

    async def guarded(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await app(scope, receive, send)
            return
        limit = await largest(scope)
        if _content_length(scope) > limit:
            headers = [(name, value) for name, value in scope["headers"] if name not in _BODY_HEADERS]
            await app(scope | {"headers": headers, TOO_LARGE: limit}, no_body(), send)
            return
        is_counted = limit <= settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        with _Body(receive, limit, memory if is_counted else None, visitor_of(scope)) as body:
            await app(scope, body.receive, send)

    return guarded


def _content_length(scope: Scope) -> int:
    length = dict(scope["headers"]).get(b"content-length", b"")
    return int(length) if length.isdigit() and len(length) < 19 else 0


class _Body:
    """The body of a request being received. `receive` raises `Refused` if it is too large, too slow or incomplete."""

    def __init__(self, receive: Receive, limit: int, memory: Budget | None, visitor: Visitor) -> None:
        self._receive, self._limit, self._memory, self._visitor = receive, limit, memory, visitor
        self._began = monotonic()
        self._size = self._reserved = 0
        self._is_whole = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._memory is not None:
            self._memory.release(self._visitor, self._reserved)

    async def receive(self) -> Message:
        if self._is_whole:
            return await self._receive()
        try:
            async with asyncio.timeout(PAUSE_SECONDS):
                message = await self._receive()
        except TimeoutError:
            raise Refused(408, "The request did not come.") from None
        if message["type"] == "http.disconnect":  # the server cannot read the body, or the client has gone
            raise Refused(400, "The request is incomplete or cannot be read.")
        self._is_whole = not message.get("more_body", False)
        self._count(len(message.get("body", b"")))
        return message

    def _count(self, size: int) -> None:
        self._size += size
        if self._size > self._limit:
            raise Refused(413, "This is too large to be sent here.")
        if self._memory is not None:
            self._memory.acquire(self._visitor, size)
            self._reserved += size
        seconds = monotonic() - self._began
        if not self._is_whole and seconds > PAUSE_SECONDS and self._size < RATE * seconds:
            raise Refused(408, "The request came too slowly.")


def largest_by(limit: Callable[..., int | None]) -> Callable[[View], View]:
    """Decorate a view whose POST may be larger than a form: `limit(request, **kwargs)` in bytes, or None for no more.

    It is asked before Django's middleware: the request has a session, a user and an Authorization header, no body.
    A class has a static method `largest_body` instead.
    """

    def decorate(view: View) -> View:
        view.largest_body = limit  # type: ignore[attr-defined]
        return view

    return decorate


async def largest_body(scope: Scope) -> int:
    """Return how many bytes this request may send."""
    form_limit = await _form_limit(scope)
    if scope["method"] != "POST":
        return form_limit
    try:
        match = resolve(scope["path"])
    except Resolver404:
        return form_limit
    limit = getattr(getattr(match.func, "view_class", match.func), "largest_body", None)
    if limit is None:
        return form_limit
    headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
    largest = await sync_to_async(_ask, thread_sensitive=False)(limit, headers, match.kwargs)
    return form_limit if largest is None else largest


def _ask(
    limit: Callable[..., int | None], headers: Mapping[bytes, str], kwargs: Mapping[str, Any]
) -> int | None:
    close_old_connections()
    try:
        request = request_from_cookies(headers.get(b"cookie", ""))
        request.user = get_user(request)
        request.META["HTTP_AUTHORIZATION"] = headers.get(b"authorization", "")
        return limit(request, **kwargs)
    finally:
        close_old_connections()
