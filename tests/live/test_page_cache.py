"""Pages kept in front of Django: what is the same for everybody is rendered once a version, nothing else is kept."""

import asyncio
import gzip
from typing import Any

import pytest

from config.front.queueing import HAS_TURN, AsyncFairQueue
from tests.live.fakes import ListLog, on_the_loop, turns, until
from tournament.live import page_cache, pages
from tournament.live.hub import Hub
from tournament.live.page_cache import (
    MAX_SKIPPED,
    PageCache,
    coalesce_changes,
    set_cache_hint,
    set_cached_places,
)
from tournament.live.pages import PageKey, RecordedResponse, ResponseRecorder

FAR = float("inf")
PAGE = "/t/spring/ranking/"


class Django:
    """Answers with what it was asked and how often; offers its page unless told otherwise."""

    def __init__(self, log: ListLog) -> None:
        self.log = log
        self.rendered = 0
        self.received: list[dict[bytes, bytes]] = []
        self.scopes: list[dict[str, Any]] = []
        self.sets_hint = True
        self.until = FAR
        self.places = ""
        self.is_coalesced = False
        self.cookie = False
        self.more_headers: list[tuple[bytes, bytes]] = []
        self.status = 200
        self.gate = asyncio.Event()
        self.gate.set()

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        self.rendered += 1
        self.received.append(dict(scope["headers"]))
        self.scopes.append(scope)
        version = self.log.public_version
        if self.sets_hint:
            request: Any = type("Request", (), {"scope": scope})
            set_cache_hint(request, 7, version, self.until)
            if self.places:
                set_cached_places(request, self.places)
            if self.is_coalesced:
                coalesce_changes(request)
        await self.gate.wait()
        headers = [(b"Content-Type", b"text/html"), (b"ETag", b'"v%d"' % version), (b"Vary", b"Cookie")]
        headers += self.more_headers
        if self.cookie:
            headers.append((b"Set-Cookie", b"csrftoken=secret"))
        body = b"rendered %d, version %d. " % (self.rendered, version) + b"x" * 5000
        await send({"type": "http.response.start", "status": self.status, "headers": headers})
        await send({"type": "http.response.body", "body": body})


class Pages:
    """The cache before Django, and the hub that tells it of writes."""

    def __init__(self, hub: Hub, log: ListLog, max_bytes: int = 10**6) -> None:
        self.log, self.hub = log, hub
        self.django = Django(log)
        self.pages = PageCache(self.django, hub, max_bytes)

    async def get(self, query: str = "", **headers: str) -> RecordedResponse:
        sent = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
        scope = {"type": "http", "method": "GET", "path": PAGE, "query_string": query.encode()}
        recorder = ResponseRecorder()
        never = asyncio.get_running_loop().create_future
        await self.pages(scope | {"scheme": "http", "headers": sent}, never, recorder)
        return recorder.response

    def ask(self) -> asyncio.Task[RecordedResponse]:
        return asyncio.create_task(self.get())

    async def look(self) -> None:
        """Wake the hub, and wait until it has seen what was written."""
        self.hub.wake()
        await asyncio.sleep(0)
        await until(lambda: self.hub.version(7) is not None)


@pytest.fixture
def at(hub: Hub, log: ListLog) -> Pages:
    log.write(3)
    return Pages(hub, log)


def rendering(response: RecordedResponse) -> str:
    body = gzip.decompress(response.body) if b"gzip" in dict(response.headers).values() else response.body
    return body.decode().partition(". ")[0]


@on_the_loop
async def test_a_page_is_rendered_once_a_version(hub: Hub, at: Pages) -> None:
    """What was just written is never answered with the page before."""
    assert [rendering(await at.get()) for _ in range(3)] == ["rendered 1, version 3"] * 3
    at.log.write()
    await at.look()
    assert [rendering(await at.get()) for _ in range(3)] == ["rendered 2, version 4"] * 3
    at.log.write()
    at.hub.wake()  # as `notify` does, before the one who wrote has the answer
    await asyncio.sleep(0)
    assert "version 5" in rendering(await at.get())


@on_the_loop
async def test_a_hidden_session_does_not_invalidate_a_page(hub: Hub, at: Pages) -> None:
    await at.get()
    at.log.write_hidden()
    await at.look()
    assert rendering(await at.get()) == "rendered 1, version 3"


@on_the_loop
async def test_a_page_of_some_tables_is_kept_through_changes_at_others(hub: Hub, at: Pages) -> None:
    at.django.places = "1/2 3/"
    await at.get()
    at.log.write(table=1)
    await at.look()
    assert rendering(await at.get()) == "rendered 1, version 3"
    at.log.write(table=2)
    await at.look()
    assert rendering(await at.get()) == "rendered 2, version 5"
    at.log.write(action="session_started")
    await at.look()
    assert rendering(await at.get()) == "rendered 3, version 6"


@on_the_loop
async def test_a_cached_page_of_a_deleted_tournament_is_not_sent(hub: Hub, at: Pages) -> None:
    before = rendering(await at.get())
    watcher = await at.hub.join(7, None)
    at.log.exists = False
    at.hub.wake()
    assert await watcher.take(5) is None
    assert rendering(await at.get()) != before  # Django answers, and knows that it is gone


