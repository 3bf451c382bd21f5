"""The event's page, its files, and certificates with their picture."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from io import BytesIO
from threading import Barrier, BrokenBarrierError
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.core.files.storage import default_storage
from PIL import Image, ImageFile

from tests.support.checks import newest_sentence, refused_codes, refused_problems
from tests.support.factories import SYSTEM, make_tournament
from tests.support.files import picture
from tournament.base.errors import Refused
from tournament.base.models.documents import MAX_TEXT_LENGTH, CertificateDesign
from tournament.base.models.events import EventDocument, EventPage
from tournament.base.models.tournament import Tournament
from tournament.base.selectors import event_page_of
from tournament.documents.selectors import design_of
from tournament.documents.services import set_certificates
from tournament.events.selectors import localize_page, text_in_language
from tournament.events.services import (
    MAX_DOCUMENT_BYTES,
    MAX_FILES,
    add_event_document,
    delete_tournament,
    remove_event_document,
    set_event_page,
)
from tournament.web.selectors import log_words
from tournament.web.uploads import MAX_PICTURE_BYTES, reencode_picture

EVENT_WITH = {"players": 8, "drawn": False}
pytestmark = pytest.mark.django_db(transaction=True)

WORDS: Any = {
    "description": {"en": "# Welcome", "zh-hans": "欢迎"},
    "rules_note": {"en": "No photographs"},
    "address": "1 Wall Street",
    "country": "FRA",
    "map_url": "https://www.openstreetmap.org/#map=1",
    "contact": "open@example.org",
    "mers": "ranked",
}
PDF, PNG = b"%PDF-1.7 x", b"\x89PNG\r\n\x1a\nx"


def page(tournament: Tournament, **change: Any) -> EventPage:
    """Return an unsaved page with these texts."""
    page = event_page_of(tournament)
    for name, value in (WORDS | change).items():
        setattr(page, name, value)
    return page


def add(
    tournament: Tournament, title: str = "Way", content: bytes = PDF, uuid: UUID | None = None
) -> EventDocument:
    return add_event_document(tournament, SYSTEM, title, content, uuid=uuid or uuid4())


def test_the_page_is_stored_once_and_its_texts_are_not_logged(event: Tournament) -> None:
    set_event_page(page(event), SYSTEM)
    assert event_page_of(event).content() == EventPage(**WORDS).content()
    entry, version = event.log.latest("seq"), event.version
    assert "example.org" not in repr(entry.data)
    assert log_words(event).sentence(entry).startswith("Event page changed: description, note on the rules")
    set_event_page(page(event), SYSTEM)
    assert event.version == version
    spaced = page(event, rules_note={"en": "  \r\n", "zh-hant": " 免費 "})
    assert set_event_page(spaced, SYSTEM).rules_note == {"zh-hant": "免費"}


def test_an_invalid_page_is_refused_with_all_problems(event: Tournament) -> None:
    wrong = page(
        event,
        description={"en": "x" * 20_001, "fr": "gratuit"},
        rules_note=["gratuit"],
        map_url="javascript:alert(1)",
        website="ftp://e.org",
        country="XXX",
        mers="twice",
        contact="x" * 201,
    )
    assert set(refused_problems(set_event_page, wrong, SYSTEM)) == {
        ("text_too_long", "description.en"),
        ("unknown_language", "description"),
        ("not_understood", "rules_note"),
        ("not_understood", "map_url"),
        ("not_understood", "website"),
        ("text_too_long", "contact"),
        ("unknown_country", "country"),
        ("not_understood", "mers"),
    }
    assert not EventPage.objects.exists()
    seen = event_page_of(event).fingerprint
    set_event_page(page(event), SYSTEM)
    with pytest.raises(Refused, match="event_page_changed_meanwhile"):
        set_event_page(page(event, contact="x"), SYSTEM, seen=seen)


def test_a_text_is_in_the_readers_or_the_nearest_language() -> None:
    def best_text(texts: dict[str, str], language: str) -> tuple[str, str]:
        text = text_in_language(texts, language)
        assert text is not None
        return text.text, text.language

    assert best_text({"en": "Tea", "zh-hant": "茶"}, "zh-hant") == ("茶", "zh-hant")
    assert best_text({"en": "Tea", "zh-hans": "茶"}, "zh-hant")[0] == "茶"
    assert best_text({"en": "Tea", "zh-hans": "茶"}, "en")[0] == "Tea"
    assert best_text({"zh-hans": "茶"}, "en")[0] == "茶"
    assert not localize_page(EventPage(), "en")


def test_the_kind_of_a_file_is_detected_from_its_content(event: Tournament) -> None:
    known = {"pdf": PDF, "png": PNG, "jpeg": b"\xff\xd8\xff\xe0x", "webp": b"RIFF0000WEBPx"}
    assert {kind: add(event, content=content).kind for kind, content in known.items()} == {
        kind: kind for kind in known
    }
    for content in (b"", b"<svg onload=x>", b"<!doctype html>", b"MZ\x90", b"PK\x03\x04", b" %PDF-"):
        with pytest.raises(Refused, match="file_of_no_kind"):
            add(event, "way.pdf", content)


def test_a_file_sent_twice_is_stored_once_and_the_number_is_limited(event: Tournament) -> None:
    key = uuid4()
    assert add(event, uuid=key) == add(event, uuid=key)
    with pytest.raises(Refused, match="uuid_of_another_event"):
        add(make_tournament(name="Other", players=0), uuid=key)
    assert refused_codes(add, event, " ", PDF + b"x" * MAX_DOCUMENT_BYTES) == [
        "value_missing",
        "file_too_large",
    ]
    for number in range(1, MAX_FILES):
        add(event, f"File {number}")
    with pytest.raises(Refused, match="too_many_files"):
        add(event, "One more")


def test_removing_a_file_or_tournament_deletes_it_from_disk(event: Tournament) -> None:
    removed, other = add(event), add(event)
    names = [str(document.file.name) for document in (removed, other)]
    assert all(map(default_storage.exists, names))
    remove_event_document(removed, SYSTEM)
    assert list(map(default_storage.exists, names)) == [False, True]
    assert EventDocument.objects.get() == other
    delete_tournament(event, SYSTEM, name=event.name)
    assert not default_storage.exists(names[1])


def design(
    event: Tournament, text: str = "", places: int = 3, *, best_hand: bool = True
) -> CertificateDesign:
    edited = design_of(event)
    edited.text, edited.places, edited.best_hand = text, places, best_hand
    return edited


def test_certificates_are_stored_and_their_picture_is_replaced(event: Tournament) -> None:
    set_certificates(design(event, "Well played", 1, best_hand=False), SYSTEM)
    event.refresh_from_db()
    before = event.version
    set_certificates(design(event, " Well played ", 1, best_hand=False), SYSTEM)
    event.refresh_from_db()
    stored = design_of(event)
    assert (event.version, stored.text, stored.places, stored.best_hand) == (before, "Well played", 1, False)
    assert newest_sentence(event) == "The certificates were changed: text, how many places, best hand."
    first = str(set_certificates(design(event), SYSTEM, picture=picture()).file.name)
    second = str(set_certificates(design(event), SYSTEM, picture=picture()).file.name)
    assert (default_storage.exists(first), default_storage.exists(second)) == (False, True)
    set_certificates(design(event, "Words alone leave the picture"), SYSTEM)
    assert design_of(event).file
    set_certificates(design(event), SYSTEM, removes=True)
    assert (default_storage.exists(second), bool(design_of(event).file)) == (False, False)
    third = str(set_certificates(design(event), SYSTEM, picture=picture()).file.name)
    delete_tournament(event, SYSTEM, name=event.name)
    assert not default_storage.exists(third)


def test_a_picture_is_reencoded_without_metadata(event: Tournament) -> None:
    exif = Image.Exif()
    exif[0x010F] = "A camera that knows where it was"
    for kind in ("PNG", "JPEG", "WEBP"):
        how: dict[str, Any] = {} if kind == "PNG" else {"exif": exif}
        stored = set_certificates(design(event), SYSTEM, picture=picture(kind, (40, 60), **how))
        with stored.file.open("rb") as file:
            content = file.read()
        with Image.open(BytesIO(content)) as image:
            assert (image.format, image.size, dict(image.getexif())) == ("JPEG", (40, 60), {}), kind
        assert b"camera" not in content, kind


def test_pictures_are_decoded_one_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four pictures of five kilobytes took a gigabyte of memory."""
    both, thumbnail, concurrent = Barrier(2), Image.Image.thumbnail, []

    def wait_for_other(*args: Any) -> None:
        with suppress(BrokenBarrierError):
            concurrent.append(both.wait(0.3))
        thumbnail(*args)

    monkeypatch.setattr(Image.Image, "thumbnail", wait_for_other)
    with ThreadPoolExecutor(2) as threads:
        list(threads.map(reencode_picture, [picture()] * 2))
    assert concurrent == []


def test_invalid_pictures_are_refused(event: Tournament, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ImageFile, "LOAD_TRUNCATED_IMAGES", True)  # as WeasyPrint leaves it
    wrong = design(event, "x" * (MAX_TEXT_LENGTH + 1), 101)
    for content, code in (
        (b"\x89PNG\r\n\x1a\n" + b"x" * MAX_PICTURE_BYTES, "file_too_large"),
        (b"<svg onload='alert(1)'/>", "picture_of_no_kind"),
        (b"%PDF-1.7 a document", "picture_of_no_kind"),
        (b"\x89PNG\r\n\x1a\nand nothing of a picture", "file_unreadable"),
        (b"", "picture_of_no_kind"),
        (picture(size=(4001, 4000), mode="1"), "picture_too_many_pixels"),
        (picture(size=(1, 10_001), mode="1"), "picture_side_too_long"),
        *((picture(kind)[:-9], "file_unreadable") for kind in ("PNG", "JPEG", "WEBP")),
    ):
        codes = refused_codes(set_certificates, wrong, SYSTEM, picture=content)
        assert codes == ["text_too_long", "value_too_high", code]
    assert not CertificateDesign.objects.exists()
