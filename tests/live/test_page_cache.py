"""Pages kept in front of Django: what is the same for everybody is rendered once a version, nothing else is kept."""

import asyncio
import gzip
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from tests.live.fakes import ListLog
from tournament.live import page_cache, page_keys
from tournament.live.hub import Hub
from tournament.live.page_cache import MOST_LEFT_ALONE, PageCache, offer
from tournament.live.pages import Answer, Catch

FAR = float("inf")
PAGE = "/t/spring/ranking/"


class Django:
    """Answers with what it was asked and how often; offers its page unless told otherwise."""

    def __init__(self, log: ListLog) -> None:
        self.log = log
        self.rendered = 0
        self.seen: list[dict[bytes, bytes]] = []
        self.offers = True
        self.until = FAR
        self.cookie = False
        self.status = 200
        self.gate = asyncio.Event()
        self.gate.set()

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        self.rendered += 1
        self.seen.append(dict(scope["headers"]))
        version = self.log.public_version
        if self.offers:
            request: Any = type("Request", (), {"scope": scope})
            offer(request, 7, version, self.until)
        await self.gate.wait()
        headers = [(b"Content-Type", b"text/html"), (b"ETag", b'"v%d"' % version), (b"Vary", b"Cookie")]
        if self.cookie:
            headers.append((b"Set-Cookie", b"csrftoken=secret"))
        body = b"rendered %d, version %d. " % (self.rendered, version) + b"x" * 5000
        await send({"type": "http.response.start", "status": self.status, "headers": headers})
        await send({"type": "http.response.body", "body": body})


class Scene:
    def __init__(self, hub: Hub, log: ListLog, room: int) -> None:
        self.log, self.hub = log, hub
        self.django = Django(log)
        self.pages = PageCache(self.django, hub, room)

    async def get(self, query: str = "", **headers: str) -> Answer:
        sent = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
        scope: dict[str, Any] = {
            "type": "http",
            "method": "GET",
            "path": PAGE,
            "query_string": query.encode(),
        }
        catch = Catch()
        await self.pages(scope | {"scheme": "http", "headers": sent}, _never, catch)
        return catch.answer


async def _never() -> Any:
    await asyncio.Event().wait()


def play(scene: Callable[[Scene], Awaitable[None]], room: int = 10**6) -> None:
    async def with_cache() -> None:
        log = ListLog(3)
        hub = Hub(log, 3600)
        hub.start()
        async with asyncio.timeout(20):
            await scene(Scene(hub, log, room))
        await hub.stop()

    asyncio.run(with_cache())


def rendering(answer: Answer) -> str:
    body = gzip.decompress(answer.body) if b"gzip" in dict(answer.headers).values() else answer.body
    return body.decode().partition(". ")[0]


def test_a_page_is_rendered_once_a_version() -> None:
    async def scene(at: Scene) -> None:
        assert [rendering(await at.get()) for _ in range(3)] == ["rendered 1, version 3"] * 3
        at.log.write()
        at.hub.wake()
        await asyncio.sleep(0.01)
        assert [rendering(await at.get()) for _ in range(3)] == ["rendered 2, version 4"] * 3

    play(scene)


def test_what_is_written_in_a_hidden_session_leaves_the_page_as_it_is() -> None:
    async def scene(at: Scene) -> None:
        await at.get()
        at.log.write_hidden()
        at.hub.wake()
        await asyncio.sleep(0.01)
        assert rendering(await at.get()) == "rendered 1, version 3"

    play(scene)


def test_what_was_just_written_is_never_answered_with_the_page_before() -> None:
    async def scene(at: Scene) -> None:
        await at.get()
        at.log.write()
        at.hub.wake()  # as `notify` does, before the one who wrote has the answer
        await asyncio.sleep(0)
        assert "version 4" in rendering(await at.get())

    play(scene)


def test_a_page_of_a_deleted_tournament_is_not_handed_out() -> None:
    async def scene(at: Scene) -> None:
        kept = rendering(await at.get())
        at.log.exists = False
        at.hub.wake()
        await asyncio.sleep(0.01)
        assert rendering(await at.get()) != kept  # Django answers, and knows that it is gone

    play(scene)


