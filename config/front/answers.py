"""What a person, or a program, is told whose request was turned away at the door, or leads nowhere."""

from collections.abc import Callable
from typing import Final

from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.defaults import page_not_found

from config.front.bodies import TOO_LARGE
from scoring.refusals import CONTENT_TYPE, Fault, problem
from tournament.base.database import is_replaced

OF_PROGRAMS: Final = "/api/"
"""Addresses under which programs are answered, not people."""


class TooLargeIsSaid:
    """Middleware: 413 for a request whose body was left out."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        most = getattr(request, "scope", {}).get(TOO_LARGE)
        if most is None:
            return self.get_response(request)
        megabytes = most // (1024 * 1024)
        sentence = _("Not saved: more than {megabytes} MB cannot be sent.").format(megabytes=megabytes)
        return turned_away(request, 413, sentence, megabytes=megabytes)


def turned_away(
    request: HttpRequest, status: int, sentence: str, *, seconds: int | None = None, **context: object
) -> HttpResponse:
    """`said` to a program, as problem+json; to a person the page of that status, with `context`. Nothing was done.

    `seconds`: when to come back.
    """
    answer: HttpResponse
    if request.path.startswith(OF_PROGRAMS):
        answer = JsonResponse(problem(status, sentence, []), status=status, content_type=CONTENT_TYPE)
    else:
        answer = render(request, f"{status}.html", context, status=status)
    if seconds is not None:
        answer["Retry-After"] = str(seconds)
    return answer


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
    sentence = _("Not saved: a backup is being put back. Try again in a moment.")
    return turned_away(request, 503, sentence, seconds=AGAIN)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponseBase:
    """Where there is nothing: a page to people, a problem to programs."""
    if not request.path.startswith(OF_PROGRAMS):
        return page_not_found(request, exception)
    sentence = _("There is nothing at this address.")
    fault: Fault = {"code": "not_found", "where": "", "message": sentence, "params": {}}
    return JsonResponse(problem(404, sentence, [fault]), status=404, content_type=CONTENT_TYPE)
