"""The privacy pages, the file of what is kept of somebody, and erasing them."""

import json
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import html, translation

from tests.privacy.test_erasing import CLUB, NAME, seeded
from tests.support.factories import SYSTEM, make_member, make_organiser, make_umpire
from tests.support.pages import signed_in
from tests.support.snapshots import restore_or_build
from tournament.base.models.events import EventPage
from tournament.base.models.registration import Registration
from tournament.base.models.tournament import Role, Tournament
from tournament.base.selectors import registration_token
from tournament.privacy.models import PrivacyPlan
from tournament.privacy.retention import RETENTION_RULES, DataSubject
from tournament.ranking.services import hide_results


@pytest.fixture
def event() -> Tournament:
    return restore_or_build("seeded", seeded)


def page(client: Client, name: str, *where: Any) -> str:
    answer = client.get(reverse(name, args=where))
    assert answer.status_code == 200
    return answer.text


@pytest.mark.thorough
def test_both_pages_list_all_declared_data(client: Client, event: Tournament) -> None:
    for language in ("en", "zh-hans", "zh-hant"):
        client.cookies["django_language"] = language
        texts = [page(client, "privacy"), page(client, "tournament_privacy", event.slug)]
        rows = [
            row for rows in RETENTION_RULES.values() for row in rows if row.subject is not DataSubject.NOBODY
        ]
        with translation.override(language):
            whats = {html.escape(str(row.description)) for row in rows}
        assert [(language, what) for what in whats for text in texts if what not in text] == []


def test_who_is_responsible_is_the_contact_of_the_event_s_page(client: Client, event: Tournament) -> None:
    assert "ask at the venue" in " ".join(page(client, "tournament_privacy", event.slug).split())
    EventPage.objects.create(tournament=event, contact="Mahjong Lyon, office@lyon.example")
    client.cookies.clear()
    event.version += 1
    event.public_version += 1
    event.save()
    assert "Mahjong Lyon, office@lyon.example" in page(client, "tournament_privacy", event.slug)


def test_the_organiser_sets_when_contact_data_is_deleted(client: Client, event: Tournament) -> None:
    client.force_login(make_organiser(event))
    here = reverse("organiser_data", args=[event.slug])
    for wrong in ("-1", "367", "x", ""):
        assert client.post(here, {"contact_days": wrong}).status_code == 422, wrong
    assert client.post(here, {"contact_days": "30"}).status_code == 302
    assert PrivacyPlan.objects.get().contact_days == 30
    assert "Until 30 days after the last session" in page(client, "tournament_privacy", event.slug)
    delete = reverse("organiser_contacts_delete", args=[event.slug])
    assert "1 person" in client.get(here).text
    client.post(delete)
    client.logout()
    assert "Contact data of 1 person has been deleted." in page(client, "tournament_privacy", event.slug)
    assert not Registration.objects.exclude(email="").exists()


def test_the_own_link_exports_a_persons_data_until_it_is_erased(client: Client, event: Tournament) -> None:
    token = registration_token(Registration.objects.get())
    own = reverse("registration_data", args=[event.slug, token])
    answer = client.get(own)
    assert "attachment" in answer["Content-Disposition"]
    assert "no-store" in answer["Cache-Control"]
    assert CLUB in json.dumps(json.loads(answer.content))
    for spoilt in (token[:-1], f"a{token}", "x"):
        other = reverse("registration_data", args=[event.slug, spoilt])
        assert client.get(other).status_code == 404, spoilt
    client.force_login(make_organiser(event))
    client.post(reverse("organiser_person_erase", args=[event.slug, "r1"]), {"name": NAME})
    assert client.get(own).status_code == 404


def test_the_organiser_exports_data_and_an_umpire_may_not(client: Client, event: Tournament) -> None:
    client.force_login(make_organiser(event))
    for key in ("p1", "r1"):
        assert "ada@example.org" in page(client, "organiser_person_data", event.slug, key)
    client.force_login(make_umpire(event, "uma"))
    for name in ("organiser_person_data", "organiser_person_erase"):
        assert client.get(reverse(name, args=[event.slug, "p1"])).status_code in (302, 403, 404)


@pytest.mark.thorough
def test_after_erasing_no_page_or_file_has_the_name(client: Client, event: Tournament) -> None:
    visitor = Client()
    places = ["ranking", "players_page", "statistics_page", "draw_page", "ceremony"]
    for name in places:
        page(visitor, name, event.slug)  # kept ready from now on
    client.force_login(make_organiser(event))
    erase = reverse("organiser_person_erase", args=[event.slug, "p1"])
    preview = client.get(erase).text
    for text in ("It was not me", f"{NAME} shouted", "1 document of the event", "1 e-mail to them"):
        assert text in preview
    assert "Lunch is ready" not in preview
    refused = client.post(erase, {"name": "Someone else"})
    assert (refused.status_code, "This is not the name" in refused.text) == (422, True)
    assert event.players.get(number=1).name == NAME
    client.post(erase, {"name": NAME})
    for reader in (visitor, client):
        for name in places:
            assert "Plughquux" not in page(reader, name, event.slug), name
        assert "Player 1" in page(reader, "ranking", event.slug)
    assert b"Plughquux" not in client.get(reverse("organiser_transcript", args=[event.slug])).content
    assert "Plughquux" not in page(client, "organiser_log", event.slug)
    assert "Already erased" in client.get(erase).text


def test_the_api_exports_and_erases(client: Client, event: Tournament) -> None:
    at = f"/api/v1/tournaments/{event.slug}"
    assert client.get(f"{at}/players/1/data/").status_code in (401, 403)
    assert client.get(f"{at}/privacy/").json()["contact_days"] == 14
    client.force_login(make_organiser(event))
    assert "ada@example.org" in client.get(f"{at}/players/1/data/").text
    assert client.put(f"{at}/privacy/", {"contact_days": 3}, "application/json").json()["contact_days"] == 3
    assert client.post(f"{at}/players/1/erasure/", {"name": "x"}, "application/json").status_code == 422
    assert client.post(f"{at}/players/1/erasure/", {"name": NAME}, "application/json").status_code == 204
    assert client.delete(f"{at}/privacy/").json()["deleted_people"] in (0, 1)


def test_exports_for_the_desk_and_for_the_person_have_nothing_of_a_hidden_session(event: Tournament) -> None:
    """Whoever may see hidden results gets them."""
    hide_results(event.sessions.get(number=2), SYSTEM)
    token = registration_token(Registration.objects.get())
    own = reverse("registration_data", args=[event.slug, token])
    pages = [reverse("organiser_person_data", args=[event.slug, key]) for key in ("p1", "r1")]
    api = [f"/api/v1/tournaments/{event.slug}/{kind}/1/data/" for kind in ("players", "registrations")]
    organiser, desk = signed_in(make_organiser(event)), signed_in(make_member(event, Role.DESK, "dora"))
    assert ["It was not me" in organiser.get(url).text for url in (*pages, *api)] == [True] * 4
    answers = [desk.get(url) for url in api] + [Client().get(own), organiser.get(own)]
    assert [answer.json()["hidden_sessions"] for answer in answers] == [[2]] * 4
    assert [answer.request["PATH_INFO"] for answer in answers if "It was not me" in answer.text] == []