def test_a_hall_that_asks_at_once_is_one_rendering() -> None:
    async def scene(at: Scene) -> None:
        at.django.gate.clear()
        asking = [asyncio.create_task(at.get()) for _ in range(200)]
        await asyncio.sleep(0.01)
        at.django.gate.set()
        assert {rendering(await one) for one in asking} == {"rendered 1, version 3"}

    play(scene)


def test_one_who_leaves_does_not_take_the_page_from_the_others() -> None:
    async def scene(at: Scene) -> None:
        at.django.gate.clear()
        first, second = asyncio.create_task(at.get()), asyncio.create_task(at.get())
        await asyncio.sleep(0.01)
        first.cancel()
        at.django.gate.set()
        assert rendering(await second) == "rendered 1, version 3"

    play(scene)


def test_a_write_while_the_page_is_rendered_is_not_missed() -> None:
    async def scene(at: Scene) -> None:
        at.django.gate.clear()
        asking = asyncio.create_task(at.get())
        await asyncio.sleep(0.01)
        at.log.write()
        at.hub.wake()
        await asyncio.sleep(0.01)
        late = asyncio.create_task(at.get())
        at.django.gate.set()
        await asking
        assert "version 4" in rendering(await late)

    play(scene)


def test_who_asks_while_a_hall_writes_without_a_pause_gets_the_next_rendering() -> None:
    async def scene(at: Scene) -> None:
        at.django.gate.clear()
        asking = [asyncio.create_task(at.get())]
        for _ in range(3):  # each rendering is overtaken by a write before it is done
            await asyncio.sleep(0.01)
            at.log.write()
            at.hub.wake()
            asking += [asyncio.create_task(at.get()) for _ in range(50)]
        await asyncio.sleep(0.01)
        at.django.gate.set()
        first, *others = [rendering(await one) for one in asking]
        assert first == "rendered 1, version 3"
        assert set(others) == {"rendered 2, version 6"}

    play(scene)


def test_a_page_rests_before_it_is_rendered_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_cache, "REST", 10**9)
    monkeypatch.setattr(page_cache, "LONGEST_REST", 3600)

    async def scene(at: Scene) -> None:
        await at.get()
        at.log.write()
        at.hub.wake()
        asking = asyncio.create_task(at.get())
        await asyncio.sleep(0.01)
        assert at.django.rendered == 1
        assert not asking.done()
        asking.cancel()

    play(scene)


def test_a_page_ends_with_the_moment_that_changes_it() -> None:
    async def scene(at: Scene) -> None:
        at.django.until = 1.0  # long past
        await at.get()
        before = at.django.rendered
        await at.get()
        assert at.django.rendered > before

    play(scene)


@pytest.mark.parametrize(
    "headers",
    [
        {"cookie": "sessionid=abc"},
        {"cookie": "messages=hello"},
        {"authorization": "Token abc"},
        {"hx_request": "true"},
        {"range": "bytes=0-5"},
    ],
    ids=str,
)
def test_a_reader_about_whom_more_matters_is_answered_by_django(headers: dict[str, str]) -> None:
    async def scene(at: Scene) -> None:
        await at.get()
        before = at.django.rendered
        await at.get(**headers)
        assert at.django.rendered == before + 1
        assert at.django.seen[-1] == {k.replace("_", "-").encode(): v.encode() for k, v in headers.items()}

    play(scene)


def test_nothing_of_the_reader_reaches_a_kept_page() -> None:
    async def scene(at: Scene) -> None:
        cookie = "csrftoken=mine; theme=dark; other=private; django_language=zh-hant"
        await at.get(cookie=cookie, user_agent="Mine", referer="/private/", host="hall")
        assert at.django.seen == [
            {
                b"host": b"hall",
                b"accept": b"*/*",
                b"accept-language": b"zh-hant",
                b"cookie": b"theme=dark; been=1",
            }
        ]

    play(scene)


def test_each_language_and_look_has_its_own_page() -> None:
    async def scene(at: Scene) -> None:
        readers: tuple[dict[str, str], ...] = (
            {},
            {"accept_language": "zh-TW"},
            {"cookie": "theme=dark"},
            {"host": "elsewhere"},
        )
        pages = [rendering(await at.get(**reader)) for reader in readers]
        assert len(set(pages)) == len(readers)
        assert rendering(await at.get(accept_language="fr, en;q=0.5", cookie="theme=nonsense")) == pages[0]

    play(scene)


