"""`bin/run`'s heart: `manage.py serve` starts two processes, and leaves none behind."""

import asyncio
import os
import re
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.support.processes import PATIENCE, Place, make_place, serving, status, until
from tournament.management.commands import serve


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


@pytest.mark.thorough
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


@pytest.mark.thorough
def test_a_worker_that_dies_is_started_again(ready: Place) -> None:
    with serving(ready) as (process, _):
        until(lambda: len(children(process)) == 1)
        (first,) = children(process)
        os.kill(first, signal.SIGKILL)
        until(lambda: children(process) not in ([], [first]))
        process.terminate()
        assert "background worker has stopped (status -9)" in process.communicate(timeout=PATIENCE)[0]


@pytest.mark.thorough
def test_a_killed_server_takes_its_worker_along(ready: Place) -> None:
    with serving(ready) as (process, _):
        until(lambda: len(children(process)) == 1)
        (worker,) = children(process)
        process.kill()
        until(lambda: not is_alive(worker))


@pytest.mark.thorough
def test_without_an_account_the_one_time_code_is_printed(ready: Place) -> None:
    with serving(ready) as (_, said):
        code = re.search(r"with the code  ([A-Z2-9]{4}-[A-Z2-9]{4})", said)
        assert code
        assert "/setup/" in said
        assert (ready.folder / "setup-code").read_text() == code[1].replace("-", "")


@pytest.mark.thorough
def test_with_an_account_no_code_is_printed(ready: Place) -> None:
    ready.python("from django.contrib.auth.models import User; User.objects.create_user('ada')")
    with serving(ready) as (_, said):
        assert "code" not in said


@pytest.mark.thorough
def test_a_second_start_prepares_nothing(ready: Place) -> None:
    with serving(ready) as (_, said):
        assert "Preparing" not in said
        assert "Collecting" not in said


@pytest.mark.thorough
def test_a_taken_port_is_one_clear_sentence(place: Place) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        refused = place.manage("serve", "--no-demo", "--port", str(port))

    assert refused.returncode == 1
    assert (
        refused.stdout
        == f"CommandError: Port {port} is taken by another program; choose another one with --port.\n"
    )


def test_what_is_small_is_sent_at_once() -> None:
    async def is_sent_at_once(listener: socket.socket) -> bool:
        come: asyncio.Queue[asyncio.StreamWriter] = asyncio.Queue()
        server = await asyncio.start_server(lambda _reader, writer: come.put_nowait(writer), sock=listener)
        _reader, visitor = await asyncio.open_connection(*listener.getsockname())
        theirs = await come.get()
        at_once = theirs.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
        for line in (visitor, theirs):
            line.close()
            await line.wait_closed()
        server.close()
        return bool(at_once)

    assert asyncio.run(is_sent_at_once(serve._listen("127.0.0.1", 0)))
