"""What a kept public page may depend on, and its bytes as they go over the wire. Nothing here needs models."""

from __future__ import annotations

import asyncio
import gzip
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.http.cookie import parse_cookie
from django.utils.translation import get_language_from_request

from config.front import delivery
from tournament.base import requests

# --- Page keys ---


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

RequestHeaders = Mapping[bytes, bytes]
Look = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class PageKey:
    """What a kept page may depend on: the address, the language, the look. Equal keys are answered by the same bytes.

    Nothing else of a request is handed on. A request that brings more than that (somebody signed in, a part of a page
    asked for, an own token) is not asked of the cache at all. So a kept page cannot carry anything of the reader for
    whom it was rendered.
    """

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

    def scope(self, scope: Scope) -> Scope:
        """The request of a reader about whom nothing else is known."""
        cookies = "; ".join(f"{name}={value}" for name, value in (*self.look, (delivery.COOKIE, "1")))
        headers = [
            *((name, value) for name, value in zip(_SITE, self.site, strict=True) if value is not None),
            (b"accept", self.accept or b"*/*"),
            (b"accept-language", self.language.encode()),
            (b"cookie", cookies.encode()),
        ]
        return scope | {"headers": headers}


def page_key(scope: Scope, headers: RequestHeaders) -> PageKey | None:
    """Return the key of the page that is asked for; None when the request is for Django alone."""
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
    reader = _reader(cookie, accept_language)
    if reader is None:
        return None
    # Pages are the same whatever the browser accepts; the API answers in the form that was asked for.
    return PageKey(path, query, scheme, site, accept if path.startswith("/api/") else b"", *reader)


_remembered = lru_cache(maxsize=8192)(_page_key)


def _reader(cookie: bytes, accept_language: bytes) -> tuple[str, Look] | None:
    """The reader's language and look; None for somebody signed in, or to whom a message is still to be shown."""
    request = HttpRequest()
    request.COOKIES = parse_cookie(cookie.decode("latin-1"))
    if settings.SESSION_COOKIE_NAME in request.COOKIES or "messages" in request.COOKIES:
        return None
    request.META["HTTP_ACCEPT_LANGUAGE"] = accept_language.decode("latin-1")
    language = get_language_from_request(request)
    return language, tuple(sorted(requests.appearance_of(request).items()))


# --- Pages on the wire ---


Scope = dict[str, Any]
Message = Mapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]
ResponseHeaders = tuple[tuple[bytes, bytes], ...]

POLICY = delivery.POLICY.lower().encode()
WORTH_PACKING = 1024
"""Bytes from which a body is compressed."""
_HEADERS_OF_304 = frozenset({b"etag", b"cache-control", b"vary", b"content-location", b"expires"})
"""RFC 9110 §15.4.5."""

_NOT_NEEDED = frozenset(
    {b"content-length", b"content-language", b"allow", b"x-frame-options", b"ratelimit", b"ratelimit-policy"}
)
"""Headers that are set anew, said in the page itself or by the content security policy, or about another request. Each
costs more than finding the page."""


@dataclass(frozen=True)
class Answer:
    """Django's response to one request."""

    status: int
    headers: ResponseHeaders
    body: bytes

    @property
    def messages(self) -> tuple[Message, Message]:
        start = {"type": "http.response.start", "status": self.status, "headers": self.headers}
        return start, {"type": "http.response.body", "body": self.body}

    @property
    def is_for_everybody(self) -> bool:
        """Whether it is a page, and sets nothing in the browser of the one who asked."""
        return self.status == 200 and not self.sets_cookies

    @property
    def sets_cookies(self) -> bool:
        return any(name.lower() == b"set-cookie" for name, _value in self.headers)


