"""Tokens that somebody makes for a program, on the page of their account."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from knox.crypto import hash_token

from tests.support.factories import PASSWORD, make_card, make_member, make_tournament, make_user
from tournament.access import Actor
from tournament.engine.token_text import PATTERN, is_mistyped, token_text
from tournament.invitations import Offer
from tournament.models import ApiToken, Role, Tournament
from tournament.services.invitations import invite
from tournament.services.signed_in import make_token

pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Tournament:
    return make_tournament(players=8, sessions=1, name="Cup")


@pytest.fixture
def olga(event: Tournament) -> User:
    return make_member(event, Role.OWNER, "olga")


def asked(event: Tournament, **other: Any) -> dict[str, Any]:
    usual = {
        "name": "Scoreboard",
        "scope": "observer",
        "where": "here",
        "tournaments": [event.pk],
        "ends": "until",
        "expires_on": "",
        "password": PASSWORD,
    }
    return usual | other


def make(user: User, event: Tournament, **other: Any) -> Any:
    here = Client()
    here.force_login(user, "django.contrib.auth.backends.ModelBackend")
    return here.post("/account/tokens/new/", asked(event, **other))


def told(answer: Any) -> str:
    found = re.search(PATTERN, answer.text)
    assert found, "no token on the page"
    return found[0]


def program(token: str, scheme: str = "Bearer") -> Client:
    return Client(headers={"Authorization": f"{scheme} {token}"})


def code(answer: Any) -> str:
    return str(answer.json()["problems"][0]["code"])


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "Token"])
def test_it_is_shown_once_and_opens_what_its_role_does(event: Tournament, olga: User, scheme: str) -> None:
    token = told(make(olga, event))
    assert program(token, scheme).get(f"/api/v1/tournaments/{event.slug}/log/").status_code == 200
    refused = program(token, scheme).delete(f"/api/v1/tournaments/{event.slug}/players/1/")
    assert (refused.status_code, code(refused)) == (403, "token_falls_short")
    assert 'error="insufficient_scope"' in refused["WWW-Authenticate"]


def test_what_the_account_may_not_do_is_not_said_to_be_the_token_s_doing(event: Tournament) -> None:
    scorer = make_member(event, Role.SCORER, "sam")
    token = told(make(scorer, event, scope="scorer"))
    refused = program(token).delete(f"/api/v1/tournaments/{event.slug}/players/1/")
    assert (refused.status_code, code(refused)) == (403, "forbidden")


def test_making_and_ending_are_in_the_log(event: Tournament, olga: User) -> None:
    token = told(make(olga, event))
    here = Client()
    here.force_login(olga, "django.contrib.auth.backends.ModelBackend")
    here.post("/account/tokens/end/", {"name": ApiToken.objects.get().digest[:16]})
    said = list(event.log.filter(action__startswith="token_").values_list("action", "data__scope"))
    assert said == [("token_made", "observer"), ("token_ended", "observer")]
    assert "Scoreboard" not in str(list(event.log.values_list("data")))
    refused = program(token).get(f"/api/v1/tournaments/{event.slug}/log/")
    assert (refused.status_code, code(refused)) == (401, "token_unknown")


def test_left_to_itself_it_ends_a_week_after_the_event(event: Tournament, olga: User) -> None:
    make(olga, event)
    last = ApiToken.objects.get().expiry
    assert last is not None
    assert timezone.localtime(last).date() == max(event.ends_on, timezone.localdate()) + timedelta(days=8)


def test_for_all_tournaments_it_ends_after_ninety_days(event: Tournament, olga: User) -> None:
    make(olga, event, where="everywhere")
    last = ApiToken.objects.get().expiry
    assert last is not None
    assert round((last - timezone.now()) / timedelta(days=1), 2) == 90


def test_it_never_ends_where_that_is_said(event: Tournament, olga: User) -> None:
    token = told(make(olga, event, ends="never"))
    assert ApiToken.objects.get().expiry is None
    assert program(token).get(f"/api/v1/tournaments/{event.slug}/log/").status_code == 200
    here = Client()
    here.force_login(olga, "django.contrib.auth.backends.ModelBackend")
    assert "Never expires" in here.get("/account/").text


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"password": "wrong"}, "This is not your password."),
        ({"name": " "}, "Fill this in."),
        ({"expires_on": "2020-01-01"}, "This day is over already."),
        ({"tournaments": []}, "Choose tournaments that you work at."),
        ({"scope": "owner"}, "is not one of"),
    ],
)
def test_what_is_wrong_is_said_and_none_is_made(
    event: Tournament, olga: User, wrong: dict[str, Any], said: str
) -> None:
    answer = make(olga, event, **wrong)
    assert not ApiToken.objects.exists()
    assert answer.context["form"].errors, said


def test_nobody_makes_one_for_an_event_that_they_do_not_work_at(event: Tournament) -> None:
    make(make_user("nina"), event)
    assert not ApiToken.objects.exists()


def test_who_came_in_by_a_card_makes_none(event: Tournament) -> None:
    card = make_card(event, 1)
    card.set_unusable_password()
    card.save()
    assert make(card, event).status_code == 403


def test_only_the_roles_that_one_could_play_are_offered(event: Tournament) -> None:
    here = Client()
    here.force_login(make_member(event, Role.UMPIRE, "uma"), "django.contrib.auth.backends.ModelBackend")
    form = here.get("/account/tokens/new/").context["form"]
    assert [value for value, _ in form.fields["scope"].choices] == ["umpire", "scorer", "observer", "all"]


def test_a_role_that_ends_takes_the_token_with_it(event: Tournament, olga: User) -> None:
    token = told(make(olga, event))
    event.memberships.filter(user=olga).delete()
    assert program(token).get(f"/api/v1/tournaments/{event.slug}/log/").status_code == 403


def test_programs_that_sign_in_end_none_that_has_a_name(event: Tournament, olga: User) -> None:
    token = told(make(olga, event))
    for _again in range(21):
        make_token(olga)
    assert ApiToken.objects.count() == 21
    assert program(token).get(f"/api/v1/tournaments/{event.slug}/log/").status_code == 200


def test_a_token_for_less_accepts_no_invitation(event: Tournament, olga: User) -> None:
    token = told(make(olga, event))
    new = invite(event, Actor.of(olga), Offer(Role.UMPIRE, timezone.now() + timedelta(days=1)))
    answer = program(token).post(
        "/api/v1/invitations/", {"token": new.token}, content_type="application/json"
    )
    assert (answer.status_code, code(answer)) == (403, "token_falls_short")


def test_a_token_for_less_makes_no_tournament(event: Tournament, olga: User) -> None:
    User.objects.filter(pk=olga.pk).update(is_staff=True)
    token = told(make(olga, event))
    answer = program(token).post("/api/v1/tournaments/", {}, content_type="application/json")
    assert (answer.status_code, code(answer)) == (403, "token_falls_short")


def test_one_that_was_mistyped_is_known_by_itself() -> None:
    right = token_text("a" * 40)
    assert not is_mistyped(right)
    assert is_mistyped(right[:-1] + ("0" if right[-1] != "0" else "1"))
    assert is_mistyped(right[:-1])
    assert not is_mistyped("of-before")
    answer = program(right[:-1]).post("/api/v1/tournaments/", {}, content_type="application/json")
    assert (answer.status_code, code(answer)) == (401, "token_mistyped")


def test_one_of_before_goes_on(event: Tournament, olga: User) -> None:
    """64 hexadecimal letters, as they were until now."""
    made, _ = ApiToken.objects.create(user=olga)
    ApiToken.objects.filter(pk=made.pk).update(digest=hash_token("0f" * 32))
    assert program("0f" * 32, "Token").get(f"/api/v1/tournaments/{event.slug}/log/").status_code == 200
