"""How often a password may be tried: by address, by name, and on a device that is known."""

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
from tournament.staff.passes import Reach
from tournament.staff.services import make_passes
from tournament.staff.views import CARDS

AGAIN_AND_AGAIN = "Too many attempts for this name. Wait 5 seconds and try again."
HALL = "203.0.113.7"


@pytest.fixture(autouse=True)
def door(settings: Any) -> None:
    settings.AXES_ENABLED = True
    # It keeps the cache that it found first, which another test may have replaced.
    AxesProxyHandler.get_implementation(force=True)
    make_user("olga")


def try_it(name: str = "olga", password: str = "wrong", at: str = HALL, device: Client | None = None) -> Any:
    """An attempt on the page."""
    return (device or Client()).post("/login/", {"username": name, "password": password}, REMOTE_ADDR=at)


def ask_token(name: str = "olga", password: str = "wrong", at: str = HALL) -> Any:
    """A program's attempt."""
    body = {"username": name, "password": password}
    return Client().post("/api/v1/token/", body, content_type="application/json", REMOTE_ADDR=at)


def elsewhere() -> Iterator[str]:
    """An address that was never seen, each time."""
    yield from (f"198.51.100.{last}" for last in range(1, 250))


def attack(name: str, times: int, ask: Any = try_it) -> list[int]:
    return [ask(name, at=address).status_code for address, _ in zip(elsewhere(), range(times), strict=False)]


def after_five_seconds() -> None:
    caches["limits"].delete(f"sign-in-pace:{sign_in.place_of_name('olga')}")


@pytest.mark.thorough
def test_a_name_tried_from_everywhere_is_slowed_and_not_locked() -> None:
    """Whether the password is right is not told, and another name is not slowed."""
    make_user("otto")
    assert [try_it(password=PASSWORD).status_code for _again in range(25)] == [302] * 25, "no failure"
    assert attack("olga", 10) == [200] * 10
    assert try_it(password=PASSWORD).status_code == 302, "the eleventh is looked at"
    attack("olga", 3)
    response = try_it(password=PASSWORD)
    assert (response.status_code, response["Retry-After"]) == (429, "5")
    assert AGAIN_AND_AGAIN in response.text
    assert try_it(password="wrong").status_code == 429
    assert try_it("otto", PASSWORD).status_code == 302
    after_five_seconds()
    assert try_it(password=PASSWORD).status_code == 302


def test_while_redis_is_away_people_sign_in_and_who_guesses_is_slowed(settings: Any) -> None:
    away = {"BACKEND": "config.redis_caches.LimitsCache", "LOCATION": f"redis://127.0.0.1:{free_port()}/0"}
    settings.CACHES = {**settings.CACHES, "limits": away}
    AxesProxyHandler.get_implementation(force=True)
    assert (try_it(password=PASSWORD).status_code, attack("olga", 12)[-1]) == (302, 429)


def test_a_program_is_slowed_as_well_and_told_for_how_long() -> None:
    attack("olga", 12, ask_token)
    response = ask_token(password=PASSWORD)
    assert (response.status_code, response["Retry-After"]) == (429, "5")
    assert response["Content-Type"] == "application/problem+json"
    assert response.json()["problems"][0]["message"] == AGAIN_AND_AGAIN


def known_device(name: str = "olga") -> Client:
    device = Client()
    assert try_it(name, PASSWORD, device=device).status_code == 302
    device.post("/logout/")
    return device


def test_a_device_that_has_signed_in_before_is_not_slowed_by_others_nor_locked_out_with_its_hall(
    settings: Any,
) -> None:
    settings.AXES_FAILURE_LIMIT = 4
    make_user("otto")
    hers, his, mistyping = known_device(), known_device("otto"), known_device()
    for _again in range(5):
        try_it(device=mistyping)
    assert try_it("otto", PASSWORD).status_code == 302, "what a known device mistypes closes no hall"
    attack("olga", 12)
    assert try_it(password=PASSWORD).status_code == 429
    assert try_it(password=PASSWORD, device=hers).status_code == 302
    assert 429 in [try_it(f"stranger {number}").status_code for number in range(5)]
    assert try_it("otto", PASSWORD).status_code == 429
    assert try_it("otto", PASSWORD, device=his).status_code == 302


@pytest.mark.thorough
def test_a_known_device_has_a_limit_of_its_own_wherever_it_goes() -> None:
    device, at = known_device(), "192.0.2.9"
    places = zip(elsewhere(), range(21), strict=False)
    assert [try_it(at=place, device=device).status_code for place, _ in places] == [200] * 20 + [429]
    assert try_it(password=PASSWORD, at=at, device=device).status_code == 429
    assert try_it(password=PASSWORD, at=at).status_code == 302, "the name itself is not locked"


def test_a_device_is_known_by_the_names_that_signed_in_there_and_by_our_cookie_alone() -> None:
    make_user("otto")
    his, forged = known_device("otto"), known_device()
    forged.cookies[sign_in.COOKIE] = forged.cookies[sign_in.COOKIE].value[:-3] + "xyz"
    attack("olga", 12)
    assert try_it(password=PASSWORD, device=his).status_code == 429
    assert try_it(password=PASSWORD, device=forged).status_code == 429


