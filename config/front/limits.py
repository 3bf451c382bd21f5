"""Limits per address: open connections, live streams, memory of bodies.

An ASGI middleware, so that it works behind every server; the server itself limits requests whose head is incomplete
(docs/adr/0029-granian-and-limits-per-address.md). Signed-in users are not counted: a flood from the hall's router must
not keep an umpire from saving.
"""

import asyncio
import hashlib
import logging
import resource
import time
from collections import Counter, OrderedDict
from typing import Final

from django.conf import settings
from django.http.cookie import parse_cookie

from tournament.base.requests import address_key, visitor_address
from tournament.live.pages import App, Message, Receive, Scope, Send

logger = logging.getLogger(__name__)

# --- Number of connections ---

RESERVED_FILES: Final = 400
"""Open files besides connections: the database, one a thread, and files being sent."""
MAX_CONNECTIONS: Final = 20_000
MAX_FILES: Final = 65_536


def raise_file_limit() -> None:
    """Raise this process's limit of open files to at most `MAX_FILES`."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = MAX_FILES if hard == resource.RLIM_INFINITY else min(hard, MAX_FILES)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def connections() -> int:
    """Return how many connections the limit of open files allows."""
    soft, _hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = MAX_CONNECTIONS if soft == resource.RLIM_INFINITY else soft - RESERVED_FILES
    return max(50, min(most, MAX_CONNECTIONS))


# --- Who is signed in ---

MAX_KNOWN: Final = 10_000


class SignedIn:
    """Hashes of the last `MAX_KNOWN` credentials (session keys, API tokens) that Django has accepted."""

    def __init__(self) -> None:
        self._known: OrderedDict[bytes, None] = OrderedDict()

    def __contains__(self, key: bytes) -> bool:
        return key in self._known

    def add(self, key: bytes) -> None:
        self._known[key] = None
        if len(self._known) > MAX_KNOWN:
            self._known.popitem(last=False)

    def remove(self, key: bytes) -> None:
        self._known.pop(key, None)

    def clear(self) -> None:
        self._known.clear()

    def has_sent(self, scope: Scope) -> bool:
        """Return whether this request carries a known credential."""
        headers = dict(scope["headers"])
        token = headers.get(b"authorization", b"").decode("latin-1")
        cookie = headers.get(b"cookie", b"").decode("latin-1")
        session = parse_cookie(cookie).get(settings.SESSION_COOKIE_NAME, "") if cookie else ""
        return key_of(token, session) in self._known


signed_in: Final = SignedIn()
"""Of this process; another one learns a credential at its first request there."""


def key_of(token: str, session: str) -> bytes:
    """Return the hash of a request's credential, or b"" without one."""
    credential = token or session
    return hashlib.sha256(credential.encode()).digest() if credential else b""


# --- Budgets ---


class Refused(Exception):
    """A request that is answered with one line of text before Django, and its connection closed."""

    def __init__(self, status: int, sentence: str, *, retry_after: int | None = None) -> None:
        super().__init__(sentence)
        self.status = status
        self._sentence = sentence
        self._retry_after = retry_after

    async def answer(self, send: Send) -> None:
        headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"connection", b"close")]
        if self._retry_after is not None:
            headers.append((b"retry-after", b"%d" % self._retry_after))
        await send({"type": "http.response.start", "status": self.status, "headers": headers})
        await send({"type": "http.response.body", "body": self._sentence.encode()})


RETRY_AFTER: Final = 10
"""Seconds."""
WARN_EVERY: Final = 60.0
"""Seconds; a warning for every visitor would fill the disk."""


class Budget:
    """An amount that visitors who are not signed in share: `total`, and `per_address` (0: no limit).

    No address gets more than half of the total, whatever the settings allow. All calls from the event loop's thread.
    """

    def __init__(self, name: str, total: int, per_address: int) -> None:
        self._name = name
        self._total = total
        self._per_address = min(per_address, total // 2) if per_address else total
        self._taken = 0
        self._by_place: Counter[str] = Counter()
        self._warned_at = float("-inf")

    def acquire(self, place: str, amount: int = 1) -> None:
        """Take this amount. Raises `Refused` when the budget or the address's part of it is used up."""
        if self._by_place[place] + amount > self._per_address:
            self._warn("One address has taken all its %s (%d). If it is a proxy, name it in TRUSTED_PROXIES.")
            raise Refused(
                429, "Too much from your network at once. Try again in a moment.", retry_after=RETRY_AFTER
            )
        if self._taken + amount > self._total:
            self._warn("All %s for visitors who are not signed in are taken (%d).", self._total)
            raise Refused(503, "Too many visitors at once. Try again in a moment.", retry_after=RETRY_AFTER)
        self._by_place[place] += amount
        self._taken += amount

    def release(self, place: str, amount: int = 1) -> None:
        self._taken -= amount
        self._by_place[place] -= amount
        if not self._by_place[place]:
            del self._by_place[place]

    def _warn(self, sentence: str, most: int | None = None) -> None:
        if time.monotonic() - self._warned_at >= WARN_EVERY:
            self._warned_at = time.monotonic()
            logger.warning(sentence, self._name, self._per_address if most is None else most)


# --- The middleware ---

LIVE: Final = "/live/"
SHARE_OF_STRANGERS: Final = 7 / 8
"""Part of all connections. The rest is for signed-in users, and for connections without a request."""
STALL_SECONDS: Final = 30.0
"""After this long without reading, a client counts as gone. The live stream has a shorter limit of its own."""


class ClientStalled(OSError):
    """The client does not read the response."""


def with_limits(app: App, max_connections: int | None = None) -> App:
    """Wrap an application with the limits of connections and live streams for each address."""
    total = int((connections() if max_connections is None else max_connections) * SHARE_OF_STRANGERS)
    connections_budget = Budget("connections", total, settings.CONNECTIONS_PER_ADDRESS)
    streams_budget = Budget("live streams", total, settings.STREAMS_PER_ADDRESS)

    async def limited(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await app(scope, receive, send)
            return
        place = "" if signed_in.has_sent(scope) else address_key(visitor_address(scope))
        is_stream = scope["path"].startswith(LIVE)
        acquired: list[Budget] = []
        try:
            for budget in (connections_budget, streams_budget) if is_stream else (connections_budget,):
                if place:
                    budget.acquire(place)
                    acquired.append(budget)
            await app(scope, receive, send if is_stream else _with_send_timeout(send))
        except Refused as refused:
            await refused.answer(send)
        except ClientStalled:
            logger.debug("The client does not read %s.", scope["path"])
        finally:
            for budget in acquired:
                budget.release(place)

    return limited


def _with_send_timeout(send: Send) -> Send:
    """Give up on a streamed response that the client does not read; others are not timed."""

    async def send_in_time(message: Message) -> None:
        if not message.get("more_body"):
            await send(message)
            return
        try:
            async with asyncio.timeout(STALL_SECONDS):
                await send(message)
        except TimeoutError:
            raise ClientStalled from None

    return send_in_time
