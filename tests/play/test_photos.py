"""Photographs of a disputed hand: for umpires and organisers, without metadata, deleted with the contact data."""

from base64 import b64encode
from io import BytesIO
from typing import Any
from uuid import uuid4

import pytest
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from PIL import Image

from tests.support.checks import newest_sentence, refused_codes
from tests.support.factories import SYSTEM, make_member, make_organiser, make_umpire, record, wash_out, win
from tests.support.files import picture
from tests.support.pages import missing
from tournament.base.access import Actor
from tournament.base.engine.entries import PENDING, HandEntry
from tournament.base.models.play import Hand, Table
from tournament.base.models.tournament import Role
from tournament.events.services import delete_tournament
from tournament.play.models import HandPhoto
from tournament.play.services.hands import correct_hand, undo_hand
from tournament.play.services.photos import MAX_PHOTOS, add_photo, delete_photo
from tournament.privacy.selectors import tournaments_with_contacts
from tournament.privacy.services import delete_contacts, erase_player

pytestmark = pytest.mark.django_db(transaction=True)

CLAIMS = "East: I said hu first."


@pytest.fixture
def disputed(table: Table) -> Hand:
    return record(table, HandEntry(PENDING, dispute=CLAIMS, claimants=(1,)))


def add(hand: Hand, content: bytes | None = None) -> HandPhoto:
    return add_photo(hand.table, SYSTEM, hand.number, content or picture(), uuid=uuid4())


def is_stored(photo: HandPhoto) -> bool:
    return default_storage.exists(str(photo.file.name))


def page(hand: Hand) -> str:
    return reverse("disputed_hand", args=["spring-open", 1, hand.table.number, hand.number])


def upload(content: bytes) -> dict[str, Any]:
    return {"picture": SimpleUploadedFile("table.jpg", content), "uuid": uuid4()}


def test_a_photograph_is_stored_without_where_and_when_it_was_taken(disputed: Hand) -> None:
    exif = Image.Exif()
    exif[0x010F] = "A camera that knows where it was"
    photo = add(disputed, picture("JPEG", exif=exif))
    with photo.file.open("rb") as file:
        content = file.read()
    assert b"camera" not in content
    assert dict(Image.open(BytesIO(content)).getexif()) == {}
    assert (
        newest_sentence(disputed.table.session.tournament)
        == "Photograph of hand 1 added, session 1, table 1."
    )


def test_what_is_no_picture_and_a_fourth_one_are_refused(disputed: Hand) -> None:
    for content, code in (
        (b"<svg onload='alert(1)'/>", "picture_of_no_kind"),
        (picture()[:-9], "file_unreadable"),
    ):
        assert refused_codes(add, disputed, content) == [code]
    for _ in range(MAX_PHOTOS):
        add(disputed)
    assert refused_codes(add, disputed) == ["too_many_photos"]


def test_only_a_disputed_hand_has_photographs(table: Table) -> None:
    assert refused_codes(add, record(table, wash_out())) == ["hand_not_disputed"]


def test_the_same_photograph_twice_is_one(disputed: Hand) -> None:
    photo = add(disputed)
    add_photo(disputed.table, SYSTEM, 1, picture(), uuid=photo.uuid)
    assert HandPhoto.objects.count() == 1


def test_the_ruling_keeps_the_photographs(client: Client, disputed: Hand) -> None:
    add(disputed)
    correct_hand(disputed, SYSTEM, win(1), reason="East was first.", uuid=uuid4())
    client.force_login(make_umpire(disputed.table.session.tournament))
    text = client.get(page(disputed)).text
    assert missing(text, CLAIMS, "East was first.", "Photograph 1") == []
    assert "To be ruled on" not in text