@on_the_loop
async def test_concurrent_requests_share_one_rendering(hub: Hub, at: Pages) -> None:
    """Also when the first leaves."""
    at.django.gate.clear()
    first, *waiting = [at.ask() for _ in range(200)]
    await until(lambda: at.django.rendered == 1)
    first.cancel()
    at.django.gate.set()
    assert {rendering(await other) for other in waiting} == {"rendered 1, version 3"}


@on_the_loop
async def test_a_write_during_a_rendering_invalidates_it(hub: Hub, at: Pages) -> None:
    at.django.gate.clear()
    first = at.ask()
    await until(lambda: at.django.rendered == 1)
    at.log.write()
    at.hub.wake()
    await turns()
    late = at.ask()
    at.django.gate.set()
    await first
    assert "version 4" in rendering(await late)


@on_the_loop
async def test_a_request_after_a_write_waits_for_the_next_rendering(hub: Hub, at: Pages) -> None:
    at.django.gate.clear()
    asking = [at.ask()]
    await until(lambda: at.django.rendered == 1)
    for _ in range(3):  # each rendering is overtaken by a write before it is done
        at.log.write()
        at.hub.wake()
        asking += [at.ask() for _ in range(50)]
        await turns()
    at.django.gate.set()
    first, *later = [rendering(await task) for task in asking]
    assert first == "rendered 1, version 3"
    assert set(later) == {"rendered 2, version 6"}


@on_the_loop
async def test_renderings_of_a_page_are_throttled(
    hub: Hub, at: Pages, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_cache, "THROTTLE_FACTOR", 10**9)
    monkeypatch.setattr(page_cache, "MAX_THROTTLE_SECONDS", 3600)
    await at.get()
    at.log.write()
    await at.look()
    waiting = at.ask()
    await turns()
    assert at.django.rendered == 1
    assert not waiting.done()
    waiting.cancel()


@on_the_loop
@pytest.mark.parametrize("watchers", [3, 200])
async def test_a_full_hall_sees_a_coalesced_page_less_often(
    hub: Hub, at: Pages, monkeypatch: pytest.MonkeyPatch, watchers: int
) -> None:
    monkeypatch.setattr(page_cache, "THROTTLE_FACTOR", 0)
    monkeypatch.setattr(page_cache, "COALESCE_FACTOR", 3600)
    for _ in range(watchers):
        await hub.join(7, None)
    at.django.is_coalesced = True
    await at.get()
    at.log.write()
    await at.look()
    waiting = at.ask()
    await turns()
    assert at.django.rendered == (2 if watchers == 3 else 1)
    waiting.cancel()


@on_the_loop
async def test_a_page_expires_at_its_until(hub: Hub, at: Pages) -> None:
    at.django.until = 1.0  # long past
    await at.get()
    before = at.django.rendered
    await at.get()
    assert at.django.rendered > before


@on_the_loop
async def test_personal_requests_are_answered_by_django(hub: Hub, at: Pages) -> None:
    await at.get()
    for name, value in [
        ("cookie", "sessionid=abc"),
        ("cookie", "messages=hello"),
        ("authorization", "Token abc"),
        ("hx_request", "true"),
        ("range", "bytes=0-5"),
    ]:
        before = at.django.rendered
        await at.get(**{name: value})
        assert at.django.rendered == before + 1, (name, value)
        assert at.django.received[-1] == {name.replace("_", "-").encode(): value.encode()}


@on_the_loop
async def test_a_cached_page_contains_nothing_of_its_first_reader(hub: Hub, at: Pages) -> None:
    cookie = "csrftoken=mine; theme=dark; other=private; django_language=zh-hant"
    await at.get(cookie=cookie, user_agent="Mine", referer="/private/", host="hall")
    expected = {b"host": b"hall", b"accept-language": b"zh-hant", b"cookie": b"theme=dark"}
    assert at.django.received == [expected | {b"accept": b"*/*"}]


@on_the_loop
async def test_each_language_look_and_second_visit_has_its_own_page(hub: Hub, at: Pages) -> None:
    variants = [
        *(("accept_language", "zh-TW"), ("cookie", "theme=dark"), ("cookie", "visited=1")),
        ("host", "elsewhere"),
    ]
    pages = [
        rendering(await at.get()),
        *[rendering(await at.get(**{name: value})) for name, value in variants],
    ]
    assert len(set(pages)) == 5
    assert rendering(await at.get(accept_language="fr, en;q=0.5", cookie="theme=nonsense")) == pages[0]


@on_the_loop
async def test_a_response_that_sets_a_cookie_is_not_cached(hub: Hub, at: Pages) -> None:
    """The reader gets Django's own answer."""
    at.django.cookie = True
    first, second = await at.get(cookie="csrftoken=mine"), await at.get(cookie="csrftoken=yours")
    assert rendering(first) != rendering(second)
    assert at.django.received[-1] == {b"cookie": b"csrftoken=yours"}
    at.django.cookie = False
    for sets_hint, status in [(False, 200), (True, 404)]:  # what nobody offers, and what is no page
        at.django.sets_hint, at.django.status = sets_hint, status
        assert rendering(await at.get()) != rendering(await at.get()), (sets_hint, status)


