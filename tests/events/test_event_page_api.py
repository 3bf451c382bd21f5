"""An event's page for programs."""

from base64 import b64encode
from uuid import uuid4

import pytest

from tests.support.factories import make_tournament
from tests.support.programs import Program, codes_of
from tournament.base.models.events import EventDocument
from tournament.base.models.tournament import Tournament

PATH = "page/"


@pytest.fixture
def event() -> Tournament:
    return make_tournament(players=8, drawn=False)


def test_is_read_by_anybody_written_as_it_is_read_and_refused_with_places(
    organiser_client: Program, base_url: str
) -> None:
    assert Program().get(base_url).json()["description"] == {}
    page = organiser_client.put(
        base_url, {"description": {"en": "Hello"}, "mers": "ranked", "country": "FRA"}
    ).json()
    assert (page["description"], page["mers_weight"]) == ({"en": "Hello"}, 2.5)
    again = {name: page[name] for name in ("description", "mers", "country", "seen")}
    assert organiser_client.put(base_url, again).json() == page
    answer = organiser_client.put(base_url, {"website": "nowhere", "country": "XX"})
    assert answer.status_code == 422
    assert {problem["where"] for problem in answer.json()["problems"]} == {"website", "country"}


def test_takes_files_and_gives_them_up(organiser_client: Program, base_url: str) -> None:
    file = {"uuid": str(uuid4()), "title": "Way", "file": b64encode(b"%PDF-1").decode()}
    added = organiser_client.post(base_url + "files/", file)
    assert (added.status_code, added.json()["kind"]) == (201, "pdf")
    assert Program().get(base_url).json()["documents"][0]["title"] == "Way"
    assert organiser_client.delete(f"{base_url}files/{file['uuid']}/").status_code == 204
    assert codes_of(organiser_client.post(base_url + "files/", file | {"file": "%%%"})) == ["file_unreadable"]
    assert not EventDocument.objects.exists()
