"""What one address may take of a process, by the middleware alone: connections, streams, memory and time for bodies."""

import asyncio
import logging
import resource
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest
from django.conf import settings

from config.front import bodies, limits
from config.front.asgi import App, Message, Receive, Scope, Send
from config.front.bodies import with_small_bodies
from config.front.limits import key_of, signed_in, with_limits, with_open_connection_limit
from tests.live.fakes import on_the_loop, turns

ROOM = 16
HALL, ELSEWHERE = "203.0.113.7", "203.0.113.8"


@pytest.fixture(autouse=True)
def nobody_is_known() -> Iterator[None]:
    signed_in.clear()
    yield
    signed_in.clear()


class Visit:
    """One request. Its body comes piece by piece, as `send` is called; None is the end."""

    def __init__(self, path: str = "/", address: str = HALL, session: str = "") -> None:
        headers = [(b"cookie", f"{settings.SESSION_COOKIE_NAME}={session}".encode())] if session else []
        self.scope: Scope = {
            "type": "http",
            "method": "POST",
            "path": path,
            "query_string": b"",
            "headers": headers,
            "client": (address, 5),
        }
        self.sent: list[Message] = []
        self._pieces: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._task: asyncio.Task[None] | None = None

    def bring(self, *pieces: bytes | None) -> None:
        for piece in pieces:
            self._pieces.put_nowait(piece)

    async def receive(self) -> Message:
        piece = await self._pieces.get()
        return {"type": "http.request", "body": piece or b"", "more_body": piece is not None}

    async def send(self, message: Message) -> None:
        self.sent.append(message)

    async def begin(self, app: App) -> "Visit":
        """Start it, up to where it waits."""
        self._task = asyncio.create_task(app(self.scope, self.receive, self.send))  # type: ignore[arg-type]
        await turns()
        return self

    async def end(self) -> int:
        """The status of its answer, once it is there."""
        assert self._task
        await self._task
        return self.status

    @property
    def status(self) -> int:
        return int(self.sent[0]["status"]) if self.sent else 0


async def reads_all(scope: Scope, receive: Receive, send: Send) -> None:
    while (await receive()).get("more_body"):
        pass
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"", "more_body": True})
    await send({"type": "http.response.body", "body": b""})


async def visits(app: App, number: int, *about: Any) -> list[Visit]:
    """So many at once; those that are let in wait for their bodies."""
    return [await Visit(*about).begin(app) for _ in range(number)]


def turned_away(visited: list[Visit]) -> list[int]:
    return [visit.status for visit in visited if visit.status]


@on_the_loop
async def test_one_address_gets_at_most_half_of_the_connections() -> None:
    app = with_limits(reads_all, ROOM)
    flood = await visits(app, ROOM)
    assert turned_away(flood) == [429] * 9
    assert turned_away(await visits(app, 7, "/", ELSEWHERE)) == []
    flood[0].bring(None)
    assert await flood[0].end() == 200
    assert turned_away(await visits(app, 2)) == [429]


@on_the_loop
async def test_a_share_of_connections_is_reserved_for_signed_in_users(
    caplog: pytest.LogCaptureFixture,
) -> None:
    app = with_limits(reads_all, ROOM)
    with caplog.at_level(logging.WARNING, logger="config.front.limits"):
        strangers = [
            visit for last in range(ROOM) for visit in await visits(app, 1, "/", f"203.0.113.{last}")
        ]
    assert turned_away(strangers) == [503] * 2
    assert len(caplog.records) == 1
    assert turned_away(await visits(app, 3, "/", HALL, "made up")) == [503] * 3
    for account in ("olga", "uma"):
        signed_in.add(key_of("", account), account)
        assert turned_away(await visits(app, 1, "/", HALL, account)) == []


@on_the_loop
async def test_one_account_gets_at_most_its_share_of_requests_and_streams(settings: Any) -> None:
    """A card lies on a table: its holder must not take the places of everybody else who is signed in."""
    settings.CONNECTIONS_PER_ACCOUNT = 4
    app = with_limits(reads_all, 400)
    for session in ("phone", "laptop"):
        signed_in.add(key_of("", session), "card")
    signed_in.add(key_of("", "umpire"), "umpire")
    assert turned_away(await visits(app, 3, "/live/cup/", HALL, "phone")) == [429]
    assert turned_away(await visits(app, 3, "/", HALL, "laptop")) == [429]
    assert turned_away(await visits(app, 2, "/live/cup/", HALL, "umpire")) == []


async def answers_at_once(scope: Scope, receive: Receive, send: Send) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})


async def stay_open(app: App, ports: range, address: str = HALL, session: str = "") -> int:
    """Send a request from each of these ports; return how many connections stay open."""
    open_ = 0
    for port in ports:
        visit = Visit("/healthz", address, session)
        visit.scope["client"] = (address, port)
        await (await visit.begin(app)).end()
        open_ += (b"connection", b"close") not in visit.sent[0]["headers"]
    return open_


