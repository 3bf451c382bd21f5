"""Whoever is signed in goes ahead, four at a time; everybody else takes turns, address by address.

Anybody may ask for what is not kept (a spreadsheet, a search, a sign-in), each costing a tenth of a second of a core. A
flood of that slowed a save from 36 ms to 1.5 s. Pages that are the same for everybody are answered before Django
(`tournament.live.page_cache`) and take no turn. When a hall's hundred tables save in the same moment, four that are
worked on and ninety-six that wait are done sooner than a hundred threads that hold each other up.
"""

from collections import OrderedDict, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Lock
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.functional import SimpleLazyObject, empty
from django.utils.translation import gettext as _

from config.front.answers import turned_away
from config.front.limits import key_of, signed_in
from tournament.base.requests import place_of

AT_ONCE: Final = 2
"""Requests of strangers that are worked on in the same moment."""
SIGNED_IN_AT_ONCE: Final = 4
MOST_WAITING: Final = 200
"""From one place: a hall of umpires who sign in behind one router fits."""
MOST_WAITING_IN_ALL: Final = 500
"""Each holds a thread."""
PATIENCE: Final = 20.0
"""Seconds that a request waits for its turn."""
AGAIN: Final = 10
"""Seconds after which somebody who was turned away may come back."""


class Full(Exception):
    """Too many wait already from that place, or the turn did not come."""


class Lane:
    """Turns: the places one after the other, each place's requests as they came. Without `patience` nobody is turned
    away."""

    def __init__(self, at_once: int = AT_ONCE, patience: float | None = PATIENCE) -> None:
        self._lock = Lock()
        self.patience = patience
        self._free = at_once
        self._waiting: OrderedDict[str, deque[Event]] = OrderedDict()

    @contextmanager
    def turn(self, place: str) -> Iterator[None]:
        """A turn, waited for if need be. Raises `Full`."""
        if (called := self._stand_in_line(place)) is not None and not called.wait(self.patience):
            self._give_up(place, called)
        try:
            yield
        finally:
            with self._lock:
                self._call_next()

    def _stand_in_line(self, place: str) -> Event | None:
        """What is set when the turn has come; None when it is there already."""
        with self._lock:
            if self._free:
                self._free -= 1
                return None
            line = self._waiting.get(place) or deque()
            is_full = len(line) >= MOST_WAITING or self._all_waiting >= MOST_WAITING_IN_ALL
            if is_full and self.patience is not None:
                raise Full
            line.append(called := Event())
            self._waiting.setdefault(place, line)
            return called

    @property
    def _all_waiting(self) -> int:
        return sum(map(len, self._waiting.values()))

    def _give_up(self, place: str, called: Event) -> None:
        with self._lock:
            if called.is_set():  # in the last moment
                return
            line = self._waiting[place]
            line.remove(called)
            if not line:
                del self._waiting[place]
        raise Full

    def _call_next(self) -> None:
        if not self._waiting:
            self._free += 1
            return
        place, line = self._waiting.popitem(last=False)
        line.popleft().set()
        if line:
            self._waiting[place] = line  # behind all others


class SignedInFirst:
    """Middleware: a stranger takes a turn. Who is signed in is known by a key that was seen to be good before."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        self._lane = Lane()
        self._ahead = Lane(SIGNED_IN_AT_ONCE, patience=None)

    def __call__(self, request: HttpRequest) -> HttpResponse:
        session = request.COOKIES.get(settings.SESSION_COOKIE_NAME, "")
        key = key_of(request.headers.get("Authorization", ""), session)
        if key in signed_in:
            with self._ahead.turn(key.hex()):
                return self._answer(request, key)
        try:
            with self._lane.turn(place_of(request)):
                return self._answer(request, key)
        except Full:
            sentence = _("Wait a minute, then try again. Nothing was changed.")
            return turned_away(request, 429, sentence, seconds=AGAIN)

    def _answer(self, request: HttpRequest, key: bytes) -> HttpResponse:
        response = self.get_response(request)
        is_signed_in = _is_signed_in(request) if key else None
        if is_signed_in:
            signed_in.add(key)
        elif is_signed_in is False:
            signed_in.remove(key)
        return response


def _is_signed_in(request: HttpRequest) -> bool | None:
    """None when nobody needed to know: it is not asked for the sake of this."""
    user = getattr(request, "user", None)
    if user is None or (isinstance(user, SimpleLazyObject) and user._wrapped is empty):
        return None
    return bool(user.is_authenticated)
