"""The hub over a log in memory: which watcher gets which events, in which order, and who is closed; one ASGI stream."""

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import pytest

from tests.live.fakes import ListLog, events_in, on_the_loop, running, turns, until
from tournament.base.log_actions import ACTIONS
from tournament.live import app
from tournament.live import hub as hubs
from tournament.live.app import Admission
from tournament.live.hub import (
    BACKLOG,
    HEARTBEAT,
    PUBLIC,
    REPLAY,
    STAFF,
    Entry,
    Hub,
    Recipient,
    Watcher,
)


async def next_events(watcher: Watcher, patience: float = 5) -> list[tuple[str, int]]:
    piece = await watcher.take(patience)
    assert piece is not None
    return events_in(piece)


@on_the_loop
async def test_every_watcher_gets_a_write_that_is_read_once(hub: Hub, log: ListLog) -> None:
    """One write costs two reads, however many watch."""
    log.write(3)
    watchers = [await hub.join(7, None) for _ in range(300)]
    await until(lambda: log.reads == 3)  # two to open the room, and a first look
    log.write()
    hub.wake()
    assert [await next_events(watcher) for watcher in watchers] == [[("change", 4)]] * 300
    assert log.reads == 3 + 2


@on_the_loop
async def test_events_come_in_order_and_once(hub: Hub, log: ListLog) -> None:
    watcher = await hub.join(7, None)
    events: list[tuple[str, int]] = []
    for _ in range(20):
        log.write(2)
        hub.wake()
        await asyncio.sleep(0)
    while len(events) < 40:
        events += await next_events(watcher)
    assert events == [("change", version) for version in range(1, 41)]


@on_the_loop
async def test_wake_may_come_from_another_thread(hub: Hub, log: ListLog) -> None:
    """Another process is heard without it."""
    async with running(Hub(log, poll_seconds=0.01)) as looking:
        watcher = await looking.join(7, None)
        log.write()
        assert await next_events(watcher) == [("change", 1)]
    watcher = await hub.join(7, None)
    log.write()
    thread = threading.Thread(target=hub.wake)
    thread.start()
    assert await next_events(watcher) == [("change", 2)]
    thread.join()


@on_the_loop
async def test_nobody_watching_costs_no_reads() -> None:
    log = ListLog(3)
    async with running(Hub(log, poll_seconds=0)) as hub:
        watcher = await hub.join(7, None)
        await until(lambda: log.reads > 5)
        hub.leave(7, watcher)
        await turns()
        before = log.reads
        await turns()
        assert log.reads == before


@on_the_loop
async def test_a_returning_watcher_gets_missed_events(subtests: pytest.Subtests) -> None:
    cases: dict[int | None, list[tuple[str, int]]] = {
        None: [],
        150: [],
        148: [("change", 149), ("change", 150)],
        150 - REPLAY: [("change", version) for version in range(51, 151)],
        150 - REPLAY - 1: [("reset", 150)],
        0: [("reset", 150)],
    }
    for since, expected in cases.items():
        async with running(Hub(ListLog(150), 3600)) as hub:
            with subtests.test(since=since):
                assert await next_events(await hub.join(7, since), 0.001) == expected


@on_the_loop
async def test_many_returning_watchers_are_answered_from_memory(hub: Hub, log: ListLog) -> None:
    log.write(150)
    await hub.join(7, None)
    await until(lambda: log.reads == 3)
    back = [await hub.join(7, 140) for _ in range(100)]
    assert log.reads == 3
    assert [len(await next_events(watcher)) for watcher in back] == [10] * 100


@on_the_loop
async def test_no_event_is_lost_between_replay_and_the_stream(hub: Hub, log: ListLog) -> None:
    log.write(5)
    first = await hub.join(7, None)
    log.write()
    hub.wake()  # under way while the second one joins
    second = await hub.join(7, 4)
    events = await next_events(second)
    while events[-1] != ("change", 6):
        events += await next_events(second)
    assert events == [("change", 5), ("change", 6)]
    assert await next_events(first) == [("change", 6)]


class SlowLog(ListLog):
    """Answers what happened only when it is released."""

    def __init__(self) -> None:
        super().__init__()
        self.is_slow = False
        self.requested, self.released = asyncio.Event(), asyncio.Event()

    async def entries(self, tournament_id: int, after: int) -> list[Entry]:
        if self.is_slow:
            self.is_slow = False
            self.requested.set()
            await self.released.wait()
        return await super().entries(tournament_id, after)


@on_the_loop
async def test_a_watcher_that_joins_while_the_last_one_leaves_gets_events() -> None:
    log = SlowLog()
    async with running(Hub(log, 3600)) as hub:
        first = await hub.join(7, None)
        log.is_slow = True
        log.write()
        hub.wake()
        await log.requested.wait()
        hub.leave(7, first)
        second = await hub.join(7, None)
        log.released.set()
        await until(lambda: hub.version(7) is not None)  # it has looked
        log.write()
        hub.wake()
        assert await next_events(second) == [("change", 2)]


