"""Limits of request bodies: size, speed, and memory of all of them together.

A body that is too large is refused before any of it is written to disk. Larger bodies are allowed for a backup (of
who may restore it), a whole tournament (of who may create tournaments) and a picture for certificates (of an
organiser, whose form reports a picture that is too large).
"""

import asyncio
from collections.abc import Awaitable, Callable
from time import monotonic
from typing import Any, Final, Self

from asgiref.sync import sync_to_async
from django.conf import settings
from django.contrib.auth import get_user
from django.db import close_old_connections
from django.urls import Resolver404, resolve, reverse
from rest_framework.exceptions import AuthenticationFailed

from config.front.limits import Budget, Refused, Visitor, visitor_of
from tournament.accounts import setup_code
from tournament.accounts.sign_in import SCHEMES, TokenAuthentication
from tournament.base import access
from tournament.base.access import Actor, request_from_cookies
from tournament.base.models.tournament import Tournament
from tournament.exchange.event_file.reading import MAX_BYTES
from tournament.live.pages import App, Message, Receive, Scope, Send, no_body

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


BACKUP_URLS: Final = ("organiser_backup_upload", "setup_restore")
EVENT_URLS: Final = ("organiser_from_file", "api_tournament_files")
FORM_OVERHEAD: Final = 1024 * 1024
"""Allowance for a form's other fields, so that the form reports a file that is a little too large."""
SETUP_CODE_KEY: Final = "setup_code"
"""Session key of the setup code that was typed."""

PICTURE: Final = 32 * 1024 * 1024
"""Bytes. Enough for a camera's picture, so that the form can report it without losing its other fields."""
_CERTIFICATES_URL: Final = "organiser_certificates"


async def largest_body(scope: dict[str, Any]) -> int:
    """Return how many bytes this request may send."""
    form_limit: int = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    path = scope["path"]
    if scope["method"] != "POST":
        return form_limit
    headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
    cookies, token = headers.get(b"cookie", ""), headers.get(b"authorization", "")
    if (slug := _certificates_slug(path)) is not None:
        is_allowed = await sync_to_async(_can_organise, thread_sensitive=False)(slug, cookies)
        return PICTURE if is_allowed else form_limit
    if path in map(reverse, EVENT_URLS):
        is_allowed = await sync_to_async(_can_upload_event, thread_sensitive=False)(cookies, token)
        return MAX_BYTES + FORM_OVERHEAD if is_allowed else form_limit
    if path not in map(reverse, BACKUP_URLS):
        return form_limit
    is_allowed = await sync_to_async(_can_upload_backup, thread_sensitive=False)(path, cookies)
    return settings.BACKUP_UPLOAD_MB * 1024 * 1024 if is_allowed else form_limit


def _certificates_slug(path: str) -> str | None:
    """Return the slug of the tournament whose certificates page this is, or None."""
    if not path.endswith("/documents/certificates/"):
        return None
    try:
        match = resolve(path)
    except Resolver404:
        return None
    return str(match.kwargs["slug"]) if match.url_name == _CERTIFICATES_URL else None


def _can_organise(slug: str, cookies: str) -> bool:
    close_old_connections()
    try:
        tournament = Tournament.objects.filter(slug=slug).first()
        return tournament is not None and access.can_organise(
            Actor.of(get_user(request_from_cookies(cookies))), tournament
        )
    finally:
        close_old_connections()


def _can_upload_backup(path: str, cookies: str) -> bool:
    close_old_connections()
    try:
        visit = request_from_cookies(cookies)
        if path == reverse("setup_restore"):
            return setup_code.check(str(visit.session.get(SETUP_CODE_KEY, "")))
        return access.can_manage_backups(Actor.of(get_user(visit)))
    finally:
        close_old_connections()


def _can_upload_event(cookies: str, authorization: str) -> bool:
    close_old_connections()
    kind, _, token = authorization.partition(" ")
    try:
        if kind.lower() in SCHEMES:
            user, api_token = TokenAuthentication().authenticate_credentials(token.strip().encode())
            return access.can_create(Actor.of(user, access.token_grant(api_token)))
        return access.can_create(Actor.of(get_user(request_from_cookies(cookies))))
    except AuthenticationFailed:
        return False
    finally:
        close_old_connections()
