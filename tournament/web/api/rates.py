"""How often programs may ask: by token, and strangers by where they are.

Whoever is signed in in a browser is counted nowhere, so a hall full of desks behind one address never meets a limit.
Answers say what is left, as draft-ietf-httpapi-ratelimit-headers-10 has it.
"""

from collections.abc import Callable
from math import ceil
from typing import Any

from django.core.cache import caches
from django.http import HttpRequest, HttpResponse
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle

from scoring.engine.problems import problem_code
from tournament.base.models.people import ApiToken
from tournament.base.requests import place_of

REQUESTS_TOO_MANY = problem_code(
    "requests_too_many", "Too many requests came in this minute. Wait {seconds} seconds, then go on."
)


class _Throttle(SimpleRateThrottle):
    """DRF's, but counting each minute of the clock in one number.

    Its own list of moments grows to thousands for each address, and loses some where two processes write it at once.
    """

    num_requests: int
    duration: int
    seconds = 0

    def allow_request(self, request: Request, view: Any) -> bool:
        if self.rate is None or (key := self.get_cache_key(request, view)) is None:
            return True
        limits = caches["limits"]
        self.seconds = ceil(self.duration - self.timer() % self.duration)
        limits.add(key, 0, self.seconds)
        try:
            left = self.num_requests - limits.incr(key)
        except ValueError:  # its minute ended in between
            left = self.num_requests - 1
        request._request.rate_limit = {  # type: ignore[attr-defined]  # for `tell_what_is_left`
            "RateLimit-Policy": f'"{self.scope}";q={self.num_requests};w={self.duration}',
            "RateLimit": f'"{self.scope}";r={max(left, 0)};t={self.seconds}',
        }
        return bool(left >= 0)

    def wait(self) -> float:
        return self.seconds


class TokenThrottle(_Throttle):
    """By a token, wherever it is shown."""

    scope = "token"

    def get_cache_key(self, request: Request, view: Any) -> str | None:
        token = request.auth
        ident = token.digest[:16] if isinstance(token, ApiToken) else None
        return ident and self.cache_format % {"scope": self.scope, "ident": ident}


class AddressThrottle(_Throttle):
    """By address: strangers, and whoever shows a token that is none."""

    scope = "address"

    def get_cache_key(self, request: Request, view: Any) -> str | None:
        if view is not None and request.user.is_authenticated:
            return None
        return self.cache_format % {"scope": self.scope, "ident": place_of(request._request)}


def tell_what_is_left(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: the answer to a request that was counted says so."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        for name, value in getattr(request, "rate_limit", {}).items():
            response.headers[name] = value
        return response

    return middleware
