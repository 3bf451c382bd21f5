"""An event's page, as its organiser writes it and as everybody reads it."""

from __future__ import annotations

import re
from typing import Any
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from tests.support.factories import PASSWORD, SYSTEM, make_organiser, make_tournament, make_umpire
from tests.support.html import attribute, element, read, words
from tournament.models import EventDocument, Tournament
from tournament.selectors.event_page import EventWords, words_of
from tournament.services.event_page import add_event_document, set_event_page

pytestmark = pytest.mark.django_db

PDF = b"%PDF-1.7 x"
SAID = EventWords(
    description={"en": "# Welcome\n\nCome **all**.", "zh-hant": "歡迎光臨"},
    fee={"en": "60 €"},
    address="1 Wall Street\n69001 Lyon",
    country="FRA",
    map_url="https://www.openstreetmap.org/#map=1",
    website="https://open.example.org/2027",
    referees="Uma",
    contact="open@example.org",
    mers="championship",
)


@pytest.fixture
def spring() -> Tournament:
    made = make_tournament(name="Spring Open", players=8, drawn=False)
    make_organiser(made)
    return made


@pytest.fixture
def olga(client: Client, spring: Tournament) -> Client:
    client.login(username="olga", password=PASSWORD)
    return client


def get(client: Client, tournament: Tournament, **extra: Any) -> Any:
    return client.get(f"/t/{tournament.slug}/", **extra)


def organise(tournament: Tournament, more: str = "") -> str:
    return f"/organiser/{tournament.slug}/page/{more}"


class TestBeforeTheEvent:
    def test_says_what_awaits_who_comes(self, client: Client, spring: Tournament) -> None:
        set_event_page(spring, SYSTEM, SAID)
        text = words(read(get(client, spring)))
        for said in (
            "Welcome",
            "60 €",
            "69001 Lyon",
            "France",
            "Map on openstreetmap.org",
            "Uma",
            "open@example.org",
        ):
            assert said in text

    def test_says_what_it_weighs_and_how_that_comes_about(self, client: Client, spring: Tournament) -> None:
        set_event_page(spring, SYSTEM, SAID)
        text = words(read(get(client, spring)))
        assert (
            "As it stands: 2 for 2 days, 0 for 8 players, 0.5 for 7 countries, 1 for a championship." in text
        )

    def test_speaks_the_readers_language_where_it_can(self, client: Client, spring: Tournament) -> None:
        set_event_page(spring, SYSTEM, SAID)
        page = read(get(client, spring, headers={"Accept-Language": "zh-hant"}))
        told = element(page, "div", class_="told")
        assert (words(told), attribute(told, "lang")) == ("歡迎光臨", "zh-Hant")
        assert "60 €" in words(page)

    def test_says_who_comes(self, client: Client, spring: Tournament) -> None:
        assert "All 8 players" in words(read(get(client, spring)))

    def test_is_there_without_anything_told(self, client: Client) -> None:
        page = words(read(get(client, make_tournament(players=0))))
        assert "Nobody has been entered yet." in page
        assert "About the event" not in page

    def test_runs_nothing_that_was_typed(self, client: Client, spring: Tournament) -> None:
        hostile = "<script>alert(1)</script>"
        set_event_page(
            spring,
            SYSTEM,
            EventWords(
                description={"en": hostile},
                fee={"en": hostile},
                address=hostile,
                referees=hostile,
                contact=hostile,
            ),
        )
        assert "<script>alert" not in get(client, spring).text


class TestDuringTheEvent:
    def test_what_is_told_stands_below_what_changed_last(self, client: Client) -> None:
        playing = make_tournament(players=8, running=(1, 0))
        set_event_page(playing, SYSTEM, SAID)
        page = get(client, playing).text
        assert page.index('id="playing"') < page.index('id="about"')
        assert "Who is coming" not in page


