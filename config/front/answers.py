"""What a person, or a program, is told whose request was turned away at the door."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from config.front.bodies import TOO_LARGE
from scoring.refusals import CONTENT_TYPE, problem


class TooLargeIsSaid:
    """Middleware: 413 for a request whose body was left out."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        most = getattr(request, "scope", {}).get(TOO_LARGE)
        if most is None:
            return self.get_response(request)
        megabytes = most // (1024 * 1024)
        said = _("Not saved: more than {megabytes} MB cannot be sent.").format(megabytes=megabytes)
        return turned_away(request, 413, said, megabytes=megabytes)


def turned_away(
    request: HttpRequest, status: int, said: str, *, seconds: int | None = None, **context: object
) -> HttpResponse:
    """`said` to a program, as problem+json; to a person the page of that status, with `context`. Nothing was done.

    `seconds`: when to come back.
    """
    answer: HttpResponse
    if request.path.startswith("/api/"):
        answer = JsonResponse(problem(status, said, []), status=status, content_type=CONTENT_TYPE)
    else:
        answer = render(request, f"{status}.html", context, status=status)
    if seconds is not None:
        answer["Retry-After"] = str(seconds)
    return answer
