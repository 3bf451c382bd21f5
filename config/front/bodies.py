"""How large a request may be: it is turned away before anything of it is written to a disk.

More than a form's worth is for whoever may bring a backup (who may restore it), a whole tournament (who makes
tournaments) or a picture for certificates (an organiser, who is told at its field when it is too large).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Final

from asgiref.sync import sync_to_async
from django.conf import settings
from django.contrib.auth import get_user
from django.db import close_old_connections
from django.urls import Resolver404, resolve, reverse
from rest_framework.exceptions import AuthenticationFailed

from tournament.accounts import setup_code
from tournament.accounts.sign_in import SCHEMES, ByToken
from tournament.base import access
from tournament.base.access import Actor, visit_with
from tournament.base.models.tournament import Tournament
from tournament.exchange.event_file.format import MOST_BYTES
from tournament.live.pages import App, Message, Receive, Scope, Send, no_body

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
