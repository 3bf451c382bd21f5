"""What a page asks for: few files once collected, the small modules while developing, htmx where it is used."""

from __future__ import annotations

import gzip
import json
import re
from functools import cache
from pathlib import Path

import pytest
from config.joined.kinds import joined_script, joined_sheet
from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.staticfiles.storage import staticfiles_storage
from django.test import Client

from config.joined import HTMX, SCRIPTS, SHEETS
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

TEMPLATES = Path(settings.BASE_DIR, "templates")
EXTENDS = re.compile(r'\{% extends "([^"]+)" %\}')
INCLUDED = re.compile(r'\{% include "([^"]+)"')
KIND = re.compile(r'\{% scripts "([^"]+)" %\}')
ASKS = re.compile(r"\bhx-(?:get|post|put|delete|trigger)\b")
COMMENT = re.compile(r"\{% comment %\}.*?\{% endcomment %\}", re.DOTALL)


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
    for name in [*map(joined_script, SCRIPTS), *map(joined_sheet, SHEETS)]:
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


@cache
def text_of(name: str) -> str:
    return COMMENT.sub("", (TEMPLATES / name).read_text("utf-8"))


def asks(name: str) -> bool:
    """Whether this template, or a part of it, asks by htmx."""
    text = text_of(name)
    return bool(ASKS.search(text)) or any(asks(part) for part in INCLUDED.findall(text))


def bases(name: str) -> list[str]:
    """The template and those it stands in, inside out."""
    extended = EXTENDS.search(text_of(name))
    return [name, *(bases(extended[1]) if extended else [])]


def has_htmx(name: str) -> bool:
    kinds = [kind for base in bases(name) for kind in KIND.findall(text_of(base))]
    return HTMX in SCRIPTS[kinds[0]]


def test_every_page_that_asks_by_htmx_has_it() -> None:
    names = [path.relative_to(TEMPLATES).as_posix() for path in sorted(TEMPLATES.rglob("*.html"))]
    pages = [name for name in names if "base_document.html" in bases(name)]
    assert len(pages) > 60
    asking = [name for name in pages if any(asks(base) for base in bases(name))]
    assert {"seating/swap.html", "site/tables.html", "book/calculator/page.html"} <= set(asking)
    assert [name for name in asking if not has_htmx(name)] == []
