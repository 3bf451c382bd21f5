"""What is told of an event, and the files on its page."""

from dataclasses import replace
from uuid import UUID, uuid4

import pytest
from django.core.files.storage import default_storage

from tests.support.checks import refused_codes, refused_problems
from tests.support.factories import SYSTEM, make_tournament
from tournament.errors import Refused
from tournament.models import EventDocument, EventPage, Tournament
from tournament.selectors.event_page import EventWords, coming, in_language, told_in, words_of
from tournament.selectors.log_words import log_words
from tournament.services.deletion import delete_tournament
from tournament.services.event_page import (
    MOST_BYTES,
    MOST_FILES,
    add_event_document,
    remove_event_document,
    set_event_page,
)

pytestmark = pytest.mark.django_db(transaction=True)

WORDS = EventWords(
    description={"en": "# Welcome", "zh-hans": "欢迎"},
    fee={"en": "60 €"},
    address="1 Wall Street",
    country="FRA",
    map_url="https://www.openstreetmap.org/#map=1",
    contact="open@example.org",
    mers="ranked",
)
PDF, PNG = b"%PDF-1.7 x", b"\x89PNG\r\n\x1a\nx"


@pytest.fixture
def spring() -> Tournament:
    return make_tournament(players=8, drawn=False)


def refused(spring: Tournament, **change: object) -> list[tuple[str, str]]:
    return refused_problems(set_event_page, spring, SYSTEM, replace(WORDS, **change))  # type: ignore[arg-type]


def add(
    tournament: Tournament, title: str = "Way", content: bytes = PDF, uuid: UUID | None = None
) -> EventDocument:
    return add_event_document(tournament, SYSTEM, title, content, uuid=uuid or uuid4())


def test_words_are_kept_as_they_were_written_once_and_in_no_log(spring: Tournament) -> None:
    set_event_page(spring, SYSTEM, WORDS)
    assert words_of(spring) == WORDS
    entry, version = spring.log.latest("seq"), spring.version
    assert "example.org" not in repr(entry.data)
    assert log_words(spring).sentence(entry).startswith("The event’s page was changed: description, fee")
    set_event_page(spring, SYSTEM, WORDS)
    assert spring.version == version
    spaced = replace(WORDS, fee={"en": "  \r\n", "zh-hant": " 免費 "}, contact="  x ")
    assert set_event_page(spring, SYSTEM, spaced).fee == {"zh-hant": "免費"}


def test_words_are_refused_with_every_fault_at_its_place(spring: Tournament) -> None:
    assert refused(
        spring,
        description={"en": "x" * 20_001},
        fee={"fr": "gratuit"},
        map_url="javascript:alert(1)",
        website="ftp://e.org",
        country="XXX",
        mers="twice",
        contact="x" * 201,
    ) == [
        ("text_too_long", "description.en"),
        ("unknown_language", "fee"),
        ("link_unreadable", "map_url"),
        ("link_unreadable", "website"),
        ("text_too_long", "contact"),
        ("unknown_country", "country"),
        ("mers_unknown", "mers"),
    ]
    assert not EventPage.objects.exists()
    seen = words_of(spring).fingerprint()
    set_event_page(spring, SYSTEM, WORDS)
    with pytest.raises(Refused, match="event_page_changed_meanwhile"):
        set_event_page(spring, SYSTEM, replace(WORDS, contact="x"), seen=seen)


def test_the_readers_own_language_comes_first_and_the_nearest_stands_in() -> None:
    def shown(texts: dict[str, str], language: str) -> tuple[str, str]:
        text = in_language(texts, language)
        assert text is not None
        return text.text, text.language

    assert shown({"en": "Tea", "zh-hant": "茶"}, "zh-hant") == ("茶", "zh-hant")
    assert shown({"en": "Tea", "zh-hans": "茶"}, "zh-hant")[0] == "茶"
    assert shown({"en": "Tea", "zh-hans": "茶"}, "en")[0] == "Tea"
    assert shown({"zh-hans": "茶"}, "en")[0] == "茶"
    assert not told_in(EventWords(), "en")


def test_the_weight_follows_from_who_takes_part_where_the_ranking_counts_it(spring: Tournament) -> None:
    now = coming(spring, WORDS)
    assert now.weight is not None
    assert (now.players, len(now.countries), now.weight.total) == (8, 7, now.days + 0.5)
    assert coming(spring, EventWords()).weight is None


def test_files_are_known_by_their_content_whatever_they_are_called(spring: Tournament) -> None:
    known = {"pdf": PDF, "png": PNG, "jpeg": b"\xff\xd8\xff\xe0x", "webp": b"RIFF0000WEBPx"}
    assert {kind: add(spring, content=content).kind for kind, content in known.items()} == {
        kind: kind for kind in known
    }
    for content in (b"", b"<svg onload=x>", b"<!doctype html>", b"MZ\x90", b"PK\x03\x04", b" %PDF-"):
        with pytest.raises(Refused, match="file_of_no_kind"):
            add(spring, "way.pdf", content)


def test_a_file_sent_twice_is_there_once_and_files_are_so_many_at_most(spring: Tournament) -> None:
    key = uuid4()
    assert add(spring, uuid=key) == add(spring, uuid=key)
    with pytest.raises(Refused, match="uuid_of_another_event"):
        add(make_tournament(name="Other", players=0), uuid=key)
    assert refused_codes(add, spring, " ", PDF + b"x" * MOST_BYTES) == ["title_missing", "file_too_large"]
    for number in range(1, MOST_FILES):
        add(spring, f"File {number}")
    with pytest.raises(Refused, match="too_many_files"):
        add(spring, "One more")


def test_files_are_gone_from_the_disk_when_they_or_their_tournament_are_removed(spring: Tournament) -> None:
    removed, other = add(spring), add(spring)
    names = [str(document.file.name) for document in (removed, other)]
    assert all(map(default_storage.exists, names))
    remove_event_document(removed, SYSTEM)
    assert list(map(default_storage.exists, names)) == [False, True]
    assert EventDocument.objects.get() == other
    delete_tournament(spring, SYSTEM, name=spring.name)
    assert not default_storage.exists(names[1])
