"""What programs ask that watch over Hule: alive, ready, and how much it has done."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from config.front.probes import may_read_metrics
from tests.support.processes import PATIENCE, Place, Site, make_place, status

RECORD = """
import json
from tests.support.factories import make_tournament, make_umpire
from tournament.base.models.play import Table
from tournament.accounts.services import make_token
event = make_tournament(players=8, running=1)
print(json.dumps([event.slug, make_token(make_umpire(event, "uma"))[1]]))
"""
DRAWN_GAME = {"uuid": "3f0d4be5-5d3c-4f62-9f58-fbfa2ae4f8f0", "number": 2, "outcome": "draw"}


def got(url: str, **headers: str) -> tuple[int, str]:
    try:
        with urlopen(Request(url, headers=headers), timeout=PATIENCE) as answer:
            return answer.status, answer.read().decode()
    except HTTPError as refusal:
        with refusal:
            return refusal.code, refusal.read().decode()


@pytest.fixture(scope="module")
def site(migrated: Path, collected: Path) -> Iterator[tuple[Place, Site]]:
    named = {"ALLOWED_HOSTS": "hule.example.org", "STATIC_ROOT": str(collected)}
    with make_place(migrated, METRICS_TOKEN="count-me-in", **named) as place, place.web() as site:
        yield place, site


@pytest.mark.thorough
def test_alive_and_ready_by_any_name_of_the_host(site: tuple[Place, Site]) -> None:
    url = site[1].url
    assert got(f"{url}/healthz") == (200, "alive")
    assert got(f"{url}/readyz") == (200, '{"ready": true, "missing": []}')
    assert status(f"{url}/login/") == 400, "which pages mind"


@pytest.mark.thorough
def test_what_is_missing_is_said_and_nothing_else(tmp_path: Path) -> None:
    with make_place(BACKUP_MINUTES="0") as place, place.web() as site:
        assert got(f"{site.url}/readyz") == (503, '{"ready": false, "missing": ["migrations"]}')
        assert got(f"{site.url}/healthz")[0] == 200


@pytest.mark.thorough
def test_servers_that_are_away_are_named_without_their_addresses() -> None:
    away = {"DATABASE_URL": "postgres://hule:secret@127.0.0.1:9/hule", "REDIS_URL": "redis://127.0.0.1:9/0"}
    with make_place(None, **away) as place, place.web() as site:
        code, said = got(f"{site.url}/readyz")
        assert code == 503
        # The pool asks a database that is away for longer than a probe waits.
        assert json.loads(said)["missing"] in (["database"], ["database", "queue"])
        assert "secret" not in said
        assert got(f"{site.url}/healthz")[0] == 200


@pytest.mark.thorough
def test_nobody_else_is_told_figures(site: tuple[Place, Site]) -> None:
    url = f"{site[1].url}/metrics"
    assert got(url)[0] == 404
    assert got(url, Authorization="Bearer count-me-out")[0] == 404
    assert got(url, Authorization="Bearer count-me-in")[0] == 200


@pytest.mark.parametrize(
    ("peer", "forwarded", "may"),
    [
        ("10.0.0.5", "", True),
        ("203.0.113.7", "", False),
        ("203.0.113.7", "10.0.0.5", False),  # a visitor says so of themself
        ("127.0.0.1", "203.0.113.7", False),  # through our proxy
        ("127.0.0.1", "10.0.0.5", True),
        ("", "", False),
    ],
)
def test_the_visitor_s_own_address_counts(peer: str, forwarded: str, may: bool, settings: Any) -> None:
    settings.METRICS_FROM, settings.METRICS_TOKEN = ["10.0.0.0/8"], ""
    settings.TRUSTED_PROXIES = ["127.0.0.1"]
    headers = [(b"x-forwarded-for", forwarded.encode())] if forwarded else []
    assert may_read_metrics({"client": (peer, 1), "headers": headers}) is may


def test_without_a_setting_nobody_is_told(settings: Any) -> None:
    settings.METRICS_FROM, settings.METRICS_TOKEN = [], ""
    for headers in ([], [(b"authorization", b"Bearer ")]):
        assert not may_read_metrics({"client": ("127.0.0.1", 1), "headers": headers})


def figures(url: str) -> dict[str, float]:
    lines = got(f"{url}/metrics", Authorization="Bearer count-me-in")[1].splitlines()
    return {
        name: float(value)
        for name, _, value in (line.rpartition(" ") for line in lines if not line.startswith("#"))
    }


@pytest.mark.thorough
def test_requests_writes_watchers_and_the_queue_are_counted(site: tuple[Place, Site]) -> None:
    place, at = site
    slug, token = json.loads(place.python(RECORD))
    named = {"Host": "hule.example.org"}
    for _ in range(3):
        assert got(f"{at.url}/t/{slug}/", **named)[0] == 200
    assert got(f"{at.url}/no-such-page/", **named)[0] == 404
    hand = f"{at.url}/api/v1/tournaments/{slug}/sessions/1/tables/1/hands/"
    sent = Request(
        hand,
        json.dumps(DRAWN_GAME).encode(),
        {**named, "Authorization": f"Token {token}", "Content-Type": "application/json"},
    )
    with urlopen(sent, timeout=PATIENCE) as answer:
        assert answer.status == 201
    (place.folder / "queue" / "messages" / "1.celery.msg").touch()
    with urlopen(Request(f"{at.url}/live/{slug}/", headers=named), timeout=PATIENCE) as stream:
        stream.readline()
        counted = figures(at.url)
    assert counted["hule_watchers"] == 1
    assert counted['hule_writes_total{action="hand_recorded"}'] == 1
    assert counted['hule_requests_total{route="(unknown)",status="404"}'] == 1
    assert sum(value for name, value in counted.items() if "hule_request_seconds_count" in name) >= 5
    of_hands = [name for name in counted if name.startswith("hule_requests_total") and 'status="201"' in name]
    assert len(of_hands) == 1
    assert "hands/" in of_hands[0]
    assert slug not in of_hands[0]
    assert counted["hule_queue_length"] == 1
    assert "hule_backup_age_seconds" not in counted
    assert place.manage("backup").returncode == 0
    assert 0 < figures(at.url)["hule_backup_age_seconds"] < 60


@pytest.mark.thorough
def test_a_database_that_went_away_is_missed(migrated: Path) -> None:
    with make_place(migrated) as place, place.web() as site:
        (place.folder / "hule.sqlite3").unlink()
        with closing(sqlite3.connect(place.folder / "hule.sqlite3")) as empty:
            empty.execute("CREATE TABLE another (id integer)")
        assert json.loads(got(f"{site.url}/readyz")[1])["missing"] == ["migrations"]
