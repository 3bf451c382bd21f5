"""The page of an invitation: an account is made or one signs in, and the role is there. Once."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.support.factories import SYSTEM, make_organiser, make_tournament, make_user
from tournament.invitations import Offer
from tournament.models import Mail, Role, Tournament
from tournament.services.invitations import invite

pytestmark = pytest.mark.django_db

ACCOUNT = {"username": "nina", "password1": "green-dragon-77", "password2": "green-dragon-77"}


@pytest.fixture
def event() -> Tournament:
    return make_tournament()


def link(event: Tournament, role: Role = Role.SCREENS) -> str:
    offer = Offer(role, timezone.now() + timedelta(days=1))
    return reverse("invitation", args=[invite(event, SYSTEM, offer).token])


def test_a_new_account_lands_where_its_role_leads(client: Client, event: Tournament) -> None:
    url = link(event)
    assert "screens" in client.get(url).text
    answer = client.post(url, ACCOUNT)
    assert (answer.status_code, answer["Location"]) == (302, reverse("organiser_screens", args=[event.slug]))
    assert event.memberships.get().user.username == "nina"


def test_looking_at_it_uses_nothing(client: Client, event: Tournament) -> None:
    url = link(event)
    client.force_login(make_user("nino"))
    assert client.get(url).status_code == client.get(url).status_code == 200
    assert not event.memberships.exists()


def test_who_is_signed_in_accepts_with_one_press(client: Client, event: Tournament) -> None:
    url = link(event, Role.UMPIRE)
    client.force_login(make_user("nino"))
    assert client.post(url)["Location"] == reverse("umpire_tables", args=[event.slug])


def test_a_weak_password_is_said_and_nothing_is_lost(client: Client, event: Tournament) -> None:
    answer = client.post(link(event), {**ACCOUNT, "full_name": "Nina", "password1": "1", "password2": "1"})
    assert answer.status_code == 422
    assert 'value="nina"' in answer.text
    assert 'value="Nina"' in answer.text
    assert not User.objects.filter(username="nina").exists()


def test_a_name_that_is_taken_is_said(client: Client, event: Tournament) -> None:
    make_user("NINA")
    assert client.post(link(event), ACCOUNT).status_code == 422
    assert not event.memberships.exists()


def test_the_second_to_open_it_is_told(client: Client, event: Tournament) -> None:
    url = link(event)
    client.post(url, ACCOUNT)
    again = client.get(url)
    assert (again.status_code, "You have accepted this invitation already." in again.text) == (410, True)
    assert reverse("organiser_screens", args=[event.slug]) in again.text
    other = Client().get(url)
    assert (other.status_code, "Somebody has used this invitation already" in other.text) == (410, True)


@pytest.mark.parametrize("token", ["no-such-token", "x" * 300, "%F0%9F%80%84"])
def test_a_link_that_was_never_made_opens_nothing(client: Client, token: str) -> None:
    answer = client.get(f"/invitation/{token}/")
    assert (answer.status_code, "There is no such invitation." in answer.text) == (410, True)


def test_wrong_links_are_counted(client: Client) -> None:
    answers = [client.get("/invitation/wrong/").status_code for _ in range(40)]
    assert (answers[0], answers[-1]) == (410, 429)


def test_the_organiser_has_the_link_once_and_takes_it_back(client: Client, event: Tournament) -> None:
    client.force_login(make_organiser(event))
    said = {"role": "desk", "email": "", "expires_on": timezone.localdate().isoformat()}
    made = client.post(reverse("organiser_invite", args=[event.slug]), said)
    token = made.context["link"].split("/")[-2]
    staff = client.get(reverse("organiser_staff", args=[event.slug])).text
    assert (token in made.text, token in staff, "whoever has the link" in staff) == (True, False, True)
    pk = event.invitations.get().pk
    client.post(reverse("organiser_invitation_revoke", args=[event.slug, pk]))
    assert "This invitation was taken back." in Client().get(reverse("invitation", args=[token])).text


def test_an_invitation_by_e_mail_is_a_letter(client: Client, event: Tournament) -> None:
    client.force_login(make_organiser(event))
    said = {"role": "desk", "email": "nina@example.org", "expires_on": timezone.localdate().isoformat()}
    assert client.post(reverse("organiser_invite", args=[event.slug]), said).status_code == 200
    assert Mail.objects.get().to == "nina@example.org"


def test_what_is_wrong_with_an_invitation_is_said_all_at_once(client: Client, event: Tournament) -> None:
    client.force_login(make_organiser(event))
    said = {"role": "emperor", "email": "nina", "expires_on": "2001-01-01", "tables": "all"}
    answer = client.post(reverse("organiser_invite", args=[event.slug]), said)
    assert answer.status_code == 422
    assert set(answer.context["form"].errors) == {"role", "email", "expires_on", "tables"}
