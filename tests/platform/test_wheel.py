"""`pip install` and `hule run`: a club needs no checkout."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any
from urllib.request import Request, urlopen
from zipfile import ZipFile

import pytest

from tests.platform.conftest import clean_environment, install
from tests.support.processes import PATIENCE, end, free_port

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
    said = ""
    try:
        assert process.stdout
        while "Ctrl-C" not in said:
            line = process.stdout.readline()
            assert line, said
            said += line
        found = re.search(r"http://127\.0\.0\.1:\d+/", said)
        assert found
        yield found[0]
    finally:
        last = end(process)
    assert "Hule has stopped." in last
    assert "Traceback" not in said + last


def asked(url: str, body: Mapping[str, Any] | None = None, headers: Mapping[str, str] = NONE) -> str:
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
        page = asked(at, headers={"Accept-Language": "zh-hans"})
        assert 'lang="zh-Hans"' in page
        assert "没有网络连接" in page
        for style in re.findall(r'href="(/static/[^"]+\.css)"', page)[:3]:
            assert asked(at.rstrip("/") + style)
        who = {"username": "organiser", "password": "demo-organiser"}
        token = {"Authorization": f"Token {json.loads(asked(f'{at}api/v1/token/', who))['token']}"}
        asked(f"{at}api/v1/tournaments/", CUP, token)
        assert "Club Cup" in asked(f"{at}api/v1/tournaments/", headers=token)
    assert (tmp_path / ".local" / "share" / "hule" / "hule.sqlite3").exists()


def test_another_folder_and_the_other_commands(hule: Path, tmp_path: Path) -> None:
    assert command(hule, tmp_path, "--data", "here", "upgrade").startswith("Preparing the database …")
    assert "0 tournaments" in command(hule, tmp_path, "backup", "club.hule", "--data=here")
    assert (tmp_path / "club.hule").exists()
    assert not (tmp_path / ".local").exists()


def test_nothing_of_anybody_s_own_is_in_it(dist: Path) -> None:
    (wheel,) = dist.glob("hule-*.whl")
    with ZipFile(wheel) as archive:
        names = archive.namelist()
    assert {name.partition("/")[0] for name in names} == {"hule", "hule-0.1.0.dist-info"}
    unwanted = re.compile(r"__pycache__|\.pyc$|\.sqlite3|secret-key|/tests/|\.env$")
    assert [name for name in names if unwanted.search(name)] == []
    assert {f"hule/site/locale/{one}/LC_MESSAGES/django.mo" for one in ("zh_Hans", "zh_Hant")} <= set(names)
