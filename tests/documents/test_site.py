"""A finished event as a site of files: it is whole in itself, asks for no server, and shows what everybody may see."""

import io
import json
from html.parser import HTMLParser
from posixpath import dirname, join, normpath
from zipfile import ZipFile

import pytest
from django.core.management import CommandError, call_command

from tests.support.checks import refused_codes
from tests.support.factories import SYSTEM, end_appeals, make_tournament
from tournament.base.models.documents import DocumentJob
from tournament.base.models.tournament import Tournament
from tournament.documents.exports.jobs import run
from tournament.documents.exports.site.archive import packed, site_of
from tournament.documents.services import request_document
from tournament.ranking.services import hide_results

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
        values = dict(attrs)
        self.marks |= {str(values["id"])} if values.get("id") else set()
        if LOADS.get(tag) in values:
            self.ways.append(str(values[LOADS[tag]]))
        if tag in ("script", "form", "button", "input") or any(n.startswith(("hx-", "on")) for n in values):
            self.asking.append(tag)


def pages(files: dict[str, bytes]) -> dict[str, Page]:
    return {name: Page(content.decode()) for name, content in files.items() if name.endswith(".html")}


def lost(files: dict[str, bytes]) -> list[tuple[str, str]]:
    """Every way from every page that leads out of the site, or to a file or a mark that is not in it."""
    read = pages(files)
    ways = [(name, way) for name, page in read.items() for way in page.ways]
    return [(name, way) for name, way in ways if not leads_somewhere(files, read, name, way)]


def leads_somewhere(files: dict[str, bytes], read: dict[str, Page], name: str, way: str) -> bool:
    if way.startswith(("https://", "http://")):
        return True
    file, _hash, mark = way.partition("#")
    there = normpath(join(dirname(name), file)) if file else name
    return there in files and (not mark or there not in read or mark in read[there].marks)


@pytest.mark.thorough
def test_the_site_is_whole_in_itself_and_has_the_data_of_the_interface() -> None:
    files = site_of(finished())
    assert lost(files) == []
    assert {"index.html", "ranking.html", "sessions/1-1.html", "players/8.html"} <= set(files)
    assert len(json.loads(files["data/standings.json"])["rows"]) == 8
    assert json.loads(files["data/sessions/1-1-hands.json"])[0]["number"] == 1
    assert [(name, page.asking) for name, page in pages(files).items() if page.asking] == []
    texts = b"".join(content for name, content in files.items() if name.endswith((".html", ".css", ".json")))
    servers = (b"site.invalid", b"testserver", b"localhost", b'"/static/', b"data-live", b"mailto:")
    assert [word for word in servers if word in texts] == []


@pytest.mark.thorough
def test_what_is_hidden_from_everybody_is_not_in_it() -> None:
    """The same event is the same bytes."""
    event = finished()
    shown = site_of(event)
    assert packed(site_of(event)) == packed(shown)
    hide_results(event.sessions.get(number=2), SYSTEM)
    files = site_of(Tournament.objects.get(pk=event.pk))
    assert files["data/standings.json"] != shown["data/standings.json"]
    assert json.loads(files["data/standings.json"])["hidden_sessions"] == [2]
    assert lost(files) == []


@pytest.mark.thorough
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
    event, asked = make_tournament(players=8, played=1, hands=1), {"kind": "site", "language": "en"}
    assert refused_codes(request_document, event, SYSTEM, **asked) == ["site_before_the_end"]
    event.is_public = False
    event.save()
    assert refused_codes(request_document, event, SYSTEM, **asked) == ["site_not_public"]


@pytest.mark.thorough
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
