"""Public pages kept ready as bytes, in front of Django, for readers of whom nothing matters but language and look.

A page is rendered once a version. After that a request costs a look at the version that the hub knows, and at the time
of the next moment that changes pages by itself. A view offers its page with `offer`; what is not offered is not kept.
"""

import asyncio
import logging
import time
from collections import OrderedDict
from dataclasses import dataclass

from django.http import HttpRequest

from tournament.live.hub import Hub
from tournament.live.pages import (
    Answer,
    App,
    Catch,
    Page,
    PageKey,
    Receive,
    Scope,
    Send,
    no_body,
    pack,
    page_key,
)

logger = logging.getLogger(__name__)

ROOM = 64 * 1024 * 1024
"""Bytes of pages kept in one process; the one longest unread goes first."""
TRY_AGAIN = 60.0
"""Seconds for which a page that nobody offered is left to Django."""
MOST_LEFT_ALONE = 1_000
REST, LONGEST_REST = 2, 1.0
"""After a rendering a page rests twice as long as it took, at most a second, and requests wait meanwhile: while a hall
writes without a pause a page takes a third of a core, and umpires' saves have the rest."""
_OFFER = "hule.offer"


@dataclass
class Offer:
    """What a view says of its page: which tournament's it is, which version it shows, until when (a Unix time)."""

    tournament_id: int = 0
    version: int = 0
    until: float = 0.0


class Rendering:
    """A page being rendered, for which several requests may wait. It misses nothing written before it has begun."""

    page: asyncio.Task[Page | None]
    has_begun = False
    refusal: Answer | None = None
    """What Django answered instead of a page: for the request that began this, and for no other."""


def offer(request: HttpRequest, tournament_id: int, version: int, until: float) -> None:
    """Let this response be kept for everybody who asks the same, while that version is the newest and until `until`."""
    offered = getattr(request, "scope", {}).get(_OFFER)
    if offered is not None:
        offered.tournament_id, offered.version, offered.until = tournament_id, version, until


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
        self._left_alone: dict[PageKey, float] = {}
        self._era = hub.era

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = dict(scope["headers"])
        key = page_key(scope, headers)
        page = key and (self._fresh(key) or await self._page(key, scope))
        if page:
            start, body = page.messages if isinstance(page, Answer) else page.answer(headers)
            await send(start)
            await send(body)
        else:
            await self._django(scope, receive, send)

    async def _page(self, key: PageKey, scope: Scope) -> Page | Answer | None:
        """The page as it is now, or how this request is refused; None when Django is to answer."""
        if not self._hub.is_running or self._left_alone.get(key, 0.0) > time.monotonic():
            return None
        # A whole hall asks at once: one request renders, the others wait for it. Who came after a write that the
        # rendering may have missed does not get it, but the next, which begins later: it is as new as who asked,
        # however much was written meanwhile.
        under_way = self._renderings.get(key)
        if under_way and under_way.has_begun:
            await asyncio.shield(under_way.page)
            if page := self._fresh(key):
                return page
        if waiting := self._renderings.get(key):
            return await asyncio.shield(waiting.page)
        mine = self._begin(key, scope)
        return await asyncio.shield(mine.page) or mine.refusal

    def _begin(self, key: PageKey, scope: Scope) -> Rendering:
        rendering = self._renderings[key] = Rendering()
        rendering.page = asyncio.create_task(self._render(key, scope, rendering))
        rendering.page.add_done_callback(lambda _done: self._renderings.pop(key, None))
        return rendering

    def _fresh(self, key: PageKey) -> Page | None:
        if self._era != self._hub.era:
            self._kept.clear()
            self._size, self._era = 0, self._hub.era
        page = self._kept.get(key)
        if page is None or page.until <= time.time() or page.version != self._hub.version(page.tournament_id):
            return None
        self._kept.move_to_end(key)
        return page

    async def _render(self, key: PageKey, scope: Scope, rendering: Rendering) -> Page | None:
        await asyncio.sleep(self._rests.get(key, 0.0) - time.monotonic())
        rendering.has_begun, began = True, time.monotonic()
        offered, catch = Offer(), Catch()
        try:
            await self._django(key.scope(scope) | {_OFFER: offered}, no_body(), catch)
        except Exception:
            logger.exception("Could not render %s to keep it", key.path)
            return None
        if not (offered.tournament_id and catch.answer.is_for_everybody):
            # A refusal may be about whoever asked first, or be over in a moment: it says nothing of the page.
            if catch.answer.status < 400:
                self.leave_alone(key)
            elif not catch.answer.sets_cookies:
                rendering.refusal = catch.answer
            return None
        await self._hub.follow(offered.tournament_id)
        page = await asyncio.to_thread(
            pack, catch.answer, offered.tournament_id, offered.version, offered.until
        )
        self._keep(key, page)
        self._let_rest(key, REST * (time.monotonic() - began))
        return page

    def _let_rest(self, key: PageKey, seconds: float) -> None:
        rest = min(seconds, LONGEST_REST)
        self._rests[key] = time.monotonic() + rest
        asyncio.get_running_loop().call_later(rest, self._rests.pop, key, None)

    def _keep(self, key: PageKey, page: Page) -> None:
        if old := self._kept.pop(key, None):
            self._size -= old.size
        self._kept[key] = page
        self._size += page.size
        while self._size > self._room:
            _longest_unread, gone = self._kept.popitem(last=False)
            self._size -= gone.size

    def leave_alone(self, key: PageKey) -> None:
        """Leave a page to Django for a while, because no view offered it.

        By its whole key: another query or host at the same path is another page.
        """
        self._left_alone.pop(key, None)
        self._left_alone[key] = time.monotonic() + TRY_AGAIN
        if len(self._left_alone) > MOST_LEFT_ALONE:
            # Somebody makes up addresses; the first was left alone the longest.
            self._left_alone.pop(next(iter(self._left_alone)))
