"""Limits on attempts to sign in: by address, by username, and on a known device; of passes and of the setup code."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from axes.handlers.proxy import AxesProxyHandler
from django.contrib.auth.hashers import MD5PasswordHasher
from django.contrib.auth.models import User
from django.core.cache import caches
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.support.factories import PASSWORD, SYSTEM, make_tournament, make_user
from tests.support.pages import missing
from tests.support.processes import free_port
from tournament.accounts import sign_in
from tournament.accounts.setup_code import code as setup_code
from tournament.base.limits import GuessLimit
from tournament.staff.passes import PassScope
from tournament.staff.services import make_passes
from tournament.staff.views import CARDS

AGAIN_AND_AGAIN = "Too many attempts for this name. Wait 5 seconds and try again."
HALL = "203.0.113.7"


@pytest.fixture(autouse=True)
def axes(settings: Any) -> None:
    settings.AXES_ENABLED = True
    # The handler holds on to its first cache, which another test may have replaced.
    AxesProxyHandler.get_implementation(force=True)
    make_user("olga")


def sign_in_at(
    name: str = "olga", password: str = "wrong", at: str = HALL, device: Client | None = None
) -> Any:
    """Return the response to an attempt on the page."""
    return (device or Client()).post("/login/", {"username": name, "password": password}, REMOTE_ADDR=at)


def post_token(name: str = "olga", password: str = "wrong", at: str = HALL) -> Any:
    """Return the response to a program's attempt."""
    body = {"username": name, "password": password}
    return Client().post("/api/v1/token/", body, content_type="application/json", REMOTE_ADDR=at)


def addresses() -> Iterator[str]:
    yield from (f"198.51.100.{last}" for last in range(1, 250))


def attack(name: str, times: int, attempt: Any = sign_in_at) -> list[int]:
    """Try wrong passwords, each from another address; return the status codes."""
    return [
        attempt(name, at=address).status_code for address, _ in zip(addresses(), range(times), strict=False)
    ]


def end_pause() -> None:
    caches["limits"].delete(f"sign-in-pace:{sign_in.name_key('olga')}")


@pytest.mark.thorough
def test_a_name_tried_from_many_addresses_is_slowed_down_and_not_locked() -> None:
    """The response does not reveal whether the password is right; other names are not slowed down."""
    make_user("otto")
    assert [sign_in_at(password=PASSWORD).status_code for _again in range(25)] == [302] * 25, "no failure"
    assert attack("olga", 10) == [200] * 10
    assert sign_in_at(password=PASSWORD).status_code == 302, "the eleventh attempt is checked"
    attack("olga", 3)
    response = sign_in_at(password=PASSWORD)
    assert (response.status_code, response["Retry-After"]) == (429, "5")
    assert AGAIN_AND_AGAIN in response.text
    assert sign_in_at(password="wrong").status_code == 429
    assert sign_in_at("otto", PASSWORD).status_code == 302
    end_pause()
    assert sign_in_at(password=PASSWORD).status_code == 302


def test_signing_in_and_its_limits_work_while_redis_is_unreachable(settings: Any) -> None:
    cache = {"BACKEND": "config.redis_caches.LimitsCache", "LOCATION": f"redis://127.0.0.1:{free_port()}/0"}
    settings.CACHES = {**settings.CACHES, "limits": cache}
    AxesProxyHandler.get_implementation(force=True)
    assert (sign_in_at(password=PASSWORD).status_code, attack("olga", 12)[-1]) == (302, 429)


def test_a_program_is_slowed_down_with_retry_after() -> None:
    attack("olga", 12, post_token)
    response = post_token(password=PASSWORD)
    assert (response.status_code, response["Retry-After"]) == (429, "5")
    assert response["Content-Type"] == "application/problem+json"
    assert response.json()["problems"][0]["message"] == AGAIN_AND_AGAIN


def known_device(name: str = "olga") -> Client:
    device = Client()
    assert sign_in_at(name, PASSWORD, device=device).status_code == 302
    device.post("/logout/")
    return device


def test_a_known_device_is_neither_slowed_down_nor_locked_with_its_address(
    settings: Any,
) -> None:
    settings.AXES_FAILURE_LIMIT = 4
    make_user("otto")
    hers, his, mistyping = known_device(), known_device("otto"), known_device()
    for _again in range(5):
        sign_in_at(device=mistyping)
    assert sign_in_at("otto", PASSWORD).status_code == 302, (
        "failures of a known device do not lock its address"
    )
    attack("olga", 12)
    assert sign_in_at(password=PASSWORD).status_code == 429
    assert sign_in_at(password=PASSWORD, device=hers).status_code == 302
    assert 429 in [sign_in_at(f"stranger {number}").status_code for number in range(5)]
    assert sign_in_at("otto", PASSWORD).status_code == 429
    assert sign_in_at("otto", PASSWORD, device=his).status_code == 302


@pytest.mark.thorough
def test_a_known_device_has_a_limit_of_its_own_at_every_address() -> None:
    device, at = known_device(), "192.0.2.9"
    attempts = zip(addresses(), range(21), strict=False)
    assert [sign_in_at(at=address, device=device).status_code for address, _ in attempts] == [200] * 20 + [
        429
    ]
    assert sign_in_at(password=PASSWORD, at=at, device=device).status_code == 429
    assert sign_in_at(password=PASSWORD, at=at).status_code == 302, "the name itself is not locked"