class Catch:
    """The `send` of a request whose answer is wanted whole."""

    def __init__(self) -> None:
        self._start: Message = {}
        self._pieces: list[bytes] = []

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._start = message
        elif message["type"] == "http.response.body":
            self._pieces.append(message.get("body", b""))

    @property
    def answer(self) -> Answer:
        return Answer(self._start["status"], tuple(self._start["headers"]), b"".join(self._pieces))


@dataclass(frozen=True)
class Page:
    """A page of one version of a tournament, good until `until` (a Unix time) unless something is written before."""

    tournament_id: int
    version: int
    until: float
    etag: bytes
    plain: tuple[Message, Message]
    packed: tuple[Message, Message]
    first: tuple[Message, Message]
    """Packed, for who comes for the first time."""
    same: tuple[Message, Message]
    """The 304."""

    @property
    def size(self) -> int:
        return sum(len(form[1]["body"]) for form in (self.plain, self.packed, self.first))

    def answer(self, headers: Mapping[bytes, bytes]) -> tuple[Message, Message]:
        """What to send to who asked with these headers: the page, or 304 to who has it."""
        if self.etag and self.etag in headers.get(b"if-none-match", b""):
            return self.same
        if b"gzip" not in headers.get(b"accept-encoding", b""):
            return self.plain
        return self.packed if delivery.has_visited(headers) else self.first


def no_body() -> Receive:
    """The `receive` of a request without a body, whose reader never leaves: others may wait for the page as well."""
    sent = False

    async def receive() -> Message:
        nonlocal sent
        if sent:
            await asyncio.Event().wait()
        sent = True
        return {"type": "http.request", "body": b"", "more_body": False}

    return receive


def pack(answer: Answer, tournament_id: int, version: int, until: float) -> Page:
    """Prepare all that is ever sent of this page. Takes milliseconds for a long one: call it off the event loop."""
    headers = {name.lower(): value for name, value in answer.headers}
    vary = headers.get(b"vary", b"")
    if b"accept-encoding" not in vary.lower():
        headers[b"vary"] = vary + b", Accept-Encoding" if vary else b"Accept-Encoding"
    for name in _NOT_NEEDED:
        headers.pop(name, None)
    packed = _compressed(answer.body) if len(answer.body) >= WORTH_PACKING else b""
    # What is compared is the part between the quotes: `W/` is put before it where the bytes were packed.
    etag = headers.get(b"etag", b"").removeprefix(b"W/")
    plain = _message(200, headers, answer.body)
    ordinary = _message(200, headers | _packed_headers(etag), packed) if packed else plain
    return Page(
        tournament_id,
        version,
        until,
        etag,
        plain,
        ordinary,
        _first_visit(headers, answer.body) or ordinary,
        _message(304, {name: value for name, value in headers.items() if name in _HEADERS_OF_304}, None),
    )


def _first_visit(headers: Mapping[bytes, bytes], body: bytes) -> tuple[Message, Message] | None:
    """Build the page with its style sheet inside, for a first visit; None where there is none to put in."""
    policy = headers.get(POLICY)
    inlined = delivery.inline_sheet(body) if policy else None
    if not (policy and inlined):
        return None
    headers_without_etag = {name: value for name, value in headers.items() if name != b"etag"}
    changed = {POLICY: inlined.policy(policy.decode()).encode()} | _packed_headers(b"")
    return _message(200, headers_without_etag | changed, _compressed(inlined.body))


def _compressed(body: bytes) -> bytes:
    return gzip.compress(body, 6, mtime=0)


def _packed_headers(etag: bytes) -> dict[bytes, bytes]:
    return {b"content-encoding": b"gzip"} | ({b"etag": b"W/" + etag} if etag else {})


def _message(status: int, headers: Mapping[bytes, bytes], body: bytes | None) -> tuple[Message, Message]:
    length = [] if body is None else [(b"content-length", str(len(body)).encode())]
    start = {"type": "http.response.start", "status": status, "headers": [*headers.items(), *length]}
    return start, {"type": "http.response.body", "body": body or b""}
