"""The second factor: turning it on and off, signing in with codes, limits on attempts."""

import re
from io import StringIO
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django_otp.oath import TOTP
from django_otp.plugins.otp_static.models import StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from tests.support.factories import PASSWORD, make_card, make_member, make_tournament, make_user
from tournament.accounts.services import begin_second_factor, confirm_second_factor, renew_recovery_codes
from tournament.base.models.tournament import Role

NOW = 1_800_000_000.0


class Phone:
    """An authenticator app with a clock that the test sets."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.now = NOW
        patch.setattr("django_otp.plugins.otp_totp.models.time.time", lambda: self.now)
        patch.setattr("tournament.accounts.sign_in.time.time", lambda: self.now)

    def code(self, user: User) -> str:
        """Return the current code."""
        device = TOTPDevice.objects.get(user=user)
        totp = TOTP(device.bin_key)
        totp.time = self.now
        return f"{totp.token():06}"

    def next_code(self, user: User) -> str:
        self.now += 30
        return self.code(user)


@pytest.fixture
def phone(monkeypatch: pytest.MonkeyPatch) -> Phone:
    return Phone(monkeypatch)


@pytest.fixture
def olga(phone: Phone) -> User:
    """An organiser with a second factor."""
    user = make_member(make_tournament(players=4), Role.ORGANISER, "olga")
    begin_second_factor(user)
    confirm_second_factor(user, phone.code(user))
    return user


def sign_in(device: Client, to: str = "") -> Any:
    return device.post(f"/login/{to}", {"username": "olga", "password": PASSWORD})


def enter_code(device: Client, code: str) -> Any:
    return device.post("/login/code/", {"code": code})


def is_in(device: Client) -> bool:
    return device.get("/account/").status_code == 200


def test_it_is_turned_on_with_the_password_and_a_code(client: Client, phone: Phone) -> None:
    user = make_user()
    client.force_login(user)
    client.post("/account/second-factor/begin/")
    page = client.get("/account/second-factor/")
    secret = re.search(r'class="secret">([A-Z2-7 ]+)<', page.text)
    assert secret
    assert len(secret[1].replace(" ", "")) == 32
    assert "<svg" in page.text
    assert 'style="' not in page.text
    page = client.post("/account/second-factor/", {"password": PASSWORD, "code": phone.code(user)})
    assert len(re.findall(r"<li>\d{5} \d{5}</li>", page.text)) == 10
    assert TOTPDevice.objects.get().confirmed


@pytest.mark.thorough
def test_it_is_not_turned_on_with_a_wrong_password_or_code(client: Client, phone: Phone) -> None:
    user = make_user()
    client.force_login(user)
    client.post("/account/second-factor/begin/")
    data = {"password": PASSWORD, "code": phone.code(user)}
    page = client.post("/account/second-factor/", data | {"password": "x"})
    assert "This is not your password." in page.text
    page = client.post("/account/second-factor/", data | {"code": "1"})
    assert "not the code that the app shows now" in page.text
    assert not TOTPDevice.objects.get().confirmed
    client.post("/logout/")
    assert sign_in(client)["Location"] == "/", "an unconfirmed second factor is not asked for"


def test_signing_in_asks_for_the_code_on_a_second_page(client: Client, phone: Phone, olga: User) -> None:
    assert sign_in(client, "?next=/fouls/")["Location"] == "/login/code/"
    assert "password" not in " ".join(client.get("/login/code/").context["form"].fields)
    assert enter_code(client, phone.next_code(olga))["Location"] == "/fouls/"
    assert is_in(client)
    client.post("/logout/")
    sign_in(client)
    at_home = enter_code(client, phone.next_code(olga))["Location"]
    assert at_home == reverse("organiser_home")


def test_no_page_opens_before_the_code_and_a_pass_has_no_account(client: Client, olga: User) -> None:
    sign_in(client)
    for page in ("/account/", "/organiser/", "/umpire/", "/password/"):
        assert client.get(page)["Location"].startswith("/login/")
    assert client.post("/api/v1/tournaments/", {}, content_type="application/json").status_code in (401, 403)
    card = make_card(make_tournament(running=0), 1)
    card.set_unusable_password()
    card.save()
    client.force_login(card)
    assert client.get("/account/").status_code == 403
    assert client.post("/account/second-factor/begin/").status_code == 403


def test_the_step_between_password_and_code_ends(client: Client, phone: Phone, olga: User) -> None:
    """After ten minutes, and with a new password."""
    assert enter_code(client, phone.next_code(olga))["Location"] == "/login/"
    sign_in(client)
    phone.now += 601
    assert enter_code(client, phone.code(olga))["Location"] == "/login/"
    sign_in(client)
    olga.set_password("another-one-4711")
    olga.save()
    assert enter_code(client, phone.next_code(olga))["Location"] == "/login/"
    assert not is_in(client)


def test_a_code_signs_in_once(client: Client, phone: Phone, olga: User) -> None:
    """The session gets a new key at each step."""
    code, other = phone.next_code(olga), Client()
    sign_in(client)
    first = client.session.session_key
    enter_code(client, code)
    assert client.session.session_key != first
    sign_in(other)
    assert "wrong or has already been used" in enter_code(other, code).text
    invalid = ("", "abc", "٣٤٥٦٧٨", "1" * 24, "\0")
    assert [code for code in invalid if enter_code(other, code).status_code != 200] == []
    assert not is_in(other)


def test_a_recovery_code_signs_in_once_and_is_not_in_the_database(client: Client, olga: User) -> None:
    code = renew_recovery_codes(olga)[3]
    assert not StaticToken.objects.filter(token__contains=code.replace(" ", "")).exists()
    sign_in(client)
    assert enter_code(client, code).status_code == 302
    assert StaticToken.objects.count() == 9
    other = Client()
    sign_in(other)
    assert enter_code(other, code).status_code == 200


def test_wrong_codes_are_limited_and_do_not_affect_a_known_device(phone: Phone, olga: User) -> None:
    mine, stranger = Client(), Client()
    sign_in(mine)
    enter_code(mine, phone.next_code(olga))
    mine.post("/logout/")
    sign_in(stranger)
    assert [enter_code(stranger, "000000").status_code for _again in range(7)] == [200] * 6 + [429]
    phone.now += 60
    response = enter_code(stranger, phone.next_code(olga))
    assert (response.status_code, response["Retry-After"]) == (429, "900")
    sign_in(mine)
    assert enter_code(mine, phone.next_code(olga)).status_code == 302


def test_wrong_codes_from_other_addresses_do_not_lock_out_the_account(phone: Phone, olga: User) -> None:
    """Neither signed in nor on a new device; each of many addresses may then try twice."""
    signed_in, new = Client(), Client()
    signed_in.force_login(olga)

    def guess(address: str) -> list[int]:
        stranger = Client(REMOTE_ADDR=address)
        sign_in(stranger)
        return [enter_code(stranger, "000000").status_code for _again in range(7)]

    assert guess("198.51.100.1") == [200] * 6 + [429]
    sign_in(new)
    assert enter_code(new, phone.next_code(olga)).status_code == 302
    assert [guess(f"198.51.100.{last}")[-1] for last in (2, 3)] == [429] * 2
    assert guess("198.51.100.4") == [200] * 2 + [429] * 5
    assert guess("2001:db8:7:1::1") == [200] * 2 + [429] * 5
    assert guess("2001:db8:7:2::1") == [429] * 7, "the same site"
    other = Client()
    sign_in(other)
    assert enter_code(other, phone.next_code(olga)).status_code == 302
    off = {"password": PASSWORD, "code": phone.next_code(olga)}
    assert signed_in.post("/account/second-factor/disable/", off).status_code == 302


def test_it_is_turned_off_with_password_and_code(client: Client, phone: Phone, olga: User) -> None:
    client.force_login(olga)
    off = "/account/second-factor/disable/"
    assert client.post(off, {"password": "x", "code": phone.next_code(olga)}).status_code == 200
    assert client.post(off, {"password": PASSWORD, "code": "000000"}).status_code == 200
    assert TOTPDevice.objects.exists()
    assert client.post(off, {"password": PASSWORD, "code": phone.next_code(olga)}).status_code == 302
    assert not TOTPDevice.objects.exists()
    assert not StaticToken.objects.exists()


def test_a_management_command_turns_it_off(olga: User) -> None:
    output = StringIO()
    call_command("second_factor", "off", "olga", stdout=output)
    assert "signs in with the password alone" in output.getvalue()
    assert not TOTPDevice.objects.exists()
    for name in ("olga", "nobody"):
        with pytest.raises(CommandError):
            call_command("second_factor", "off", name)


def test_a_program_sends_the_code_as_otp(client: Client, phone: Phone, olga: User) -> None:
    """With a wrong password the response does not reveal that there is a second factor."""

    def post(**changes: str) -> tuple[int, list[str]]:
        body = {"username": "olga", "password": PASSWORD} | changes
        response = client.post("/api/v1/token/", body, content_type="application/json")
        return response.status_code, [problem["code"] for problem in response.json().get("problems", [])]

    assert post() == (400, ["otp_missing"])
    assert post(otp="000000") == (400, ["otp_wrong"])
    assert post(password="wrong", otp="000000") == (400, ["sign_in_wrong"])
    assert post(otp=phone.next_code(olga)) == (201, [])


def test_an_organiser_sees_which_umpires_have_it(client: Client, phone: Phone) -> None:
    event = make_tournament(players=4)
    uma = make_member(event, Role.UMPIRE, "uma")
    make_member(event, Role.UMPIRE, "ueli")
    begin_second_factor(uma)
    confirm_second_factor(uma, phone.code(uma))
    client.force_login(make_member(event, Role.ORGANISER, "otto"))
    members = client.get(reverse("organiser_staff", args=[event.slug])).context["members"]
    second_factors = {member.user.username: member.has_second_factor for member, *_ in members}
    assert second_factors == {"otto": False, "ueli": False, "uma": True}
