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
from django.core.management import CommandError, call_command

from config.command import run
from tests.platform.conftest import clean_environment, install
from tests.support.processes import (
    PATIENCE,
    Place,
    Site,
    end,
    free_port,
    make_place,
    serving,
    status,
    until,
)
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
def club(migrated: Path, collected: Path) -> Iterator[Place]:
    with make_place(migrated, STATIC_ROOT=str(collected)) as place:
        yield place


@pytest.fixture
def ready(club: Place, migrated: Path) -> Place:
    """A place that was started before, and has no account."""
    club.renew(migrated)
    return club


def children(process: subprocess.Popen[str]) -> list[int]:
    listed = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text()
    return [int(number) for number in listed.split()]


def is_alive(number: int) -> bool:
    with suppress(FileNotFoundError):
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


def test_a_taken_port_is_one_clear_sentence() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        with pytest.raises(CommandError) as refused:
            call_command("serve", demo=False, port=port)
    assert str(refused.value) == f"Port {port} is taken by another program; choose another one with --port."


def test_invalid_addresses_are_reported_at_the_start(ready: Place) -> None:
    """With an account no code is printed. A killed server takes its worker along."""
    refused = Place(ready.folder, {"SITE_ADDRESS": "hule.example.org"}).manage("serve", "--no-demo")
    assert refused.returncode == 1
    assert "SITE_ADDRESS: hule.example.org is no address" in refused.stdout

    ready.run("from django.contrib.auth.models import User; User.objects.create_user('ada')")
    nowhere = f"http://127.0.0.1:{free_port()}"
    settings = {"SITE_ADDRESS": nowhere, "STATIC_ROOT": ready.environment["STATIC_ROOT"]}
    with serving(Place(ready.folder, settings)) as (process, output):
        assert f"Links in e-mails and codes lead to  {nowhere}/" in output
        assert "with the code" not in output
        words = process.stdout
        assert words
        until(lambda: f"{nowhere} leads nowhere" in words.readline())
        until(lambda: len(children(process)) == 1)
        (worker,) = children(process)
        process.kill()
        until(lambda: not is_alive(worker))


# --- a server that is told to stop answers what it has begun, and sends its watchers on -------------------
EVENT = """
import json
from tests.support.factories import make_tournament, make_umpire
from tournament.accounts.services import make_token
event = make_tournament(players=8, running=1)
print(json.dumps([event.slug, make_token(make_umpire(event, "uma"))[1]]))
"""
WASH_OUT = {"uuid": "3f0d4be5-5d3c-4f62-9f58-fbfa2ae4f8f0", "number": 2, "outcome": "draw"}
STORED = f"""
from tournament.base.models.play import Hand
print(Hand.objects.filter(uuid="{WASH_OUT["uuid"]}").count())
"""
HELD = 1.5
"""Seconds for which somebody else writes."""


def test_a_start_prints_a_code_keeps_a_worker_and_ends_with_ctrl_c(ready: Place) -> None:
    with serving(ready) as (process, output):
        assert "Preparing" not in output, "it was started before"
        assert "Collecting" not in output, "it was started before"
        code = re.search(r"with the code  ([A-Z2-9]{4}-[A-Z2-9]{4})", output)
        assert code
        assert "/setup/" in output
        assert (ready.folder / "setup-code").read_text() == code[1].replace("-", "")
        address = re.search(r"http://127\.0\.0\.1:\d+", output)
        assert address
        assert status(f"{address[0]}/login/") == 200

        until(lambda: len(children(process)) == 1)
        (first,) = children(process)
        os.kill(first, signal.SIGKILL)
        until(lambda: children(process) not in ([], [first]))
        (worker,) = children(process)
        stop_while_a_hand_is_saved(ready, Site(address[0], process), signal.SIGINT)
        last_words, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    assert "background worker has stopped (status -9)" in last_words
    assert "Hule has stopped." in last_words
    assert "Traceback" not in last_words
    assert not is_alive(worker)


