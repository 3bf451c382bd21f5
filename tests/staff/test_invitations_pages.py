"""The first account, made with the printed code, and those made by invitation: the role is there. Once."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.support.factories import SYSTEM, make_organiser, make_tournament, make_user
from tests.support.pages import missing
from tournament.accounts import setup_code
from tournament.accounts.services import make_first_organiser
from tournament.base.errors import Refused
from tournament.base.models.tournament import Role, Tournament
from tournament.messages.mail.models import Mail
from tournament.staff.passes import Offer
from tournament.staff.services import invite

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
    response = client.post(url, ACCOUNT)
    assert response.status_code == 302
    assert response["Location"] == reverse("organiser_screens", args=[event.slug])
    assert event.memberships.get().user.username == "nina"


def test_who_is_signed_in_accepts_with_one_press(client: Client, event: Tournament) -> None:
    url = link(event, Role.UMPIRE)
    client.force_login(make_user("nino"))
    assert client.get(url).status_code == client.get(url).status_code == 200
    assert not event.memberships.exists(), "looking at it uses nothing"
    assert client.post(url)["Location"] == reverse("umpire_tables", args=[event.slug])


def test_a_weak_password_or_a_taken_name_is_refused(client: Client, event: Tournament) -> None:
    url = link(event)
    response = client.post(url, {**ACCOUNT, "full_name": "Nina", "password1": "1", "password2": "1"})
    assert response.status_code == 422
    assert missing(response.text, 'value="nina"', 'value="Nina"') == []
    make_user("NINA")
    assert client.post(url, ACCOUNT).status_code == 422
    assert not User.objects.filter(username="nina").exists()
    assert not event.memberships.exists()


def test_the_second_to_open_it_is_told(client: Client, event: Tournament) -> None:
    url = link(event)
    client.post(url, ACCOUNT)
    again = client.get(url)
    assert (again.status_code, "You have accepted this invitation already." in again.text) == (410, True)
    assert reverse("organiser_screens", args=[event.slug]) in again.text
    other = Client().get(url)
    assert (other.status_code, "Somebody has used this invitation already" in other.text) == (410, True)


def test_a_link_that_was_never_made_opens_nothing_and_guesses_are_counted(client: Client) -> None:
    for token in ("no-such-token", "x" * 300, "%F0%9F%80%84"):
        page = client.get(f"/invitation/{token}/")
        assert (page.status_code, "There is no such invitation." in page.text) == (410, True)
    statuses = [client.get("/invitation/wrong/").status_code for _ in range(40)]
    assert (statuses[0], statuses[-1]) == (410, 429)


def test_the_organiser_has_the_link_once_and_takes_it_back(client: Client, event: Tournament) -> None:
    client.force_login(make_organiser(event))
    url = reverse("organiser_invite", args=[event.slug])
    fields = {"role": "desk", "email": "", "expires_on": timezone.localdate().isoformat()}
    page = client.post(url, fields)
    token = page.context["link"].split("/")[-2]
    staff = client.get(reverse("organiser_staff", args=[event.slug])).text
    assert (token in page.text, token in staff, "whoever has the link" in staff) == (True, False, True)
    pk = event.invitations.get().pk
    client.post(reverse("organiser_invitation_revoke", args=[event.slug, pk]))
    assert "This invitation was taken back." in Client().get(reverse("invitation", args=[token])).text
    assert client.post(url, fields | {"email": "nina@example.org"}).status_code == 200
    assert Mail.objects.get().to == "nina@example.org"
    wrong = {"role": "emperor", "email": "nina", "expires_on": "2001-01-01", "tables": "all"}
    response = client.post(url, wrong)
    assert (response.status_code, set(response.context["form"].errors)) == (422, set(wrong))


GOOD = "four red dragons"


def fields(**other: str) -> dict[str, str]:
    usual = {"code": setup_code.code(), "full_name": "Olga Organ", "username": "olga"}
    return usual | {"password1": GOOD, "password2": GOOD} | other


@pytest.mark.django_db(transaction=True)
def test_the_first_organiser_is_made_and_then_there_is_no_such_page(client: Client) -> None:
    cases: list[tuple[dict[str, str], dict[str, str]]] = [
        ({"code": "AAAA-AAAA"}, {"code": "This is not the code"}),
        ({"code": ""}, {"code": "Fill this in."}),
        ({"username": "o l"}, {"username": "no spaces"}),
        ({"password2": "another"}, {"password2": "The two passwords differ"}),
        ({"code": "x", "username": "", "password2": "y"}, {"code": "", "username": "", "password2": ""}),
    ]
    for wrong, problems in cases:
        response = client.post(reverse("setup"), fields(**wrong))
        errors = response.context["form"].errors
        assert (response.status_code, set(errors)) == (422, set(problems)), wrong
        assert [field for field, text in problems.items() if text not in " ".join(errors[field])] == [], wrong
    easy = client.post(reverse("setup"), fields(password1="password", password2="password"))
    assert "Many people have this password" in easy.text
    assert not User.objects.exists()
    assert client.get(reverse("organiser_home"), follow=True).redirect_chain[-1][0] == reverse("setup")
    sent = fields()
    assert client.post(reverse("setup"), sent)["Location"] == reverse("organiser_new")
    olga = User.objects.get()
    assert (olga.is_superuser, olga.is_staff, olga.get_full_name()) == (True, True, "Olga Organ")
    assert client.get(reverse("organiser_new")).status_code == 200
    assert client.get(reverse("setup")).status_code == 404
    assert client.post(reverse("setup"), sent | {"username": "eve"}).status_code == 404
    User.objects.all().delete()
    with pytest.raises(Refused):
        make_first_organiser(code=sent["code"], username="eve", password=GOOD)
