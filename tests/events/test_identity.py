"""The event's logo and colour: how they are stored, and where they are shown."""

from base64 import b64encode
from io import BytesIO
from typing import Any
from uuid import uuid4

import pytest
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from PIL import Image

from tests.documents.rendering import job_for, render_pdf
from tests.events.test_event_page_services import PDF
from tests.support.checks import newest_sentence, refused_codes
from tests.support.factories import SYSTEM, make_tournament, make_umpire
from tests.support.files import picture
from tests.support.html import attribute, element, elements, read, words
from tests.support.pages import as_shown
from tests.support.programs import Program, codes_of
from tournament.base.models.events import EventDocument
from tournament.base.models.tournament import Tournament
from tournament.base.selectors import event_page_of
from tournament.documents.exports.jobs import DRAFT_BUILDERS
from tournament.events.selectors import logo_of
from tournament.events.services import add_event_document, remove_event_document, set_event_page, set_logo

PATH = "page/"
EVENT_WITH = {"players": 8, "drawn": False}
COLOUR = "#7a1f6b"
pytestmark = pytest.mark.django_db(transaction=True)


def add(event: Tournament, content: bytes, title: str = "Logo", *, is_logo: bool = True) -> EventDocument:
    return add_event_document(event, SYSTEM, title, content, uuid=uuid4(), is_logo=is_logo)


def paint(event: Tournament, colour: str = COLOUR) -> None:
    page = event_page_of(event)
    page.colour = colour
    set_event_page(page, SYSTEM)


def stored(document: EventDocument) -> Image.Image:
    with document.file.open("rb") as file:
        return Image.open(BytesIO(file.read()))


def head(page: Any) -> dict[str, str]:
    """Return the og: tags of a page."""
    tags = elements(read(page), "meta")
    names = {attribute(tag, "property"): attribute(tag, "content") for tag in tags}
    return {str(name): str(content) for name, content in names.items() if name}


# --- Stored ---


def test_an_event_has_one_logo(event: Tournament) -> None:
    first = add(event, picture())
    second = add(event, picture())
    assert logo_of(event) == second
    first.refresh_from_db()
    set_logo(first, SYSTEM, is_logo=True)
    assert logo_of(event) == first
    assert newest_sentence(event) == "Logo of the event chosen."
    assert event.event_documents.filter(is_logo=True).count() == 1
    set_logo(logo_of(event) or first, SYSTEM, is_logo=False)
    assert logo_of(event) is None
    assert newest_sentence(event) == "Logo of the event removed."
    set_logo(second, SYSTEM, is_logo=True)
    remove_event_document(second, SYSTEM)
    assert logo_of(event) is None


def test_a_logo_is_encoded_again_small_and_without_metadata(event: Tournament) -> None:
    exif = Image.Exif()
    exif[0x010F] = "A camera that knows where it was"
    image = stored(add(event, picture("JPEG", (1600, 400), exif=exif)))
    assert (image.format, image.size, dict(image.getexif())) == ("JPEG", (800, 200), {})
    clear = BytesIO()
    Image.new("RGBA", (40, 60)).save(clear, "WEBP")
    document = add(event, clear.getvalue(), is_logo=False)
    before = str(document.file.name)
    document = set_logo(document, SYSTEM, is_logo=True)
    image = stored(document)
    assert (document.kind, image.format, image.mode) == ("png", "PNG", "RGBA"), "it stays transparent"
    assert document.size == document.file.size
    assert not default_storage.exists(before)


def test_a_file_that_is_no_picture_is_never_the_logo(event: Tournament) -> None:
    logo = add(event, picture())
    cases = {
        PDF: "picture_of_no_kind",
        b"<svg onload='alert(1)'/>": "picture_of_no_kind",
        b"\x89PNG\r\n\x1a\n<script>": "file_unreadable",
        picture(size=(4001, 4000), mode="1"): "picture_too_many_pixels",
        picture()[:-9]: "file_unreadable",
    }
    for content, code in cases.items():
        assert refused_codes(add, event, content, " ") == ["value_missing", code]
    for content in (PDF, b"\x89PNG\r\n\x1a\n<script>"):
        document = add(event, content, is_logo=False)
        assert refused_codes(set_logo, document, SYSTEM, is_logo=True) == [cases[content]]
    document = add(event, picture(), is_logo=False)
    default_storage.delete(str(document.file.name))
    assert refused_codes(set_logo, document, SYSTEM, is_logo=True) == ["file_unreadable"]
    assert logo_of(event) == logo


# --- Edited ---


