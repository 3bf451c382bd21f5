"""The keys of cached pages, and their responses as bytes. Nothing here needs models."""

from __future__ import annotations

import gzip
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

from django.conf import settings
from django.http import HttpRequest
from django.http.cookie import parse_cookie
from django.utils.translation import get_language_from_request

from config.front import delivery
from config.front.asgi import Message, Scope
from tournament.base import requests

# --- Page keys ---


CACHED_PATHS = re.compile(r"/(?:t|api/v1/tournaments)/[-\w]+/.*")
MAX_QUERY_LENGTH = 200
MAX_KEY_LENGTH = 1000
"""Bytes of a key's parts that a visitor chooses; longer requests are left to Django."""
MAX_MEMOIZED_LENGTH = 1000
"""Bytes of cookies and languages; the key of longer ones is not memoized."""
PERSONAL = frozenset({b"authorization", b"range", b"hx-request"})
"""Headers of requests that are left to Django."""
_SITE = (b"host", b"x-forwarded-proto", b"x-forwarded-host")
"""Headers from which absolute addresses follow, as in a QR code."""
_READER = (b"accept", b"accept-language", b"cookie")

RequestHeaders = Mapping[bytes, bytes]
Appearance = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class PageKey:
    """Everything that a cached page may depend on: address, language, appearance.

    Django renders the page from the key alone, so it cannot contain anything of its first reader. Requests that
    depend on more (a session, htmx, a token) bypass the cache.
    """

    path: str
    query: bytes
    scheme: str
    site: tuple[bytes | None, ...]
    accept: bytes
    language: str
    appearance: Appearance

    @cached_property
    def _hash(self) -> int:
        return hash((self.path, self.query, self.site, self.language))

    def __hash__(self) -> int:
        return self._hash  # computed once, since memoized keys are reused

    def scope(self, scope: Scope) -> Scope:
        """Return the scope of an anonymous request for this page."""
        cookies = "; ".join(f"{name}={value}" for name, value in self.appearance)
        headers = [
            *((name, value) for name, value in zip(_SITE, self.site, strict=True) if value is not None),
            (b"accept", self.accept or b"*/*"),
            (b"accept-language", self.language.encode()),
            (b"cookie", cookies.encode()),
        ]
        return scope | {"headers": headers}


def page_key(scope: Scope, headers: RequestHeaders) -> PageKey | None:
    """Return the key of the requested page; None if only Django can answer."""
    if scope["method"] != "GET" or not PERSONAL.isdisjoint(headers):
        return None
    path, query, scheme = scope["path"], scope["query_string"], scope["scheme"]
    site = tuple(headers.get(name) for name in _SITE)
    accept, languages, cookie = (headers.get(name, b"") for name in _READER)
    if len(path) + len(query) + len(accept) + sum(len(part or b"") for part in site) > MAX_KEY_LENGTH:
        return None
    is_short = len(languages) + len(cookie) <= MAX_MEMOIZED_LENGTH
    build = _memoized_page_key if is_short else _page_key
    return build(path, query, scheme, site, accept, languages, cookie)


def _page_key(
    path: str,
    query: bytes,
    scheme: str,
    site: tuple[bytes | None, ...],
    accept: bytes,
    accept_language: bytes,
    cookie: bytes,
) -> PageKey | None:
    if len(query) > MAX_QUERY_LENGTH or not CACHED_PATHS.fullmatch(path):
        return None
    reader = _reader(cookie, accept_language)
    if reader is None:
        return None
    # Only the API's responses depend on Accept.
    return PageKey(path, query, scheme, site, accept if path.startswith("/api/") else b"", *reader)


_memoized_page_key = lru_cache(maxsize=8192)(_page_key)


def _reader(cookie: bytes, accept_language: bytes) -> tuple[str, Appearance] | None:
    """Return the reader's language and appearance; None if they are signed in or have a message waiting."""
    request = HttpRequest()
    request.COOKIES = parse_cookie(cookie.decode("latin-1"))
    if settings.SESSION_COOKIE_NAME in request.COOKIES or "messages" in request.COOKIES:
        return None
    request.META["HTTP_ACCEPT_LANGUAGE"] = accept_language.decode("latin-1")
    language = get_language_from_request(request)
    appearance = dict(requests.appearance_of(request))
    if delivery.COOKIE in request.COOKIES:
        appearance[delivery.COOKIE] = "1"
    return language, tuple(sorted(appearance.items()))


