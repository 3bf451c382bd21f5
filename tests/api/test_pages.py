"""Long lists by REST: a page at a time, and by the links from page to page all of it."""

from __future__ import annotations

import re

import pytest
from rest_framework.test import APIClient

from tests.support.factories import make_organiser, make_tournament
from tournament.api import paging
from tournament.models import Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Tournament:
    return make_tournament(players=8, sessions=2, played=1)


@pytest.fixture
def organiser(event: Tournament) -> APIClient:
    client = APIClient()
    client.force_authenticate(make_organiser(event))
    return client


def address(event: Tournament, **asked: object) -> str:
    query = "&".join(f"{name}={value}" for name, value in asked.items())
    return f"/api/v1/tournaments/{event.slug}/log/?{query}"


@pytest.mark.parametrize("most", [1, 3, 1000])
def test_by_the_links_every_entry_comes_once_the_newest_first(
    event: Tournament, organiser: APIClient, most: int
) -> None:
    seen, here = [], address(event, most=most)
    while here:
        answer = organiser.get(here)
        assert len(answer.json()) <= most
        seen += [entry["seq"] for entry in answer.json()]
        link = re.fullmatch(r'<http://testserver(.*)>; rel="next"', answer.headers.get("Link", ""))
        here = link[1] if link else ""
    assert seen == list(range(event.version, 0, -1))


def test_a_page_that_ends_with_the_first_entry_is_the_last(event: Tournament, organiser: APIClient) -> None:
    assert "Link" not in organiser.get(address(event, most=event.version)).headers


@pytest.mark.parametrize(
    "asked", [{"most": 0}, {"most": 1001}, {"before": 0}, {"before": "x"}, {"before": 2**31}]
)
def test_what_no_page_is_is_said(event: Tournament, organiser: APIClient, asked: dict[str, object]) -> None:
    answer = organiser.get(address(event, **asked))
    assert (answer.status_code, next(iter(asked)) in answer.text) == (400, True)


def test_tournaments_come_a_page_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paging, "A_PAGE", 2)
    made = {make_tournament(name=f"Open {n}", players=0).slug for n in range(5)}
    seen, here, pages = set[str](), "/api/v1/tournaments/", 0
    while here:
        answer = APIClient().get(here)
        seen |= {one["slug"] for one in answer.json()}
        link = re.fullmatch(r'<http://testserver(.*)>; rel="next"', answer.headers.get("Link", ""))
        here, pages = link[1] if link else "", pages + 1
    assert (seen, pages) == (made, 3)


@pytest.mark.parametrize("page", ["0", "x", "-1", "9" * 20])
def test_a_page_that_cannot_be_is_said(page: str) -> None:
    assert APIClient().get(f"/api/v1/tournaments/?page={page}").status_code == 400
