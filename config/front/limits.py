"""Limits per address and per account: open connections, live streams, memory of bodies.

ASGI middleware, so that it works behind every server; the server itself limits requests whose head is incomplete
(docs/adr/0029-granian-and-limits-per-address.md). Signed-in users do not count towards their address: a flood from the
hall's router must not keep an umpire from saving. Their account has a limit of its own, because players hold the cards.
"""

import asyncio
import hashlib
import logging
import resource
import time
from collections import Counter, OrderedDict
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from django.conf import settings
from django.http.cookie import parse_cookie

from config.front.addresses import address_key, is_in_networks, visitor_address
from config.front.asgi import App, Message, Receive, Scope, Send

logger = logging.getLogger(__name__)

# --- Number of connections ---

RESERVED_FILES: Final = 400
"""Open files besides connections: the database, one a thread, and files being sent."""
MAX_CONNECTIONS: Final = 20_000
MAX_FILES: Final = 65_536


def raise_file_limit() -> None:
    """Raise this process's limit of open files to at most `MAX_FILES`."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    maximum = MAX_FILES if hard == resource.RLIM_INFINITY else min(hard, MAX_FILES)
    if soft != resource.RLIM_INFINITY and soft < maximum:
        resource.setrlimit(resource.RLIMIT_NOFILE, (maximum, hard))


def connections() -> int:
    """Return how many connections the limit of open files allows."""
    soft, _hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    maximum = MAX_CONNECTIONS if soft == resource.RLIM_INFINITY else soft - RESERVED_FILES
    return max(50, min(maximum, MAX_CONNECTIONS))


# --- Who is signed in ---

MAX_KNOWN: Final = 10_000


class SignedIn:
    """The last `MAX_KNOWN` credentials (session keys, API tokens) that Django accepted: their hash and account."""

    def __init__(self) -> None:
        self._accounts: OrderedDict[bytes, str] = OrderedDict()

    def add(self, key: bytes, account: str) -> None:
        self._accounts[key] = account
        self._accounts.move_to_end(key)
        if len(self._accounts) > MAX_KNOWN:
            self._accounts.popitem(last=False)

    def remove(self, key: bytes) -> None:
        self._accounts.pop(key, None)

    def clear(self) -> None:
        self._accounts.clear()

    def account_of(self, key: bytes) -> str:
        """Return the account with this credential, or ""."""
        return self._accounts.get(key, "")


signed_in: Final = SignedIn()
"""Of this process; another one learns a credential at its first request there."""


def key_of(token: str, session: str) -> bytes:
    """Return the hash of a request's credential, or b"" without one."""
    credential = token or session
    return hashlib.sha256(credential.encode()).digest() if credential else b""


class Visitor(NamedTuple):
    """Who is counted: an account by its key, everybody else by address; "" for nobody."""

    key: str
    has_account: bool = False


def visitor_of(scope: Scope) -> Visitor:
    """Return who sent a request. Only a credential that is known belongs to an account."""
    headers = dict(scope["headers"])
    token = headers.get(b"authorization", b"").decode("latin-1")
    cookie = headers.get(b"cookie", b"").decode("latin-1")
    session = parse_cookie(cookie).get(settings.SESSION_COOKIE_NAME, "") if cookie else ""
    if account := signed_in.account_of(key_of(token, session)):
        return Visitor(account, has_account=True)
    return Visitor(address_key(visitor_address(scope)))


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
    """An amount that visitors share: `total` without an account, of it `per_address`, and each account `per_account`.

    All calls from the event loop's thread.
    """

    def __init__(self, name: str, total: int, per_address: int, per_account: int) -> None:
        self._name = name
        self._total = total
        self._per_address = per_address
        self._per_account = per_account
        self._taken = 0
        self._by_visitor: Counter[Visitor] = Counter()
        self._warned_at = float("-inf")

    def acquire(self, visitor: Visitor, amount: int = 1) -> None:
        """Take this amount. Raises `Refused` when the budget or the visitor's part of it is used up."""
        taken = self._by_visitor[visitor] + amount
        if visitor.has_account and taken > self._per_account:
            self._warn("One account has taken all its %s (%d).", self._per_account)
            raise Refused(
                429, "Too much from this account at once. Try again in a moment.", retry_after=RETRY_AFTER
            )
        if not visitor.has_account and taken > self._per_address:
            self._warn(
                "One address has taken all its %s (%d). If it is a proxy, name it in TRUSTED_PROXIES.",
                self._per_address,
            )
            raise Refused(
                429, "Too much from your network at once. Try again in a moment.", retry_after=RETRY_AFTER
            )
        if not visitor.has_account and self._taken + amount > self._total:
            self._warn("All %s for visitors who are not signed in are taken (%d).", self._total)
            raise Refused(503, "Too many visitors at once. Try again in a moment.", retry_after=RETRY_AFTER)
        self._count(visitor, amount)

    def release(self, visitor: Visitor, amount: int = 1) -> None:
        self._count(visitor, -amount)

    def _count(self, visitor: Visitor, amount: int) -> None:
        if not visitor.has_account:
            self._taken += amount
        self._by_visitor[visitor] += amount
        if not self._by_visitor[visitor]:
            del self._by_visitor[visitor]

    def _warn(self, sentence: str, maximum: int) -> None:
        if time.monotonic() - self._warned_at >= WARN_EVERY:
            self._warned_at = time.monotonic()
            logger.warning(sentence, self._name, maximum)