# --- Responses ---


ResponseHeaders = tuple[tuple[bytes, bytes], ...]

MIN_COMPRESSED = 1024
"""Bytes from which a body is compressed."""
_HEADERS_OF_304 = frozenset({b"etag", b"cache-control", b"vary", b"content-location", b"expires"})
"""RFC 9110 §15.4.5."""

_DROPPED_HEADERS = frozenset(
    {b"content-length", b"content-language", b"allow", b"x-frame-options", b"ratelimit", b"ratelimit-policy"}
)
"""Headers that are set anew, redundant, or about another request. Sending one costs more than finding the page."""


@dataclass(frozen=True)
class RecordedResponse:
    """Django's response to one request."""

    status: int
    headers: ResponseHeaders
    body: bytes

    @property
    def messages(self) -> tuple[Message, Message]:
        start = {"type": "http.response.start", "status": self.status, "headers": self.headers}
        return start, {"type": "http.response.body", "body": self.body}

    @property
    def is_public_page(self) -> bool:
        """Whether it is a page that sets no cookies."""
        return self.status == 200 and not self.sets_cookies

    @property
    def sets_cookies(self) -> bool:
        return any(name.lower() == b"set-cookie" for name, _value in self.headers)


class ResponseRecorder:
    """An ASGI `send` that records the whole response."""

    def __init__(self) -> None:
        self._start: Message = {}
        self._pieces: list[bytes] = []

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._start = message
        elif message["type"] == "http.response.body":
            self._pieces.append(message.get("body", b""))

    @property
    def response(self) -> RecordedResponse:
        return RecordedResponse(self._start["status"], tuple(self._start["headers"]), b"".join(self._pieces))


@dataclass(frozen=True)
class Page:
    """A page of one version of a tournament, valid until `until` (Unix time) or the next write that concerns it."""

    tournament_id: int
    version: int
    until: float
    places: str
    etag: bytes
    plain: tuple[Message, Message]
    compressed: tuple[Message, Message]
    not_modified: tuple[Message, Message]
    """The 304."""

    @property
    def size(self) -> int:
        return sum(len(variant[1]["body"]) for variant in (self.plain, self.compressed))

    def response_for(self, headers: Mapping[bytes, bytes]) -> tuple[Message, Message]:
        """Return the response to a request with these headers: a variant of the page, or 304."""
        if self.etag and self.etag in headers.get(b"if-none-match", b""):
            return self.not_modified
        return self.compressed if b"gzip" in headers.get(b"accept-encoding", b"") else self.plain


def build_page(
    response: RecordedResponse, tournament_id: int, version: int, until: float, places: str
) -> Page:
    """Prepare all variants of a page. Takes milliseconds for a long page: call it off the event loop."""
    headers = {name.lower(): value for name, value in response.headers}
    vary = headers.get(b"vary", b"")
    if b"immutable" in headers.get(b"cache-control", b""):
        vary = b""  # its address changes with its content, whatever the cookies
    if b"accept-encoding" not in vary.lower():
        headers[b"vary"] = vary + b", Accept-Encoding" if vary else b"Accept-Encoding"
    for name in _DROPPED_HEADERS:
        headers.pop(name, None)
    compressed = _compressed(response.body) if len(response.body) >= MIN_COMPRESSED else b""
    # Compared without `W/`, which marks compressed variants.
    etag = headers.get(b"etag", b"").removeprefix(b"W/")
    plain = _message(200, headers, response.body)
    return Page(
        tournament_id,
        version,
        until,
        places,
        etag,
        plain,
        _message(200, headers | _gzip_headers(etag), compressed) if compressed else plain,
        _message(304, {name: value for name, value in headers.items() if name in _HEADERS_OF_304}, None),
    )


def _compressed(body: bytes) -> bytes:
    return gzip.compress(body, 6, mtime=0)


def _gzip_headers(etag: bytes) -> dict[bytes, bytes]:
    return {b"content-encoding": b"gzip"} | ({b"etag": b"W/" + etag} if etag else {})


def _message(status: int, headers: Mapping[bytes, bytes], body: bytes | None) -> tuple[Message, Message]:
    length = [] if body is None else [(b"content-length", str(len(body)).encode())]
    start = {"type": "http.response.start", "status": status, "headers": [*headers.items(), *length]}
    return start, {"type": "http.response.body", "body": body or b""}