@on_the_loop
async def test_too_many_missed_events_are_a_reset(hub: Hub, log: ListLog) -> None:
    log.write(5)
    watcher = await hub.join(7, None)
    log.write(REPLAY + 1)
    hub.wake()
    assert await next_events(watcher) == [("reset", 106)]
    assert await next_events(await hub.join(7, 50)) == [("reset", 106)]


@on_the_loop
async def test_a_stalled_watcher_is_closed_and_the_others_stay(hub: Hub, log: ListLog) -> None:
    slow, quick = await hub.join(7, None), await hub.join(7, None)
    for _ in range(BACKLOG + 1):
        log.write()
        hub.wake()
        await next_events(quick)
    assert await slow.take(1) is None
    assert not quick.is_closed


@on_the_loop
async def test_a_deleted_tournament_ends_its_streams(hub: Hub, log: ListLog) -> None:
    """Until then silence is a heartbeat."""
    log.write(2)
    watcher = await hub.join(7, None)
    assert await watcher.take(0.001) == HEARTBEAT
    log.exists = False
    hub.wake()
    assert await watcher.take(5) is None


@on_the_loop
async def test_watchers_survive_a_database_failure(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(hubs, "PAUSE_AFTER_FAULT", 0.001)
    log = ListLog()
    async with running(Hub(log, poll_seconds=0.001)) as hub:
        watcher = await hub.join(7, None)
        log.is_down = True
        log.write()
        await until(lambda: "could not read the log" in caplog.text)
        log.is_down = False
        assert await next_events(watcher) == [("change", 1)]


@on_the_loop
async def test_closing_ends_every_stream_at_once(hub: Hub) -> None:
    watchers = [await hub.join(7, None) for _ in range(10)]
    hub.close_soon()
    assert [await watcher.take(5) for watcher in watchers] == [None] * 10
    late = await hub.join(7, None)
    assert await late.take(5) is None
    await hub.stop()
    hub.wake()  # harmless after the end


@on_the_loop
async def test_events_before_results_were_hidden_are_not_replayed(hub: Hub, log: ListLog) -> None:
    log.write(5)
    watcher = await hub.join(7, None)
    log.rows.append(Entry(6, "results_hidden", {"sessions": [1]}, 6))
    hub.wake()
    assert await next_events(watcher) == [("change", 6)]
    assert await next_events(await hub.join(7, 3)) == [("reset", 6)]
    log.write()
    hub.wake()
    assert await next_events(watcher) == [("change", 7)]
    assert await next_events(await hub.join(7, 6)) == [("change", 7)]


@on_the_loop
async def test_the_public_gets_no_event_of_a_hidden_session(hub: Hub, log: ListLog) -> None:
    log.write(3)
    visitor, umpire = await hub.join(7, None), await hub.join(7, None, STAFF, by_role=True)
    log.write_hidden(5)
    hub.wake()
    assert await next_events(umpire) == [("change", seq) for seq in range(4, 9)]
    await until(lambda: hub.version(7) is not None)
    assert hub.version(7) == 3
    log.write()
    hub.wake()
    assert await next_events(visitor) == [("change", 4)]
    assert await next_events(umpire) == [("change", 9)]


@on_the_loop
async def test_replay_does_not_reveal_hidden_entries(subtests: pytest.Subtests) -> None:
    for hidden in (0, 3, 5 * REPLAY):
        log = ListLog(5)
        log.write_hidden(hidden)
        log.write(2)
        log.write_hidden(hidden)
        async with running(Hub(log, 3600)) as hub:
            with subtests.test(hidden=hidden):
                assert await next_events(await hub.join(7, 3)) == [("change", seq) for seq in (4, 5, 6, 7)]
                assert hub.version(7) == 7


@on_the_loop
async def test_a_table_card_gets_events_of_its_table_and_public_ones(hub: Hub, log: ListLog) -> None:
    log.write(3)
    card = await hub.join(7, None, Recipient(table=4), by_role=True)
    log.write_hidden(table=5)
    log.write_hidden(table=4)
    hub.wake()
    piece = await card.take(5)
    assert piece is not None
    assert events_in(piece) == [("change", 3)]
    assert b'"table":4,"table_version":5' in piece
    log.write(table=5)
    hub.wake()
    assert await next_events(card) == [("change", 4)]
    # When it comes back it reads everything: what its table wrote meanwhile has no number that it may know.
    assert await next_events(await hub.join(7, 4, Recipient(table=4), by_role=True)) == [("reset", 4)]


@on_the_loop
async def test_visitors_are_closed_when_a_tournament_becomes_private(hub: Hub, log: ListLog) -> None:
    log.write(3)
    visitor, umpire = await hub.join(7, None), await hub.join(7, None, STAFF, by_role=True)
    log.is_public = False
    hub.wake()
    assert await visitor.take(5) is None
    late = await hub.join(7, None)
    assert await late.take(5) is None, "let in before, and joined after"
    log.write()
    hub.wake()
    assert await next_events(umpire) == [("change", 4)]


@on_the_loop
async def test_watchers_by_role_are_checked_again_when_a_role_ends(
    subtests: pytest.Subtests,
) -> None:
    for action in (action for action in ACTIONS.values() if action.revokes_access):
        log = ListLog(3)
        async with running(Hub(log, 3600)) as hub:
            visitor = await hub.join(7, None)
            insiders = [
                await hub.join(7, None, recipient, by_role=True) for recipient in (STAFF, Recipient(table=1))
            ]
            log.write(action=action.code)
            hub.wake()
            with subtests.test(action.code):
                assert [await watcher.take(5) for watcher in insiders] == [None, None]
                assert await next_events(visitor) == [("change", 4)]


@on_the_loop
async def test_a_restore_is_a_reset_whatever_its_version(hub: Hub, log: ListLog) -> None:
    """So is a log set back from a copy."""
    log.write(5)
    watcher = await hub.join(7, 5)
    log.write(2)
    log.times_replaced += 1
    hub.wake()
    assert ("reset", 7) in await next_events(watcher)
    late = await hub.join(7, 5)
    assert await next_events(late) == [("reset", 7)]
    del log.rows[2:]
    hub.wake()
    assert await next_events(late) == [("reset", 2)]


# --- the ASGI side of one stream: what ends it, and that nothing is left behind ---------------------------
Message = Mapping[str, Any]


class AdmitEverybody:
    """Lets everybody in to tournament 7, and to 8, which is called autumn."""

    def __init__(self, *, by_role: bool = False) -> None:
        self._by_role = by_role

    async def admit(self, slug: str, cookies: str, *, as_staff: bool) -> Admission | None:
        if slug == "unknown":
            return None
        return Admission(8 if slug == "autumn" else 7, STAFF if as_staff else PUBLIC, self._by_role)


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

    async def get(
        self, hub: Hub, query: bytes = b"after=0", *, by_role: bool = False, slugs: str = "spring"
    ) -> None:
        scope: dict[str, Any] = {"method": "GET", "headers": [], "query_string": query}
        path = app.PATH.fullmatch(f"/live/{slugs}/staff/" if by_role else f"/live/{slugs}/")
        assert path is not None
        await app.serve_stream(hub, AdmitEverybody(by_role=by_role), path, scope, self.receive, self.send)


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
        await until(lambda: events_in(browser.body) == [("change", 1), ("change", 2)])
        browser.gone.set()
        await getting


@on_the_loop
async def test_a_stalled_client_is_disconnected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "STALL_SECONDS", 0.02)
    log = ListLog(2)
    async with hub_over(log) as hub:
        browser, getting = watching(hub)
        await until(lambda: bool(events_in(browser.body)))
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
        await until(lambda: bool(events_in(browser.body)))
        hub.close()
        await getting
        assert browser.is_complete


