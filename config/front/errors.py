"""Responses for requests that are refused before a view, and for addresses that do not exist."""

import sqlite3
import sys
from collections.abc import Callable
from typing import Final

from django.db import DatabaseError, OperationalError
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.views import defaults

from config.front.bodies import TOO_LARGE
from config.readiness import is_restoring
from scoring.refusals import CONTENT_TYPE, Fault, problem

API_PREFIX: Final = "/api/"
"""Below it errors are problem+json, elsewhere pages."""


class RequestTooLarge:
    """Middleware: 413 for a request whose body was left out as too large."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        limit = getattr(request, "scope", {}).get(TOO_LARGE)
        if limit is None:
            return self.get_response(request)
        megabytes = limit // (1024 * 1024)
        sentence = _("Not saved: more than {megabytes} MB cannot be sent.").format(megabytes=megabytes)
        return refusal_response(request, 413, sentence, megabytes=megabytes)


def refusal_response(
    request: HttpRequest, status: int, sentence: str, *, seconds: int | None = None, **context: object
) -> HttpResponse:
    """Return `sentence` as problem+json for the API, else that status' page. `seconds` is the Retry-After."""
    response: HttpResponse
    if request.path.startswith(API_PREFIX):
        response = _api_response(status, sentence)
    else:
        response = render(request, f"{status}.html", context, status=status)
    if seconds is not None:
        response["Retry-After"] = str(seconds)
    return response


SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})
RETRY_AFTER: Final = 5
"""Seconds."""


class DatabaseUnavailable:
    """Middleware: 503 for a write during a restore, whose reads have the old data, and while the database is locked."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.method not in SAFE_METHODS and is_restoring():
            return _restore_response(request)
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Return 503 for a write that had begun before the restore and lost the database, or waited in vain for it."""
        if isinstance(exception, DatabaseError) and is_restoring():
            return _restore_response(request)
        return _busy_response(request) if is_busy(exception) else None


def _restore_response(request: HttpRequest) -> HttpResponse:
    sentence = _("Not saved: a backup is being restored. Try again in a moment.")
    return refusal_response(request, 503, sentence, seconds=RETRY_AFTER, is_restoring=True)


def is_busy(error: BaseException | None) -> bool:
    """Return whether the same request may succeed later: SQLite is locked, or PostgreSQL cannot be reached."""
    if not isinstance(error, OperationalError):
        return False
    cause = error.__cause__
    if isinstance(cause, sqlite3.Error):
        # The lowest byte of an extended code is the primary one.
        return cause.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
    return True


def _busy_response(request: HttpRequest) -> HttpResponse:
    """Return 503 without reading the database again, which a page of the user would."""
    response: HttpResponse
    if request.path.startswith(API_PREFIX):
        response = _api_response(503, _("Not saved: the database is busy. Try again in a moment."))
    else:
        response = HttpResponse(render_to_string("503.html"), status=503)
    response["Retry-After"] = str(RETRY_AFTER)
    return response


def server_error(request: HttpRequest) -> HttpResponseBase:
    """Return the 500 page, or problem+json for the API; 503 if middleware waited in vain for the database."""
    if is_busy(sys.exc_info()[1]):
        return _busy_response(request)
    if request.path.startswith(API_PREFIX):
        return _api_response(500, _("Something went wrong on our side"))
    return defaults.server_error(request)


def _api_response(status: int, sentence: str) -> HttpResponse:
    return JsonResponse(problem(status, sentence, []), status=status, content_type=CONTENT_TYPE)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponseBase:
    """Return the 404 page, or problem+json for the API."""
    if not request.path.startswith(API_PREFIX):
        return defaults.page_not_found(request, exception)
    sentence = _("This page does not exist.")
    fault: Fault = {"code": "not_found", "where": "", "message": sentence, "params": {}}
    return JsonResponse(problem(404, sentence, [fault]), status=404, content_type=CONTENT_TYPE)
