"""What a writer is told while a backup is put back: nothing is taken that would be gone a moment later."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from config.front.answers import turned_away
from tournament.base.database import is_replaced

READS: Final = frozenset({"GET", "HEAD", "OPTIONS"})
AGAIN: Final = 5
"""Seconds."""


class WritersWait:
    """Middleware: 503 for a write during a restore. Who reads sees what stands, until it is replaced as a whole."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.method not in READS and is_replaced():
            return _wait(request)
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """A write that had begun before, and could not get to the database."""
        return _wait(request) if isinstance(exception, DatabaseError) and is_replaced() else None


def _wait(request: HttpRequest) -> HttpResponse:
    said = _("Not saved: a backup is being put back. Try again in a moment.")
    return turned_away(request, 503, said, seconds=AGAIN)