def test_the_organiser_chooses_logo_and_colour(olga: Client, event: Tournament) -> None:
    url = f"/organiser/{event.slug}/event/"
    fields = {"title": "Logo", "uuid": str(uuid4()), "is_logo": "on"}
    answer = olga.post(f"{url}files/", fields | {"file": SimpleUploadedFile("a.png", PDF)})
    assert (answer.status_code, set(answer.context["upload"].errors)) == (422, {"file"})
    assert (
        olga.post(f"{url}files/", fields | {"file": SimpleUploadedFile("a.png", picture())}).status_code
        == 302
    )
    logo = logo_of(event)
    assert logo is not None
    assert "No longer the logo" in words(read(olga.get(url)))
    olga.post(f"{url}files/{logo.uuid}/logo/", {"remove": "1"})
    assert logo_of(event) is None
    assert "Use as logo" in words(read(olga.get(url)))
    olga.post(f"{url}files/{logo.uuid}/logo/")
    assert logo_of(event) == logo


def test_white_is_no_colour(olga: Client, event: Tournament) -> None:
    url = f"/organiser/{event.slug}/event/"
    for sent, stored_colour in ((COLOUR, COLOUR), ("#ffffff", "")):
        data = as_shown(olga.get(url)) | {"page-colour": sent}
        assert olga.post(url, data).status_code == 302
        assert event_page_of(event).colour == stored_colour
        assert attribute(element(read(olga.get(url)), "input", name="page-colour"), "value") == sent
    assert olga.post(url, as_shown(olga.get(url)) | {"page-colour": "red;}"}).status_code == 422


def test_the_api_chooses_the_logo(organiser_client: Program, base_url: str) -> None:
    file: dict[str, Any] = {"uuid": str(uuid4()), "title": "Logo", "file": b64encode(picture()).decode()}
    assert organiser_client.post(base_url + "files/", file | {"is_logo": True}).json()["is_logo"]
    url = f"{base_url}files/{file['uuid']}/"
    assert not organiser_client.put(url, {"is_logo": False}).json()["is_logo"]
    assert organiser_client.put(url, {"is_logo": True}).json()["is_logo"]
    pdf = {"uuid": str(uuid4()), "title": "Way", "file": b64encode(PDF).decode()}
    organiser_client.post(base_url + "files/", pdf)
    answer = organiser_client.put(f"{base_url}files/{pdf['uuid']}/", {"is_logo": True})
    assert codes_of(answer) == ["picture_of_no_kind"]


# --- Shown ---


def test_visitors_see_logo_and_colour(client: Client, event: Tournament) -> None:
    """The logo stands beside the name, and not among the downloads."""
    plain = client.get(f"/t/{event.slug}/").text
    assert "event-logo" not in plain
    assert "event-band" not in plain
    url = f"/t/{event.slug}/files/{add(event, picture()).uuid}/"
    paint(event)
    page = read(client.get(f"/t/{event.slug}/"))
    image = element(page, "img", class_="event-logo")
    assert (attribute(image, "src"), attribute(image, "alt")) == (url, "")
    assert "Downloads" not in words(page)
    assert client.get(url).status_code == 200
    for address in ("", "ranking/", "players/", "screens/main/"):
        assert f'fill="{COLOUR}"' in client.get(f"/t/{event.slug}/{address}").text, address
    assert url in client.get(f"/t/{event.slug}/screens/main/").text


def test_a_link_to_a_public_event_has_a_card(client: Client, event: Tournament, settings: Any) -> None:
    settings.SITE_ADDRESS = "https://hall.example"
    address = f"https://hall.example/t/{event.slug}/"
    tags = head(client.get(f"/t/{event.slug}/"))
    assert (tags["og:title"], tags["og:url"], tags["og:type"]) == (event.name, address, "website")
    assert str(event.starts_on.year) in tags["og:description"]
    assert event.venue in tags["og:description"]
    assert tags["og:image"].startswith("https://hall.example/static/icon-512")
    logo = add(event, picture())
    tags = head(client.get(f"/t/{event.slug}/ranking/"))
    assert (tags["og:url"], tags["og:image"]) == (f"{address}ranking/", f"{address}files/{logo.uuid}/")


def test_nothing_of_a_private_event_is_shown_to_visitors(client: Client) -> None:
    club = make_tournament(players=0, public=False)
    url = f"/t/{club.slug}/files/{add(club, picture()).uuid}/"
    for address in (f"/t/{club.slug}/", f"/t/{club.slug}/screens/main/", url):
        answer = client.get(address)
        assert answer.status_code == 404
        assert club.name not in answer.text
        assert "og:" not in answer.text
    client.force_login(make_umpire(club))
    assert head(client.get(f"/t/{club.slug}/")) == {}
    assert client.get(url).status_code == 200


@pytest.mark.parametrize("kind", ["standings", "seats", "statistics", "certificates"])
def test_papers_have_logo_and_colour(kind: str) -> None:
    event = make_tournament(players=8, sessions=1, played=1)
    plain = DRAFT_BUILDERS[kind](job_for(event, kind)).text
    logo = add(event, picture())
    paint(event)
    event.refresh_from_db()
    text = DRAFT_BUILDERS[kind](job_for(event, kind)).text
    for part in (str(logo.file.name), COLOUR):
        assert part not in plain
        assert part in text
    assert all(page.images for page in render_pdf(event, kind).pages)
