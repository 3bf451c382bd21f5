"""Public pages kept ready as bytes, in front of Django, for readers of whom nothing matters but language and look.

A page is rendered once a version. After that a request costs a look at the version that the hub knows, and at the time
of the next moment that changes pages by itself. A view offers its page with `offer`; what is not offered is not kept.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest

from tournament.live.hub import Hub
from tournament.live.pages import Catch, Page, PageKey, Receive, Send, no_body, pack, page_key

logger = logging.getLogger(__name__)

Scope = dict[str, Any]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

ROOM = 64 * 1024 * 1024
"""Bytes of pages kept in one process; the one longest unread goes first."""
TRY_AGAIN = 60.0
"""Seconds for which a page that nobody offered is left to Django."""
MOST_LEFT_ALONE = 1_000
REST, LONGEST_REST = 2, 1.0
"""After its rendering a page rests twice as long, at most a second, and who asks meanwhile waits: while a hall writes
without a pause a page takes a third of a core, and umpires' saves have the rest."""
_OFFER = "hule.offer"


@dataclass
class Offer:
    """What a view says of its page: whose it is, which version it shows, until when (a Unix time)."""

    tournament_id: int = 0
    version: int = 0
    until: float = 0.0


class Rendering:
    """One that others wait for. Until it has begun, nothing that is written is missed by it."""

    page: asyncio.Task[Page | None]
    has_begun = False


def offer(request: HttpRequest, tournament_id: int, version: int, until: float) -> None:
    """Let this answer be kept while that version is the newest, for everybody who asks the same, not beyond `until`."""
    made = getattr(request, "scope", {}).get(_OFFER)
    if made is not None:
        made.tournament_id, made.version, made.until = tournament_id, version, until


class PageCache:
    """An ASGI application before Django's. `hub` knows the versions."""

    def __init__(self, django: App, hub: Hub, room: int = ROOM) -> None:
        self._django = django
        self._hub = hub
        self._room = room
        self._size = 0
        self._kept: OrderedDict[PageKey, Page] = OrderedDict()
        self._renderings: dict[PageKey, Rendering] = {}
        self._rests: dict[PageKey, float] = {}
        """Until when (`time.monotonic()`) a page is not rendered again."""
        self._left_alone: dict[str, float] = {}
        self._era = hub.era

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = dict(scope["headers"])
        wanted = page_key(scope, headers)
        page = wanted and (self._fresh(wanted) or await self._page(wanted, scope))
        if page:
            start, body = page.answer(headers)
            await send(start)
            await send(body)
        else:
            await self._django(scope, receive, send)

    async def _page(self, wanted: PageKey, scope: Scope) -> Page | None:
        """The page as it is now; None when Django is to answer."""
        if not self._hub.is_running or self._left_alone.get(wanted.path, 0.0) > time.monotonic():
            return None
        # A whole hall asks at once: one request renders, the others wait for it. Who came after a write that the
        # rendering may have missed does not get it, but the next, which begins later: it is as new as who asked,
        # however much was written meanwhile.
        under_way = self._renderings.get(wanted)
        if under_way and under_way.has_begun:
            await asyncio.shield(under_way.page)
            if page := self._fresh(wanted):
                return page
        return await asyncio.shield((self._renderings.get(wanted) or self._begin(wanted, scope)).page)

    def _begin(self, wanted: PageKey, scope: Scope) -> Rendering:
        rendering = self._renderings[wanted] = Rendering()
        rendering.page = asyncio.create_task(self._render(wanted, scope, rendering))
        rendering.page.add_done_callback(lambda _done: self._renderings.pop(wanted, None))
        return rendering

    def _fresh(self, wanted: PageKey) -> Page | None:
        if self._era != self._hub.era:
            self._kept.clear()
            self._size, self._era = 0, self._hub.era
        page = self._kept.get(wanted)
        if page is None or page.until <= time.time() or page.version != self._hub.version(page.tournament_id):
            return None
        self._kept.move_to_end(wanted)
        return page

    async def _render(self, wanted: PageKey, scope: Scope, rendering: Rendering) -> Page | None:
        await asyncio.sleep(self._rests.get(wanted, 0.0) - time.monotonic())
        rendering.has_begun, began = True, time.monotonic()
        made, catch = Offer(), Catch()
        try:
            await self._django(wanted.scope(scope) | {_OFFER: made}, no_body(), catch)
        except Exception:
            logger.exception("Could not render %s to keep it", wanted.path)
            return None
        if not (made.tournament_id and catch.answer.is_for_everybody):
            self.leave_alone(wanted.path)
            return None
        await self._hub.follow(made.tournament_id)
        page = await asyncio.to_thread(pack, catch.answer, made.tournament_id, made.version, made.until)
        self._keep(wanted, page)
        self._let_rest(wanted, REST * (time.monotonic() - began))
        return page

    def _let_rest(self, wanted: PageKey, seconds: float) -> None:
        rest = min(seconds, LONGEST_REST)
        self._rests[wanted] = time.monotonic() + rest
        asyncio.get_running_loop().call_later(rest, self._rests.pop, wanted, None)

    def _keep(self, wanted: PageKey, page: Page) -> None:
        if old := self._kept.pop(wanted, None):
            self._size -= old.size
        self._kept[wanted] = page
        self._size += page.size
        while self._size > self._room:
            _longest_unread, gone = self._kept.popitem(last=False)
            self._size -= gone.size

    def leave_alone(self, path: str) -> None:
        self._left_alone.pop(path, None)
        self._left_alone[path] = time.monotonic() + TRY_AGAIN
        if (
            len(self._left_alone) > MOST_LEFT_ALONE
        ):  # somebody makes up addresses; the first were left the longest
            self._left_alone.pop(next(iter(self._left_alone)))
