"""The stream as browsers meet it: a real server, and a writer in a process of its own."""

import asyncio
import json
import os
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from redis import Redis

from tests.live.fakes import events_in, on_the_loop, until
from tests.support.processes import Place, make_place, status
from tournament.live.wake import CHANNEL

pytestmark = [pytest.mark.thorough, pytest.mark.stored]

MAKE = """
import json
from datetime import date
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.models import User
from tournament.accounts.visits import SessionStore
from tournament.base.models.tournament import Membership, Tournament

def sign_in(name):
    user, session = User.objects.create_user(name, password="x"), SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.create()
    return user, session.session_key

days = {"starts_on": date(2026, 5, 1), "ends_on": date(2026, 5, 1)}
for slug in ("open", "long", "private"):
    made = Tournament.objects.create(slug=slug, name=slug, is_public=slug != "private", rules_snapshot={}, **days)
umpire, umpires_key = sign_in("umpire")
Membership.objects.create(tournament=made, user=umpire, role="umpire")
print(json.dumps([umpires_key, sign_in("stranger")[1]]))
"""
WRITE = """
from tournament.base import log
from tournament.base.access import Actor
from tournament.base.log_actions import ACTIONS
from tournament.base.models.tournament import Tournament
tournament = Tournament.objects.get(slug="{slug}")
for number in range({count}):
    with log.write(tournament, Actor.system("test"), ACTIONS["hand_recorded"], None) as entry:
        entry.data = {{"session": 1, "table": 2, "hand": number + 1, "reason": "secret"}}
"""


@dataclass(frozen=True)
class Hall:
    """A place with an open, a long (105 entries) and a private tournament, which an umpire may see."""

    place: Place
    umpire: str
    stranger: str


@pytest.fixture(scope="module")
def hall(migrated: Path) -> Iterator[Hall]:
    with make_place(migrated) as place:
        yield Hall(place, *json.loads(place.run(MAKE)))


@pytest.fixture(scope="module")
def site(hall: Hall) -> Iterator[str]:
    with hall.place.web() as site:
        yield site.url


class Watching:
    """An open stream, read as it comes."""

    def __init__(self, reader: asyncio.StreamReader) -> None:
        self._reader = reader
        self.received = b""

    async def until_told(self, count: int) -> list[tuple[str, int]]:
        while len(events := events_in(self.received)) < count:
            piece = await self._reader.read(65536)
            assert piece, "the stream ended"
            self.received += piece.replace(b"\r\n", b"\n")
        return events


@asynccontextmanager
async def watching(url: str, **headers: str) -> AsyncIterator[Watching]:
    """`GET url`, up to the end of its head."""
    address = urlsplit(url)
    target = address.path + (f"?{address.query}" if address.query else "")
    reader, writer = await asyncio.open_connection(address.hostname, address.port)
    lines = [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    writer.write("\r\n".join([f"GET {target} HTTP/1.1", "Host: hall", *lines, "", ""]).encode())
    head = await reader.readuntil(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200"), head
    assert b"text/event-stream" in head
    try:
        yield Watching(reader)
    finally:
        writer.close()


@on_the_loop
async def test_a_write_in_another_process_reaches_every_watcher(hall: Hall, site: str) -> None:
    async with AsyncExitStack() as streams:
        url = f"{site}/live/open/"
        watchers = [await streams.enter_async_context(watching(url)) for _ in range(300)]
        await asyncio.to_thread(hall.place.run, WRITE.format(slug="open", count=2))
        assert [await watcher.until_told(2) for watcher in watchers] == [[("change", 1), ("change", 2)]] * 300
        assert not any(b"secret" in watcher.received for watcher in watchers)


@on_the_loop
async def test_missed_events_come_first(hall: Hall, site: str) -> None:
    hall.place.run(WRITE.format(slug="long", count=105))
    url = f"{site}/live/long/"
    async with watching(f"{url}?after=103") as page:
        assert await page.until_told(2) == [("change", 104), ("change", 105)]
    async with watching(f"{url}?after=1", Last_Event_ID="104") as back:
        assert await back.until_told(1) == [("change", 105)]
    async with watching(f"{url}?after=4") as late:
        assert await late.until_told(1) == [("reset", 105)]


@on_the_loop
async def test_a_private_stream_requires_a_role(hall: Hall, site: str) -> None:
    assert status(f"{site}/live/nowhere/") == 404
    assert status(f"{site}/live/open/", method="POST") == 405
    url = f"{site}/live/private/"
    assert status(url) == 404
    assert status(url, {"Cookie": "sessionid=nonsense"}) == 404
    assert status(url, {"Cookie": f"sessionid={hall.stranger}"}) == 404
    async with watching(url, Cookie=f"theme=dark; sessionid={hall.umpire}"):
        pass


@on_the_loop
async def test_an_invalid_last_event_id_is_ignored(site: str) -> None:
    for event_id in ("x", "-1", "%C2%B2", "9" * 40):
        async with watching(f"{site}/live/open/?after={event_id}"):
            pass


@pytest.mark.postgres
@pytest.mark.redis
def test_redis_wakes_another_process_without_polling(postgres_url: str) -> None:
    """Looks come every hour here, so that only Redis can have told."""
    serve = (
        "import asyncio, django; django.setup(); from tournament.live import app; "
        "app.POLL_SECONDS_WITH_REDIS = 3600; from config.asgi import application; "
        "from tests.support.asgi_server import run; asyncio.run(run(application, {port}))"
    )

    @on_the_loop
    async def scene(place: Place, url: str) -> None:
        await until(lambda: redis.pubsub_numsub(CHANNEL) == [(CHANNEL.encode(), 1)])
        async with watching(f"{url}/live/open/?after=0") as page:
            for version in (1, 2):  # the first may still be found by the look after joining
                await asyncio.to_thread(place.run, WRITE.format(slug="open", count=1))
                assert (await page.until_told(version))[-1] == ("change", version)

    redis = Redis.from_url(os.environ["TEST_REDIS_URL"])
    with redis, make_place(DATABASE_URL=postgres_url, REDIS_URL=os.environ["TEST_REDIS_URL"]) as place:
        place.run(MAKE)
        with place.web("-c", serve) as site:
            scene(place, site.url)
