"""A finished event as a site of files: it is whole in itself, asks for no server, and shows what everybody may see."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from html.parser import HTMLParser
from posixpath import dirname, join, normpath
from zipfile import ZipFile

import pytest
from django.core.management import CommandError, call_command

from tests.support.factories import SYSTEM, end_appeals, make_tournament
from tournament.documents.jobs import run
from tournament.documents.site.archive import packed, site_of
from tournament.errors import Refused
from tournament.models import DocumentJob, Tournament
from tournament.services.documents import request_document
from tournament.services.embargo import hide_results

pytestmark = pytest.mark.django_db
LOADS = {"link": "href", "img": "src", "image": "href", "use": "href", "a": "href"}


def finished(players: int = 8) -> Tournament:
    event = make_tournament(players=players, sessions=2, played=2, hands=1)
    end_appeals(event)
    return Tournament.objects.get(pk=event.pk)


class Page(HTMLParser):
    """What a page leads to and loads, which marks it has, and what of it would ask a server."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ways: list[str] = []
        self.marks: set[str] = set()
        self.asking: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = dict(attrs)
        self.marks |= {str(said["id"])} if said.get("id") else set()
        if LOADS.get(tag) in said:
            self.ways.append(str(said[LOADS[tag]]))
        if tag in ("script", "form", "button", "input") or any(
            name.startswith(("hx-", "on")) for name in said
        ):
            self.asking.append(tag)


def pages(files: dict[str, bytes]) -> Iterator[tuple[str, Page]]:
    for name, content in files.items():
        if name.endswith(".html"):
            yield name, Page(content.decode())


def lost(files: dict[str, bytes]) -> list[tuple[str, str]]:
    """Every way from every page that leads out of the site, or to a file or a mark that is not in it."""
    read = dict(pages(files))
    found = []
    for name, page in read.items():
        for way in page.ways:
            file, _hash, mark = way.partition("#")
            there = normpath(join(dirname(name), file)) if file else name
            is_there = there in files and (not mark or there not in read or mark in read[there].marks)
            if not is_there and not way.startswith(("https://", "http://")):
                found.append((name, way))
    return found


def test_every_way_leads_to_a_file_of_the_site() -> None:
    files = site_of(finished())
    assert lost(files) == []
    assert {"index.html", "ranking.html", "sessions/1-1.html", "players/8.html"} <= set(files)


@pytest.mark.thorough
def test_nothing_asks_a_server() -> None:
    files = site_of(finished())
    assert [(name, page.asking) for name, page in pages(files) if page.asking] == []
    told = b"".join(content for name, content in files.items() if name.endswith((".html", ".css", ".json")))
    for word in (b"site.invalid", b"testserver", b"localhost", b'"/static/', b"data-live", b"mailto:"):
        assert word not in told, word


def test_the_data_is_what_the_interface_gives() -> None:
    event = finished()
    files = site_of(event)
    assert len(json.loads(files["data/standings.json"])["rows"]) == 8
    assert json.loads(files["data/sessions/1-1-hands.json"])[0]["number"] == 1


@pytest.mark.thorough
def test_the_same_event_is_the_same_bytes() -> None:
    event = finished()
    assert packed(site_of(event)) == packed(site_of(event))


@pytest.mark.thorough
def test_what_is_hidden_from_everybody_is_not_in_it() -> None:
    event = make_tournament(players=8, sessions=2, played=2, hands=1)
    shown = site_of(Tournament.objects.get(pk=event.pk))
    hide_results(event.sessions.get(number=2), SYSTEM)
    files = site_of(Tournament.objects.get(pk=event.pk))
    assert files["data/standings.json"] != shown["data/standings.json"]
    assert json.loads(files["data/standings.json"])["hidden_sessions"] == [2]
    assert lost(files) == []


def test_it_is_made_by_the_worker_once_a_version() -> None:
    event = finished()
    job = request_document(event, SYSTEM, kind="site", language="zh-hans")
    run(job.pk)
    job.refresh_from_db()
    assert (job.state, job.file_name.endswith("zh-hans.zip")) == (DocumentJob.State.DONE, True)
    with job.file.open("rb") as file, ZipFile(io.BytesIO(file.read())) as archive:
        assert "排名" in archive.read("ranking.html").decode()
    assert request_document(event, SYSTEM, kind="site", language="zh-hans").pk == job.pk


def test_it_is_refused_before_the_end_and_where_nobody_is_shown_anything() -> None:
    event = make_tournament(players=8, sessions=2, played=1, hands=1)
    with pytest.raises(Refused) as caught:
        request_document(event, SYSTEM, kind="site", language="en")
    assert [problem.code for problem in caught.value.problems] == ["site_before_the_end"]
    Tournament.objects.filter(pk=event.pk).update(is_public=False)
    event.refresh_from_db()
    with pytest.raises(Refused) as caught:
        request_document(event, SYSTEM, kind="site", language="en")
    assert [problem.code for problem in caught.value.problems] == ["site_not_public"]


def test_the_command_writes_it(tmp_path: object) -> None:
    event = finished()
    file = f"{tmp_path}/site.zip"
    call_command("tournament", "site", event.slug, file)
    with ZipFile(file) as archive:
        assert archive.testzip() is None
        assert "index.html" in archive.namelist()
    with pytest.raises(CommandError):
        call_command("tournament", "site", "nowhere", file)


@pytest.mark.thorough
def test_a_hundred_players() -> None:
    files = site_of(finished(100))
    assert lost(files) == []
    assert sum(name.startswith("players/") for name in files) == 100
