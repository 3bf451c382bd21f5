"""Tokens that somebody makes for a program, on the page of their account."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from knox.crypto import hash_token

from tests.support.factories import PASSWORD, make_card, make_member, make_tournament, make_user
from tests.support.pages import signed_in
from tournament.accounts.services import make_token
from tournament.base.access import Actor
from tournament.base.engine.text import PATTERN, is_mistyped, token_text
from tournament.base.models.people import ApiToken
from tournament.base.models.tournament import Role, Tournament
from tournament.staff.passes import Offer
from tournament.staff.services import invite


@pytest.fixture
def event() -> Tournament:
    return make_tournament(players=8, sessions=1, name="Cup")


@pytest.fixture
def olga(event: Tournament) -> User:
    return make_member(event, Role.OWNER, "olga")


def make(user: User, event: Tournament, **other: Any) -> Any:
    fields = {"name": "Scoreboard", "scope": "observer", "where": "here", "tournaments": [event.pk]}
    fields |= {"ends": "until", "expires_on": "", "password": PASSWORD}
    return signed_in(user).post("/account/tokens/new/", fields | other)


def token_on(page: Any) -> str:
    match = re.search(PATTERN, page.text)
    assert match, "no token on the page"
    return match[0]


def log_status(token: str, event: Tournament, scheme: str = "Bearer") -> int:
    return program(token, scheme).get(f"/api/v1/tournaments/{event.slug}/log/").status_code


def program(token: str, scheme: str = "Bearer") -> Client:
    return Client(headers={"Authorization": f"{scheme} {token}"})


def code(response: Any) -> str:
    return str(response.json()["problems"][0]["code"])


def test_it_is_shown_once_and_opens_what_its_role_does(event: Tournament, olga: User) -> None:
    token = token_on(make(olga, event))
    for scheme in ("Bearer", "bearer", "Token"):
        assert log_status(token, event, scheme) == 200, scheme
        refused = program(token, scheme).delete(f"/api/v1/tournaments/{event.slug}/players/1/")
        assert (refused.status_code, code(refused)) == (403, "token_falls_short"), scheme
        assert 'error="insufficient_scope"' in refused["WWW-Authenticate"], scheme


def test_what_the_account_may_not_do_is_not_said_to_be_the_token_s_doing(event: Tournament) -> None:
    scorer = make_member(event, Role.SCORER, "sam")
    token = token_on(make(scorer, event, scope="scorer"))
    refused = program(token).delete(f"/api/v1/tournaments/{event.slug}/players/1/")
    assert (refused.status_code, code(refused)) == (403, "forbidden")


def test_making_and_ending_are_in_the_log(event: Tournament, olga: User) -> None:
    token = token_on(make(olga, event))
    signed_in(olga).post("/account/tokens/end/", {"name": ApiToken.objects.get().digest[:16]})
    entries = list(event.log.filter(action__startswith="token_").values_list("action", "data__scope"))
    assert entries == [("token_made", "observer"), ("token_ended", "observer")]
    assert "Scoreboard" not in str(list(event.log.values_list("data")))
    refused = program(token).get(f"/api/v1/tournaments/{event.slug}/log/")
    assert (refused.status_code, code(refused)) == (401, "token_unknown")


def test_when_it_ends(event: Tournament, olga: User) -> None:
    """A week after the event; after ninety days where it is for all of them; never where that is said."""

    def end(**fields: str) -> Any:
        ApiToken.objects.all().delete()
        make(olga, event, **fields)
        return ApiToken.objects.get().expiry

    last_day = max(event.ends_on, timezone.localdate())
    assert timezone.localtime(end()).date() == last_day + timedelta(days=8)
    assert round((end(where="everywhere") - timezone.now()) / timedelta(days=1), 2) == 90
    assert end(ends="never") is None
    assert "Never expires" in signed_in(olga).get("/account/").text
    assert log_status(token_on(make(olga, event, ends="never")), event) == 200


def test_what_is_wrong_is_said_and_none_is_made(event: Tournament, olga: User) -> None:
    cases: list[tuple[str, Any, str]] = [
        ("password", "wrong", "This is not your password."),
        ("name", " ", "Fill this in."),
        ("expires_on", "2020-01-01", "This day is over already."),
        ("tournaments", [], "Choose tournaments that you work at."),
        ("scope", "owner", "is not one of"),
    ]
    for field, value, sentence in cases:
        errors = make(olga, event, **{field: value}).context["form"].errors
        assert sentence in str(errors[field]), field
    make(make_user("nina"), event)
    assert not ApiToken.objects.exists(), "nina does not work there"
    form = signed_in(make_member(event, Role.UMPIRE, "uma")).get("/account/tokens/new/").context["form"]
    assert [value for value, _ in form.fields["scope"].choices] == ["umpire", "scorer", "observer", "all"]
    card = make_card(event, 1)
    card.set_unusable_password()
    card.save()
    assert make(card, event).status_code == 403


def test_a_role_that_ends_takes_the_token_with_it(event: Tournament, olga: User) -> None:
    token = token_on(make(olga, event))
    event.memberships.filter(user=olga).delete()
    assert log_status(token, event) == 403


def test_programs_that_sign_in_end_none_that_has_a_name(event: Tournament, olga: User) -> None:
    token = token_on(make(olga, event))
    for _again in range(21):
        make_token(olga)
    assert (ApiToken.objects.count(), log_status(token, event)) == (21, 200)


def test_a_token_for_less_joins_and_makes_nothing(event: Tournament, olga: User) -> None:
    User.objects.filter(pk=olga.pk).update(is_staff=True)
    token = token_on(make(olga, event))
    new = invite(event, Actor.of(olga), Offer(Role.UMPIRE, timezone.now() + timedelta(days=1)))
    bodies: dict[str, dict[str, str]] = {"invitations": {"token": new.token}, "tournaments": {}}
    for name, body in bodies.items():
        refused = program(token).post(f"/api/v1/{name}/", body, content_type="application/json")
        assert (refused.status_code, code(refused)) == (403, "token_falls_short"), name


def test_one_that_was_mistyped_is_known_by_itself() -> None:
    right = token_text("a" * 40)
    assert not is_mistyped(right)
    assert is_mistyped(right[:-1] + ("0" if right[-1] != "0" else "1"))
    assert is_mistyped(right[:-1])
    assert not is_mistyped("of-before")
    response = program(right[:-1]).post("/api/v1/tournaments/", {}, content_type="application/json")
    assert (response.status_code, code(response)) == (401, "token_mistyped")


def test_one_of_before_goes_on(event: Tournament, olga: User) -> None:
    """64 hexadecimal letters, as they were until now."""
    token, _ = ApiToken.objects.create(user=olga)
    ApiToken.objects.filter(pk=token.pk).update(digest=hash_token("0f" * 32))
    assert log_status("0f" * 32, event, "Token") == 200