@on_the_loop
async def test_a_stream_by_role_ends_and_is_checked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Signed out, deactivated, out of date: nothing is written then that would tell the hub."""
    monkeypatch.setattr(app, "ROLE_STREAM_SECONDS", (0.01, 0.02))
    async with hub_over(ListLog(2)) as hub:
        umpire, (visitor, staying) = Browser(), watching(hub)
        await umpire.get(hub, by_role=True)
        assert umpire.is_complete
        assert not staying.done()
        visitor.gone.set()
        await staying


@on_the_loop
async def test_staff_follow_several_tournaments_in_one_stream() -> None:
    log = ListLog(2)
    log.ids = (7, 8)
    async with hub_over(log) as hub:
        umpire = Browser()
        getting = asyncio.create_task(umpire.get(hub, by_role=True, slugs="spring+unknown+autumn"))
        await until(lambda: len(hub._rooms) == 2)
        log.write()
        hub.wake()
        await until(lambda: events_in(umpire.body) == [("change", 3), ("change", 3)])
        umpire.gone.set()
        await getting
    assert app.PATH.fullmatch("/live/spring+autumn/") is None, "visitors follow one"


@on_the_loop
async def test_a_full_hall_is_asked_to_spread_its_requests(hub: Hub, log: ListLog) -> None:
    """A few watchers are not, and no watcher waits longer than three seconds."""

    async def spread(watchers: int) -> int | None:
        several = [await hub.join(7, None) for _ in range(watchers)]
        log.write()
        hub.wake()
        piece = await several[0].take(5)
        for watcher in several:
            hub.leave(7, watcher)
        assert piece is not None
        data: dict[str, int] = json.loads(piece.decode().partition("data: ")[2])
        return data.get("spread")

    assert [await spread(number) for number in (4, 400, 5000)] == [None, 1200, 3000]
