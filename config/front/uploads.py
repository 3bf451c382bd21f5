"""Who may bring more than a form's worth: a backup, by whoever may restore it, at the address where it goes."""

from __future__ import annotations

from typing import Any, Final

from asgiref.sync import sync_to_async
from django.conf import settings
from django.contrib.auth import get_user
from django.db import close_old_connections
from django.urls import reverse

from tournament import access
from tournament.access import Actor, setup_code
from tournament.access.visits import visit_with

CODE_KNOWN: Final = "setup_code"
"""In the session of a first visit: the code that was typed."""


async def largest_body(scope: dict[str, Any]) -> int:
    """Bytes that this request may bring. Anybody else's large body is turned away before any of it is kept."""
    usual: int = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    path = scope["path"]
    if scope["method"] != "POST" or path not in (
        reverse("organiser_backup_upload"),
        reverse("setup_restore"),
    ):
        return usual
    cookies = dict(scope["headers"]).get(b"cookie", b"").decode("latin-1")
    may = await sync_to_async(_may_bring_a_backup, thread_sensitive=False)(path, cookies)
    return settings.BACKUP_UPLOAD_MB * 1024 * 1024 if may else usual


def _may_bring_a_backup(path: str, cookies: str) -> bool:
    close_old_connections()
    try:
        visit = visit_with(cookies)
        if path == reverse("setup_restore"):
            return setup_code.check(str(visit.session.get(CODE_KNOWN, "")))
        return access.can_keep_backups(Actor.of(get_user(visit)))
    finally:
        close_old_connections()
