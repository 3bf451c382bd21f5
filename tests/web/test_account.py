"""One's own account: where it is signed in, and how that ends."""

from __future__ import annotations

import re
import time
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tests.support.factories import PASSWORD, make_user
from tournament.models import ApiToken, Visit
from tournament.services.signed_in import forget_what_is_over, make_token
from tournament.visits import EVERY

pytestmark = pytest.mark.django_db
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0"
IPHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
    "Version/26.0 Mobile/15E148 Safari/604.1"
)
EDGE = (
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 "
    "Safari/537.36 Edg/142.0.0.0"
)


@pytest.fixture
def olga() -> User:
    return make_user("olga")


def browser(agent: str = FIREFOX, at: str = "203.0.113.7") -> Client:
    """One in which olga has signed in."""
    device = Client(HTTP_USER_AGENT=agent, REMOTE_ADDR=at)
    assert device.post("/login/", {"username": "olga", "password": PASSWORD}).status_code == 302
    return device


def is_in(device: Client) -> bool:
    return device.get("/account/").status_code == 200


def said(device: Client) -> str:
    text = re.sub(r"<[^>]+>", " ", device.get("/account/").text)
    return re.sub(r"\s+", " ", text)


@pytest.mark.usefixtures("olga")
def test_the_page_lists_browsers_in_words() -> None:
    browser(IPHONE, "198.51.100.4")
    browser(EDGE)
    page = said(browser())
    assert "Firefox on Linux This device · 203.0.113.7" in page
    assert "Safari on iPhone Last seen" in page
    assert "198.51.100.4" in page
    assert "Edge on Windows" in page


@pytest.mark.parametrize("agent", ["", "curl/8", "\x00", "x" * 4000])
def test_no_browser_is_too_strange(olga: User, agent: str) -> None:
    assert "Unknown browser" in said(browser(agent))


@pytest.mark.usefixtures("olga")
def test_one_browser_is_ended_and_the_others_stay() -> None:
    here, lost, other = browser(), browser(IPHONE), browser(EDGE)
    name = next(v.name for v in here.get("/account/").context["visits"] if v.system == "iPhone")
    assert here.post("/account/devices/end/", {"name": name}).status_code == 302
    assert [is_in(device) for device in (here, lost, other)] == [True, False, True]


@pytest.mark.usefixtures("olga")
def test_everywhere_else_is_ended_at_once() -> None:
    here, *others = browser(), browser(IPHONE), browser(EDGE)
    here.post("/account/devices/end-others/")
    assert is_in(here)
    assert not any(map(is_in, others))


def test_nobody_ends_what_is_another_s(olga: User) -> None:
    make_user("otto")
    hers = browser()
    name = hers.get("/account/").context["visits"][0].name
    token, _told = make_token(olga)
    his = Client()
    his.post("/login/", {"username": "otto", "password": PASSWORD})
    his.post("/account/devices/end/", {"name": name})
    his.post("/account/devices/end-others/")
    his.post("/account/tokens/end/", {"name": token.digest[:16]})
    assert is_in(hers)
    assert ApiToken.objects.exists()


@pytest.mark.usefixtures("olga")
def test_the_key_of_a_session_is_on_no_page() -> None:
    here, other = browser(), browser(IPHONE)
    page = here.get("/account/").text
    assert str(here.session.session_key) not in page
    assert str(other.session.session_key) not in page


@pytest.mark.usefixtures("olga")
def test_a_new_password_ends_the_others() -> None:
    here, other = browser(), browser(IPHONE)
    new = "four-red-dragons"
    answer = here.post("/password/", {"old_password": PASSWORD, "new_password1": new, "new_password2": new})
    assert answer["Location"] == "/account/"
    assert is_in(here)
    assert not is_in(other)
    assert len(here.get("/account/").context["visits"]) == 1


def test_a_password_changed_on_the_server_ends_all_and_none_is_listed(olga: User) -> None:
    browser()
    olga.set_password(PASSWORD)
    olga.save()
    assert len(browser().get("/account/").context["visits"]) == 1


