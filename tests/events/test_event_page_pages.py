"""The event's page: public page, organiser's page and API; and the page of certificates."""

import re
from base64 import b64encode
from decimal import Decimal
from typing import Any
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from tests.events.test_event_page_services import PDF
from tests.support.factories import SYSTEM, make_tournament, make_umpire
from tests.support.files import picture
from tests.support.html import attribute, element, read, words
from tests.support.pages import as_shown, missing, organised
from tests.support.programs import Program, codes_of
from tournament.base.models.events import EventDocument, EventPage
from tournament.base.models.tournament import Tournament
from tournament.base.selectors import event_page_of
from tournament.documents.selectors import design_of
from tournament.dues.models import Fee
from tournament.dues.services import set_fees
from tournament.events.services import add_event_document, set_event_page

WORDS: Any = {
    "description": {"en": "# Welcome\n\nCome **all**.", "zh-hant": "歡迎光臨"},
    "address": "1 Wall Street\n69001 Lyon",
    "country": "FRA",
    "map_url": "https://www.openstreetmap.org/#map=1",
    "website": "https://open.example.org/2027",
    "referees": "Uma",
    "contact": "open@example.org",
    "mers": "championship",
}

PATH = "page/"
EVENT_WITH = {"players": 8, "drawn": False}


def get(client: Client, tournament: Tournament, **extra: Any) -> Any:
    return client.get(f"/t/{tournament.slug}/", **extra)


def organiser_url(tournament: Tournament, path: str = "") -> str:
    return f"/organiser/{tournament.slug}/event/{path}"


def send(client: Client, event: Tournament, **fields: str) -> Any:
    """Send the page's form as it is shown, with these fields of the event's page; `seen`: an older fingerprint."""
    data = as_shown(client.get(organiser_url(event)))
    data |= {"preview": "1"} if fields.pop("preview", "") else {}
    return client.post(organiser_url(event), data | {f"page-{name}": value for name, value in fields.items()})


def upload(client: Client, tournament: Tournament, title: str, content: bytes | None = PDF) -> Any:
    fields: dict[str, Any] = {"title": title, "uuid": str(uuid4())}
    if content is not None:
        fields["file"] = SimpleUploadedFile("way.pdf", content)
    return client.post(organiser_url(tournament, "files/"), fields)


def test_the_page_before_the_event_shows_description_and_facts(client: Client, event: Tournament) -> None:
    empty = words(read(get(client, make_tournament(players=0, name="Empty"))))
    assert "No players yet." in empty
    assert "About the event" not in empty
    assert "All 8 players" in words(read(get(client, event)))
    set_event_page(EventPage(tournament=event, **WORDS), SYSTEM)
    set_fees(event, SYSTEM, [Fee(name="Players", amount=Decimal(60))])
    text = words(read(get(client, event)))
    parts = (
        "Welcome",
        "Players: 60.00 EUR",
        "69001 Lyon",
        "France",
        "Map on openstreetmap.org",
        "Uma",
        "open@example.org",
    )
    assert [part for part in parts if part not in text] == []
    assert "Current weight: 2 for 2 days, 0 for 8 players, 0.5 for 7 countries, 1 for a championship." in text
    page = read(get(client, event, headers={"Accept-Language": "zh-hant"}))
    description = element(page, "div", class_="rich-text")
    assert (words(description), attribute(description, "lang")) == ("歡迎光臨", "zh-Hant"), (
        "in the reader's language"
    )
    assert "60.00 EUR" in words(page)


def test_the_page_escapes_html(client: Client, event: Tournament) -> None:
    hostile = "<script>alert(1)</script>"
    in_english, plain = ("description", "rules_note"), ("address", "referees", "contact")
    fields: dict[str, Any] = {name: {"en": hostile} for name in in_english} | dict.fromkeys(plain, hostile)
    set_event_page(EventPage(tournament=event, **fields), SYSTEM)
    assert "<script>alert" not in get(client, event).text


def test_the_description_is_below_current_play_during_the_event(client: Client) -> None:
    playing = make_tournament(players=8, running=(1, 0))
    set_event_page(EventPage(tournament=playing, **WORDS), SYSTEM)
    page = get(client, playing).text
    assert page.index('id="playing"') < page.index('id="about"')
    assert "Participants" not in page


def test_files_are_downloads_and_never_pages(client: Client, event: Tournament) -> None:
    """Only below their own event; a missing file is a 404."""
    document = add_event_document(event, SYSTEM, 'Way "there" 路', PDF, uuid=uuid4())
    url = f"/t/{event.slug}/files/{document.uuid}/"
    response = client.get(url)
    assert (response.content, response["Content-Type"]) == (PDF, "application/pdf")
    assert response["Content-Disposition"].startswith("attachment")
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["Content-Security-Policy"] == "default-src 'none'; sandbox"
    other = make_tournament(name="Other", players=0)
    assert client.get(f"/t/{other.slug}/files/{document.uuid}/").status_code == 404
    document.file.storage.delete(str(document.file.name))
    assert client.get(url).status_code == 404


def test_files_of_a_private_event_are_for_staff_only(client: Client) -> None:
    club = make_tournament(players=0, public=False)
    url = f"/t/{club.slug}/files/{add_event_document(club, SYSTEM, 'Way', PDF, uuid=uuid4()).uuid}/"
    assert client.get(url).status_code == 404
    client.force_login(make_umpire(club))
    assert client.get(url).status_code == 200


