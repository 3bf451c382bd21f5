"""The privacy pages, the file of what is kept of somebody, and erasing them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests.services.test_erasing import CLUB, NAME, seeded
from tests.support.factories import make_organiser, make_umpire
from tournament.access.registration_link import token_of
from tournament.models import EventPage, PrivacyPlan, Registration, Tournament
from tournament.models.kept import KEPT, Whose

pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Tournament:
    return seeded()


def page(client: Client, name: str, *where: Any) -> str:
    answer = client.get(reverse(name, args=where))
    assert answer.status_code == 200
    return answer.text


@pytest.mark.parametrize("language", ["en", "zh-hans", "zh-hant"])
def test_both_pages_say_everything_that_is_declared(client: Client, event: Tournament, language: str) -> None:
    from django.utils import html, translation

    client.cookies["django_language"] = language
    told = [page(client, "privacy"), page(client, "tournament_privacy", event.slug)]
    with translation.override(language):
        whats = {
            html.escape(str(row.what))
            for rows in KEPT.values()
            for row in rows
            if row.whose is not Whose.NOBODY
        }
    for text in told:
        assert [what for what in whats if what not in text] == []


def test_who_is_responsible_is_the_contact_of_the_event_s_page(client: Client, event: Tournament) -> None:
    assert "ask in the hall" in " ".join(page(client, "tournament_privacy", event.slug).split())
    EventPage.objects.create(tournament=event, contact="Mahjong Lyon, office@lyon.example")
    client.cookies.clear()
    event.version += 1
    event.public_version += 1
    event.save()
    assert "Mahjong Lyon, office@lyon.example" in page(client, "tournament_privacy", event.slug)


def test_that_contact_data_has_gone_is_proved_there(client: Client, event: Tournament) -> None:
    client.force_login(make_organiser(event))
    here = reverse("organiser_contacts_delete", args=[event.slug])
    assert "1 person" in client.get(here).text
    client.post(here)
    client.logout()
    assert "Contact data of 1 person is gone." in page(client, "tournament_privacy", event.slug)
    assert not Registration.objects.exclude(email="").exists()


def test_the_organiser_says_how_long_and_reads_when_that_is(client: Client, event: Tournament) -> None:
    client.force_login(make_organiser(event))
    here = reverse("organiser_privacy", args=[event.slug])
    for wrong in ("-1", "367", "x", ""):
        assert client.post(here, {"contact_days": wrong}).status_code == 422
    assert client.post(here, {"contact_days": "30"}).status_code == 302
    assert PrivacyPlan.objects.get().contact_days == 30
    assert "Until 30 days after the last session" in page(client, "tournament_privacy", event.slug)


def test_by_the_link_somebody_gets_all_of_theirs(client: Client, event: Tournament) -> None:
    token = token_of(Registration.objects.get())
    answer = client.get(reverse("registration_mine", args=[event.slug, token]))
    assert "attachment" in answer["Content-Disposition"]
    assert "no-store" in answer["Cache-Control"]
    assert CLUB in json.dumps(json.loads(answer.content))


@pytest.mark.parametrize("spoil", [lambda t: t[:-1], lambda t: "a" + t, lambda t: "x"])
def test_by_another_link_nobody_gets_anything(client: Client, event: Tournament, spoil: Any) -> None:
    token = spoil(token_of(Registration.objects.get()))
    assert client.get(reverse("registration_mine", args=[event.slug, token])).status_code == 404


def test_a_link_of_who_was_erased_opens_nothing(client: Client, event: Tournament) -> None:
    token = token_of(Registration.objects.get())
    client.force_login(make_organiser(event))
    client.post(reverse("organiser_registration_erase", args=[event.slug, 1]), {"name": NAME})
    assert client.get(reverse("registration_mine", args=[event.slug, token])).status_code == 404


def test_the_organiser_hands_it_over_and_an_umpire_does_not(client: Client, event: Tournament) -> None:
    client.force_login(make_organiser(event))
    for name in ("organiser_player_data", "organiser_registration_data"):
        assert "ada@example.org" in page(client, name, event.slug, 1)
    client.force_login(make_umpire(event, "uma"))
    for name in ("organiser_player_data", "organiser_registration_data", "organiser_player_erase"):
        assert client.get(reverse(name, args=[event.slug, 1])).status_code in (302, 403, 404)


def test_before_somebody_is_erased_the_page_says_what_goes(client: Client, event: Tournament) -> None:
    client.force_login(make_organiser(event))
    told = page(client, "organiser_player_erase", event.slug, 1)
    for said in ("It was not me", f"{NAME} shouted", "1 document of the event", "1 e-mail to them"):
        assert said in told
    assert "Lunch is ready" not in told


def test_another_name_erases_nobody(client: Client, event: Tournament) -> None:
    client.force_login(make_organiser(event))
    here = reverse("organiser_player_erase", args=[event.slug, 1])
    answer = client.post(here, {"name": "Somebody else"})
    assert answer.status_code == 422
    assert "This is not the name" in answer.text
    assert event.players.get(number=1).name == NAME


def test_afterwards_no_page_search_or_export_has_the_name(client: Client, event: Tournament) -> None:
    visitor = Client()
    places = ["ranking", "players_page", "statistics_page", "draw_page", "ceremony"]
    for name in places:
        page(visitor, name, event.slug)  # kept ready from now on
    client.force_login(make_organiser(event))
    client.post(reverse("organiser_player_erase", args=[event.slug, 1]), {"name": NAME})
    for reader in (visitor, client):
        for name in places:
            assert "Plughquux" not in page(reader, name, event.slug)
        assert "Player 1" in page(reader, "ranking", event.slug)
    assert b"Plughquux" not in client.get(reverse("organiser_transcript", args=[event.slug])).content
    assert "Plughquux" not in page(client, "organiser_log", event.slug)
    assert "Erased already" in page(client, "organiser_player_erase", event.slug, 1)


def test_a_program_asks_and_erases(client: Client, event: Tournament) -> None:
    at = f"/api/v1/tournaments/{event.slug}"
    assert client.get(f"{at}/players/1/data/").status_code in (401, 403)
    assert client.get(f"{at}/privacy/").json()["contact_days"] == 14
    client.force_login(make_organiser(event))
    assert "ada@example.org" in client.get(f"{at}/players/1/data/").text
    assert client.put(f"{at}/privacy/", {"contact_days": 3}, "application/json").json()["contact_days"] == 3
    assert client.post(f"{at}/players/1/erasure/", {"name": "x"}, "application/json").status_code == 422
    assert client.post(f"{at}/players/1/erasure/", {"name": NAME}, "application/json").status_code == 204
    assert client.delete(f"{at}/privacy/").json()["deleted_people"] in (0, 1)