@pytest.mark.usefixtures("olga")
def test_the_old_password_is_not_to_be_guessed_there() -> None:
    here = browser()
    new = {"new_password1": "four-red-dragons", "new_password2": "four-red-dragons"}
    answers = [here.post("/password/", {"old_password": "wrong"} | new).status_code for _again in range(11)]
    assert answers == [200] * 10 + [429]
    assert here.post("/password/", {"old_password": PASSWORD} | new).status_code == 429


@pytest.mark.usefixtures("olga")
def test_when_a_browser_was_seen_is_written_every_few_minutes_and_by_reading_alone() -> None:
    here = browser()
    assert "UPDATE" not in written(here, "get")
    with pytest.MonkeyPatch.context() as patch:
        later = time.time() + EVERY + 1
        patch.setattr("tournament.visits.time.time", lambda: later)
        assert "UPDATE" not in written(here, "post")
        assert "UPDATE" in written(here, "get")
        assert "UPDATE" not in written(here, "get")


def written(device: Client, method: str) -> str:
    """The queries of a request."""
    with CaptureQueriesContext(connection) as queries:
        getattr(device, method)("/account/")
    return " ".join(query["sql"] for query in queries)


def test_a_visitor_s_reading_writes_nothing() -> None:
    assert "session" not in written(Client(), "get").lower()


# --- tokens ---------------------------------------------------------------------------------------------------------
def ask(token: str) -> Any:
    """A program that writes."""
    return Client().post(
        "/api/v1/tournaments/",
        "{}",
        content_type="application/json",
        headers={"Authorization": f"Token {token}"},
    )


def test_a_token_lasts_ninety_days_and_then_says_so() -> None:
    token, told = make_token(make_user("olga", staff=True))
    assert token.expiry is not None
    assert round((token.expiry - timezone.now()) / timedelta(days=1), 2) == 90
    assert ask(told).status_code == 400, "what it sends is wrong, but it is let in"
    ApiToken.objects.update(expiry=timezone.now() - timedelta(seconds=1))
    answer = ask(told)
    assert answer.status_code == 401
    assert answer.json()["problems"][0]["code"] == "token_expired"
    assert answer.json()["detail"] == "This token has expired. Sign in for a new one."


@pytest.mark.parametrize("token", ["x", "0" * 64, "\xff\xfe"])
def test_a_token_that_is_none_is_turned_down(token: str) -> None:
    answer = ask(token)
    assert answer.status_code == 401
    assert answer["WWW-Authenticate"] == 'Bearer realm="Hule"'
    assert answer.json()["problems"][0]["code"] == "token_unknown"


def test_the_token_is_stored_nowhere(olga: User) -> None:
    token, told = make_token(olga)
    assert told not in str(ApiToken.objects.values().get())
    assert token.digest != told


def test_the_page_lists_tokens_and_ends_them(olga: User) -> None:
    _token, told = make_token(olga)
    here = browser()
    assert "Never used" in said(here)
    ask(told)
    assert "Last used" in said(here)
    assert "Expires" in said(here)
    here.post("/account/tokens/end/", {"name": here.get("/account/").context["tokens"][0].digest[:16]})
    assert ask(told).status_code == 401


def test_an_account_has_twenty_tokens_at_most(olga: User) -> None:
    told = [make_token(olga)[1] for _again in range(21)]
    assert ApiToken.objects.count() == 20
    assert (ask(told[0]).status_code, ask(told[1]).status_code) == (401, 403)


def test_use_is_noted_every_few_minutes(olga: User) -> None:
    _token, told = make_token(olga)
    ask(told)
    first = ApiToken.objects.get().used_at
    ask(told)
    assert first is not None
    assert ApiToken.objects.get().used_at == first


def test_what_is_over_is_forgotten(olga: User) -> None:
    make_token(olga)
    browser()
    forget_what_is_over(timezone.now())
    assert (Visit.objects.count(), ApiToken.objects.count()) == (1, 1)
    forget_what_is_over(timezone.now() + timedelta(days=91))
    assert (Visit.objects.count(), ApiToken.objects.count()) == (0, 0)