def test_the_page_is_validated_previewed_and_saved(olga: Client, event: Tournament) -> None:
    fields = {"map_url": "javascript:x", "website": "nowhere", "rules_note_en": "x" * 5001, "contact": "kept"}
    for button in ({}, {"preview": "1"}):
        page = send(olga, event, **fields, **button)
        assert page.status_code == 422
        assert set(page.context["page"].form.errors) == {"map_url", "website", "rules_note_en"}
        assert "kept" in page.text
        assert re.search(r"<details[^>]*open>\s*<summary>Map, website", page.text)
    page = send(olga, event, description_en="# Hello", preview="1")
    assert page.status_code == 200
    assert missing(page.text, "Preview: not saved yet.", "<h3>Hello</h3>") == []
    assert not EventPage.objects.exists()
    fields = {"description_en": "Hello", "rules_note_zh-hans": "静", "country": "FRA", "contact": "x"}
    assert send(olga, event, **fields).status_code == 302
    saved = event_page_of(event)
    assert (saved.description, saved.rules_note) == ({"en": "Hello"}, {"zh-hans": "静"})
    assert (saved.country, saved.contact) == ("FRA", "x")
    assert event.log.filter(action="tournament_changed").count() == 0, "the other part is as before"


def test_name_and_page_are_saved_together_or_not_at_all(olga: Client, event: Tournament) -> None:
    data = as_shown(olga.get(organiser_url(event))) | {"event-name": "Autumn Open", "page-contact": "x"}
    assert olga.post(organiser_url(event), data | {"page-website": "nowhere"}).status_code == 422
    event.refresh_from_db()
    assert (event.name, event_page_of(event).contact) == ("Spring Open", "")
    assert olga.post(organiser_url(event), data).status_code == 302
    event.refresh_from_db()
    assert (event.name, event_page_of(event).contact) == ("Autumn Open", "x")


def test_a_concurrent_change_is_reported_before_it_is_overwritten(olga: Client, event: Tournament) -> None:
    seen = event_page_of(event).fingerprint
    set_event_page(EventPage(tournament=event, **WORDS), SYSTEM)
    page = send(olga, event, contact="mine", seen=seen)
    assert "in the meantime" in page.text
    assert send(olga, event, contact="mine", seen=page.context["page"].seen).status_code == 302
    assert event_page_of(event).contact == "mine"


@pytest.mark.thorough
def test_a_file_is_validated_added_and_removed(olga: Client, event: Tournament) -> None:
    cases: list[tuple[str, bytes | None, set[str]]] = [
        ("Way", None, {"file"}),
        ("Way", b"<svg/>", {"file"}),
        ("x" * 81, PDF, {"title"}),
    ]
    for title, content, fields in cases:
        page = upload(olga, event, title, content)
        assert (page.status_code, set(page.context["upload"].errors)) == (422, fields)
    assert upload(olga, event, "Way").status_code == 302
    document = EventDocument.objects.get()
    assert "Way" in words(read(olga.get(organiser_url(event))))
    assert olga.post(organiser_url(event, f"files/{document.uuid}/remove/")).status_code == 302
    assert not EventDocument.objects.exists()


def test_certificates_keep_the_text_when_the_picture_is_too_large(client: Client) -> None:
    spring = organised(client, players=4, sessions=1)
    address = f"/organiser/{spring.slug}/results/"
    large = SimpleUploadedFile("a.png", b"\x89PNG\r\n\x1a\n" + b"x" * 20_000_000)
    data = {"part": "certificates", "certificates-text": "Typed for an hour", "certificates-places": "3"}
    answer = client.post(address, data | {"certificates-picture": large})
    assert answer.status_code == 422
    before_picture = answer.text.split('name="certificates-picture"')[0].split("certificates-best_hand")[-1]
    assert "The file is larger than 5 MB." in before_picture
    assert "Typed for an hour" in answer.text
    data |= {"certificates-text": "Well played", "certificates-places": "5"}
    small = SimpleUploadedFile("a.png", picture())
    assert client.post(address, data | {"certificates-picture": small}).status_code == 302
    design = design_of(spring)
    assert (design.text, design.places, design.best_hand) == ("Well played", 5, False)
    assert design.file
    client.force_login(make_umpire(spring))
    assert client.get(address).status_code in (302, 403, 404)


def test_the_api_reads_and_writes_the_page(organiser_client: Program, base_url: str) -> None:
    assert Program().get(base_url).json()["description"] == {}
    page = organiser_client.put(
        base_url, {"description": {"en": "Hello"}, "mers": "ranked", "country": "FRA"}
    ).json()
    assert (page["description"], page["mers_weight"]) == ({"en": "Hello"}, 2.5)
    again = {name: page[name] for name in ("description", "mers", "country", "seen")}
    assert organiser_client.put(base_url, again).json() == page
    answer = organiser_client.put(base_url, {"rules_note": {"fr": "gratuit"}, "country": "XX"})
    assert answer.status_code == 422
    assert {problem["where"] for problem in answer.json()["problems"]} == {"rules_note", "country"}


def test_the_api_adds_and_removes_files(organiser_client: Program, base_url: str) -> None:
    file = {"uuid": str(uuid4()), "title": "Way", "file": b64encode(b"%PDF-1").decode()}
    response = organiser_client.post(base_url + "files/", file)
    assert (response.status_code, response.json()["kind"]) == (201, "pdf")
    assert Program().get(base_url).json()["documents"][0]["title"] == "Way"
    assert organiser_client.delete(f"{base_url}files/{file['uuid']}/").status_code == 204
    assert codes_of(organiser_client.post(base_url + "files/", file | {"file": "%%%"})) == ["file_unreadable"]
    assert not EventDocument.objects.exists()