def test_the_cookie_of_a_known_device(settings: Any) -> None:
    settings.SESSION_COOKIE_SECURE = True
    cookie = try_it(password=PASSWORD).cookies[sign_in.COOKIE]
    wanted = {
        "httponly": True,
        "secure": True,
        "samesite": "Lax",
        "path": "/login/",
        "max-age": sign_in.A_YEAR,
    }
    assert {key: cookie[key] for key in wanted} == wanted
    assert "olga" not in cookie.value


def test_whoever_has_an_account_does_not_guess_at_others_without_end(settings: Any) -> None:
    settings.AXES_FAILURE_LIMIT = 4
    for number in range(3):
        try_it(f"stranger {number}")
    assert try_it(password=PASSWORD).status_code == 302
    assert try_it("stranger 3").status_code == 429


def test_a_closed_address_is_said_to_a_program(settings: Any) -> None:
    settings.AXES_FAILURE_LIMIT = 4
    answers = [ask_token(f"stranger {number}") for number in range(5)]
    assert [response.status_code for response in answers] == [400] * 3 + [429] * 2
    assert (answers[-1]["Content-Type"], answers[-1]["Retry-After"]) == ("application/problem+json", "900")
    assert answers[-1].json()["problems"][0]["code"] == "sign_in_closed"
    names = ("x" * 300, "a\0b", "\ud800", "名 前")
    statuses = [ask_token(name, at="192.0.2.9").status_code for name in names]
    assert set(statuses) <= {400, 429}, "no name is too strange to be counted"


@pytest.mark.thorough
def test_sixty_names_from_one_address_are_stopped() -> None:
    answers = [try_it(f"stranger {number}") for number in range(60)]
    assert [response.status_code for response in answers] == [200] * 39 + [429] * 21
    assert answers[-1]["Retry-After"] == "900"
    assert missing(answers[-1].text, "from this address or device", "15 minutes") == []


def test_an_unknown_name_takes_as_long_as_a_known_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hashing is what takes time: so many times for each."""
    hashed: list[str] = []
    encode = MD5PasswordHasher.encode

    def counted(self: Any, password: str, salt: str) -> str:
        hashed.append(password)
        return encode(self, password, salt)

    make_user("pass holder").set_unusable_password()
    monkeypatch.setattr(MD5PasswordHasher, "encode", counted)
    times = {}
    for name in ("olga", "nobody", "pass holder"):
        hashed.clear()
        try_it(name)
        times[name] = len(hashed)
    assert set(times.values()) == {1}, times


def test_a_closed_address_does_not_use_up_the_name_s_turn(settings: Any) -> None:
    settings.AXES_FAILURE_LIMIT = 4
    attack("olga", 12)
    for number in range(4):
        try_it(f"stranger {number}")
    after_five_seconds()
    try_it()
    assert try_it(password=PASSWORD, at="192.0.2.9").status_code == 302


def test_guesses_of_a_pass_are_slowed_by_address(monkeypatch: pytest.MonkeyPatch) -> None:
    assert CARDS.burst.most == 100
    few = GuessLimit.named("passes", burst=3, seconds=1)
    monkeypatch.setattr("tournament.staff.views.CARDS", few)
    event = make_tournament(running=0)
    reach, tomorrow = Reach("Table 1", table_number=1), timezone.now() + timedelta(days=1)
    (made,) = make_passes(event, SYSTEM, [reach], tomorrow)
    card = reverse("pass", args=[made.token])
    guess = [Client().get(f"/pass/{number:024}/").status_code for number in range(5)]
    assert guess == [410] * 4 + [429]
    turned_away = Client().get(card)
    assert (turned_away.status_code, turned_away["Retry-After"]) == (429, "1")
    assert Client().get(card, REMOTE_ADDR=HALL).status_code == 302
    caches["limits"].delete("passes-pace:127.0.0.1")
    assert Client().get(card).status_code == 302


@pytest.mark.thorough
@pytest.mark.usefixtures("transactional_db")
def test_guesses_of_the_setup_code_are_slowed_by_address() -> None:
    User.objects.all().delete()
    fields = {"username": "eve", "password1": "four red dragons", "password2": "four red dragons"}

    def guess(code: str, at: str = HALL) -> Any:
        return Client().post(reverse("setup"), fields | {"code": code}, REMOTE_ADDR=at)

    assert [guess(f"AAAA-AA{number:02}").status_code for number in range(12)] == [422] * 11 + [429]
    assert guess(setup_code()).status_code == 429
    assert not User.objects.exists()
    assert guess(setup_code(), at="192.0.2.9").status_code == 302


@pytest.mark.usefixtures("transactional_db")
def test_who_has_the_setup_code_may_mistype_the_rest() -> None:
    User.objects.all().delete()
    fields = {"username": "eve", "password1": "x", "password2": "y", "code": setup_code()}
    assert {Client().post(reverse("setup"), fields).status_code for _again in range(15)} == {422}
