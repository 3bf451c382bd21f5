"""How large a request's body may be, how long it may take, and how much memory all of them together.

It is turned away before anything of it is written to a disk.

More than a form's worth is for whoever may bring a backup (who may restore it), a whole tournament (who makes
tournaments) or a picture for certificates (an organiser, who is told at its field when it is too large).
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

from config.front.limits import Budget, Refused, signed_in
from tournament.accounts import setup_code
from tournament.accounts.sign_in import SCHEMES, ByToken
from tournament.base import access
from tournament.base.access import Actor, visit_with
from tournament.base.models.tournament import Tournament
from tournament.base.requests import place_at, visitor_in
from tournament.exchange.event_file.format import MOST_BYTES
from tournament.live.pages import App, Message, Receive, Scope, Send, no_body

TOO_LARGE: Final = "hule.too_large"
"""In the scope of a request whose body was too large and has been left out: the most it may have, in bytes."""
_ABOUT_BODY: Final = frozenset({b"content-length", b"content-type", b"transfer-encoding"})

PAUSE_SECONDS: Final = 30.0
"""Longest wait for the next bytes of a body."""
RATE: Final = 2048
"""Bytes a second that a body has to bring on average, from `PAUSE_SECONDS` on. A phone with a poor signal does."""
MEMORY: Final = 128 * 1024 * 1024
MEMORY_OF_ONE: Final = 32 * 1024 * 1024
"""Bytes of strangers' bodies that are held until they are answered: of all, and of one address."""


async def _as_forms_need(_scope: Scope) -> int:
    most: int = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    return most


def with_small_bodies(app: App, largest: Callable[[Scope], Awaitable[int]] = _as_forms_need) -> App:
    """The application that hands no body over `largest` on, which is asked of each request, nor one that dawdles.

    One that says its size is answered by `app` itself, which finds `TOO_LARGE` in the scope; one that does not, as no
    browser sends it, is `Refused` as soon as it is too large (`with_limits` answers that). Who is signed in, or may
    bring more than others, is not counted among those who share the memory.
    """
    memory = Budget("bytes for bodies", MEMORY, MEMORY_OF_ONE)

    async def guarded(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await app(scope, receive, send)
            return
        most = await largest(scope)
        if _said(scope) > most:
            headers = [(name, value) for name, value in scope["headers"] if name not in _ABOUT_BODY]
            await app(scope | {"headers": headers, TOO_LARGE: most}, no_body(), send)
            return
        is_counted = most <= settings.DATA_UPLOAD_MAX_MEMORY_SIZE and not signed_in.has_sent(scope)
        with _Body(receive, most, memory if is_counted else None, place_at(visitor_in(scope))) as body:
            await app(scope, body.receive, send)

    return guarded


def _said(scope: Scope) -> int:
    length = dict(scope["headers"]).get(b"content-length", b"")
    return int(length) if length.isdigit() and len(length) < 19 else 0


class _Body:
    """The body of one request as it comes in. `receive` raises `Refused` for one that is not read to its end."""

    def __init__(self, receive: Receive, most: int, memory: Budget | None, place: str) -> None:
        self._receive, self._most, self._memory, self._place = receive, most, memory, place
        self._began = monotonic()
        self._size = self._held = 0
        self._is_whole = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._memory is not None:
            self._memory.give_back(self._place, self._held)

    async def receive(self) -> Message:
        if self._is_whole:
            return await self._receive()
        try:
            async with asyncio.timeout(PAUSE_SECONDS):
                message = await self._receive()
        except TimeoutError:
            raise Refused(408, "The request did not come.") from None
        self._is_whole = not message.get("more_body", False)
        self._count(len(message.get("body", b"")))
        return message

    def _count(self, size: int) -> None:
        self._size += size
        if self._size > self._most:
            raise Refused(413, "This is too large to be sent here.")
        if self._memory is not None:
            self._memory.take(self._place, size)
            self._held += size
        seconds = monotonic() - self._began
        if not self._is_whole and seconds > PAUSE_SECONDS and self._size < RATE * seconds:
            raise Refused(408, "The request came too slowly.")


BACKUP: Final = ("organiser_backup_upload", "setup_restore")
EVENT: Final = ("organiser_from_file", "api_tournament_files")
AROUND: Final = 1024 * 1024
"""What a form puts around a file: one of the largest is then told so in a sentence."""
CODE_KNOWN: Final = "setup_code"
"""In the session of a first visit: the code that was typed."""

PICTURE: Final = 32 * 1024 * 1024
"""Bytes: what a camera makes comes through, so that the words sent with it are not lost."""
_CERTIFICATES: Final = "organiser_certificates"


async def largest_body(scope: dict[str, Any]) -> int:
    """Bytes that this request may bring. Anybody else's large body is turned away before any of it is kept."""
    usual: int = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    path = scope["path"]
    if scope["method"] != "POST":
        return usual
    headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
    cookies, token = headers.get(b"cookie", ""), headers.get(b"authorization", "")
    if (slug := _of_certificates(path)) is not None:
        may = await sync_to_async(_organises, thread_sensitive=False)(slug, cookies)
        return PICTURE if may else usual
    if path in map(reverse, EVENT):
        may = await sync_to_async(_may_bring_an_event, thread_sensitive=False)(cookies, token)
        return MOST_BYTES + AROUND if may else usual
    if path not in map(reverse, BACKUP):
        return usual
    may = await sync_to_async(_may_bring_a_backup, thread_sensitive=False)(path, cookies)
    return settings.BACKUP_UPLOAD_MB * 1024 * 1024 if may else usual


def _of_certificates(path: str) -> str | None:
    """The tournament whose certificates are at this address."""
    if not path.endswith("/documents/certificates/"):
        return None
    try:
        match = resolve(path)
    except Resolver404:
        return None
    return str(match.kwargs["slug"]) if match.url_name == _CERTIFICATES else None


def _organises(slug: str, cookies: str) -> bool:
    close_old_connections()
    try:
        tournament = Tournament.objects.filter(slug=slug).first()
        return tournament is not None and access.can_organise(
            Actor.of(get_user(visit_with(cookies))), tournament
        )
    finally:
        close_old_connections()


def _may_bring_a_backup(path: str, cookies: str) -> bool:
    close_old_connections()
    try:
        visit = visit_with(cookies)
        if path == reverse("setup_restore"):
            return setup_code.check(str(visit.session.get(CODE_KNOWN, "")))
        return access.can_keep_backups(Actor.of(get_user(visit)))
    finally:
        close_old_connections()


def _may_bring_an_event(cookies: str, authorization: str) -> bool:
    close_old_connections()
    kind, _, token = authorization.partition(" ")
    try:
        if kind.lower() in SCHEMES:
            user, api_token = ByToken().authenticate_credentials(token.strip().encode())
            return access.can_create(Actor.of(user, access.grant_of(api_token)))
        return access.can_create(Actor.of(get_user(visit_with(cookies))))
    except AuthenticationFailed:
        return False
    finally:
        close_old_connections()