def test_a_device_is_known_only_for_names_in_its_signed_cookie() -> None:
    make_user("otto")
    his, forged = known_device("otto"), known_device()
    forged.cookies[sign_in.COOKIE] = forged.cookies[sign_in.COOKIE].value[:-3] + "xyz"
    attack("olga", 12)
    assert sign_in_at(password=PASSWORD, device=his).status_code == 429
    assert sign_in_at(password=PASSWORD, device=forged).status_code == 429


def test_the_cookie_of_a_known_device(settings: Any) -> None:
    settings.SESSION_COOKIE_SECURE = True
    cookie = sign_in_at(password=PASSWORD).cookies[sign_in.COOKIE]
    attributes = {
        "httponly": True,
        "secure": True,
        "samesite": "Lax",
        "path": "/login/",
        "max-age": sign_in.COOKIE_SECONDS,
    }
    assert {key: cookie[key] for key in attributes} == attributes
    assert "olga" not in cookie.value


def test_a_success_does_not_reset_the_failures_of_the_address(settings: Any) -> None:
    settings.AXES_FAILURE_LIMIT = 4
    for number in range(3):
        sign_in_at(f"stranger {number}")
    assert sign_in_at(password=PASSWORD).status_code == 302
    assert sign_in_at("stranger 3").status_code == 429


def test_a_program_at_a_locked_address_gets_a_problem(settings: Any) -> None:
    settings.AXES_FAILURE_LIMIT = 4
    answers = [post_token(f"stranger {number}") for number in range(5)]
    assert [response.status_code for response in answers] == [400] * 3 + [429] * 2
    assert (answers[-1]["Content-Type"], answers[-1]["Retry-After"]) == ("application/problem+json", "900")
    assert answers[-1].json()["problems"][0]["code"] == "sign_in_closed"
    names = ("x" * 300, "a\0b", "\ud800", "名 前")
    statuses = [post_token(name, at="192.0.2.9").status_code for name in names]
    assert set(statuses) <= {400, 429}, "every name is counted"


@pytest.mark.thorough
def test_an_address_that_tries_many_names_is_locked() -> None:
    answers = [sign_in_at(f"stranger {number}") for number in range(60)]
    assert [response.status_code for response in answers] == [200] * 39 + [429] * 21
    assert answers[-1]["Retry-After"] == "900"
    assert missing(answers[-1].text, "from this address or device", "15 minutes") == []


def test_an_unknown_name_takes_as_long_as_a_known_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Measured by the number of password hashes, which take most of the time."""
    hashed: list[str] = []
    encode = MD5PasswordHasher.encode

    def count_and_encode(self: Any, password: str, salt: str) -> str:
        hashed.append(password)
        return encode(self, password, salt)

    make_user("pass holder").set_unusable_password()
    monkeypatch.setattr(MD5PasswordHasher, "encode", count_and_encode)
    counts = {}
    for name in ("olga", "nobody", "pass holder"):
        hashed.clear()
        sign_in_at(name)
        counts[name] = len(hashed)
    assert set(counts.values()) == {1}, counts


def test_an_attempt_from_a_locked_address_does_not_count_for_the_name(settings: Any) -> None:
    settings.AXES_FAILURE_LIMIT = 4
    attack("olga", 12)
    for number in range(4):
        sign_in_at(f"stranger {number}")
    end_pause()
    sign_in_at()
    assert sign_in_at(password=PASSWORD, at="192.0.2.9").status_code == 302


def test_wrong_passes_are_limited_by_address(monkeypatch: pytest.MonkeyPatch) -> None:
    assert CARDS.burst.maximum == 100
    low_limit = GuessLimit.named("passes", burst=3, seconds=1)
    monkeypatch.setattr("tournament.staff.views.CARDS", low_limit)
    event = make_tournament(running=0)
    scope, tomorrow = PassScope("Table 1", table_number=1), timezone.now() + timedelta(days=1)
    (desk_pass,) = make_passes(event, SYSTEM, [scope], tomorrow)
    card = reverse("pass", args=[desk_pass.token])
    statuses = [Client().get(f"/pass/{number:024}/").status_code for number in range(5)]
    assert statuses == [410] * 4 + [429]
    response = Client().get(card)
    assert (response.status_code, response["Retry-After"]) == (429, "1")
    assert Client().get(card, REMOTE_ADDR=HALL).status_code == 302
    caches["limits"].delete("passes-pace:127.0.0.1")
    assert Client().get(card).status_code == 302


@pytest.mark.thorough
@pytest.mark.usefixtures("transactional_db")
def test_wrong_setup_codes_are_limited_by_address() -> None:
    User.objects.all().delete()
    fields = {"username": "eve", "password1": "four red dragons", "password2": "four red dragons"}

    def guess(code: str, at: str = HALL) -> Any:
        return Client().post(reverse("setup"), fields | {"code": code}, REMOTE_ADDR=at)

    assert [guess(f"AAAA-AA{number:02}").status_code for number in range(12)] == [422] * 11 + [429]
    assert guess(setup_code()).status_code == 429
    assert not User.objects.exists()
    assert guess(setup_code(), at="192.0.2.9").status_code == 302


@pytest.mark.usefixtures("transactional_db")
def test_other_mistakes_with_the_right_setup_code_are_not_counted() -> None:
    User.objects.all().delete()
    fields = {"username": "eve", "password1": "x", "password2": "y", "code": setup_code()}
    assert {Client().post(reverse("setup"), fields).status_code for _again in range(15)} == {422}
