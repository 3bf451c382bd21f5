"""The hub over a log in memory: who hears what, in which order, and who is sent away."""

import asyncio
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest

from tests.live.fakes import ListLog, told
from tournament.live import hub as hubs
from tournament.live.events import HEARTBEAT, STAFF, Entry, Hearer
from tournament.live.hub import Hub
from tournament.live.rooms import BACKLOG, NARROWING, REPLAY, Watcher

NEVER = 3600.0
"""A look interval no test waits for: what is heard was heard because of `wake`."""


@asynccontextmanager
async def running(log: ListLog, look_every: float = NEVER) -> AsyncIterator[Hub]:
    hub = Hub(log, look_every)
    hub.start()
    try:
        yield hub
    finally:
        await hub.stop()


async def heard(watcher: Watcher) -> list[tuple[str, int]]:
    piece = await watcher.take(5)
    assert piece is not None
    return told(piece)


def play(scene: Callable[[], Awaitable[None]]) -> None:
    async def with_limit() -> None:
        async with asyncio.timeout(20):
            await scene()

    asyncio.run(with_limit())


def test_everybody_who_watches_hears_of_a_write() -> None:
    async def scene() -> None:
        log = ListLog(3)
        async with running(log) as hub:
            watchers = [await hub.join(7, None) for _ in range(300)]
            log.write()
            hub.wake()
            assert [await heard(watcher) for watcher in watchers] == [[("change", 4)]] * 300

    play(scene)


def test_a_write_costs_two_reads_however_many_watch() -> None:
    async def scene() -> None:
        log = ListLog(3)
        async with running(log) as hub:
            watchers = [await hub.join(7, None) for _ in range(300)]
            await asyncio.sleep(0.01)
            before = log.reads
            log.write()
            hub.wake()
            await heard(watchers[0])
            assert log.reads - before == 2

    play(scene)


def test_writes_are_told_in_order_and_once() -> None:
    async def scene() -> None:
        log = ListLog()
        async with running(log) as hub:
            watcher = await hub.join(7, None)
            events: list[tuple[str, int]] = []
            for _ in range(20):
                log.write(2)
                hub.wake()
                await asyncio.sleep(0)
            while len(events) < 40:
                events += await heard(watcher)
            assert events == [("change", version) for version in range(1, 41)]

    play(scene)


def test_another_process_is_heard_without_a_wake() -> None:
    async def scene() -> None:
        log = ListLog()
        async with running(log, look_every=0.01) as hub:
            watcher = await hub.join(7, None)
            log.write()
            assert await heard(watcher) == [("change", 1)]

    play(scene)


def test_wake_may_come_from_another_thread() -> None:
    async def scene() -> None:
        log = ListLog()
        async with running(log) as hub:
            watcher = await hub.join(7, None)
            log.write()
            thread = threading.Thread(target=hub.wake)
            thread.start()
            assert await heard(watcher) == [("change", 1)]
            thread.join()

    play(scene)


def test_nobody_watching_costs_no_reads() -> None:
    async def scene() -> None:
        log = ListLog(3)
        async with running(log, look_every=0.001) as hub:
            watcher = await hub.join(7, None)
            hub.leave(7, watcher)
            await asyncio.sleep(0.01)
            before = log.reads
            await asyncio.sleep(0.05)
            assert log.reads == before

    play(scene)


@pytest.mark.parametrize(
    ("since", "expected"),
    [
        (None, []),
        (150, []),
        (148, [("change", 149), ("change", 150)]),
        (150 - REPLAY, [("change", version) for version in range(51, 151)]),
        (150 - REPLAY - 1, [("reset", 150)]),
        (0, [("reset", 150)]),
    ],
)
def test_a_watcher_that_comes_back_is_told_what_it_missed(
    since: int | None, expected: list[tuple[str, int]]
) -> None:
    async def scene() -> None:
        async with running(ListLog(150)) as hub:
            watcher = await hub.join(7, since)
            piece = await watcher.take(0.01)
            assert piece is not None
            assert told(piece) == expected

    play(scene)


def test_a_hall_that_comes_back_is_answered_from_memory() -> None:
    async def scene() -> None:
        log = ListLog(150)
        async with running(log) as hub:
            await hub.join(7, None)
            await asyncio.sleep(0.01)
            before = log.reads
            back = [await hub.join(7, 140) for _ in range(100)]
            assert log.reads == before
            assert all([len(await heard(watcher)) == 10 for watcher in back])

    play(scene)


