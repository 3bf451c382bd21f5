"""Long lists by REST: a page at a time, and by the links from page to page all of it."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.factories import make_tournament
from tests.support.programs import ROOT, Program
from tournament.base.models.tournament import Tournament
from tournament.web.api import base


@pytest.fixture
def event() -> Tournament:
    return make_tournament(players=8, sessions=2, played=1)


def pages(client: Program, url: str) -> Iterator[list[Any]]:
    """The rows of each page, by its link to the next."""
    while url:
        answer = client.get(url)
        yield answer.json()
        link = re.fullmatch(r'<http://testserver(.*)>; rel="next"', answer.headers.get("Link", ""))
        url = link[1] if link else ""


def test_by_the_links_every_entry_comes_once_the_newest_first(
    event: Tournament, organiser_client: Program
) -> None:
    log = f"{ROOT}{event.slug}/log/"
    for most in (1, 3, event.version, 1000):
        lists = list(pages(organiser_client, f"{log}?most={most}"))
        assert len(lists) == -(-event.version // most), "one that ends with the first entry is the last"
        assert max(map(len, lists)) <= most
        assert [entry["seq"] for rows in lists for entry in rows] == list(range(event.version, 0, -1))
    for query in ("most=0", "most=1001", "before=0", "before=x", f"before={2**31}"):
        refused = organiser_client.get(f"{log}?{query}")
        assert (refused.status_code, query.split("=")[0] in refused.text) == (400, True), query


def test_tournaments_come_a_page_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base, "A_PAGE", 2)
    events = {make_tournament(name=f"Open {number}", players=0).slug for number in range(5)}
    lists = list(pages(Program(), ROOT))
    assert (len(lists), {row["slug"] for rows in lists for row in rows}) == (3, events)
    for page in ("0", "x", "-1", "9" * 20):
        assert Program().get(f"{ROOT}?page={page}").status_code == 400, page


def test_a_page_is_as_long_as_it_is_asked_to_be(event: Tournament) -> None:
    players = f"{ROOT}{event.slug}/players/"
    first, last = (Program().get(f"{players}?per_page=3&page={page}") for page in (1, 3))
    assert Program().get(f"{players}?per_page=3")["Link"].endswith('/players/?per_page=3&page=2>; rel="next"')
    assert [player["number"] for player in last.json()] == [7, 8]
    assert ("Link" in first.headers, "Link" in last.headers) == (True, False)
    for query in ("page=0", "per_page=1001", "page=x"):
        refused = Program().get(f"{players}?{query}")
        assert (refused.status_code, refused["Content-Type"]) == (400, "application/problem+json"), query