@on_the_loop
async def test_a_refusal_does_not_evict_a_page(hub: Hub, at: Pages) -> None:
    """`?format=zzz` or a made-up host would otherwise cost everybody a rendering each for a minute."""
    at.django.status = 400
    assert ((await at.get()).status, at.django.rendered) == (400, 1), "a refusal is worked out once"
    at.django.cookie = True
    await at.get(cookie="csrftoken=mine")
    assert at.django.received[-1] == {b"cookie": b"csrftoken=mine"}, "or it would replace the reader's own"
    at.django.cookie = False
    at.django.status, at.django.sets_hint = 200, False
    await at.get(query="format=zzz")
    await at.get(host="elsewhere")
    at.django.sets_hint = True
    assert rendering(await at.get()) == rendering(await at.get())


@on_the_loop
async def test_a_matching_etag_gets_304(hub: Hub, at: Pages) -> None:
    page = dict((await at.get(accept_encoding="gzip, br")).headers)
    again = await at.get(accept_encoding="gzip", if_none_match=page[b"etag"].decode())
    assert (again.status, again.body) == (304, b"")
    assert (await at.get(if_none_match='"v2"')).status == 200


@on_the_loop
async def test_a_page_is_compressed_by_accept_encoding(hub: Hub, at: Pages) -> None:
    packed, plain = await at.get(accept_encoding="gzip"), await at.get()
    assert gzip.decompress(packed.body) == plain.body
    assert len(packed.body) < len(plain.body) / 10
    for answer in (packed, plain):
        assert dict(answer.headers)[b"content-length"] == str(len(answer.body)).encode()


@on_the_loop
async def test_what_never_changes_is_kept_by_a_browser_whose_cookies_change(hub: Hub, at: Pages) -> None:
    assert dict((await at.get()).headers)[b"vary"] == b"Cookie, Accept-Encoding"
    at.django.more_headers = [(b"Cache-Control", b"private, max-age=9, immutable")]
    assert dict((await at.get("sheet")).headers)[b"vary"] == b"Accept-Encoding"


@on_the_loop
async def test_a_long_header_is_not_cached(hub: Hub, at: Pages, subtests: pytest.Subtests) -> None:
    pages._memoized_page_key.cache_clear()
    page = rendering(await at.get())
    size = pages._memoized_page_key.cache_info().currsize
    for name, padding in [("cookie", "x{}=" + "a" * 5000), ("accept_language", "xx;q=0.{}," * 300)]:
        with subtests.test(name):
            for number in range(5):
                assert rendering(await at.get(**{name: padding.replace("{}", str(number))})) == page
            assert pages._memoized_page_key.cache_info().currsize == size


@on_the_loop
async def test_made_up_addresses_do_not_fill_the_memory(hub: Hub, at: Pages) -> None:
    for name in ("host", "accept", "x_forwarded_host"):
        await at.get(**{name: "a" * 2000})
        assert not at.pages._pages, name
    keys = [
        PageKey(f"/t/made-up/{number}/", b"", "http", (), b"", "en", ()) for number in range(MAX_SKIPPED + 50)
    ]
    for key in keys:
        at.pages.skip(key)
    assert len(at.pages._skipped_until) == MAX_SKIPPED
    assert keys[-1] in at.pages._skipped_until


@on_the_loop
async def test_the_cache_is_not_overfilled(hub: Hub, log: ListLog) -> None:
    log.write(3)
    at = Pages(hub, log, max_bytes=20_000)
    for number in range(20):
        await at.get(query=f"q={number}")
    assert at.pages._size <= 20_000
    before = at.django.rendered
    await at.get(query="q=19")
    assert at.django.rendered == before, "the newest page was thrown away"


@on_the_loop
async def test_without_a_running_hub_nothing_is_cached(hub: Hub, at: Pages) -> None:
    await at.get()
    await at.hub.stop()
    assert rendering(await at.get()) != rendering(await at.get())


@on_the_loop
async def test_a_restore_empties_the_cache(hub: Hub, at: Pages) -> None:
    """Although its number comes again."""
    await at.get()
    at.log.times_replaced += 1
    await at.look()
    assert rendering(await at.get()) == "rendered 2, version 3"


@on_the_loop
async def test_renderings_wait_in_turn_by_address() -> None:
    turns_taken: list[str] = []
    queue = AsyncFairQueue(1)

    async def render(place: str) -> None:
        async with queue.turn(place):
            turns_taken.append(place)
            await asyncio.sleep(0)

    await asyncio.gather(*(render(place) for place in ("hall", "hall", "hall", "home", "hall", "office")))
    assert turns_taken == ["hall", "hall", "home", "office", "hall", "hall"]
    assert queue._free == 1


@on_the_loop
async def test_a_rendering_needs_no_place_among_the_requests_of_its_address(hub: Hub, at: Pages) -> None:
    await at.get()
    assert at.django.scopes[0][HAS_TURN] is True
