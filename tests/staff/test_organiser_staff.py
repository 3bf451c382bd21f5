"""Umpires: an account with a password shown once, where they may write, taking the role back."""

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.support.factories import make_tournament, make_umpire, make_user
from tournament.base.access import Actor, can_umpire
from tournament.base.models.play import Session, Table
from tournament.base.models.tournament import Membership, Role, Tournament
from tournament.web.texts.log import where_text


@pytest.fixture
def event() -> Tournament:
    return make_tournament(sessions=2)


def give_role(olga: Client, event: Tournament, **fields: object):  # type: ignore[no-untyped-def]
    return olga.post(
        reverse("organiser_staff_new", args=[event.slug]),
        {"role": "umpire", "account": "new", "username": "uma", **fields},
    )


def may_write_at(username: str, event: Tournament) -> list[tuple[int, int]]:
    actor = Actor.of(User.objects.get(username=username))
    tables = Table.objects.filter(session__tournament=event).select_related("session__tournament")
    return [
        (table.session.number, table.number)
        for table in tables.order_by("session__number", "number")
        if can_umpire(actor, table)
    ]


def test_a_new_account_gets_a_password_shown_once(
    olga: Client, event: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the address at which other devices reach the page to sign in."""
    monkeypatch.setattr("tournament.base.requests.network_address", lambda: "192.0.2.7")
    olga.defaults["HTTP_HOST"] = "127.0.0.1:8000"
    response = give_role(olga, event, full_name="Uma Pire")
    assert "http://192.0.2.7:8000/login/" in response.text
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
def test_where_an_umpire_may_write(olga: Client, event: Tournament) -> None:
    cases: list[tuple[dict[str, object], list[tuple[int, int]]]] = [
        ({}, [(1, 1), (1, 2), (1, 3), (1, 4), (2, 1), (2, 2), (2, 3), (2, 4)]),
        ({"sessions": ["2"]}, [(2, 1), (2, 2), (2, 3), (2, 4)]),
        ({"tables": "2-3"}, [(1, 2), (1, 3), (2, 2), (2, 3)]),
        ({"tables": "4, 1–2", "sessions": ["1"]}, [(1, 1), (1, 2), (1, 4)]),
    ]
    for number, (fields, _tables) in enumerate(cases):
        give_role(olga, event, username=f"umpire-{number}", **fields)
    places = [may_write_at(f"umpire-{number}", event) for number in range(len(cases))]
    assert places == [tables for _fields, tables in cases]


@pytest.mark.thorough
def test_faults_stand_at_their_fields(olga: Client, event: Tournament, subtests: pytest.Subtests) -> None:
    cases: list[tuple[dict[str, object], dict[str, str]]] = [
        ({"username": ""}, {"username": "Fill this in."}),
        ({"username": "OLGA"}, {"username": "An account of the name “OLGA” exists already."}),
        ({"username": "nobody", "account": "known"}, {"username": "There is no account of the name"}),
        ({"tables": "all"}, {"tables": "“all” is not a list of tables: write for instance 1-5, 8."}),
        ({"tables": "4-5"}, {"tables": "There is no table 5."}),
        ({"sessions": ["9"]}, {"sessions": "“9” is not one of the choices"}),
        ({"username": "u m a", "tables": "x"}, {"username": "no spaces", "tables": "x"}),
    ]
    for fields, problems in cases:
        with subtests.test(str(fields)):
            response = give_role(olga, event, **fields)
            errors = response.context["form"].errors
            assert (response.status_code, set(errors)) == (422, set(problems))
            assert [at for at, sentence in problems.items() if sentence not in " ".join(errors[at])] == []
    assert not event.memberships.filter(role=Role.UMPIRE).exists()


def test_changing_where_and_taking_the_role_back(olga: Client, event: Tournament) -> None:
    make_umpire(event, tables=[event.sessions.get(number=1).tables.get(number=3)])
    umpire = Membership.objects.get(user__username="uma")
    here = reverse("organiser_member", args=[event.slug, umpire.pk])
    assert olga.get(here).context["form"].initial == {"role": "umpire", "sessions": ["1"], "tables": "3"}
    olga.post(here, {"role": "umpire", "sessions": ["1", "2"], "tables": ""})
    assert len(may_write_at("uma", event)) == 8

    def end(username: str) -> str:
        membership = Membership.objects.get(user__username=username)
        url = reverse("organiser_staff_end", args=[event.slug, membership.pk])
        return olga.post(url, follow=True).text

    assert "uma, no longer: umpire." in end("uma")
    assert may_write_at("uma", event) == []
    assert "Name another organiser first." in end("olga")
    assert Membership.objects.filter(user__username="olga").exists()


def test_where_in_words() -> None:
    assert where_text([], []) == "everywhere"
    assert where_text([1], []) == "session 1"
    assert where_text([], [(1, 1), (1, 2), (2, 1), (2, 2)]) == "sessions 1, 2: tables 1, 2"


def test_tables_of_all_sessions_include_later_ones(olga: Client, event: Tournament) -> None:
    """Not so those of the sessions ticked, even if these were all of them."""
    give_role(olga, event, tables="1")
    give_role(olga, event, username="udo", tables="1", sessions=["1", "2"])
    later = Session.objects.create(tournament=event, number=3)
    for number in (1, 2):
        Table.objects.create(session=later, number=number)
    assert may_write_at("uma", event) == [(1, 1), (2, 1), (3, 1)]
    assert may_write_at("udo", event) == [(1, 1), (2, 1)]
    assert "table 1 in every session" in olga.get(reverse("organiser_staff", args=[event.slug])).text
    umpire = Membership.objects.get(user__username="uma")
    form = olga.get(reverse("organiser_member", args=[event.slug, umpire.pk])).context["form"]
    assert form.initial == {"role": "umpire", "sessions": [], "tables": "1"}
