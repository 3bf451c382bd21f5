"""The ASGI side of one stream: what ends it, and that nothing is left behind."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import pytest

from tests.live.fakes import ListLog, told
from tournament.live import app
from tournament.live.hub import Hub

Message = Mapping[str, Any]


class Doorless:
    """Lets everybody in to tournament 7."""

    async def admit(self, slug: str, cookies: str) -> int:
        return 7


class Browser:
    """One request, whose connection can break or stop taking."""

    def __init__(self) -> None:
        self.body = b""
        self.is_complete = False
        self.takes = asyncio.Event()
        self.takes.set()
        self.gone = asyncio.Event()

    async def receive(self) -> Message:
        await self.gone.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Message) -> None:
        await self.takes.wait()
        self.body += message.get("body", b"")
        self.is_complete = message["type"] == "http.response.body" and not message.get("more_body")

    async def get(self, hub: Hub, query: bytes = b"after=0") -> None:
        scope: dict[str, Any] = {"method": "GET", "headers": [], "query_string": query}
        await app._answer(hub, Doorless(), "spring", scope, self.receive, self.send)


def play(scene: Callable[[Hub, ListLog], Awaitable[None]]) -> None:
    async def with_hub() -> None:
        log = ListLog(2)
        hub = Hub(log, 3600)
        hub.start()
        async with asyncio.timeout(20):
            await scene(hub, log)
        assert not hub._rooms, "somebody is still counted as watching"
        await hub.stop()
        assert asyncio.all_tasks() == {asyncio.current_task()}, "a task was left behind"

    asyncio.run(with_hub())


async def until(happened: Callable[[], bool]) -> None:
    while not happened():
        await asyncio.sleep(0.001)


def test_a_browser_that_leaves_is_forgotten() -> None:
    async def scene(hub: Hub, log: ListLog) -> None:
        browser = Browser()
        getting = asyncio.create_task(browser.get(hub))
        await until(lambda: told(browser.body) == [("change", 1), ("change", 2)])
        browser.gone.set()
        await getting

    play(scene)


def test_a_browser_that_takes_nothing_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "STUCK_SECONDS", 0.02)

    async def scene(hub: Hub, log: ListLog) -> None:
        browser = Browser()
        getting = asyncio.create_task(browser.get(hub))
        await until(lambda: bool(told(browser.body)))
        browser.takes.clear()
        log.write()
        hub.wake()
        await getting

    play(scene)


def test_a_silent_stream_is_kept_open_by_heartbeats(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "HEARTBEAT_SECONDS", 0.005)

    async def scene(hub: Hub, log: ListLog) -> None:
        browser = Browser()
        getting = asyncio.create_task(browser.get(hub, b""))
        await until(lambda: browser.body.count(b": still here\n\n") >= 3)
        assert browser.body.startswith(b"retry: 2000\n\n")
        browser.gone.set()
        await getting

    play(scene)


def test_a_stream_the_server_ends_is_complete() -> None:
    async def scene(hub: Hub, log: ListLog) -> None:
        browser = Browser()
        getting = asyncio.create_task(browser.get(hub))
        await until(lambda: bool(told(browser.body)))
        hub.close()
        await getting
        assert browser.is_complete

    play(scene)
