"""`GET /live/<slug>/`: the stream of a tournament's changes, as server-sent events. Staff may follow several."""

from __future__ import annotations

import asyncio
import random
import re
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import ParamSpec, Protocol, TypeVar
from urllib.parse import parse_qs

from django.conf import settings
from django.db import close_old_connections, connections

from config.front.asgi import App, Receive, Scope, Send
from tournament.base.access import Actor, actor_from_cookies, audience_of, memberships
from tournament.base.database import restore_id
from tournament.base.engine.notices import Audience
from tournament.base.models.log import LogEntry
from tournament.base.models.play import Session
from tournament.base.models.tournament import Tournament
from tournament.live import wake
from tournament.live.hub import PUBLIC, RETRY, STAFF, Entry, Hub, Recipient, Versions, Watcher
from tournament.live.page_cache import PageCache


@dataclass(frozen=True)
class Admission:
    """A visitor's permission to watch a tournament. `by_role` means that not everybody may watch."""

    tournament_id: int
    recipient: Recipient
    by_role: bool


class Admitter(Protocol):
    """Decides who may watch: the database, or a test."""

    async def admit(self, slug: str, cookies: str, *, as_staff: bool) -> Admission | None: ...


PATH = re.compile(r"/live/([-\w]+(?:(?:\+[-\w]+){1,31}(?=/staff/))?)/(staff/)?")
"""One tournament, or several for staff: browsers open only six connections to a host over HTTP/1.1."""
HEARTBEAT_SECONDS = 15.0
STALL_SECONDS = 20.0
"""A client that does not read for so long is disconnected."""
ROLE_STREAM_SECONDS = (60.0, 120.0)
"""Lifetime of a stream that was admitted by a role, a random time between these; the role is checked again when the
client reconnects."""
POLL_SECONDS = 0.25
POLL_SECONDS_WITH_REDIS = 5.0
"""Redis notifies at once; polling only finds lost notifications."""

_HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-content-type-options", b"nosniff"),
    # nginx would otherwise buffer events.
    (b"x-accel-buffering", b"no"),
]


