"""What a kept page may depend on: the address, the language, the look. Nothing else of a request is handed on.

A request that brings more than that (somebody signed in, a part of a page asked for, an own token) is not asked of the
shelf at all. So a kept page cannot carry anything of the reader for whom it was drawn.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from http.cookies import CookieError
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.http.cookie import parse_cookie
from django.utils.translation import get_language_from_request

from tournament.display import appearance

PLACES = re.compile(r"/(?:t|api/v1/tournaments)/[-\w]+/.*")
LONGEST_QUERY = 200
PERSONAL = frozenset({b"authorization", b"range", b"hx-request"})
"""Headers of a request that is answered by Django itself."""
_ABOUT_THE_SITE = frozenset({b"host", b"x-forwarded-proto", b"x-forwarded-host"})
"""What absolute addresses in a page, as in its QR code, follow from."""


@dataclass(frozen=True)
class Asked:
    """One page in one language and look. Equal ones are answered by the same bytes."""

    path: str
    query: bytes
    scheme: str
    site: tuple[tuple[bytes, bytes], ...]
    accept: bytes
    language: str
    look: tuple[tuple[str, str], ...]

    def scope(self, scope: dict[str, Any]) -> dict[str, Any]:
        """The request of a reader about whom nothing else is known."""
        cookies = "; ".join(f"{name}={value}" for name, value in self.look)
        headers = [
            *self.site,
            (b"accept", self.accept or b"*/*"),
            (b"accept-language", self.language.encode()),
            (b"cookie", cookies.encode()),
        ]
        return scope | {"headers": headers}


@dataclass(frozen=True)
class Reader:
    """What of the reader decides how the answer is sent."""

    has: bytes
    """If-None-Match, as it came."""
    takes_gzip: bool


def read(scope: dict[str, Any]) -> tuple[Asked, Reader] | None:
    """What is asked, and by what kind of reader; None when the request is for Django alone."""
    path = scope["path"]
    if scope["method"] != "GET" or len(scope["query_string"]) > LONGEST_QUERY or not PLACES.fullmatch(path):
        return None
    headers: dict[bytes, bytes] = dict(scope["headers"])
    if not PERSONAL.isdisjoint(headers):
        return None
    known = _known(headers.get(b"cookie", b""), headers.get(b"accept-language", b""))
    if known is None:
        return None
    language, look = known
    site = tuple((name, value) for name, value in scope["headers"] if name in _ABOUT_THE_SITE)
    accept = headers.get(b"accept", b"") if path.startswith("/api/") else b""
    asked = Asked(path, scope["query_string"], scope["scheme"], site, accept, language, look)
    return asked, Reader(headers.get(b"if-none-match", b""), b"gzip" in headers.get(b"accept-encoding", b""))


@lru_cache(maxsize=4096)
def _known(cookie: bytes, accept_language: bytes) -> tuple[str, tuple[tuple[str, str], ...]] | None:
    """The reader's language and look; None for somebody signed in, or to whom a message is still to be shown."""
    request = HttpRequest()
    try:
        request.COOKIES = parse_cookie(cookie.decode("latin-1"))
    except CookieError:
        return None
    if settings.SESSION_COOKIE_NAME in request.COOKIES or "messages" in request.COOKIES:
        return None
    request.META["HTTP_ACCEPT_LANGUAGE"] = accept_language.decode("latin-1")
    language = get_language_from_request(request)
    return language, tuple(sorted(appearance.appearance_of(request).items()))
