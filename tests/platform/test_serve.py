"""`bin/run`'s heart: `manage.py serve` starts two processes, leaves none behind, and answers what it has begun."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import sqlite3
import subprocess
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path
from urllib.request import Request, urlopen

import pytest

from tests.support.processes import PATIENCE, Place, free_port, make_place, serving, status, until
from tournament.live.hub import MOVES_WITHIN

pytestmark = pytest.mark.thorough


@pytest.fixture(scope="module")
def static_root(migrated: Path) -> Iterator[Path]:
    """Static files as a first start collects them."""
    with make_place(migrated) as place:
        with serving(place) as (_, said):
            assert "Collecting" in said
        yield place.folder / "static"


@pytest.fixture
def ready(migrated: Path, static_root: Path) -> Iterator[Place]:
    """A place that was started before."""
    with make_place(migrated, STATIC_ROOT=str(static_root)) as place:
        yield place


def children(process: subprocess.Popen[str]) -> list[int]:
    listed = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text()
    return [int(number) for number in listed.split()]


def is_alive(number: int) -> bool:
    with suppress(FileNotFoundError):
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


def test_ctrl_c_stops_both_processes(ready: Place) -> None:
    with serving(ready) as (process, said):
        address = re.search(r"http://127\.0\.0\.1:\d+/", said)
        assert address
        assert status(address[0] + "login/") == 200
        until(lambda: len(children(process)) == 1)
        (worker,) = children(process)
        process.send_signal(signal.SIGINT)
        last_words, _ = process.communicate(timeout=PATIENCE)

        assert process.returncode == 0
        assert "Hule has stopped." in last_words
        assert "Traceback" not in last_words
        assert not is_alive(worker)


def test_a_worker_that_dies_is_started_again(ready: Place) -> None:
    with serving(ready) as (process, _):
        until(lambda: len(children(process)) == 1)
        (first,) = children(process)
        os.kill(first, signal.SIGKILL)
        until(lambda: children(process) not in ([], [first]))
        process.terminate()
        assert "background worker has stopped (status -9)" in process.communicate(timeout=PATIENCE)[0]


def test_a_killed_server_takes_its_worker_along(ready: Place) -> None:
    with serving(ready) as (process, _):
        until(lambda: len(children(process)) == 1)
        (worker,) = children(process)
        process.kill()
        until(lambda: not is_alive(worker))


def test_without_an_account_the_one_time_code_is_printed(ready: Place) -> None:
    with serving(ready) as (_, said):
        code = re.search(r"with the code  ([A-Z2-9]{4}-[A-Z2-9]{4})", said)
        assert code
        assert "/setup/" in said
        assert (ready.folder / "setup-code").read_text() == code[1].replace("-", "")


def test_with_an_account_no_code_is_printed(ready: Place) -> None:
    ready.python("from django.contrib.auth.models import User; User.objects.create_user('ada')")
    with serving(ready) as (_, said):
        assert "code" not in said


def test_a_second_start_prepares_nothing(ready: Place) -> None:
    with serving(ready) as (_, said):
        assert "Preparing" not in said
        assert "Collecting" not in said


def test_a_taken_port_is_one_clear_sentence(place: Place) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        refused = place.manage("serve", "--no-demo", "--port", str(port))

    assert refused.returncode == 1
    assert (
        refused.stdout
        == f"CommandError: Port {port} is taken by another program; choose another one with --port.\n"
    )


# --- a server that is told to stop answers what it has begun, and sends its watchers on -------------------
EVENT = """
import json
from tests.support.factories import make_tournament, make_umpire
from tournament.accounts.services import make_token
event = make_tournament(players=8, running=1)
print(json.dumps([event.slug, make_token(make_umpire(event, "uma"))[1]]))
"""
WASH_OUT = {"uuid": "3f0d4be5-5d3c-4f62-9f58-fbfa2ae4f8f0", "number": 2, "outcome": "draw"}
HELD = 3.0
"""Seconds for which somebody else writes."""


SERVERS = {
    "serve": ("manage.py", "serve", "--no-demo", "--port", "{port}"),
    "web": ("-m", "hule", "web", "--bind", "127.0.0.1:{port}"),
}


@pytest.mark.parametrize("server", SERVERS)
def test_a_write_under_way_is_answered_and_a_watcher_moves_on(ready: Place, server: str) -> None:
    slug, token = json.loads(ready.python(EVENT))
    port = free_port()
    with ThreadPoolExecutor() as hall:
        with ready.web(*SERVERS[server], port=port) as site:
            stream = urlopen(f"{site.url}/live/{slug}/", timeout=PATIENCE)
            stream.readline()
            with closing(sqlite3.connect(ready.folder / "hule.sqlite3", isolation_level=None)) as other:
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
            ready.web(*SERVERS[server], port=port) as after,
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
