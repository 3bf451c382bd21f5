"""A queue of requests before Django: signed-in users four at a time, everybody else two, fairly by address.

A request that is not cached (a spreadsheet, a search, a sign-in) costs up to a tenth of a second of a core, and a
flood of them slowed a save from 36 ms to 1.5 s. Cached public pages are answered earlier
(`tournament.live.page_cache`). When a hundred tables save at the same moment, four at a time finish sooner than a
hundred threads that compete.
"""

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from threading import Event, Lock
from typing import Final, Generic, TypeVar

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext as _

from config.front.addresses import rate_limit_key
from config.front.errors import refusal_response
from config.front.limits import key_of, signed_in

AT_ONCE: Final = 2
"""Requests of visitors who are not signed in that run at the same time."""
SIGNED_IN_AT_ONCE: Final = 4
MAX_WAITING: Final = 200
"""From one address; enough for a hall of umpires who sign in behind one router."""
MAX_WAITING_IN_ALL: Final = 500
"""Each occupies a thread."""
PATIENCE: Final = 20.0
"""Seconds that a request waits for a turn."""
RETRY_AFTER: Final = 10
"""Seconds."""
HAS_TURN: Final = "hule.has_turn"
"""Key in the scope of a request that has waited for its turn elsewhere."""


class QueueFull(Exception):
    """The queue or the address's part of it is full, or the turn did not come in time."""


E = TypeVar("E", Event, asyncio.Event)


class Turns(Generic[E]):
    """Who waits: addresses in turn, each address's requests in order. Not locked."""

    def __init__(self, at_once: int) -> None:
        self._free = at_once
        self._waiting: OrderedDict[str, deque[E]] = OrderedDict()

    def _wait(self, place: str, turn_event: E) -> E:
        self._waiting.setdefault(place, deque()).append(turn_event)
        return turn_event

    def _admit_next(self) -> None:
        if not self._waiting:
            self._free += 1
            return
        place, waiting = self._waiting.popitem(last=False)
        waiting.popleft().set()
        if waiting:
            self._waiting[place] = waiting  # behind all other addresses


class FairQueue(Turns[Event]):
    """A queue that admits `at_once` requests and serves addresses in turn, each address's requests in order.

    With `patience` None nobody is refused.
    """

    def __init__(self, at_once: int = AT_ONCE, patience: float | None = PATIENCE) -> None:
        super().__init__(at_once)
        self._lock = Lock()
        self.patience = patience

    @contextmanager
    def turn(self, place: str) -> Iterator[None]:
        """Wait for a turn and hold it for the block. Raises `QueueFull`."""
        if (turn_event := self._enqueue(place)) is not None and not turn_event.wait(self.patience):
            self._leave(place, turn_event)
        try:
            yield
        finally:
            with self._lock:
                self._admit_next()

    def _enqueue(self, place: str) -> Event | None:
        """Return the event that is set when the turn comes, or None if it has come already."""
        with self._lock:
            if self._free:
                self._free -= 1
                return None
            waiting = len(self._waiting.get(place, ()))
            is_full = waiting >= MAX_WAITING or self._all_waiting >= MAX_WAITING_IN_ALL
            if is_full and self.patience is not None:
                raise QueueFull
            return self._wait(place, Event())

    @property
    def _all_waiting(self) -> int:
        return sum(map(len, self._waiting.values()))

    def _leave(self, place: str, turn_event: Event) -> None:
        with self._lock:
            if turn_event.is_set():  # the turn came after all
                return
            waiting = self._waiting[place]
            waiting.remove(turn_event)
            if not waiting:
                del self._waiting[place]
        raise QueueFull


class AsyncFairQueue(Turns[asyncio.Event]):
    """The same on an event loop, where waiting costs no thread: nobody is refused, as connections are limited."""

    @asynccontextmanager
    async def turn(self, place: str) -> AsyncIterator[None]:
        """Wait for a turn and hold it for the block."""
        if self._free:
            self._free -= 1
        else:
            await self._wait(place, asyncio.Event()).wait()
        try:
            yield
        finally:
            self._admit_next()


class SignedInFirst:
    """Middleware that queues requests. Signed-in users are recognised by a credential that was accepted before."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        self._queue = FairQueue()
        self._signed_in_queue = FairQueue(SIGNED_IN_AT_ONCE, patience=None)

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if HAS_TURN in getattr(request, "scope", {}):
            return self._respond(request, b"")
        session = request.COOKIES.get(settings.SESSION_COOKIE_NAME, "")
        key = key_of(request.headers.get("Authorization", ""), session)
        if account := signed_in.account_of(key):
            with self._signed_in_queue.turn(account):
                return self._respond(request, key)
        try:
            with self._queue.turn(rate_limit_key(request)):
                return self._respond(request, key)
        except QueueFull:
            sentence = _("Wait a minute, then try again. Nothing was changed.")
            return refusal_response(request, 429, sentence, seconds=RETRY_AFTER)

    def _respond(self, request: HttpRequest, key: bytes) -> HttpResponse:
        response = self.get_response(request)
        is_signed_in = _is_signed_in(request) if key else None
        if is_signed_in:
            signed_in.add(key, str(request.user.pk))
        elif is_signed_in is False:
            signed_in.remove(key)
        return response


def _is_signed_in(request: HttpRequest) -> bool | None:
    """Return whether the user is signed in; None if the request never loaded the user."""
    user = getattr(request, "user", None)
    if user is None or (isinstance(user, SimpleLazyObject) and not request.session.accessed):
        return None
    return bool(user.is_authenticated)