# --- The middleware ---

LIVE: Final = "/live/"
SHARE_OF_STRANGERS: Final = 7 / 8
"""Part of all connections. The rest is for signed-in users, and for connections without a request."""
IDLE_SECONDS: Final = 10
"""The server closes a connection that has been without a request for so long (`config/front/server.py`)."""
STALL_SECONDS: Final = 30.0
"""After this long without reading, a client counts as gone. The live stream has a shorter limit of its own."""


class ClientStalled(OSError):
    """The client does not read the response."""


def _budget(name: str, room: int, per_address: int, per_account: int) -> Budget:
    """Divide the room for connections. 0: no limit; others never exceed half of what visitors or accounts have."""
    total = int(room * SHARE_OF_STRANGERS)
    return Budget(
        name,
        total,
        min(per_address, total // 2) if per_address else total,
        min(per_account, (room - total) // 2) if per_account else room,
    )


def with_limits(app: App, max_connections: int | None = None) -> App:
    """Wrap an application with the limits of requests in progress and live streams."""
    room = connections() if max_connections is None else max_connections
    maximum, per_account = settings.CONNECTIONS_PER_ADDRESS, settings.CONNECTIONS_PER_ACCOUNT
    connections_budget = _budget("connections", room, maximum, per_account)
    streams_budget = _budget("live streams", room, settings.STREAMS_PER_ADDRESS, per_account // 2)

    async def limited(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await app(scope, receive, send)
            return
        visitor = visitor_of(scope)
        is_stream = scope["path"].startswith(LIVE)
        acquired: list[Budget] = []
        try:
            for budget in (connections_budget, streams_budget) if is_stream else (connections_budget,):
                if visitor.key:
                    budget.acquire(visitor)
                    acquired.append(budget)
            await app(scope, receive, send if is_stream else _with_send_timeout(send))
        except Refused as refused:
            await refused.answer(send)
        except ClientStalled:
            logger.debug("The client does not read %s.", scope["path"])
        finally:
            for budget in acquired:
                budget.release(visitor)

    return limited


def with_open_connection_limit(app: App, max_connections: int | None = None) -> App:
    """Wrap an application so that a visitor keeps no more connections open than may be in use at once.

    The server does not tell who connects: a connection counts from its first request until it has been idle for
    `IDLE_SECONDS`. Beyond the limit a request is answered and its connection closed. Those of a proxy are not counted.
    """
    room = connections() if max_connections is None else max_connections
    maximum, per_account = settings.CONNECTIONS_PER_ADDRESS, settings.CONNECTIONS_PER_ACCOUNT
    budget = _budget("open connections", room, maximum, per_account)
    idle: OrderedDict[tuple[str, int], tuple[Visitor, float]] = OrderedDict()

    async def counted(scope: Scope, receive: Receive, send: Send) -> None:
        client = scope.get("client")
        if scope["type"] != "http" or not client or is_in_networks(client[0], settings.TRUSTED_PROXIES):
            await app(scope, receive, send)
            return
        client = tuple(client)
        if client in idle:
            budget.release(idle.pop(client)[0])
        while idle and next(iter(idle.values()))[1] < time.monotonic() - IDLE_SECONDS:
            budget.release(idle.popitem(last=False)[1][0])
        visitor = visitor_of(scope)
        try:
            budget.acquire(visitor)
        except Refused:
            await app(scope, receive, _closing(send))
            return
        try:
            await app(scope, receive, send)
        finally:
            idle[client] = visitor, time.monotonic()

    return counted


def _closing(send: Send) -> Send:
    """Let the server close the connection after the response."""

    async def send_and_close(message: Mapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message.get("headers", ()), (b"connection", b"close")]}
        await send(message)

    return send_and_close


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