def with_live(django: App) -> App:
    """Wrap Django: streams are answered here, cached pages by the page cache, everything else by `django`."""
    database = Database()
    hub = Hub(database, POLL_SECONDS_WITH_REDIS if settings.REDIS_URL else POLL_SECONDS)
    pages = PageCache(django, hub)

    async def application(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await _lifespan(hub, database, receive, send)
        elif scope["type"] == "http" and (path := PATH.fullmatch(scope["path"])):
            await serve_stream(hub, database, path, scope, receive, send)
        elif scope["type"] == "http":
            await pages(scope, receive, send)
        else:
            await django(scope, receive, send)

    return application


async def _lifespan(hub: Hub, database: Database, receive: Receive, send: Send) -> None:
    """Run the hub for the lifespan of one server process."""
    await receive()
    hub.start()
    with _close_streams_on_signal(hub):
        async with wake.listening(hub.wake):
            await send({"type": "lifespan.startup.complete"})
            await receive()
    await hub.stop()
    await database.close()
    await send({"type": "lifespan.shutdown.complete"})


@contextmanager
def _close_streams_on_signal(hub: Hub) -> Iterator[None]:
    """Close all streams at a signal, before the server's handler, which would wait for them to end."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}

    def handle(number: int, frame: FrameType | None) -> None:
        hub.close_soon()
        handler = handlers[signal.Signals(number)]
        if callable(handler):
            handler(number, frame)

    for number in handlers:
        signal.signal(number, handle)
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)


async def serve_stream(
    hub: Hub, admitter: Admitter, path: re.Match[str], scope: Scope, receive: Receive, send: Send
) -> None:
    """Stream a tournament's events to one client until it leaves or the stream is closed."""
    headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
    if scope["method"] != "GET":
        await _refuse(send, 405, "Only GET.", (b"allow", b"GET"))
        return
    slugs, cookies = path[1].split("+"), headers.get("cookie", "")
    answers = [await admitter.admit(slug, cookies, as_staff=path[2] is not None) for slug in slugs]
    admissions = [admission for admission in answers if admission]
    if not admissions:
        await _refuse(send, 404, "There is no such tournament.")
        return
    # Versions are those of one tournament: a stream of several replays nothing.
    since = _since(headers, scope["query_string"]) if len(slugs) == 1 else None
    watcher = Watcher(by_role=any(admission.by_role for admission in admissions))
    try:
        for admission in admissions:
            await hub.join(admission.tournament_id, since, admission.recipient, watcher=watcher)
        await _stream(watcher, receive, send)
    finally:
        for admission in admissions:
            hub.leave(admission.tournament_id, watcher, admission.recipient)


def _since(headers: dict[str, str], query: bytes) -> int | None:
    """Return the version that the client has seen, or None if it sends none or no digits."""
    version = headers.get("last-event-id") or parse_qs(query.decode("latin-1")).get("after", [""])[0]
    return int(version) if version.isascii() and version.isdigit() and len(version) < 19 else None


async def _stream(watcher: Watcher, receive: Receive, send: Send) -> None:
    disconnect_task = asyncio.create_task(_close_on_disconnect(watcher, receive))
    expiry = watcher.by_role and asyncio.get_running_loop().call_later(
        random.uniform(*ROLE_STREAM_SECONDS), watcher.close
    )
    try:
        await send({"type": "http.response.start", "status": 200, "headers": _HEADERS})
        piece: bytes | None = RETRY
        while piece is not None:
            async with asyncio.timeout(STALL_SECONDS):
                await send({"type": "http.response.body", "body": piece, "more_body": True})
            piece = await watcher.take(HEARTBEAT_SECONDS)
        if not disconnect_task.done():
            async with asyncio.timeout(STALL_SECONDS):
                await send({"type": "http.response.body", "body": watcher.final_frame})
    except (TimeoutError, OSError):
        # The client reconnects with the last version it has seen, and misses nothing.
        pass
    finally:
        disconnect_task.cancel()
        if expiry:
            expiry.cancel()


async def _close_on_disconnect(watcher: Watcher, receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    watcher.close()


async def _refuse(send: Send, status: int, sentence: str, *headers: tuple[bytes, bytes]) -> None:
    plain = (b"content-type", b"text/plain; charset=utf-8")
    await send({"type": "http.response.start", "status": status, "headers": [plain, *headers]})
    await send({"type": "http.response.body", "body": sentence.encode()})


P = ParamSpec("P")

R = TypeVar("R")


class Database:
    """What the stream reads, in one thread with one connection: the log (`hub.Log`) and who may watch."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="live")

    async def versions(self, tournament_ids: Iterable[int]) -> dict[int, Versions]:
        return await self._read(versions_now, list(tournament_ids))

    async def entries(self, tournament_id: int, after: int) -> list[Entry]:
        return await self._read(entries_after, tournament_id, after)

    async def public_entries(self, tournament_id: int, after: int) -> list[Entry]:
        return await self._read(public_entries_after, tournament_id, after)

    async def restore_id(self) -> str:
        return restore_id()

    async def admit(self, slug: str, cookies: str, *, as_staff: bool) -> Admission | None:
        """Return this visitor's admission; None if there is no such tournament or they may not watch it (as staff)."""
        return await self._read(admission_of, slug, cookies, as_staff=as_staff)

    async def close(self) -> None:
        await self._read(connections.close_all)
        self._thread.shutdown()

    async def _read(self, query: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        def with_fresh_connection() -> R:
            close_old_connections()
            try:
                return query(*args, **kwargs)
            finally:
                close_old_connections()

        return await asyncio.get_running_loop().run_in_executor(self._thread, with_fresh_connection)


def versions_now(tournament_ids: list[int]) -> dict[int, Versions]:
    tournaments = Tournament.objects.filter(pk__in=tournament_ids)
    rows = tournaments.values_list("pk", "version", "public_version", "is_public")
    return {key: Versions(version, public, is_public) for key, version, public, is_public in rows}


def entries_after(tournament_id: int, after: int) -> list[Entry]:
    return _read_entries(tournament_id, seq__gt=after)


def public_entries_after(tournament_id: int, after: int) -> list[Entry]:
    return _read_entries(tournament_id, public_seq__gt=after)


def _read_entries(tournament_id: int, **since: int) -> list[Entry]:
    rows = LogEntry.objects.filter(tournament=tournament_id, **since).order_by("seq")
    entries = list(rows.values_list("seq", "action", "data", "public_seq"))
    # Read after the entries, so that a session hidden meanwhile counts as hidden.
    hidden = set(
        Session.objects.filter(tournament=tournament_id, hidden=True).values_list("number", flat=True)
    )
    return [Entry(*row, hidden=row[2].get("session") in hidden) for row in entries]


def admission_of(slug: str, cookies: str, *, as_staff: bool) -> Admission | None:
    tournament = Tournament.objects.filter(slug=slug).first()
    if tournament is None:
        return None
    if tournament.is_public and not as_staff:
        return Admission(tournament.pk, PUBLIC, by_role=False)
    recipient = _member_recipient(actor_from_cookies(cookies), tournament)
    if recipient is None:
        return None
    return Admission(tournament.pk, recipient if as_staff else PUBLIC, by_role=True)


def _member_recipient(actor: Actor, tournament: Tournament) -> Recipient | None:
    """Return the kind of recipient that somebody with a role is; None without a role."""
    if audience_of(actor, tournament) is Audience.STAFF:
        return STAFF
    card = memberships(actor, tournament).first()
    return Recipient(table=card.table_number) if card else None