def test_a_write_under_way_is_answered_and_a_watcher_moves_on(ready: Place) -> None:
    with ready.web("-m", "hule", "web", "--bind", "127.0.0.1:{port}") as site:
        stop_while_a_hand_is_saved(ready, site, signal.SIGTERM)


def stop_while_a_hand_is_saved(place: Place, site: Site, number: signal.Signals) -> None:
    """The write under way is answered and stored; a watcher is told when to come back."""
    slug, token = json.loads(place.run(EVENT))
    with ThreadPoolExecutor() as hall:
        stream = urlopen(f"{site.url}/live/{slug}/", timeout=PATIENCE)
        stream.readline()
        with closing(sqlite3.connect(place.folder / "hule.sqlite3", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            saving = hall.submit(save, site.url, slug, token)
            time.sleep(HELD / 3)
            site.process.send_signal(number)
            stopped_at = time.monotonic()
            rest = stream.read().decode()
            time.sleep(max(0.0, stopped_at + HELD - time.monotonic()))
            assert not saving.done(), "the watcher was to be sent on first, and the write to wait"
            other.execute("ROLLBACK")
        assert saving.result(timeout=PATIENCE) == 201
        stream.close()
    until(lambda: site.process.poll() is not None)
    assert time.monotonic() - stopped_at < HELD + 10
    retry = re.search(r"retry: (\d+)\n\n$", rest)
    assert retry
    assert RECONNECT_MS[0] <= int(retry[1]) <= RECONNECT_MS[1]
    assert place.run(STORED).strip() == "1"


def save(url: str, slug: str, token: str) -> int:
    headers = {"Authorization": f"Token {token}", "Content-Type": "application/json"}
    where = f"{url}/api/v1/tournaments/{slug}/sessions/1/tables/1/hands/"
    with urlopen(Request(where, json.dumps(WASH_OUT).encode(), headers), timeout=PATIENCE) as answer:
        return int(answer.status)


@pytest.fixture(scope="module")
def hule(tmp_path_factory: pytest.TempPathFactory, dist: Path, packages: Path) -> Path:
    return install(dist, packages, tmp_path_factory.mktemp("wheel") / "environment")


@contextmanager
def running(hule: Path, home: Path, *words: str) -> Iterator[tuple[str, str]]:
    """`hule run`, once it is ready; its address and output."""
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
        yield match[0], output
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


@pytest.mark.nightly
def test_a_club_runs_it_and_makes_a_tournament(hule: Path, tmp_path: Path) -> None:
    # A first start plays a whole evening, which takes half a minute: a small one is made instead.
    with running(hule, tmp_path, "--no-demo") as (at, output):
        assert "Preparing the database …\n" in output
        assert "Collecting style sheets, scripts and tiles …\n" in output
        command(hule, tmp_path, "manage", "demo", "--players", "8", "--sessions", "1")
        page = fetch_text(at, headers={"Accept-Language": "zh-hans"})
        assert 'lang="zh-Hans"' in page
        assert "没有网络连接" in page
        for style in re.findall(r'href="(/static/[^"]+\.css)"', page)[:3]:
            assert fetch_text(at.rstrip("/") + style)
        who = {"username": "organiser", "password": "demo-organiser"}
        token = {"Authorization": f"Token {json.loads(fetch_text(f'{at}api/v1/token/', who))['token']}"}
        fetch_text(f"{at}api/v1/tournaments/", CUP, token)
        assert "Club Cup" in fetch_text(f"{at}api/v1/tournaments/", headers=token)
    data = tmp_path / ".local" / "share" / "hule"
    data.rename(tmp_path / "here")
    assert "2 tournaments" in command(hule, tmp_path, "backup", "club.hule", "--data=here")
    assert (tmp_path / "club.hule").exists()
    assert not data.exists()


@pytest.mark.parametrize("words", [["--data", "here", "help"], ["help", "--data=here"]])
def test_another_folder_is_named_anywhere(
    words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HULE_DATA_DIR", "elsewhere")
    run(words)
    assert capsys.readouterr().out.endswith(f"where that is not set than {Path('here').resolve()}\n")


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