def test_nothing_falls_between_replay_and_the_stream() -> None:
    async def scene() -> None:
        log = ListLog(5)
        async with running(log) as hub:
            first = await hub.join(7, None)
            log.write()
            hub.wake()  # under way while the second one joins
            second = await hub.join(7, 4)
            events = await heard(second)
            while events[-1] != ("change", 6):
                events += await heard(second)
            assert events == [("change", 5), ("change", 6)]
            assert await heard(first) == [("change", 6)]

    play(scene)


class SlowLog(ListLog):
    """Answers what happened only when it is released."""

    def __init__(self) -> None:
        super().__init__()
        self.is_slow = False
        self.asked, self.released = asyncio.Event(), asyncio.Event()

    async def entries(self, tournament_id: int, after: int) -> list[Entry]:
        if self.is_slow:
            self.is_slow = False
            self.asked.set()
            await self.released.wait()
        return await super().entries(tournament_id, after)


def test_who_comes_while_the_last_one_leaves_goes_on_hearing() -> None:
    async def scene() -> None:
        log = SlowLog()
        async with running(log) as hub:
            first = await hub.join(7, None)
            log.is_slow = True
            log.write()
            hub.wake()
            await log.asked.wait()
            hub.leave(7, first)
            second = await hub.join(7, None)
            log.released.set()
            await asyncio.sleep(0.01)
            log.write()
            hub.wake()
            assert await heard(second) == [("change", 2)]

    play(scene)


def test_more_than_can_be_told_one_by_one_is_a_reset() -> None:
    async def scene() -> None:
        log = ListLog(5)
        async with running(log) as hub:
            watcher = await hub.join(7, None)
            log.write(REPLAY + 1)
            hub.wake()
            assert await heard(watcher) == [("reset", 106)]
            assert await heard(await hub.join(7, 50)) == [("reset", 106)]

    play(scene)


def test_a_log_set_back_from_a_copy_is_a_reset() -> None:
    async def scene() -> None:
        log = ListLog(50)
        async with running(log) as hub:
            watcher = await hub.join(7, None)
            del log.rows[20:]
            hub.wake()
            assert await heard(watcher) == [("reset", 20)]

    play(scene)


def test_a_watcher_that_takes_nothing_is_sent_away_and_the_others_stay() -> None:
    async def scene() -> None:
        log = ListLog()
        async with running(log) as hub:
            slow, quick = await hub.join(7, None), await hub.join(7, None)
            for _ in range(BACKLOG + 1):
                log.write()
                hub.wake()
                await heard(quick)
            assert await slow.take(1) is None
            assert not quick.is_closed

    play(scene)


def test_silence_is_a_heartbeat() -> None:
    async def scene() -> None:
        async with running(ListLog()) as hub:
            watcher = await hub.join(7, None)
            assert await watcher.take(0.001) == HEARTBEAT

    play(scene)


def test_a_deleted_tournament_ends_its_streams() -> None:
    async def scene() -> None:
        log = ListLog(2)
        async with running(log) as hub:
            watcher = await hub.join(7, None)
            log.exists = False
            hub.wake()
            assert await watcher.take(5) is None

    play(scene)


