"""How often programs may ask: by token, and strangers by where they are.

Whoever is signed in in a browser is counted nowhere, so a hall full of desks behind one address never meets a limit.
Answers say what is left, as draft-ietf-httpapi-ratelimit-headers-10 has it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from scoring.engine.problems import Problem
from tournament.base.errors import TooMany
from tournament.base.limits import MINUTE, Left, Quota
from tournament.base.models.people import ApiToken
from tournament.base.requests import place_of


@dataclass(frozen=True)
class Counted:
    """A request that was counted: by which quota, and what is left of it."""

    quota: Quota
    left: Left

    def headers(self) -> dict[str, str]:
        name, left = self.quota.of.removeprefix("api-"), self.left
        return {
            "RateLimit-Policy": f'"{name}";q={self.quota.most};w={MINUTE}',
            "RateLimit": f'"{name}";r={max(left.more, 0)};t={left.seconds}',
        }


class Rates(BaseThrottle):
    """What every address of the API asks before it does anything."""

    def allow_request(self, request: Request, view: object) -> bool:
        if isinstance(token := request.auth, ApiToken):
            _count(request, Quota("api-token", settings.API_RATE_TOKEN), token.digest[:16])
        elif not request.user.is_authenticated:
            count_stranger(request)
        return True


def count_stranger(request: Request) -> None:
    """Count one more from there by nobody who is known: without a token, or with one that is none."""
    _count(request, Quota("api-address", settings.API_RATE_ADDRESS), place_of(request._request))


def _count(request: Request, quota: Quota, place: str) -> None:
    """Count one more; raises TooMany. A quota of 0 is none."""
    if not quota.most:
        return
    left = quota.count(place)
    request._request.counted = Counted(quota, left)  # type: ignore[attr-defined]  # for `TellWhatIsLeft`
    if left.more < 0:
        raise TooMany(Problem("requests_too_many", "", {"seconds": left.seconds}), left.seconds)


class TellWhatIsLeft:
    """Middleware: the answer to a request that was counted says so."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if isinstance(counted := getattr(request, "counted", None), Counted):
            for name, value in counted.headers().items():
                response.headers[name] = value
        return response