class TestFiles:
    def test_are_saved_and_never_run(self, client: Client, spring: Tournament) -> None:
        added = add_event_document(spring, SYSTEM, 'Way "there" 路', PDF, uuid=uuid4())
        answer = client.get(f"/t/{spring.slug}/files/{added.uuid}/")
        assert answer.content == PDF
        assert answer["Content-Type"] == "application/pdf"
        assert answer["Content-Disposition"].startswith("attachment")
        assert answer["X-Content-Type-Options"] == "nosniff"
        assert answer["Content-Security-Policy"] == "default-src 'none'; sandbox"

    def test_are_those_of_their_event_alone(self, client: Client, spring: Tournament) -> None:
        added = add_event_document(spring, SYSTEM, "Way", PDF, uuid=uuid4())
        other = make_tournament(name="Other", players=0)
        assert client.get(f"/t/{other.slug}/files/{added.uuid}/").status_code == 404

    def test_of_a_private_event_are_nobodys_but_its_staffs(self, client: Client) -> None:
        club = make_tournament(players=0, public=False)
        added = add_event_document(club, SYSTEM, "Way", PDF, uuid=uuid4())
        address = f"/t/{club.slug}/files/{added.uuid}/"
        assert client.get(address).status_code == 404
        client.force_login(make_umpire(club))
        assert client.get(address).status_code == 200

    def test_gone_from_the_disk_are_not_found(self, client: Client, spring: Tournament) -> None:
        added = add_event_document(spring, SYSTEM, "Way", PDF, uuid=uuid4())
        added.file.storage.delete(str(added.file.name))
        assert client.get(f"/t/{spring.slug}/files/{added.uuid}/").status_code == 404


class TestWriting:
    def test_is_saved(self, olga: Client, spring: Tournament) -> None:
        sent = {
            "description_en": "Hello",
            "fee_zh-hans": "免费",
            "country": "FRA",
            "contact": "x",
            "mers": "",
        }
        assert olga.post(organise(spring), sent).status_code == 302
        assert words_of(spring) == EventWords(
            description={"en": "Hello"}, fee={"zh-hans": "免费"}, country="FRA", contact="x"
        )

    def test_is_looked_at_and_not_saved(self, olga: Client, spring: Tournament) -> None:
        page = olga.post(organise(spring), {"description_en": "# Hello", "preview": "1"})
        assert page.status_code == 200
        assert "Not saved yet" in page.text
        assert "<h3>Hello</h3>" in page.text
        assert words_of(spring) == EventWords()

    @pytest.mark.parametrize("press", [{}, {"preview": "1"}])
    def test_says_every_fault_at_its_place_and_loses_nothing(
        self, press: dict[str, str], olga: Client, spring: Tournament
    ) -> None:
        sent = {"map_url": "javascript:x", "website": "nowhere", "fee_en": "x" * 501, "contact": "kept"}
        page = olga.post(organise(spring), sent | press)
        assert page.status_code == 422
        assert set(page.context["form"].errors) == {"map_url", "website", "fee_en"}
        assert "kept" in page.text
        assert re.search(r'id="in-en"\s+open', page.text)

    def test_says_that_somebody_else_wrote_and_saves_on_the_next_press(
        self, olga: Client, spring: Tournament
    ) -> None:
        seen = words_of(spring).fingerprint()
        set_event_page(spring, SYSTEM, SAID)
        page = olga.post(organise(spring), {"contact": "mine", "seen": seen})
        assert "in the meantime" in page.text
        again = {"contact": "mine", "seen": page.context["form"]["seen"].value()}
        assert olga.post(organise(spring), again).status_code == 302
        assert words_of(spring).contact == "mine"

    def test_takes_a_file_and_gives_it_back(self, olga: Client, spring: Tournament) -> None:
        sent = {"title": "Way", "uuid": str(uuid4()), "file": SimpleUploadedFile("way.pdf", PDF)}
        assert olga.post(organise(spring, "files/"), sent).status_code == 302
        added = EventDocument.objects.get()
        assert "Way" in words(read(olga.get(organise(spring))))
        assert olga.post(organise(spring, f"files/{added.uuid}/remove/")).status_code == 302
        assert not EventDocument.objects.exists()

    @pytest.mark.parametrize(
        ("sent", "wrong"),
        [
            ({"title": "Way"}, {"file"}),
            ({"title": "", "file": b"<svg/>"}, {"title", "file"}),
            ({"title": "x" * 81, "file": PDF}, {"title"}),
        ],
    )
    def test_says_what_is_wrong_with_a_file(
        self, sent: dict[str, Any], wrong: set[str], olga: Client, spring: Tournament
    ) -> None:
        files = {"file": SimpleUploadedFile("x.pdf", sent["file"])} if "file" in sent else {}
        page = olga.post(organise(spring, "files/"), {"title": sent["title"], "uuid": str(uuid4())} | files)
        assert page.status_code == 422
        assert set(page.context["upload"].errors) == wrong

    def test_is_the_organisers_alone(self, client: Client, spring: Tournament) -> None:
        client.force_login(make_umpire(spring))
        assert client.get(organise(spring)).status_code == 403
        assert client.post(organise(spring), {"contact": "x"}).status_code == 403
