"""What a kept page may depend on: the address, the language, the look. Nothing else of a request is handed on.

A request that brings more than that (somebody signed in, a part of a page asked for, an own token) is not asked of the
cache at all. So a kept page cannot carry anything of the reader for whom it was rendered.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.http.cookie import parse_cookie
from django.utils.translation import get_language_from_request

from config.front import first_visit
from tournament.base import appearance

PLACES = re.compile(r"/(?:t|api/v1/tournaments)/[-\w]+/.*")
LONGEST_QUERY = 200
LONGEST_KEY = 1000
"""Bytes of what a kept page depends on and every visitor may choose: what is longer is asked of Django."""
LONGEST_REMEMBERED = 1000
"""Bytes of a browser's cookies and languages. What is longer is read anew each time, and not held."""
PERSONAL = frozenset({b"authorization", b"range", b"hx-request"})
"""Headers of a request that is answered by Django itself."""
_SITE = (b"host", b"x-forwarded-proto", b"x-forwarded-host")
"""What absolute addresses in a page, as in its QR code, follow from."""
_READER = (b"accept", b"accept-language", b"cookie")

Headers = Mapping[bytes, bytes]
Look = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class PageKey:
    """One page in one language and look. Equal ones are answered by the same bytes."""

    path: str
    query: bytes
    scheme: str
    site: tuple[bytes | None, ...]
    accept: bytes
    language: str
    look: Look

    @cached_property
    def _hash(self) -> int:
        return hash((self.path, self.query, self.site, self.language))

    def __hash__(self) -> int:
        return self._hash  # once an object: the same ones are asked for thousands of times

    def scope(self, scope: dict[str, Any]) -> dict[str, Any]:
        """The request of a reader about whom nothing else is known."""
        cookies = "; ".join(f"{name}={value}" for name, value in (*self.look, (first_visit.COOKIE, "1")))
        headers = [
            *((name, value) for name, value in zip(_SITE, self.site, strict=True) if value is not None),
            (b"accept", self.accept or b"*/*"),
            (b"accept-language", self.language.encode()),
            (b"cookie", cookies.encode()),
        ]
        return scope | {"headers": headers}


def page_key(scope: dict[str, Any], headers: Headers) -> PageKey | None:
    """What is asked; None when the request is for Django alone. `headers` are those of the scope."""
    if scope["method"] != "GET" or not PERSONAL.isdisjoint(headers):
        return None
    path, query, scheme = scope["path"], scope["query_string"], scope["scheme"]
    site = tuple(headers.get(name) for name in _SITE)
    accept, languages, cookie = (headers.get(name, b"") for name in _READER)
    if len(path) + len(query) + len(accept) + sum(len(part or b"") for part in site) > LONGEST_KEY:
        return None
    is_short = len(languages) + len(cookie) <= LONGEST_REMEMBERED
    read = _remembered if is_short else _page_key
    return read(path, query, scheme, site, accept, languages, cookie)


def _page_key(
    path: str,
    query: bytes,
    scheme: str,
    site: tuple[bytes | None, ...],
    accept: bytes,
    accept_language: bytes,
    cookie: bytes,
) -> PageKey | None:
    if len(query) > LONGEST_QUERY or not PLACES.fullmatch(path):
        return None
    known = _known(cookie, accept_language)
    if known is None:
        return None
    # Pages are the same whatever the browser accepts; the API answers in the form that was asked for.
    return PageKey(path, query, scheme, site, accept if path.startswith("/api/") else b"", *known)


_remembered = lru_cache(maxsize=8192)(_page_key)


def _known(cookie: bytes, accept_language: bytes) -> tuple[str, Look] | None:
    """The reader's language and look; None for somebody signed in, or to whom a message is still to be shown."""
    request = HttpRequest()
    request.COOKIES = parse_cookie(cookie.decode("latin-1"))
    if settings.SESSION_COOKIE_NAME in request.COOKIES or "messages" in request.COOKIES:
        return None
    request.META["HTTP_ACCEPT_LANGUAGE"] = accept_language.decode("latin-1")
    language = get_language_from_request(request)
    return language, tuple(sorted(appearance.appearance_of(request).items()))
