"""Rate limits of the API, by token or, for strangers, by address.

Sessions of browsers are not limited, so that a hall of desks behind one address never meets a limit. Responses have
the headers of draft-ietf-httpapi-ratelimit-headers-10.
"""

from collections.abc import Callable
from math import ceil
from typing import Any, Final

from django.core.cache import caches
from django.http import HttpRequest, HttpResponse
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle

from config.front.addresses import rate_limit_key
from scoring.engine.problems import problem_code
from tournament.base.models.people import ApiToken

REQUESTS_TOO_MANY = problem_code(
    "requests_too_many",
    "Too many requests. Wait {seconds} second, then try again.",
    "Too many requests. Wait {seconds} seconds, then try again.",
    by="seconds",
)


RATE_LIMIT: Final = "hule.rate_limit"
"""Key of the headers to send in `request.META`, which DRF’s request shares with Django’s."""


class _Throttle(SimpleRateThrottle):
    """DRF's throttle, with one counter for each minute of the clock.

    DRF's list of timestamps grows to thousands per address, and loses some if two processes write it at once.
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
            remaining = self.num_requests - limits.incr(key)
        except ValueError:  # it expired in between
            remaining = self.num_requests - 1
        request.META[RATE_LIMIT] = {
            "RateLimit-Policy": f'"{self.scope}";q={self.num_requests};w={self.duration}',
            "RateLimit": f'"{self.scope}";r={max(remaining, 0)};t={self.seconds}',
        }
        return bool(remaining >= 0)

    def wait(self) -> float:
        return self.seconds


class TokenThrottle(_Throttle):
    """Limits each token."""

    scope = "token"

    def get_cache_key(self, request: Request, view: Any) -> str | None:
        token = request.auth
        ident = token.digest[:16] if isinstance(token, ApiToken) else None
        return ident and self.cache_format % {"scope": self.scope, "ident": ident}


class AddressThrottle(_Throttle):
    """Limits addresses of requests without a valid token."""

    scope = "address"

    def get_cache_key(self, request: Request, view: Any) -> str | None:
        if view is not None and request.user.is_authenticated:
            return None
        return self.cache_format % {"scope": self.scope, "ident": rate_limit_key(request)}


def add_rate_limit_headers(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware that adds the headers of rate limits to counted responses."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        for name, value in request.META.get(RATE_LIMIT, {}).items():
            response.headers[name] = value
        return response

    return middleware
