"""The page where an organiser says what certificates are to say."""

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from tests.services.test_certificates import picture
from tests.support.factories import make_organiser, make_tournament, make_umpire
from tournament.selectors.certificates import design_of


def test_words_and_picture_are_saved_at_once_and_no_word_is_lost_with_a_large_picture(client: Client) -> None:
    spring = make_tournament(players=4, sessions=1)
    client.force_login(make_organiser(spring))
    address = f"/organiser/{spring.slug}/documents/certificates/"
    large = SimpleUploadedFile("a.png", b"\x89PNG\r\n\x1a\n" + b"x" * 20_000_000)
    answer = client.post(address, {"text": "Typed for an hour", "places": "3", "picture": large})
    assert answer.status_code == 422
    before_picture = answer.text.split('name="picture"')[0].split('name="best_hand"')[1]
    assert "The file is larger than 5 MB." in before_picture
    assert "Typed for an hour" in answer.text
    sent = {"text": "Well played", "places": "5", "picture": SimpleUploadedFile("a.png", picture())}
    assert client.post(address, sent).status_code == 302
    design = design_of(spring)
    assert (design.text, design.places, design.best_hand) == ("Well played", 5, False)
    assert design.file
    client.force_login(make_umpire(spring))
    assert client.get(address).status_code in (302, 403, 404)