def test_watchers_outlive_a_database_that_is_away(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(hubs, "PAUSE_AFTER_FAULT", 0.001)

    async def scene() -> None:
        log = ListLog()
        async with running(log, look_every=0.001) as hub:
            watcher = await hub.join(7, None)
            log.is_down = True
            log.write()
            await asyncio.sleep(0.02)
            log.is_down = False
            assert await heard(watcher) == [("change", 1)]

    play(scene)
    assert "could not read the log" in caplog.text


def test_closing_ends_every_stream_at_once() -> None:
    async def scene() -> None:
        async with running(ListLog()) as hub:
            watchers = [await hub.join(7, None) for _ in range(10)]
            hub.close_soon()
            assert [await watcher.take(5) for watcher in watchers] == [None] * 10
            late = await hub.join(7, None)
            assert await late.take(5) is None

    play(scene)


def test_wake_after_the_end_is_harmless() -> None:
    kept: list[Hub] = []

    async def scene() -> None:
        async with running(ListLog()) as hub:
            kept.append(hub)

    play(scene)
    kept[0].wake()


def test_what_was_told_before_results_were_hidden_is_not_told_again() -> None:
    async def scene() -> None:
        log = ListLog(5)
        async with running(log) as hub:
            watcher = await hub.join(7, None)
            log.rows.append(Entry(6, "results_hidden", {"sessions": [1]}, 6))
            hub.wake()
            assert await heard(watcher) == [("change", 6)]
            assert await heard(await hub.join(7, 3)) == [("reset", 6)]
            log.write()
            hub.wake()
            assert await heard(watcher) == [("change", 7)]
            assert await heard(await hub.join(7, 6)) == [("change", 7)]

    play(scene)


def test_the_public_hears_nothing_of_a_hidden_session_and_its_version_stays() -> None:
    async def scene() -> None:
        log = ListLog(3)
        async with running(log) as hub:
            visitor, umpire = await hub.join(7, None), await hub.join(7, None, STAFF, by_role=True)
            log.write_hidden(5)
            hub.wake()
            assert await heard(umpire) == [("change", seq) for seq in range(4, 9)]
            await asyncio.sleep(0.01)
            assert hub.version(7) == 3
            log.write()
            hub.wake()
            assert await heard(visitor) == [("change", 4)]
            assert await heard(umpire) == [("change", 9)]

    play(scene)


@pytest.mark.parametrize("hidden", [0, 3, 5 * REPLAY])
def test_what_a_visitor_missed_is_told_alike_however_much_is_hidden(hidden: int) -> None:
    async def scene() -> None:
        log = ListLog(5)
        log.write_hidden(hidden)
        log.write(2)
        log.write_hidden(hidden)
        async with running(log) as hub:
            assert await heard(await hub.join(7, 3)) == [("change", seq) for seq in (4, 5, 6, 7)]
            assert hub.version(7) == 7

    play(scene)


def test_the_card_on_a_table_hears_that_table_and_else_what_everybody_hears() -> None:
    async def scene() -> None:
        log = ListLog(3)
        async with running(log) as hub:
            card = await hub.join(7, None, Hearer(table=4), by_role=True)
            log.write_hidden(table=5)
            log.write_hidden(table=4)
            hub.wake()
            piece = await card.take(5)
            assert piece is not None
            assert told(piece) == [("change", 3)]
            assert b'"table":4,"table_version":5' in piece
            log.write(table=5)
            hub.wake()
            assert await heard(card) == [("change", 4)]

    play(scene)


def test_a_card_that_comes_back_reads_everything_anew() -> None:
    """What its table wrote meanwhile has no number that it may know."""

    async def scene() -> None:
        log = ListLog(3)
        log.write_hidden(table=4)
        async with running(log) as hub:
            assert await heard(await hub.join(7, 3, Hearer(table=4), by_role=True)) == [("reset", 3)]

    play(scene)


def test_when_a_tournament_goes_private_its_visitors_are_sent_away() -> None:
    async def scene() -> None:
        log = ListLog(3)
        async with running(log) as hub:
            visitor, umpire = await hub.join(7, None), await hub.join(7, None, STAFF, by_role=True)
            log.is_public = False
            hub.wake()
            assert await visitor.take(5) is None
            late = await hub.join(7, None)
            assert await late.take(5) is None, "let in before, and joined after"
            log.write()
            hub.wake()
            assert await heard(umpire) == [("change", 4)]

    play(scene)


@pytest.mark.parametrize("action", NARROWING)
def test_when_somebody_loses_a_role_those_with_one_are_asked_for_it_again(action: str) -> None:
    async def scene() -> None:
        log = ListLog(3)
        async with running(log) as hub:
            visitor = await hub.join(7, None)
            inside = [await hub.join(7, None, who, by_role=True) for who in (STAFF, Hearer(table=1))]
            log.write(action=action)
            hub.wake()
            assert [await one.take(5) for one in inside] == [None, None]
            assert await heard(visitor) == [("change", 4)]

    play(scene)


def test_a_backup_put_in_its_place_is_a_reset_whatever_its_version() -> None:
    async def scene() -> None:
        log = ListLog(5)
        async with running(log) as hub:
            watcher = await hub.join(7, 5)
            log.write(2)
            log.times_replaced += 1
            hub.wake()
            assert ("reset", 7) in await heard(watcher)
            assert await heard(await hub.join(7, 5)) == [("reset", 7)]

    play(scene)
