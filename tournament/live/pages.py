"""A page as it goes over the wire: caught once from Django, packed once, sent to everybody."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from config.front import first_visit

Message = Mapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Headers = tuple[tuple[bytes, bytes], ...]

POLICY = first_visit.POLICY.lower().encode()
WORTH_PACKING = 1024
"""Bytes from which a body is compressed."""
_SAID_WITHOUT_BODY = frozenset({b"etag", b"cache-control", b"vary", b"content-location", b"expires"})
"""The headers of a 304 (RFC 9110 §15.4.5)."""

_NOT_NEEDED = frozenset(
    {b"content-length", b"content-language", b"allow", b"x-frame-options", b"ratelimit", b"ratelimit-policy"}
)
"""Said anew, or in the page itself, or by the content security policy, or of another's request; each costs more than
finding the page."""


@dataclass(frozen=True)
class Answer:
    """What Django said to one request."""

    status: int
    headers: Headers
    body: bytes

    @property
    def is_for_everybody(self) -> bool:
        """Whether it is a page, and sets nothing in the browser of the one who asked."""
        return self.status == 200 and not any(name.lower() == b"set-cookie" for name, _value in self.headers)


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

    @property
    def size(self) -> int:
        return sum(len(form[1]["body"]) for form in (self.plain, self.packed, self.first))

    def answer(self, headers: Mapping[bytes, bytes]) -> tuple[Message, Message]:
        """What to send to who asked with these headers: the page, or 304 to who has it."""
        if self.etag and self.etag in headers.get(b"if-none-match", b""):
            return self.same
        if b"gzip" not in headers.get(b"accept-encoding", b""):
            return self.plain
        return self.packed if first_visit.has_been_here(headers) else self.first


def no_body() -> Receive:
    """The `receive` of a request without a body, whose reader never leaves: others may wait for the page as well."""
    told = False

    async def receive() -> Message:
        nonlocal told
        if told:
            await asyncio.Event().wait()
        told = True
        return {"type": "http.request", "body": b"", "more_body": False}

    return receive


def pack(answer: Answer, tournament_id: int, version: int, until: float) -> Page:
    """Everything that is ever sent of this page. Takes milliseconds for a long one: call it off the event loop."""
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
    ordinary = _message(200, headers | _packed(etag), packed) if packed else plain
    return Page(
        tournament_id,
        version,
        until,
        etag,
        plain,
        ordinary,
        _first(headers, answer.body) or ordinary,
        _message(304, {name: value for name, value in headers.items() if name in _SAID_WITHOUT_BODY}, None),
    )


def _first(headers: Mapping[bytes, bytes], body: bytes) -> tuple[Message, Message] | None:
    """The page with its sheet inside; None where there is nothing to put there."""
    policy = headers.get(POLICY)
    made = first_visit.dressed(body) if policy else None
    if not (policy and made):
        return None
    kept = {name: value for name, value in headers.items() if name != b"etag"}
    said = {POLICY: made.policy(policy.decode()).encode()} | _packed(b"")
    return _message(200, kept | said, _compressed(made.body))


def _compressed(body: bytes) -> bytes:
    return gzip.compress(body, 6, mtime=0)


def _packed(etag: bytes) -> dict[bytes, bytes]:
    return {b"content-encoding": b"gzip"} | ({b"etag": b"W/" + etag} if etag else {})


def _message(status: int, headers: Mapping[bytes, bytes], body: bytes | None) -> tuple[Message, Message]:
    length = [] if body is None else [(b"content-length", str(len(body)).encode())]
    start = {"type": "http.response.start", "status": status, "headers": [*headers.items(), *length]}
    return start, {"type": "http.response.body", "body": body or b""}
