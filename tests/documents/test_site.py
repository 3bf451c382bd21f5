"""An exported site: complete, without a server, and with public data only."""

import io
import json
from html.parser import HTMLParser
from pathlib import Path
from posixpath import dirname, join, normpath
from zipfile import ZipFile

import pytest
from django.core.management import CommandError, call_command

from tests.support.checks import refused_codes
from tests.support.factories import SYSTEM, end_appeals, make_tournament
from tournament.base.models.documents import DocumentJob
from tournament.base.models.tournament import Tournament
from tournament.documents.exports.jobs import run_job
from tournament.documents.exports.site.archive import build_site, zip_files
from tournament.documents.services import request_document
from tournament.ranking.services import hide_results

LOADS = {"link": "href", "img": "src", "image": "href", "use": "href", "a": "href"}


def finished_tournament(players: int = 8) -> Tournament:
    event = make_tournament(players=players, sessions=2, played=2, hands=1)
    end_appeals(event)
    return Tournament.objects.get(pk=event.pk)


class Page(HTMLParser):
    """The links, ids and elements of a page that need a server."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.ids: set[str] = set()
        self.server_elements: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        self.ids |= {str(values["id"])} if values.get("id") else set()
        if LOADS.get(tag) in values:
            self.links.append(str(values[LOADS[tag]]))
        if tag in ("script", "form", "button", "input") or any(n.startswith(("hx-", "on")) for n in values):
            self.server_elements.append(tag)


def pages(files: dict[str, bytes]) -> dict[str, Page]:
    return {name: Page(content.decode()) for name, content in files.items() if name.endswith(".html")}


def broken_links(files: dict[str, bytes]) -> list[tuple[str, str]]:
    """Return (page, link) of all links to a file or id that is not in the site."""
    parsed = pages(files)
    links = [(name, link) for name, page in parsed.items() for link in page.links]
    return [(name, link) for name, link in links if not has_target(files, parsed, name, link)]


def has_target(files: dict[str, bytes], parsed: dict[str, Page], name: str, link: str) -> bool:
    if link.startswith(("https://", "http://")):
        return True
    file, _hash, identifier = link.partition("#")
    target = normpath(join(dirname(name), file)) if file else name
    return target in files and (not identifier or target not in parsed or identifier in parsed[target].ids)


@pytest.mark.thorough
def test_a_site_contains_every_linked_file_and_the_data_of_the_api() -> None:
    files = build_site(finished_tournament(28))
    assert broken_links(files) == []
    assert sum(name.startswith("players/") for name in files) == 28
    assert {"index.html", "ranking.html", "sessions/1-1.html", "players/8.html"} <= set(files)
    assert len(json.loads(files["data/standings.json"])["rows"]) == 28
    assert json.loads(files["data/sessions/1-1-hands.json"])[0]["number"] == 1
    assert [(name, page.server_elements) for name, page in pages(files).items() if page.server_elements] == []
    texts = b"".join(content for name, content in files.items() if name.endswith((".html", ".css", ".json")))
    servers = (b"site.invalid", b"testserver", b"localhost", b'"/static/', b"data-live", b"mailto:")
    assert [word for word in servers if word in texts] == []


@pytest.mark.thorough
def test_the_command_writes_the_same_site_of_a_version_and_hidden_results_are_left_out(
    tmp_path: Path,
) -> None:
    event, file = finished_tournament(), tmp_path / "site.zip"
    shown = build_site(event)
    call_command("tournament", "site", event.slug, str(file))
    assert file.read_bytes() == zip_files(shown)
    with ZipFile(file) as archive:
        assert archive.testzip() is None
    with pytest.raises(CommandError):
        call_command("tournament", "site", "nowhere", str(file))
    hide_results(event.sessions.get(number=2), SYSTEM)
    files = build_site(Tournament.objects.get(pk=event.pk))
    assert files["data/standings.json"] != shown["data/standings.json"]
    assert json.loads(files["data/standings.json"])["hidden_sessions"] == [2]
    assert broken_links(files) == []


@pytest.mark.thorough
def test_the_worker_builds_a_site_once_per_version() -> None:
    event = finished_tournament()
    job = request_document(event, SYSTEM, kind="site", language="zh-hans")
    run_job(job.pk)
    job.refresh_from_db()
    assert (job.state, job.file_name.endswith("zh-hans.zip")) == (DocumentJob.State.DONE, True)
    with job.file.open("rb") as file, ZipFile(io.BytesIO(file.read())) as archive:
        assert "排名" in archive.read("ranking.html").decode()
    assert request_document(event, SYSTEM, kind="site", language="zh-hans").pk == job.pk


def test_a_site_is_refused_before_the_end_and_for_a_private_tournament() -> None:
    event, request = make_tournament(players=8, played=1, hands=1), {"kind": "site", "language": "en"}
    assert refused_codes(request_document, event, SYSTEM, **request) == ["site_before_the_end"]
    event.is_public = False
    event.save()
    assert refused_codes(request_document, event, SYSTEM, **request) == ["site_not_public"]
