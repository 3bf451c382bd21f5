"""`manage.py serve` starts two processes and leaves none behind; `pip install` and `hule run` need no checkout."""

import json
import os
import re
import signal
import socket
import sqlite3
import subprocess
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from types import MappingProxyType
from typing import Any
from urllib.request import Request, urlopen
from zipfile import ZipFile

import pytest

from tests.platform.conftest import clean_environment, install
from tests.support.processes import PATIENCE, Place, end, free_port, make_place, serving, status, until
from tournament.live.hub import RECONNECT_MS

pytestmark = pytest.mark.thorough
CUP = {
    "name": "Club Cup",
    "slug": "club-cup",
    "starts_on": "2026-11-28",
    "ends_on": "2026-11-28",
    "rulebook": "mcr",
}

NONE: Mapping[str, str] = MappingProxyType({})


@pytest.fixture(scope="module")
def static_root(migrated: Path) -> Iterator[Path]:
    """Static files as a first start collects them."""
    with make_place(migrated) as place:
        with serving(place) as (_, output):
            assert "Collecting" in output
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
    with serving(ready) as (process, output):
        address = re.search(r"http://127\.0\.0\.1:\d+/", output)
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
    with serving(ready) as (_, output):
        code = re.search(r"with the code  ([A-Z2-9]{4}-[A-Z2-9]{4})", output)
        assert code
        assert "/setup/" in output
        assert (ready.folder / "setup-code").read_text() == code[1].replace("-", "")


def test_with_an_account_no_code_is_printed(ready: Place) -> None:
    ready.python("from django.contrib.auth.models import User; User.objects.create_user('ada')")
    with serving(ready) as (_, output):
        assert "code" not in output


def test_a_second_start_prepares_nothing(ready: Place) -> None:
    with serving(ready) as (_, output):
        assert "Preparing" not in output
        assert "Collecting" not in output


def test_a_taken_port_is_one_clear_sentence(place: Place) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        refused = place.manage("serve", "--no-demo", "--port", str(port))

    assert refused.returncode == 1
    assert (
        refused.stdout
        == f"CommandError: Port {port} is taken by another program; choose another one with --port.\n"
    )


def test_invalid_addresses_are_reported_at_the_start(ready: Place) -> None:
    with make_place(ready.folder, SITE_ADDRESS="hule.example.org") as place:
        refused = place.manage("serve", "--no-demo", "--port", str(free_port()))
    assert refused.returncode == 1
    assert "SITE_ADDRESS: hule.example.org is no address" in refused.stdout
    nowhere = f"http://127.0.0.1:{free_port()}"
    with make_place(ready.folder, SITE_ADDRESS=nowhere) as place, serving(place) as (process, output):
        assert f"Links in letters and codes lead to  {nowhere}/" in output
        words = process.stdout
        assert words
        until(lambda: f"{nowhere} leads nowhere" in words.readline())


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
                stopped_at = time.monotonic()
                rest = stream.read().decode()
                time.sleep(max(0.0, stopped_at + HELD - time.monotonic()))
                assert not saving.done(), "the watcher was to be sent on first, and the write to wait"
                other.execute("ROLLBACK")
            assert saving.result(timeout=PATIENCE) == 201
            until(lambda: site.process.poll() is not None)
            assert time.monotonic() - stopped_at < HELD + 10
        stream.close()
        retry = re.search(r"retry: (\d+)\n\n$", rest)
        assert retry
        assert RECONNECT_MS[0] <= int(retry[1]) <= RECONNECT_MS[1]
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


@pytest.fixture(scope="module")
def hule(tmp_path_factory: pytest.TempPathFactory, dist: Path, packages: Path) -> Path:
    return install(dist, packages, tmp_path_factory.mktemp("wheel") / "environment")


@contextmanager
def running(hule: Path, home: Path, *words: str) -> Iterator[str]:
    """`hule run`, once it is ready; its address."""
    process = subprocess.Popen(
        [str(hule), "run", "--port", str(free_port()), *words],
        cwd=home,
        env=clean_environment(home),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    output = ""
    try:
        assert process.stdout
        while "Ctrl-C" not in output:
            line = process.stdout.readline()
            assert line, output
            output += line
        match = re.search(r"http://127\.0\.0\.1:\d+/", output)
        assert match
        yield match[0]
    finally:
        last = end(process)
    assert "Hule has stopped." in last
    assert "Traceback" not in output + last


def fetch_text(url: str, body: Mapping[str, Any] | None = None, headers: Mapping[str, str] = NONE) -> str:
    data = None if body is None else json.dumps(body).encode()
    with urlopen(
        Request(url, data, {"Content-Type": "application/json", **headers}), timeout=PATIENCE
    ) as answer:
        text: str = answer.read().decode()
        return text


def command(hule: Path, home: Path, *words: str) -> str:
    done = subprocess.run(
        [str(hule), *words], cwd=home, env=clean_environment(home), capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_club_runs_it_and_makes_a_tournament(hule: Path, tmp_path: Path) -> None:
    # A first start plays a whole evening, which takes half a minute: a small one is already there.
    command(hule, tmp_path, "upgrade")
    assert command(hule, tmp_path, "manage", "demo", "--players", "8", "--sessions", "1")
    with running(hule, tmp_path) as at:
        page = fetch_text(at, headers={"Accept-Language": "zh-hans"})
        assert 'lang="zh-Hans"' in page
        assert "没有网络连接" in page
        for style in re.findall(r'href="(/static/[^"]+\.css)"', page)[:3]:
            assert fetch_text(at.rstrip("/") + style)
        who = {"username": "organiser", "password": "demo-organiser"}
        token = {"Authorization": f"Token {json.loads(fetch_text(f'{at}api/v1/token/', who))['token']}"}
        fetch_text(f"{at}api/v1/tournaments/", CUP, token)
        assert "Club Cup" in fetch_text(f"{at}api/v1/tournaments/", headers=token)
    assert (tmp_path / ".local" / "share" / "hule" / "hule.sqlite3").exists()


def test_another_folder_and_the_other_commands(hule: Path, tmp_path: Path) -> None:
    assert command(hule, tmp_path, "--data", "here", "upgrade").startswith("Preparing the database …")
    assert "0 tournaments" in command(hule, tmp_path, "backup", "club.hule", "--data=here")
    assert (tmp_path / "club.hule").exists()
    assert not (tmp_path / ".local").exists()


def test_the_wheel_contains_no_local_data(dist: Path) -> None:
    (wheel,) = dist.glob("hule-*.whl")
    with ZipFile(wheel) as archive:
        names = archive.namelist()
    assert {name.partition("/")[0] for name in names} == {"hule", "hule-0.1.0.dist-info"}
    unwanted = re.compile(r"__pycache__|\.pyc$|\.sqlite3|secret-key|/tests/|\.env$")
    assert [name for name in names if unwanted.search(name)] == []
    assert {f"hule/site/locale/{locale}/LC_MESSAGES/django.mo" for locale in ("zh_Hans", "zh_Hant")} <= set(
        names
    )
