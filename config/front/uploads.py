"""Who may bring more than a form's worth, at the address where it goes: a backup, by whoever may restore it; a whole
tournament, by whoever makes tournaments; a picture for certificates, by an organiser, who is told at its field when it
is too large."""

from __future__ import annotations

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
        found = resolve(path)
    except Resolver404:
        return None
    return str(found.kwargs["slug"]) if found.url_name == _CERTIFICATES else None


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
            user, found = ByToken().authenticate_credentials(token.strip().encode())
            return access.can_create(Actor.of(user, access.grant_of(found)))
        return access.can_create(Actor.of(get_user(visit_with(cookies))))
    except AuthenticationFailed:
        return False
    finally:
        close_old_connections()
