"""How much of a web process one address may take: connections in use, live streams, memory for bodies.

An ASGI middleware, so that it holds behind every server; until a request's head is complete, the server sees to it
(docs/adr/0029-a-server-for-the-front.md). Whoever is signed in is not counted: a flood from the hall's own router keeps
no umpire from saving.
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

from tournament.base.requests import place_at, visitor_in
from tournament.live.pages import App, Message, Receive, Scope, Send

logger = logging.getLogger(__name__)

# --- How many connections there may be ---

RESERVED_FILES: Final = 400
"""Open files that are not connections: the database's, one a thread, and files that are sent."""
MOST_CONNECTIONS: Final = 20_000
MOST_FILES: Final = 65_536


def raise_file_limit() -> None:
    """Raise this process's limit of open files as far as the system allows."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def connections() -> int:
    """Return how many connections there may be at once, by the limit of open files."""
    soft, _hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = MOST_CONNECTIONS if soft == resource.RLIM_INFINITY else soft - RESERVED_FILES
    return max(50, min(most, MOST_CONNECTIONS))


# --- Who is signed in ---

MOST_KNOWN: Final = 10_000


class SignedIn:
    """What browsers and programs show of themselves (a session's key, a token), once Django has found it good.

    Only hashes are held, the last `MOST_KNOWN` of them. A key that was made up is never among them.
    """

    def __init__(self) -> None:
        self._known: OrderedDict[bytes, None] = OrderedDict()

    def __contains__(self, key: bytes) -> bool:
        return key in self._known

    def add(self, key: bytes) -> None:
        self._known[key] = None
        if len(self._known) > MOST_KNOWN:
            self._known.popitem(last=False)

    def remove(self, key: bytes) -> None:
        self._known.pop(key, None)

    def clear(self) -> None:
        self._known.clear()

    def has_sent(self, scope: Scope) -> bool:
        """Whether this request is somebody's who is signed in."""
        headers = dict(scope["headers"])
        token = headers.get(b"authorization", b"").decode("latin-1")
        cookie = headers.get(b"cookie", b"").decode("latin-1")
        session = parse_cookie(cookie).get(settings.SESSION_COOKIE_NAME, "") if cookie else ""
        return key_of(token, session) in self._known


signed_in: Final = SignedIn()
"""In this process: another one learns it at the first request that Django answers there."""


def key_of(token: str, session: str) -> bytes:
    """Hash what a request shows; empty for a stranger's, which shows nothing."""
    shown = token or session
    return hashlib.sha256(shown.encode()).digest() if shown else b""


# --- Budgets ---


class Refused(Exception):
    """A request that is answered by one line, and its connection closed, before Django is asked."""

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


AGAIN: Final = 10
"""Seconds after which somebody for whom there was no room may come back."""
WARN_EVERY: Final = 60.0
"""Seconds: a warning a visitor would fill the disk."""


class Budget:
    """What strangers share: so much `in_all`, so much from one address (0: as much as there is).

    All calls from the event loop's thread. No address gets more than half, however much the settings allow: on a
    machine with room for few, one address is not everybody.
    """

    def __init__(self, name: str, in_all: int, from_one: int) -> None:
        self._name = name
        self._in_all = in_all
        self._from_one = min(from_one, in_all // 2) if from_one else in_all
        self._taken = 0
        self._by_place: Counter[str] = Counter()
        self._warned_at = float("-inf")

    def take(self, place: str, amount: int = 1) -> None:
        """Raises `Refused` when there is not so much left."""
        if self._by_place[place] + amount > self._from_one:
            self._warn("One address has taken all its %s (%d). If it is a proxy, name it in TRUSTED_PROXIES.")
            raise Refused(
                429, "Too much from your network at once. Try again in a moment.", retry_after=AGAIN
            )
        if self._taken + amount > self._in_all:
            self._warn("All %s for visitors who are not signed in are taken (%d).", self._in_all)
            raise Refused(503, "Too many visitors at once. Try again in a moment.", retry_after=AGAIN)
        self._by_place[place] += amount
        self._taken += amount

    def give_back(self, place: str, amount: int = 1) -> None:
        self._taken -= amount
        self._by_place[place] -= amount
        if not self._by_place[place]:
            del self._by_place[place]

    def _warn(self, sentence: str, most: int | None = None) -> None:
        if time.monotonic() - self._warned_at >= WARN_EVERY:
            self._warned_at = time.monotonic()
            logger.warning(sentence, self._name, self._from_one if most is None else most)


# --- The middleware ---

LIVE: Final = "/live/"
SHARE_OF_STRANGERS: Final = 7 / 8
"""Of all connections. The rest is for those who are signed in, and for connections without a request."""
STUCK_SECONDS: Final = 30.0
"""A reader who takes nothing of an answer for so long is gone. The live stream itself waits for less."""


class Unread(OSError):
    """Nobody reads the answer."""


def with_limits(app: App, room: int | None = None) -> App:
    """Build the application that counts strangers by address. `room`: how many connections there may be."""
    in_all = int((connections() if room is None else room) * SHARE_OF_STRANGERS)
    inside = Budget("connections", in_all, settings.CONNECTIONS_PER_ADDRESS)
    streams = Budget("live streams", in_all, settings.STREAMS_PER_ADDRESS)

    async def limited(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await app(scope, receive, send)
            return
        place = "" if signed_in.has_sent(scope) else place_at(visitor_in(scope))
        is_stream = scope["path"].startswith(LIVE)
        taken: list[Budget] = []
        try:
            for budget in (inside, streams) if is_stream else (inside,):
                if place:
                    budget.take(place)
                    taken.append(budget)
            await app(scope, receive, send if is_stream else _until_stuck(send))
        except Refused as refused:
            await refused.answer(send)
        except Unread:
            logger.debug("Nobody reads %s.", scope["path"])
        finally:
            for budget in taken:
                budget.give_back(place)

    return limited


def _until_stuck(send: Send) -> Send:
    """Give up on an answer in pieces that nobody takes; one that is sent in one piece waits for nobody."""

    async def sent(message: Message) -> None:
        if not message.get("more_body"):
            await send(message)
            return
        try:
            async with asyncio.timeout(STUCK_SECONDS):
                await send(message)
        except TimeoutError:
            raise Unread from None

    return sent
