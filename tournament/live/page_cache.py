"""A cache of public pages in front of Django, for anonymous readers.

A page is rendered once a version. Then a request costs a look at the version in the hub, and at the page's expiry.
Only pages for which a view calls `set_cache_hint` are cached.
"""

import asyncio
import logging
import time
from collections import OrderedDict
from dataclasses import dataclass

from django.http import HttpRequest

from config.front.addresses import address_key, visitor_address
from config.front.asgi import App, Receive, Scope, Send, no_body
from config.front.queueing import HAS_TURN, AsyncFairQueue
from tournament.live.hub import ALL_PLACES, Hub
from tournament.live.pages import Page, PageKey, RecordedResponse, ResponseRecorder, build_page, page_key

logger = logging.getLogger(__name__)

MAX_BYTES = 64 * 1024 * 1024
"""Bytes of pages in one process; the least recently used are evicted."""
SKIP_SECONDS = 60.0
"""Seconds for which a page without a cache hint is left to Django."""
MAX_SKIPPED = 1_000
THROTTLE_FACTOR, MAX_THROTTLE_SECONDS = 2, 1.0
"""After a rendering a page is not rendered again for twice as long as it took, and requests wait meanwhile: during
constant writes a page takes at most a third of a core from saves."""
CACHE_HINT = "hule.cache_hint"
RENDERINGS_AT_ONCE = 2
"""A hall of 400 phones behind one router asks at once after a session has ended."""


@dataclass
class CacheHint:
    """A view's promise about its page: its tournament, the version it shows, and until when (Unix time) it holds."""

    tournament_id: int = 0
    version: int = 0
    until: float = 0.0
    places: str = ALL_PLACES
    """The tables whose changes concern the page, as in the page's `data-places`."""
    is_coalesced: bool = False
    """Whether a full hall may see one version for a while (`COALESCE_FACTOR`)."""


COALESCE_FACTOR = 0.5
"""A page that every hand changes is rendered once in half the time over which a full hall spreads its requests."""


class Rendering:
    """A rendering that several requests may wait for. It includes every write before it began."""

    page: asyncio.Task[Page | None]
    has_begun = False
    refusal: RecordedResponse | None = None
    """Django's response if it was no page; only for the request that began the rendering."""


def _hint_of(request: HttpRequest) -> CacheHint:
    """Return the hint of a request from the cache; one that nobody reads for other requests."""
    hint: CacheHint | None = getattr(request, "scope", {}).get(CACHE_HINT)
    return hint or CacheHint()


def set_cache_hint(request: HttpRequest, tournament_id: int, version: int, until: float) -> None:
    """Allow caching this response for everybody, while the version is the newest and until `until`."""
    hint = _hint_of(request)
    hint.tournament_id, hint.version, hint.until = tournament_id, version, until


def set_cached_places(request: HttpRequest, places: str) -> None:
    """Keep a cached page through changes at other tables. It must show nothing that follows from these, as a rank."""
    _hint_of(request).places = places


def coalesce_changes(request: HttpRequest) -> None:
    """Render a page that every hand changes less often while a full hall follows it, as the ranking."""
    _hint_of(request).is_coalesced = True


