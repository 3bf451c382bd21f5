"""Umpires, invitations and the first organiser on pages and in the API: passwords, scopes, roles that end."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.support.factories import SYSTEM, make_organiser, make_tournament, make_umpire, make_user, seats_for
from tests.support.pages import missing
from tests.support.programs import ROOT, Program, client_of, codes_of
from tournament.accounts import setup_code
from tournament.accounts.services import make_first_organiser
from tournament.base.access import Actor, can_umpire
from tournament.base.errors import Refused
from tournament.base.models.play import Session, Table
from tournament.base.models.tournament import Membership, Role, Tournament
from tournament.messages.mail.models import Mail
from tournament.seating.services.seatings import replace_seats as put_seats
from tournament.staff.models import Invitation
from tournament.staff.services import invite, link_player
from tournament.web.texts.log import where_text

PATH = "staff/"

ACCOUNT = {"username": "nina", "password1": "green-dragon-77", "password2": "green-dragon-77"}


def give_role(olga: Client, event: Tournament, **fields: object):  # type: ignore[no-untyped-def]
    return olga.post(
        reverse("organiser_invite", args=[event.slug]),
        {"role": "umpire", "account": "new", "username": "uma", **fields},
    )


def tables_umpired(username: str, event: Tournament) -> list[tuple[int, int]]:
    """Return (session, table) of each table that the account may umpire."""
    actor = Actor.of(User.objects.get(username=username))
    tables = Table.objects.filter(session__tournament=event).select_related("session__tournament")
    return [
        (table.session.number, table.number)
        for table in tables.order_by("session__number", "number")
        if can_umpire(actor, table)
    ]


def test_a_new_account_gets_a_password_shown_once(olga: Client, event: Tournament) -> None:
    response = give_role(olga, event, first_name="Uma Pire")
    assert "http://testserver/login/" in response.text
    password = re.search(r"\b(?!data-)[a-z2-9]{4}-[a-z2-9]{4}-[a-z2-9]{4}\b", response.text)[0]  # type: ignore[index]
    assert "no-store" in response["Cache-Control"]
    assert Client().login(username="uma", password=password)
    assert password not in olga.get(reverse("organiser_staff", args=[event.slug])).text
    uma = User.objects.get(username="uma")
    assert (uma.get_full_name(), uma.is_staff, uma.is_superuser) == ("Uma Pire", False, False)
    make_user("Umberto")
    give_role(olga, event, account="known", username="umberto")
    assert event.memberships.filter(role=Role.UMPIRE).latest("pk").user.username == "Umberto"


@pytest.mark.thorough
def test_the_scope_of_an_umpire(olga: Client, event: Tournament) -> None:
    cases: list[tuple[dict[str, object], list[tuple[int, int]]]] = [
        ({}, [(1, 1), (1, 2), (1, 3), (1, 4), (2, 1), (2, 2), (2, 3), (2, 4)]),
        ({"sessions": ["2"]}, [(2, 1), (2, 2), (2, 3), (2, 4)]),
        ({"tables": "2-3"}, [(1, 2), (1, 3), (2, 2), (2, 3)]),
        ({"tables": "4, 1–2", "sessions": ["1"]}, [(1, 1), (1, 2), (1, 4)]),
    ]
    for number, (fields, _tables) in enumerate(cases):
        give_role(olga, event, username=f"umpire-{number}", **fields)
    places = [tables_umpired(f"umpire-{number}", event) for number in range(len(cases))]
    assert places == [tables for _fields, tables in cases]


@pytest.mark.thorough
def test_problems_of_a_new_member_are_at_their_fields(
    olga: Client, event: Tournament, subtests: pytest.Subtests
) -> None:
    cases: list[tuple[dict[str, object], dict[str, str]]] = [
        ({"username": ""}, {"username": "Fill in “User name”."}),
        ({"username": "OLGA"}, {"username": "An account named “OLGA” already exists."}),
        ({"username": "nobody", "account": "known"}, {"username": "There is no account named"}),
        ({"tables": "all"}, {"tables": "“all” is not a list of tables: write for instance 1-5, 8."}),
        ({"tables": "4-5"}, {"tables": "There is no table 5."}),
        ({"sessions": ["9"]}, {"sessions": "“9” is not one of the choices"}),
        ({"username": "u m a", "tables": "x"}, {"username": "without spaces", "tables": "x"}),
    ]
    for fields, problems in cases:
        with subtests.test(str(fields)):
            response = give_role(olga, event, **fields)
            errors = response.context["form"].errors
            assert (response.status_code, set(errors)) == (422, set(problems))
            assert [field for field, text in problems.items() if text not in " ".join(errors[field])] == []
    assert not event.memberships.filter(role=Role.UMPIRE).exists()


def test_an_organiser_changes_the_scope_of_a_role_and_ends_it(olga: Client, event: Tournament) -> None:
    make_umpire(event, tables=[event.sessions.get(number=1).tables.get(number=3)])
    umpire = Membership.objects.get(user__username="uma")
    url = reverse("organiser_member", args=[event.slug, umpire.pk])
    form = olga.get(url, follow=True).context["role"].form
    assert form.initial == {"role": "umpire", "sessions": ["1"], "tables": "3"}
    olga.post(url, {"role-role": "umpire", "role-sessions": ["1", "2"], "role-tables": ""})
    assert len(tables_umpired("uma", event)) == 8

    def end(username: str) -> str:
        membership = Membership.objects.get(user__username=username)
        url = reverse("organiser_staff_end", args=[event.slug, membership.pk])
        return olga.post(url, follow=True).text

    assert "uma is no longer umpire." in end("uma")
    assert tables_umpired("uma", event) == []
    assert "Add another organiser first." in end("olga")
    assert Membership.objects.filter(user__username="olga").exists()


def test_problems_of_a_member_are_in_their_open_row(olga: Client, event: Tournament) -> None:
    """A refused player leaves the role as it was."""
    for name in ("uma", "udo"):
        make_umpire(event, name)
    uma, udo = (event.memberships.get(user__username=name) for name in ("uma", "udo"))
    url = reverse("organiser_member", args=[event.slug, udo.pk])
    assert link_player(uma, SYSTEM, event.players.get(number=1)).player
    response = olga.post(url, {"role-role": "scorer", "role-tables": "x", "plays-player": "1"})
    assert (response.status_code, set(response.context["role"].form.errors)) == (422, {"tables"})
    response = olga.post(url, {"role-role": "scorer", "role-tables": "", "plays-player": "1"})
    assert (response.status_code, set(response.context["plays"].form.errors)) == (422, {"player"})
    assert event.memberships.get(pk=udo.pk).role == Role.UMPIRE
    olga.post(url, {"role-role": "scorer", "role-tables": "", "plays-player": "2"})
    udo.refresh_from_db()
    assert (udo.role, udo.player and udo.player.number) == (Role.SCORER, 2)


def test_the_text_of_a_scope() -> None:
    assert where_text([], []) == "all tables"
    assert where_text([1], []) == "session 1"
    assert where_text([], [(1, 1), (1, 2), (2, 1), (2, 2)]) == "sessions 1, 2: tables 1, 2"


def test_table_numbers_without_sessions_count_in_later_sessions(olga: Client, event: Tournament) -> None:
    """Tables of named sessions do not, even if all sessions are named."""
    give_role(olga, event, tables="1")
    give_role(olga, event, username="udo", tables="1", sessions=["1", "2"])
    later = Session.objects.create(tournament=event, number=3)
    for number in (1, 2):
        Table.objects.create(session=later, number=number)
    assert tables_umpired("uma", event) == [(1, 1), (2, 1), (3, 1)]
    assert tables_umpired("udo", event) == [(1, 1), (2, 1)]
    assert "table 1 in every session" in olga.get(reverse("organiser_staff", args=[event.slug])).text
    umpire = Membership.objects.get(user__username="uma")
    page = olga.get(reverse("organiser_staff", args=[event.slug]), {"member": umpire.pk})
    assert page.context["role"].form.initial == {"role": "umpire", "sessions": [], "tables": "1"}


def name(client: Program, base_url: str, **body: Any) -> Any:
    return client.post(base_url, {"username": "uma", **body})


def test_the_api_returns_the_password_of_a_new_umpire_once(organiser_client: Program, base_url: str) -> None:
    answer = name(organiser_client, base_url, full_name="Uma Pire")
    assert (answer.status_code, answer["Cache-Control"]) == (201, "no-store")
    password = answer.json()["password"]
    assert "token" in Program().post("/api/v1/token/", {"username": "uma", "password": password}).json()
    listing = organiser_client.get(base_url)
    _, listed = listing.json()
    assert listed == answer.json()["member"]
    assert (listed["username"], listed["full_name"], listed["everywhere"]) == ("uma", "Uma Pire", True)
    assert password not in listing.text


def test_an_existing_account_gets_a_role(organiser_client: Program, base_url: str, event: Tournament) -> None:
    make_user("Pia")
    body = name(organiser_client, base_url, username="pia", new_account=False, sessions=[2]).json()
    assert (body["password"], body["member"]["username"], body["member"]["sessions"]) == (None, "Pia", [2])
    assert tables_umpired("Pia", event) == [(2, number) for number in (1, 2, 3, 4)]


def test_the_api_changes_the_scope_of_a_role_and_ends_it(
    organiser_client: Program, base_url: str, event: Tournament
) -> None:
    member = name(organiser_client, base_url, tables=[2]).json()["member"]
    assert (tables_umpired("uma", event), member["every_session"]) == ([(1, 2), (2, 2)], True)
    url = f"{base_url}{member['id']}/"
    changed = organiser_client.put(url, {"sessions": [1], "tables": [1]}).json()
    assert (tables_umpired("uma", event), changed["tables"]) == ([(1, 1)], [{"session": 1, "number": 1}])
    assert organiser_client.delete(url).status_code == 204
    (remaining,) = organiser_client.get(base_url).json()
    assert (remaining["username"], tables_umpired("uma", event)) == ("olga", [])
    assert organiser_client.delete(url).status_code == 404


def test_invalid_and_impossible_members_are_refused(organiser_client: Program, base_url: str) -> None:
    for body in ({"username": "u m a"}, {"tables": [10**30]}, {"sessions": "1"}):
        assert name(organiser_client, base_url, **body).status_code == 400, body
    assert codes_of(name(organiser_client, base_url, username="OLGA")) == ["username_taken"]
    assert codes_of(name(organiser_client, base_url, new_account=False)) == ["no_such_account"]
    response = name(organiser_client, base_url, sessions=[3], tables=[1, 9])
    assert codes_of(response) == ["no_such_session", "no_such_table", "no_such_table"]
    assert not User.objects.filter(username="uma").exists()


def test_tables_of_a_session_that_is_not_drawn_are_refused() -> None:
    event = make_tournament(players=8, sessions=2, drawn=False)
    put_seats(event, {1: seats_for(8, 1)[0], 2: []})
    organiser_client = client_of(make_organiser(event))
    answer = name(organiser_client, f"{ROOT}{event.slug}/staff/", sessions=[2], tables=[1])
    assert codes_of(answer) == ["no_such_table"]


def invitation_url(event: Tournament, role: Role = Role.SCREENS) -> str:
    until = timezone.now() + timedelta(days=1)
    invitation = Invitation(tournament=event, role=role, expires_at=until)
    return reverse("invitation", args=[invite(invitation, SYSTEM).token])


def test_a_new_account_is_redirected_to_the_page_of_its_role_and_the_invitation_is_used(
    client: Client, event: Tournament
) -> None:
    url = invitation_url(event)
    assert "screens" in client.get(url).text
    response = client.post(url, ACCOUNT)
    assert response.status_code == 302
    assert response["Location"] == reverse("organiser_hall", args=[event.slug])
    assert event.memberships.get().user.username == "nina"
    again = client.get(url)
    assert (again.status_code, "You have already accepted this invitation." in again.text) == (410, True)
    assert reverse("organiser_hall", args=[event.slug]) in again.text
    other = Client().get(url)
    assert (other.status_code, "This invitation has already been used" in other.text) == (410, True)


def test_a_signed_in_user_accepts_an_invitation_by_post(client: Client, event: Tournament) -> None:
    url = invitation_url(event, Role.UMPIRE)
    client.force_login(make_user("nino"))
    assert client.get(url).status_code == client.get(url).status_code == 200
    assert not event.memberships.exists()
    assert client.post(url)["Location"] == reverse("umpire_tables", args=[event.slug])


def test_a_weak_password_or_a_taken_name_is_refused(client: Client, event: Tournament) -> None:
    url = invitation_url(event)
    response = client.post(url, {**ACCOUNT, "first_name": "Nina", "password1": "1", "password2": "1"})
    assert response.status_code == 422
    assert missing(response.text, 'value="nina"', 'value="Nina"') == []
    make_user("NINA")
    assert client.post(url, ACCOUNT).status_code == 422
    assert not User.objects.filter(username="nina").exists()
    assert not event.memberships.exists()


def test_unknown_invitations_are_refused_and_limited(client: Client) -> None:
    for token in ("no-such-token", "x" * 300, "%F0%9F%80%84"):
        page = client.get(f"/invitation/{token}/")
        assert (page.status_code, "There is no such invitation." in page.text) == (410, True)
    statuses = [client.get("/invitation/wrong/").status_code for _ in range(40)]
    assert (statuses[0], statuses[-1]) == (410, 429)


def test_the_link_of_an_invitation_is_shown_once_and_can_be_revoked(
    client: Client, event: Tournament, settings: Any
) -> None:
    client.force_login(make_organiser(event))
    url = reverse("organiser_invite", args=[event.slug])
    fields = {"role": "desk", "account": "link", "expires_on": timezone.localdate().isoformat()}
    page = client.post(url, fields)
    token = page.context["invitation"].link.split("/")[-2]
    staff = client.get(reverse("organiser_staff", args=[event.slug])).text
    assert (token in page.text, token in staff, "anyone with the link" in staff) == (True, False, True)
    pk = event.invitations.get().pk
    client.post(reverse("organiser_invitation_revoke", args=[event.slug, pk]))
    assert "This invitation was revoked." in Client().get(reverse("invitation", args=[token])).text
    mentions_mail = []
    for settings.EMAIL_HOST in ("", "mail.example.org"):
        page = client.post(url, fields | {"email": "nina@example.org"})
        mentions_mail.append("An e-mail has been sent to" in page.text)
    assert mentions_mail == [False, True]
    assert {mail.to for mail in Mail.objects.all()} == {"nina@example.org"}
    invalid = {"role": "emperor", "email": "nina", "expires_on": "2001-01-01", "tables": "all"}
    response = client.post(url, {"account": "link", **invalid})
    assert (response.status_code, set(response.context["form"].errors)) == (422, set(invalid))


GOOD = "four red dragons"


def setup_data(**changes: str) -> dict[str, str]:
    data = {"code": setup_code.code(), "first_name": "Olga Organ", "username": "olga"}
    return data | {"password1": GOOD, "password2": GOOD} | changes


@pytest.mark.django_db(transaction=True)
def test_the_first_organiser_is_created_once(client: Client) -> None:
    cases: list[tuple[dict[str, str], dict[str, str]]] = [
        ({"code": "AAAA-AAAA"}, {"code": "This is not the code"}),
        ({"code": ""}, {"code": "Fill in “Code”."}),
        ({"username": "o l"}, {"username": "without spaces"}),
        ({"password2": "another"}, {"password2": "The two passwords differ"}),
        ({"code": "x", "username": "", "password2": "y"}, {"code": "", "username": "", "password2": ""}),
    ]
    for changes, problems in cases:
        response = client.post(reverse("setup"), setup_data(**changes))
        errors = response.context["form"].errors
        assert (response.status_code, set(errors)) == (422, set(problems)), changes
        assert [name for name, text in problems.items() if text not in " ".join(errors[name])] == [], changes
    response = client.post(reverse("setup"), setup_data(password1="password", password2="password"))
    assert "Too common, and therefore easy to guess" in response.text
    assert not User.objects.exists()
    assert client.get(reverse("organiser_home"), follow=True).redirect_chain[-1][0] == reverse("setup")
    data = setup_data()
    assert client.post(reverse("setup"), data)["Location"] == reverse("organiser_new")
    olga = User.objects.get()
    assert (olga.is_superuser, olga.is_staff, olga.get_full_name()) == (True, True, "Olga Organ")
    assert client.get(reverse("organiser_new")).status_code == 200
    assert client.get(reverse("setup")).status_code == 404
    assert client.post(reverse("setup"), data | {"username": "eve"}).status_code == 404
    User.objects.all().delete()
    with pytest.raises(Refused):
        make_first_organiser(User(username="eve"), GOOD, code=data["code"])
