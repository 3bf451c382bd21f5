"""What is told of an event, and the files on its page."""

from __future__ import annotations

from dataclasses import replace
from uuid import uuid4

import pytest
from django.core.files.storage import default_storage

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
    with pytest.raises(Refused) as caught:
        set_event_page(spring, SYSTEM, replace(WORDS, **change))  # type: ignore[arg-type]
    return [(problem.code, problem.where) for problem in caught.value.problems]


class TestWords:
    def test_are_kept_as_they_were_said(self, spring: Tournament) -> None:
        set_event_page(spring, SYSTEM, WORDS)
        assert words_of(spring) == WORDS

    def test_lose_the_spaces_around_them_and_what_is_empty(self, spring: Tournament) -> None:
        said = replace(WORDS, fee={"en": "  \r\n", "zh-hant": " 免費 "}, contact="  x ")
        assert set_event_page(spring, SYSTEM, said).fee == {"zh-hant": "免費"}

    def test_said_again_write_nothing(self, spring: Tournament) -> None:
        set_event_page(spring, SYSTEM, WORDS)
        version = spring.version
        set_event_page(spring, SYSTEM, WORDS)
        assert spring.version == version

    def test_are_refused_with_every_fault_at_its_place(self, spring: Tournament) -> None:
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

    def test_do_not_go_over_what_somebody_else_wrote(self, spring: Tournament) -> None:
        seen = words_of(spring).fingerprint()
        set_event_page(spring, SYSTEM, WORDS)
        with pytest.raises(Refused, match="event_page_changed_meanwhile"):
            set_event_page(spring, SYSTEM, replace(WORDS, contact="x"), seen=seen)

    def test_stand_in_no_log(self, spring: Tournament) -> None:
        set_event_page(spring, SYSTEM, WORDS)
        entry = spring.log.latest("seq")
        assert "example.org" not in repr(entry.data)
        assert log_words(spring).sentence(entry).startswith("The event’s page was changed: description, fee")


class TestLanguages:
    def test_the_readers_own_comes_first(self) -> None:
        said = in_language({"en": "Tea", "zh-hant": "茶"}, "zh-hant")
        assert said is not None
        assert (said.text, said.language) == ("茶", "zh-hant")

    @pytest.mark.parametrize(
        ("texts", "language", "shown"),
        [
            ({"en": "Tea", "zh-hans": "茶"}, "zh-hant", "茶"),
            ({"en": "Tea", "zh-hans": "茶"}, "en", "Tea"),
            ({"zh-hans": "茶"}, "en", "茶"),
        ],
    )
    def test_where_it_is_missing_the_nearest_stands_in(
        self, texts: dict[str, str], language: str, shown: str
    ) -> None:
        said = in_language(texts, language)
        assert said is not None
        assert said.text == shown

    def test_nothing_is_said_where_there_is_nothing(self) -> None:
        assert not told_in(EventWords(), "en")


class TestWeight:
    def test_follows_from_who_takes_part(self, spring: Tournament) -> None:
        now = coming(spring, WORDS)
        assert now.weight is not None
        assert (now.players, len(now.countries), now.weight.total) == (8, 7, now.days + 0.5)

    def test_is_not_told_where_the_ranking_does_not_count_it(self, spring: Tournament) -> None:
        assert coming(spring, EventWords()).weight is None


class TestFiles:
    @pytest.mark.parametrize(
        ("content", "kind"),
        [(PDF, "pdf"), (PNG, "png"), (b"\xff\xd8\xff\xe0x", "jpeg"), (b"RIFF0000WEBPx", "webp")],
    )
    def test_are_known_by_their_content(self, content: bytes, kind: str, spring: Tournament) -> None:
        assert add_event_document(spring, SYSTEM, "Way", content, uuid=uuid4()).kind == kind

    @pytest.mark.parametrize(
        "content", [b"", b"<svg onload=x>", b"<!doctype html>", b"MZ\x90", b"PK\x03\x04", b" %PDF-"]
    )
    def test_of_no_kind_are_refused_whatever_they_are_called(
        self, content: bytes, spring: Tournament
    ) -> None:
        with pytest.raises(Refused, match="file_of_no_kind"):
            add_event_document(spring, SYSTEM, "way.pdf", content, uuid=uuid4())

    def test_are_refused_with_everything_that_is_wrong(self, spring: Tournament) -> None:
        with pytest.raises(Refused) as caught:
            add_event_document(spring, SYSTEM, " ", PDF + b"x" * MOST_BYTES, uuid=uuid4())
        assert [problem.code for problem in caught.value.problems] == ["title_missing", "file_too_large"]

    def test_sent_twice_are_there_once(self, spring: Tournament) -> None:
        key = uuid4()
        first = add_event_document(spring, SYSTEM, "Way", PDF, uuid=key)
        assert add_event_document(spring, SYSTEM, "Way", PDF, uuid=key) == first

    def test_of_another_event_are_not_taken_for_ours(self, spring: Tournament) -> None:
        key = uuid4()
        add_event_document(make_tournament(name="Other", players=0), SYSTEM, "Way", PDF, uuid=key)
        with pytest.raises(Refused, match="uuid_of_another_event"):
            add_event_document(spring, SYSTEM, "Way", PDF, uuid=key)

    def test_are_so_many_at_most(self, spring: Tournament) -> None:
        for n in range(MOST_FILES):
            add_event_document(spring, SYSTEM, f"File {n}", PDF, uuid=uuid4())
        with pytest.raises(Refused, match="too_many_files"):
            add_event_document(spring, SYSTEM, "One more", PDF, uuid=uuid4())

    def test_are_gone_from_the_disk_when_they_are_removed(self, spring: Tournament) -> None:
        added = add_event_document(spring, SYSTEM, "Way", PDF, uuid=uuid4())
        name = added.file.name
        assert default_storage.exists(str(name))
        remove_event_document(added, SYSTEM)
        assert not default_storage.exists(str(name))
        assert not EventDocument.objects.exists()

    def test_are_gone_with_their_tournament(self, spring: Tournament) -> None:
        name = add_event_document(spring, SYSTEM, "Way", PDF, uuid=uuid4()).file.name
        delete_tournament(spring, SYSTEM, name=spring.name)
        assert not default_storage.exists(str(name))