class PageCache:
    """An ASGI application in front of Django. `hub` knows the versions."""

    def __init__(self, django: App, hub: Hub, max_bytes: int = MAX_BYTES) -> None:
        self._django = django
        self._hub = hub
        self._max_bytes = max_bytes
        self._size = 0
        self._pages: OrderedDict[PageKey, Page] = OrderedDict()
        self._renderings: dict[PageKey, Rendering] = {}
        self._throttled_until: dict[PageKey, float] = {}
        """`time.monotonic()` before which a page is not rendered again."""
        self._skipped_until: dict[PageKey, float] = {}
        self._restore_id = hub.restore_id
        self._turns = AsyncFairQueue(RENDERINGS_AT_ONCE)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = dict(scope["headers"])
        key = page_key(scope, headers)
        page = key and (self._fresh(key) or await self._page(key, scope))
        if page:
            start, body = page.messages if isinstance(page, RecordedResponse) else page.response_for(headers)
            await send(start)
            await send(body)
        else:
            await self._django(scope, receive, send)

    async def _page(self, key: PageKey, scope: Scope) -> Page | RecordedResponse | None:
        """Return the current page, or the refusal of this request; None if Django has to answer."""
        if not self._hub.is_running or self._skipped_until.get(key, 0.0) > time.monotonic():
            return None
        # Of concurrent requests one renders and the others wait. A request that came after a rendering had begun
        # waits for the next one, if a write has made the page stale.
        running = self._renderings.get(key)
        if running and running.has_begun:
            await asyncio.shield(running.page)
            if page := self._fresh(key):
                return page
        if queued := self._renderings.get(key):
            return await asyncio.shield(queued.page)
        rendering = self._begin(key, scope)
        return await asyncio.shield(rendering.page) or rendering.refusal

    def _begin(self, key: PageKey, scope: Scope) -> Rendering:
        rendering = self._renderings[key] = Rendering()
        rendering.page = asyncio.create_task(self._render(key, scope, rendering))
        rendering.page.add_done_callback(lambda _done: self._renderings.pop(key, None))
        return rendering

    def _fresh(self, key: PageKey) -> Page | None:
        if self._restore_id != self._hub.restore_id:
            self._pages.clear()
            self._size, self._restore_id = 0, self._hub.restore_id
        page = self._pages.get(key)
        if page is None or page.until <= time.time() or not self._is_current(page):
            return None
        self._pages.move_to_end(key)
        return page

    def _is_current(self, page: Page) -> bool:
        newest = self._hub.version(page.tournament_id)
        concerning = self._hub.version(page.tournament_id, page.places)
        return newest is not None and concerning is not None and concerning <= page.version <= newest

    async def _render(self, key: PageKey, scope: Scope, rendering: Rendering) -> Page | None:
        await asyncio.sleep(self._throttled_until.get(key, 0.0) - time.monotonic())
        hint, recorder = CacheHint(), ResponseRecorder()
        try:
            async with self._turns.turn(address_key(visitor_address(scope))):
                rendering.has_begun, began = True, time.monotonic()
                await self._django(key.scope(scope) | {CACHE_HINT: hint, HAS_TURN: True}, no_body(), recorder)
        except Exception:
            logger.exception("Could not render %s to keep it", key.path)
            return None
        if not (hint.tournament_id and recorder.response.is_public_page):
            # A refusal may depend on this request or be temporary, so it does not skip the page.
            if recorder.response.status < 400:
                self.skip(key)
            elif not recorder.response.sets_cookies:
                rendering.refusal = recorder.response
            return None
        await self._hub.follow(hint.tournament_id)
        page = await asyncio.to_thread(
            build_page, recorder.response, hint.tournament_id, hint.version, hint.until, hint.places
        )
        self._store(key, page)
        delay = min(THROTTLE_FACTOR * (time.monotonic() - began), MAX_THROTTLE_SECONDS)
        if hint.is_coalesced:
            delay = max(delay, COALESCE_FACTOR * self._hub.spread_seconds(hint.tournament_id))
        self._throttle(key, delay)
        return page

    def _throttle(self, key: PageKey, delay: float) -> None:
        self._throttled_until[key] = time.monotonic() + delay
        asyncio.get_running_loop().call_later(delay, self._throttled_until.pop, key, None)

    def _store(self, key: PageKey, page: Page) -> None:
        if old := self._pages.pop(key, None):
            self._size -= old.size
        self._pages[key] = page
        self._size += page.size
        while self._size > self._max_bytes:
            _longest_unread, evicted = self._pages.popitem(last=False)
            self._size -= evicted.size

    def skip(self, key: PageKey) -> None:
        """Leave a page to Django for a while, because no view allowed caching it."""
        self._skipped_until.pop(key, None)
        self._skipped_until[key] = time.monotonic() + SKIP_SECONDS
        if len(self._skipped_until) > MAX_SKIPPED:
            # Limited, since anybody can make up addresses; the oldest goes.
            self._skipped_until.pop(next(iter(self._skipped_until)))