def test_an_undone_hand_keeps_the_photographs(client: Client, table: Table) -> None:
    user = make_umpire(table.session.tournament)
    disputed = record(table, HandEntry(PENDING, dispute=CLAIMS), Actor.of(user))
    add(disputed)
    undo_hand(disputed, Actor.of(user))
    client.force_login(user)
    assert missing(client.get(page(disputed)).text, "This hand was undone.", "Photograph 1") == []


def test_umpires_add_and_delete_them_on_the_page(client: Client, disputed: Hand) -> None:
    client.force_login(make_umpire(disputed.table.session.tournament))
    assert missing(client.get(page(disputed)).text, CLAIMS, "No photographs yet.", "Rule on the hand") == []
    assert client.post(page(disputed), upload(b"%PDF-1.7")).status_code == 422
    assert "Photograph 1" in client.post(page(disputed), upload(picture()), follow=True).text
    photo = HandPhoto.objects.get()
    answer = client.get(reverse("api_photo", args=["spring-open", 1, 1, 1, photo.uuid]))
    assert (answer["Content-Type"], answer["X-Content-Type-Options"]) == ("image/jpeg", "nosniff")
    assert answer["Cache-Control"] == "private, no-store"
    answer = client.post(reverse("photo_delete", args=["spring-open", 1, 1, 1, photo.uuid]), follow=True)
    assert "The photograph is deleted." in answer.text
    assert not HandPhoto.objects.exists()
    assert not is_stored(photo)


def test_nobody_else_sees_them(client: Client, disputed: Hand) -> None:
    photo, tournament = add(disputed), disputed.table.session.tournament
    addresses = page(disputed), reverse("api_photo", args=["spring-open", 1, 1, 1, photo.uuid])
    assert [client.get(address).status_code for address in addresses] == [302, 403]
    card = make_member(tournament, Role.UMPIRE, "card")
    tournament.memberships.filter(user=card).update(table_number=1, everywhere=False)
    for user in (
        card,
        make_member(tournament, Role.OBSERVER, "guest"),
        make_member(tournament, Role.DESK, "door"),
    ):
        client.force_login(user)
        assert [client.get(address).status_code for address in addresses] == [403, 403], user


def test_programs_add_and_delete_them(client: Client, disputed: Hand) -> None:
    client.force_login(make_organiser(disputed.table.session.tournament))
    address = reverse("api_photos", args=["spring-open", 1, 1, 1])
    body = {"uuid": str(uuid4()), "file": b64encode(picture()).decode()}
    assert client.post(address, body, "application/json").status_code == 201
    [photo] = client.get(address).json()
    assert client.delete(f"{address}{photo['uuid']}/").status_code == 204
    assert not HandPhoto.objects.exists()


def test_they_are_deleted_with_the_contact_data(disputed: Hand) -> None:
    photo, tournament = add(disputed), disputed.table.session.tournament
    assert tournament in tournaments_with_contacts()
    delete_contacts(tournament, SYSTEM)
    assert not HandPhoto.objects.exists()
    assert not is_stored(photo)
    assert newest_sentence(tournament) == "Contact data of 0 people deleted. 1 photograph too."
    assert tournament not in tournaments_with_contacts()


def test_they_are_deleted_with_a_player_of_the_table_and_with_the_event(disputed: Hand) -> None:
    tournament = disputed.table.session.tournament
    player = tournament.players.get(number=2)
    photo = add(disputed)
    erase_player(player, SYSTEM, name=player.full_name)
    assert is_stored(photo), "who sat at another table"
    player = tournament.players.get(number=1)
    erase_player(player, SYSTEM, name=player.full_name)
    assert not is_stored(photo)
    photo = add(disputed)
    delete_tournament(tournament, SYSTEM, name=tournament.name)
    assert not is_stored(photo)


def test_deleting_one_twice_is_one_entry_of_the_log(disputed: Hand) -> None:
    photo, tournament = add(disputed), disputed.table.session.tournament
    delete_photo(photo, SYSTEM)
    version = tournament.log.count()
    delete_photo(photo, SYSTEM)
    assert tournament.log.count() == version
