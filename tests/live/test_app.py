"""The ASGI side of one stream: what ends it, and that nothing is left behind."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import pytest

from tests.live.fakes import ListLog, on_the_loop, told, until
from tournament.live import app
from tournament.live.events import PUBLIC, STAFF
from tournament.live.hub import Hub
from tournament.live.sources import Admission

Message = Mapping[str, Any]


class Doorless:
    """Lets everybody in to tournament 7."""

    def __init__(self, *, by_role: bool = False) -> None:
        self._by_role = by_role

    async def admit(self, slug: str, cookies: str, *, as_staff: bool) -> Admission:
        return Admission(7, STAFF if as_staff else PUBLIC, self._by_role)


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

    async def get(self, hub: Hub, query: bytes = b"after=0", *, by_role: bool = False) -> None:
        scope: dict[str, Any] = {"method": "GET", "headers": [], "query_string": query}
        path = app.PATH.fullmatch("/live/spring/staff/" if by_role else "/live/spring/")
        assert path is not None
        await app._answer(hub, Doorless(by_role=by_role), path, scope, self.receive, self.send)


def watching(hub: Hub, query: bytes = b"after=0") -> tuple[Browser, asyncio.Task[None]]:
    browser = Browser()
    return browser, asyncio.create_task(browser.get(hub, query))


@asynccontextmanager
async def hub_over(log: ListLog) -> AsyncIterator[Hub]:
    """Nobody watches it in the end, and no task is left behind."""
    hub = Hub(log, 3600)
    hub.start()
    yield hub
    assert not hub._rooms, "somebody is still counted as watching"
    await hub.stop()
    assert asyncio.all_tasks() == {asyncio.current_task()}, "a task was left behind"


@on_the_loop
async def test_a_browser_that_leaves_is_forgotten() -> None:
    async with hub_over(ListLog(2)) as hub:
        browser, getting = watching(hub)
        await until(lambda: told(browser.body) == [("change", 1), ("change", 2)])
        browser.gone.set()
        await getting


@on_the_loop
async def test_a_browser_that_takes_nothing_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "STUCK_SECONDS", 0.02)
    log = ListLog(2)
    async with hub_over(log) as hub:
        browser, getting = watching(hub)
        await until(lambda: bool(told(browser.body)))
        browser.takes.clear()
        log.write()
        hub.wake()
        await getting


@on_the_loop
async def test_a_silent_stream_is_kept_open_by_heartbeats(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "HEARTBEAT_SECONDS", 0.005)
    async with hub_over(ListLog(2)) as hub:
        browser, getting = watching(hub, b"")
        await until(lambda: browser.body.count(b": still here\n\n") >= 3)
        assert browser.body.startswith(b"retry: 2000\n\n")
        browser.gone.set()
        await getting


@on_the_loop
async def test_a_stream_the_server_ends_is_complete() -> None:
    async with hub_over(ListLog(2)) as hub:
        browser, getting = watching(hub)
        await until(lambda: bool(told(browser.body)))
        hub.close()
        await getting
        assert browser.is_complete


@on_the_loop
async def test_who_was_let_in_by_a_role_is_asked_for_it_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Signed out, deactivated, out of date: nothing is written then that would tell the hub."""
    monkeypatch.setattr(app, "LIVES_SECONDS", (0.01, 0.02))
    async with hub_over(ListLog(2)) as hub:
        umpire, (visitor, staying) = Browser(), watching(hub)
        await umpire.get(hub, by_role=True)
        assert umpire.is_complete
        assert not staying.done()
        visitor.gone.set()
        await staying
