"""The page where an organiser says what certificates are to say."""

from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from tests.services.test_certificates import picture
from tests.support.factories import make_organiser, make_tournament, make_umpire
from tournament.models import Tournament
from tournament.selectors.certificates import design_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def spring() -> Tournament:
    return make_tournament(players=4, sessions=1)


def address(tournament: Tournament) -> str:
    return f"/organiser/{tournament.slug}/documents/certificates/"


def test_words_and_picture_are_saved_with_one_press(client: Client, spring: Tournament) -> None:
    client.force_login(make_organiser(spring))
    sent = {"text": "Well played", "places": "5", "picture": SimpleUploadedFile("a.png", picture())}
    answer = client.post(address(spring), sent)
    design = design_of(spring)
    assert answer.status_code == 302
    assert (design.text, design.places, design.best_hand, bool(design.file)) == (
        "Well played",
        5,
        False,
        True,
    )


def test_a_picture_of_twenty_megabytes_is_said_at_its_place_and_no_word_is_lost(
    client: Client, spring: Tournament
) -> None:
    client.force_login(make_organiser(spring))
    large = SimpleUploadedFile("a.png", b"\x89PNG\r\n\x1a\n" + b"x" * 20_000_000)
    answer = client.post(address(spring), {"text": "Typed for an hour", "places": "3", "picture": large})
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "The file is larger than 5 MB." in page.split('name="picture"')[0].split('name="best_hand"')[1]
    assert "Typed for an hour" in page


def test_it_is_an_organiser_s(client: Client, spring: Tournament) -> None:
    client.force_login(make_umpire(spring))
    assert client.get(address(spring)).status_code in (302, 403, 404)
