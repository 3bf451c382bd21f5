"""What a page asks for once static files are collected: few files, all of them there, none of the small ones."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.contrib.staticfiles.storage import staticfiles_storage
from django.test import Client

from config.joined import SCRIPTS, SHEETS, script_file, sheet_file
from tests.support.factories import make_organiser, make_tournament, make_umpire
from tests.support.sampling import sample
from tournament.base.models.tournament import Tournament

MOST_FILES = 10
"""With the page itself, its live line and the bar of calls."""
MOST_BYTES = 110 * 1024
ASKED = re.compile(
    r'<(?:script|img)\b[^>]* src="([^"#]+)|<link rel="(?:stylesheet|icon)" href="([^"]+)"|<use href="([^"#]+)'
    r'|<style data-sheet="([^"]+)'
)
WITHOUT_SCRIPTS = re.compile(r"<noscript>.*?</noscript>", re.DOTALL)
LINES = ("data-live=", "data-calls=")
"""What a script asks for as soon as it runs."""
PAGES = {
    "home": ("", "/"),
    "ranking": ("", "/t/spring-open/ranking/"),
    "players": ("", "/t/spring-open/players/"),
    "player": ("", "/t/spring-open/players/7/"),
    "table": ("", "/t/spring-open/sessions/1/1/"),
    "statistics": ("", "/t/spring-open/statistics/"),
    "screen": ("", "/t/spring-open/screens/main/"),
    "calculator": ("", "/calculator/?hand=111m+222p+333s+EEE+FF"),
    "fouls": ("", "/fouls/"),
    "sign in": ("", "/login/"),
    "tables": ("uma", "/umpire/spring-open/"),
    "desk": ("uma", "/umpire/spring-open/1/1/"),
    "hall clock": ("uma", "/umpire/spring-open/clock/"),
    "board": ("olga", "/organiser/spring-open/"),
    "organiser's players": ("olga", "/organiser/spring-open/players/"),
}


@pytest.fixture
def spring(db: None) -> Tournament:
    tournament = make_tournament(players=16, sessions=1, running=0)
    tournament.players.filter(number__gt=4).update(country="ESP")
    tournament.players.filter(number__lte=4).update(country="FRA")
    make_umpire(tournament, "uma")
    make_organiser(tournament, "olga")
    return tournament


def html_of(name: str) -> str:
    name_of_user, path = PAGES[name]
    client = Client()
    if name_of_user:
        client.force_login(User.objects.get(username=name_of_user))
    response = client.get(path)
    assert response.status_code == 200, path
    return WITHOUT_SCRIPTS.sub("", response.content.decode())


def files_of(html: str) -> set[str]:
    return {next(filter(None, groups)) for groups in ASKED.findall(html)}


def stored(name: str) -> str:
    return staticfiles_storage.url(name).removeprefix("/static/")


def packed_size(folder: Path, address: str) -> int:
    path = folder / address.removeprefix("/static/")
    packed = path.with_name(path.name + ".gz")
    return (packed if packed.exists() else path).stat().st_size


@pytest.mark.parametrize("name", sample(PAGES, 2, always=["ranking", "desk", "board"]))
@pytest.mark.thorough
def test_a_page_asks_for_few_files_that_weigh_little(name: str, collected: Path, spring: Tournament) -> None:
    html = html_of(name)
    files = files_of(html)
    static = {address for address in files if address.startswith("/static/")}
    joined = {address for address in static if "/joined/" in address and address.endswith(".js")}
    assert len(joined) == 1
    others = {address.rpartition("/")[2] for address in files - joined if address.endswith(".js")}
    assert {address.partition(".")[0] for address in others} == {"theme"}
    assert 1 + len(files) + sum(line in html for line in LINES) <= MOST_FILES, sorted(files)
    assert [address for address in static if not (collected / address[8:]).exists()] == []
    size = sum(packed_size(collected, address) for address in static)
    assert size + len(gzip.compress(html.encode())) < MOST_BYTES


@pytest.mark.thorough
def test_every_kind_of_page_has_its_files_under_lasting_names(collected_without_pyodide: Path) -> None:
    """The parts are not kept: a page that named one would fail at once, and not ask for forty more."""
    collected = collected_without_pyodide
    for name in [*map(script_file, SCRIPTS), *map(sheet_file, SHEETS)]:
        lasting = stored(name)
        assert re.search(r"\.[0-9a-f]{12}\.(js|css)$", lasting)
        assert (collected / f"{lasting}.gz").exists()
        text = (collected / lasting).read_text("utf-8")
        assert not re.search(r"^\s*(import|export)\b|\bimport\(", text, re.MULTILINE), name
    names = json.loads((collected / "staticfiles.json").read_text())["paths"]
    assert {name for name in names if name.startswith("js/")} == {
        *("js/theme.js", "js/desk/engine-worker.js", "js/desk/service-worker.js", "js/phone/push-worker.js")
    }
    assert not (collected / "js/live.js").exists()