def test_what_sets_a_cookie_is_not_kept_and_the_reader_gets_django_s_own_answer() -> None:
    async def scene(at: Scene) -> None:
        at.django.cookie = True
        first, second = await at.get(cookie="csrftoken=mine"), await at.get(cookie="csrftoken=yours")
        assert rendering(first) != rendering(second)
        assert at.django.seen[-1] == {b"cookie": b"csrftoken=yours"}

    play(scene)


@pytest.mark.parametrize("what", ["offers", "status"])
def test_what_nobody_offers_and_what_is_no_page_is_not_kept(what: str) -> None:
    async def scene(at: Scene) -> None:
        at.django.offers, at.django.status = what != "offers", 404 if what == "status" else 200
        assert rendering(await at.get()) != rendering(await at.get())

    play(scene)


def test_who_has_the_page_is_told_so() -> None:
    async def scene(at: Scene) -> None:
        page = dict((await at.get(accept_encoding="gzip, br")).headers)
        again = await at.get(accept_encoding="gzip", if_none_match=page[b"etag"].decode())
        assert (again.status, again.body) == (304, b"")
        assert (await at.get(if_none_match='"v2"')).status == 200

    play(scene)


def test_a_page_is_packed_for_whom_can_unpack_it() -> None:
    async def scene(at: Scene) -> None:
        packed, plain = await at.get(accept_encoding="gzip"), await at.get()
        assert gzip.decompress(packed.body) == plain.body
        assert len(packed.body) < len(plain.body) / 10
        for answer in (packed, plain):
            assert dict(answer.headers)[b"content-length"] == str(len(answer.body)).encode()

    play(scene)


@pytest.mark.parametrize("name", ["cookie", "accept_language"])
def test_a_long_header_is_read_and_not_held(name: str) -> None:
    async def scene(at: Scene) -> None:
        page_keys._remembered.cache_clear()
        page = rendering(await at.get())
        held = page_keys._remembered.cache_info().currsize
        for number in range(5):
            padding = f"x{number}=" + "a" * 5000 if name == "cookie" else f"xx;q=0.{number}," * 300
            assert rendering(await at.get(**{name: padding})) == page
        assert page_keys._remembered.cache_info().currsize == held

    play(scene)


@pytest.mark.parametrize("name", ["host", "accept", "x_forwarded_host"])
def test_a_page_is_not_kept_under_a_long_name(name: str) -> None:
    async def scene(at: Scene) -> None:
        await at.get(**{name: "a" * 2000})
        assert not at.pages._kept

    play(scene)


def test_made_up_addresses_are_not_remembered_for_ever() -> None:
    async def scene(at: Scene) -> None:
        for number in range(MOST_LEFT_ALONE + 50):
            at.pages._leave_alone(f"/t/made-up/{number}/")
        assert len(at.pages._left_alone) == MOST_LEFT_ALONE
        assert f"/t/made-up/{MOST_LEFT_ALONE + 49}/" in at.pages._left_alone

    play(scene)


def test_the_cache_is_not_overfilled() -> None:
    async def scene(at: Scene) -> None:
        for number in range(20):
            await at.get(query=f"q={number}")
        assert at.pages._size <= 20_000
        before = at.django.rendered
        await at.get(query="q=19")
        assert at.django.rendered == before, "the newest page was thrown away"

    play(scene, room=20_000)


def test_without_a_running_hub_nothing_is_kept() -> None:
    async def scene(at: Scene) -> None:
        await at.get()
        await at.hub.stop()
        assert rendering(await at.get()) != rendering(await at.get())

    play(scene)


def test_a_page_from_before_a_restore_is_forgotten_although_its_number_comes_again() -> None:
    async def scene(at: Scene) -> None:
        await at.get()
        at.log.times_replaced += 1
        at.hub.wake()
        await asyncio.sleep(0.01)
        assert rendering(await at.get()) == "rendered 2, version 3"

    play(scene)