@on_the_loop
async def test_connections_kept_open_are_limited(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    app = with_open_connection_limit(answers_at_once, ROOM)
    assert await stay_open(app, range(20)) == 7, "one address"
    assert len(caplog.records) == 1
    assert await stay_open(app, range(7)) == 7, "the same connections again"
    assert await stay_open(app, range(20), ELSEWHERE) == 7
    assert await stay_open(app, range(1), "203.0.113.9") == 0, "the rest is for who is signed in"
    signed_in.add(key_of("", "umpire"), "umpire")
    assert await stay_open(app, range(30, 40), HALL, "umpire") == 1, "one account"
    monkeypatch.setattr(limits, "IDLE_SECONDS", -1)
    assert await stay_open(app, range(40, 50)) == 10, "the server has closed idle ones"


@on_the_loop
async def test_connections_of_a_proxy_are_not_counted(settings: Any) -> None:
    settings.TRUSTED_PROXIES = [HALL]
    assert await stay_open(with_open_connection_limit(answers_at_once, ROOM), range(20)) == 20


@on_the_loop
async def test_streams_have_a_limit_of_their_own(settings: Any) -> None:
    settings.STREAMS_PER_ADDRESS = 2
    app = with_limits(reads_all, ROOM)
    assert turned_away(await visits(app, 3, "/live/cup/")) == [429]
    assert turned_away(await visits(app, 3)) == []


@on_the_loop
async def test_visitors_behind_a_trusted_proxy_are_counted_separately(settings: Any) -> None:
    settings.TRUSTED_PROXIES = [HALL]
    app = with_limits(reads_all, ROOM)
    for last in range(ROOM - 2):
        visit = Visit()
        visit.scope["headers"] = [(b"x-forwarded-for", f"198.51.100.{last}".encode())]
        assert (await visit.begin(app)).status == 0


@on_the_loop
async def test_zero_is_no_limit_for_one_address(settings: Any) -> None:
    settings.CONNECTIONS_PER_ADDRESS = settings.STREAMS_PER_ADDRESS = 0
    assert turned_away(await visits(with_limits(reads_all, ROOM), 14, "/live/cup/")) == []


@on_the_loop
async def test_a_client_that_does_not_read_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "STALL_SECONDS", 0.01)
    visit = Visit()
    visit.bring(None)

    async def never(message: Message) -> None:
        if message["type"] == "http.response.body":
            await asyncio.Event().wait()

    visit.send = never  # type: ignore[method-assign]
    app = with_limits(reads_all, ROOM)
    await visit.begin(app)
    assert await visit.end() == 0
    assert turned_away(await visits(app, 7)) == []


def test_connections_follow_the_limit_of_open_files(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[tuple[int, int]] = []
    monkeypatch.setattr(resource, "getrlimit", lambda _: (1_024, 524_288))
    monkeypatch.setattr(resource, "setrlimit", lambda _, limit: calls.append(limit))
    assert limits.connections() == 624
    limits.raise_file_limit()
    assert calls == [(limits.MAX_FILES, 524_288)]


@on_the_loop
async def test_a_stalled_body_is_timed_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bodies, "PAUSE_SECONDS", 0.02)
    visit = await Visit().begin(with_limits(with_small_bodies(reads_all)))
    visit.bring(b"all but the last")
    assert await visit.end() == 408


@on_the_loop
async def test_a_slow_body_is_timed_out(monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter(range(0, 1000, 20))
    monkeypatch.setattr(bodies, "monotonic", lambda: float(next(times)))
    visit = await Visit().begin(with_limits(with_small_bodies(reads_all)))
    visit.bring(b"x", b"x", b"x")
    assert await visit.end() == 408


@on_the_loop
async def test_a_body_at_the_minimum_rate_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter(range(0, 1000, 20))
    monkeypatch.setattr(bodies, "monotonic", lambda: float(next(times)))
    visit = await Visit().begin(with_limits(with_small_bodies(reads_all)))
    visit.bring(*[b"x" * 60_000] * 20, None)
    assert await visit.end() == 200


BRINGS: list[tuple[str, Callable[[App], Awaitable[list[Visit]]], list[int]]] = [
    ("one address", lambda app: visits(app, 5), [429]),
    ("everybody", lambda app: _from_five_addresses(app), [503]),
    ("one account", lambda app: visits(app, 5, "/", HALL, "good"), [429]),
]


async def _from_five_addresses(app: App) -> list[Visit]:
    return [visit for last in range(5) for visit in await visits(app, 2, "/", f"203.0.113.{last}")]


@pytest.mark.parametrize(("who", "come", "refused"), BRINGS, ids=[who for who, _, _ in BRINGS])
def test_the_memory_of_bodies_is_limited(
    monkeypatch: pytest.MonkeyPatch,
    who: str,
    come: Callable[[App], Awaitable[list[Visit]]],
    refused: list[int],
) -> None:
    monkeypatch.setattr(bodies, "MEMORY", 900)
    monkeypatch.setattr(bodies, "MEMORY_PER_ADDRESS", 400)
    monkeypatch.setattr(bodies, "MEMORY_PER_ACCOUNT", 400)
    signed_in.add(key_of("", "good"), "uma")

    @on_the_loop
    async def scene() -> None:
        app = with_limits(with_small_bodies(reads_all))
        visited = await come(app)
        for visit in visited:
            visit.bring(b"x" * 100)
            await turns()
        assert turned_away(visited) == refused
        # What was held is free again once they are answered.
        for visit in visited:
            visit.bring(None)
        assert {await visit.end() for visit in visited} == {200, *refused}
        visit = await Visit().begin(app)
        visit.bring(b"x" * 300, None)
        assert await visit.end() == 200

    scene()
