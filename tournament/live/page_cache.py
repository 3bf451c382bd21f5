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
from tournament.live.page_keys import PageKey, page_key
from tournament.live.pages import Catch, Page, Receive, Send, no_body, pack

logger = logging.getLogger(__name__)

Scope = dict[str, Any]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

ROOM = 64 * 1024 * 1024
"""Bytes of pages kept in one process; the one longest unread goes first."""
TRY_AGAIN = 60.0
"""Seconds for which a page that nobody offered is left to Django."""
MOST_LEFT_ALONE = 1_000
_OFFER = "hule.offer"


@dataclass
class Offer:
    """What a view says of its page: whose it is, which version it shows, until when (a Unix time)."""

    tournament_id: int = 0
    version: int = 0
    until: float = 0.0


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
        self._rendering: dict[PageKey, asyncio.Task[Page | None]] = {}
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
        # rendering may have missed does not get it: it is looked at again, and rendered anew once.
        for _attempt in range(2):
            rendering = self._rendering.get(wanted)
            if rendering is None:
                rendering = self._rendering[wanted] = asyncio.create_task(self._render(wanted, scope))
                rendering.add_done_callback(lambda _done: self._rendering.pop(wanted, None))
            await asyncio.shield(rendering)
            if page := self._fresh(wanted):
                return page
        return None

    def _fresh(self, wanted: PageKey) -> Page | None:
        if self._era != self._hub.era:
            self._kept.clear()
            self._size, self._era = 0, self._hub.era
        page = self._kept.get(wanted)
        if page is None or page.until <= time.time() or page.version != self._hub.version(page.tournament_id):
            return None
        self._kept.move_to_end(wanted)
        return page

    async def _render(self, wanted: PageKey, scope: Scope) -> Page | None:
        made, catch = Offer(), Catch()
        try:
            await self._django(wanted.scope(scope) | {_OFFER: made}, no_body(), catch)
        except Exception:
            logger.exception("Could not render %s to keep it", wanted.path)
            return None
        if not (made.tournament_id and catch.answer.is_for_everybody):
            self._leave_alone(wanted.path)
            return None
        await self._hub.follow(made.tournament_id)
        page = await asyncio.to_thread(pack, catch.answer, made.tournament_id, made.version, made.until)
        self._keep(wanted, page)
        return page

    def _keep(self, wanted: PageKey, page: Page) -> None:
        if old := self._kept.pop(wanted, None):
            self._size -= old.size
        self._kept[wanted] = page
        self._size += page.size
        while self._size > self._room:
            _longest_unread, gone = self._kept.popitem(last=False)
            self._size -= gone.size

    def _leave_alone(self, path: str) -> None:
        self._left_alone.pop(path, None)
        self._left_alone[path] = time.monotonic() + TRY_AGAIN
        if (
            len(self._left_alone) > MOST_LEFT_ALONE
        ):  # somebody makes up addresses; the first were left the longest
            self._left_alone.pop(next(iter(self._left_alone)))
