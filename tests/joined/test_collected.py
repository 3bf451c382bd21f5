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

from config.joined.kinds import SCRIPTS, SHEETS, joined_script, joined_sheet
from tests.support.factories import make_organiser, make_tournament, make_umpire
from tests.support.sampling import sample
from tournament.models import Tournament

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
    held = make_tournament(players=16, sessions=1, running=0)
    held.players.filter(number__gt=4).update(country="ESP")
    held.players.filter(number__lte=4).update(country="FRA")
    make_umpire(held, "uma")
    make_organiser(held, "olga")
    return held


def html_of(name: str) -> str:
    who, path = PAGES[name]
    client = Client()
    if who:
        client.force_login(User.objects.get(username=who))
    answer = client.get(path)
    assert answer.status_code == 200, path
    return WITHOUT_SCRIPTS.sub("", answer.content.decode())


def files_of(html: str) -> set[str]:
    return {next(filter(None, found)) for found in ASKED.findall(html)}


def stored(name: str) -> str:
    return staticfiles_storage.url(name).removeprefix("/static/")


def packed_size(folder: Path, address: str) -> int:
    path = folder / address.removeprefix("/static/")
    packed = path.with_name(path.name + ".gz")
    return (packed if packed.exists() else path).stat().st_size


@pytest.mark.parametrize("name", sample(PAGES, 2, always=["ranking", "desk", "board"]))
def test_a_page_asks_for_few_files(name: str, collected: Path, spring: Tournament) -> None:
    html = html_of(name)
    asked = files_of(html)
    scripts = {address for address in asked if address.endswith(".js")}
    assert len([one for one in scripts if "/joined/" in one]) == 1
    assert {one.rpartition("/")[2].partition(".")[0] for one in scripts if "/joined/" not in one} == {"theme"}
    assert 1 + len(asked) + sum(line in html for line in LINES) <= MOST_FILES, sorted(asked)
    assert [one for one in asked if "/static/" in one and not (collected / one[8:]).exists()] == []


@pytest.mark.parametrize("name", sample(PAGES, 2, always=["ranking", "desk", "board"]))
def test_a_page_weighs_little(name: str, collected: Path, spring: Tournament) -> None:
    html = html_of(name)
    files = sum(packed_size(collected, one) for one in files_of(html) if one.startswith("/static/"))
    assert files + len(gzip.compress(html.encode())) < MOST_BYTES


def test_every_kind_of_page_has_its_files_under_lasting_names(collected: Path) -> None:
    for name in [*map(joined_script, SCRIPTS), *map(joined_sheet, SHEETS)]:
        kept = stored(name)
        assert re.search(r"\.[0-9a-f]{12}\.(js|css)$", kept)
        assert (collected / f"{kept}.gz").exists()


def test_no_joined_script_imports_anything(collected: Path) -> None:
    for kind in SCRIPTS:
        text = (collected / stored(joined_script(kind))).read_text("utf-8")
        assert not re.search(r"^\s*(import|export)\b|\bimport\(", text, re.MULTILINE), kind


def test_the_parts_are_not_kept(collected: Path) -> None:
    """So a page that named one would fail at once, and not ask for forty more."""
    kept = json.loads((collected / "staticfiles.json").read_text())["paths"]
    ours = {name for name in kept if name.startswith("js/")}
    assert ours == {
        "js/theme.js",
        "js/desk/engine-worker.js",
        "js/desk/service-worker.js",
        "js/phone/push-worker.js",
    }
    assert not (collected / "js/live.js").exists()
