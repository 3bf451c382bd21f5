"""A server that is told to stop answers what it has begun, and sends its watchers on to the next one."""

from __future__ import annotations

import json
import re
import signal
import sqlite3
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from urllib.request import Request, urlopen

import pytest

from tests.support.processes import PATIENCE, Place, free_port, make_place, until
from tournament.live.events import MOVES_WITHIN

pytestmark = pytest.mark.thorough

EVENT = """
import json
from tests.support.factories import make_tournament, make_umpire
from tournament.services.signed_in import make_token
event = make_tournament(players=8, running=1)
print(json.dumps([event.slug, make_token(make_umpire(event, "uma"))[1]]))
"""
WASH_OUT = {"uuid": "3f0d4be5-5d3c-4f62-9f58-fbfa2ae4f8f0", "number": 2, "outcome": "draw"}
HELD = 3.0
"""Seconds for which somebody else writes."""


@pytest.fixture
def place(migrated: Path, collected: Path) -> Iterator[Place]:
    with make_place(migrated, STATIC_ROOT=str(collected)) as made:
        yield made


SERVERS = {
    "serve": ("manage.py", "serve", "--no-demo", "--port", "{port}"),
    "web": ("-m", "hule", "web", "--bind", "127.0.0.1:{port}"),
}


@pytest.mark.parametrize("server", SERVERS)
def test_a_write_under_way_is_answered_and_a_watcher_moves_on(place: Place, server: str) -> None:
    slug, token = json.loads(place.python(EVENT))
    port = free_port()
    with ThreadPoolExecutor() as hall:
        with place.web(*SERVERS[server], port=port) as site:
            stream = urlopen(f"{site.url}/live/{slug}/", timeout=PATIENCE)
            stream.readline()
            with closing(sqlite3.connect(place.folder / "hule.sqlite3", isolation_level=None)) as other:
                other.execute("BEGIN IMMEDIATE")
                saving = hall.submit(save, site.url, slug, token)
                time.sleep(HELD / 3)
                site.process.send_signal(signal.SIGTERM)
                asked = time.monotonic()
                rest = stream.read().decode()
                time.sleep(max(0.0, asked + HELD - time.monotonic()))
                assert not saving.done(), "the watcher was to be sent on first, and the write to wait"
                other.execute("ROLLBACK")
            assert saving.result(timeout=PATIENCE) == 201
            until(lambda: site.process.poll() is not None)
            assert time.monotonic() - asked < HELD + 10
        stream.close()
        retry = re.search(r"retry: (\d+)\n\n$", rest)
        assert retry
        assert MOVES_WITHIN[0] <= int(retry[1]) <= MOVES_WITHIN[1]
        with (
            place.web(*SERVERS[server], port=port) as after,
            urlopen(f"{after.url}/live/{slug}/?after=0", timeout=PATIENCE) as again,
        ):
            heard = b""
            while b"hand_recorded" not in heard:
                line = again.readline()
                assert line, heard
                heard += line


def save(url: str, slug: str, token: str) -> int:
    headers = {"Authorization": f"Token {token}", "Content-Type": "application/json"}
    where = f"{url}/api/v1/tournaments/{slug}/sessions/1/tables/1/hands/"
    with urlopen(Request(where, json.dumps(WASH_OUT).encode(), headers), timeout=PATIENCE) as answer:
        return int(answer.status)
