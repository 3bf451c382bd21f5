"""The server's log: what opens something stands in no line and in no report of a fault; each line names its request."""

from __future__ import annotations

import json
import logging
import sys
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from django.test import Client
from django.views.debug import ExceptionReporter

from config.front.request_lines import id_of
from tests.support.factories import PASSWORD, make_user
from tests.support.processes import PATIENCE, Place, end, make_place
from tournament.accounts import setup_code

EVERYTHING = """
import json, logging, re, time
from datetime import timedelta
from django.conf import settings
from django.test import Client
from django.utils import timezone
from django_otp.oath import TOTP
from django_otp.plugins.otp_totp.models import TOTPDevice
from tests.support.factories import SYSTEM, make_tournament
from tournament.accounts import setup_code
from tournament.staff.passes import Reach
from tournament.staff.services import make_passes, revoke_passes

assert logging.getLogger().level == logging.DEBUG
settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
settings.STORAGES["staticfiles"]["BACKEND"] = "django.contrib.staticfiles.storage.StaticFilesStorage"
web, secret = Client(raise_request_exception=False), {}

def post(path, **said):
    return web.post(path, said)

# the first account, with a wrong code and the right one
secret["wrong setup code"], secret["setup code"] = "WRNG-CODE", setup_code.code()
secret["password"], secret["wrong password"] = "four-red-dragons", "three-red-dragons"
two = {"password1": secret["password"], "password2": secret["password"], "username": "olga"}
post("/organiser/setup/", code=secret["wrong setup code"], **two)
assert post("/organiser/setup/", code=secret["setup code"], **two).status_code == 302

# a second factor
post("/account/second-factor/begin/")
device = TOTPDevice.objects.get()
secret["app"] = device.key

def shown(ahead=0):
    code = TOTP(device.bin_key)
    code.time = time.time() + ahead
    return f"{code.token():06}"

told = post("/account/second-factor/", password=secret["password"], code=shown())
secret["recovery"] = re.search(r"<li>(\\d{5} \\d{5})<", told.text)[1]
post("/logout/")

# signing in, on the page and as a program, wrongly and rightly
who = {"username": "olga"}
post("/login/", password=secret["wrong password"], **who)
post("/login/", password=secret["password"], **who)
secret["wrong code"] = "918273"
post("/login/code/", code=secret["wrong code"])
assert post("/login/code/", code=secret["recovery"]).status_code == 302
secret["session"] = web.session.session_key
secret["code"] = shown(30)
body = json.dumps(who | {"password": secret["password"], "otp": secret["code"]})
secret["token"] = web.post("/api/v1/token/", body, content_type="application/json").json()["token"]
web.post("/api/v1/token/", json.dumps(who | {"password": secret["wrong password"]}), content_type="application/json")
as_program = {"headers": {"Authorization": "Token " + secret["token"]}}
Client().post("/api/v1/tournaments/", "{}", content_type="application/json", **as_program)
secret["other token"] = "abcdef" * 10
Client().get("/api/v1/tournaments/", headers={"Authorization": "Token " + secret["other token"]})

# passes: a good one, one that is over, one that never was
event = make_tournament(running=0)
made = make_passes(event, SYSTEM, [Reach("T1", 1), Reach("T2", 2)], timezone.now() + timedelta(days=1))
revoke_passes(event, SYSTEM, [made[1].desk_pass])
secret["pass"], secret["pass over"], secret["no pass"] = made[0].token, made[1].token, "never-was-a-pass-of-ours"
for name in ("pass", "pass over", "no pass"):
    Client().get(f"/pass/{secret[name]}/")
logging.getLogger("django.request").warning("Not Found: /nowhere/%s", "at-all")
print("SECRETS", json.dumps(secret))
"""


@pytest.mark.thorough
def test_no_secret_is_in_the_log(place: Place) -> None:
    place.environment["LOG_LEVEL"] = "DEBUG"
    lines, _found, told = place.python(EVERYTHING).rpartition("SECRETS ")
    secrets = json.loads(told)
    assert len(secrets) == 14
    assert "/nowhere/at-all" in lines, "the log is read"
    assert "/pass/…/" in lines
    assert [
        name for name, value in secrets.items() if value in lines or value.replace(" ", "") in lines
    ] == []


FAULTS = {
    "sign in": ("/login/", "tournament.accounts.sign_in.authenticate"),
    "a program": ("/api/v1/token/", "tournament.accounts.sign_in.authenticate"),
    "the old password": ("/password/", "tournament.accounts.sign_in.counted"),
    "turning it off": ("/account/second-factor/off/", "tournament.accounts.sign_in.counted"),
    "the first account": ("/organiser/setup/", "tournament.accounts.views.make_first_organiser"),
}
SECRET = "seven-secret-pairs"


@pytest.mark.django_db
@pytest.mark.parametrize("where", FAULTS)
def test_the_report_of_a_fault_hides_what_was_typed(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    url, breaks = FAULTS[where]
    client, code = Client(raise_request_exception=False), SECRET
    if where == "the first account":
        code = setup_code.code()
    else:
        client.force_login(make_user()) if url.startswith(("/acc", "/pass")) else make_user()
    monkeypatch.setattr("tournament.accounts.views.has_second_factor", lambda _user: True)
    reports: list[str] = []

    def broken(*_args: Any, **_more: Any) -> None:
        raise RuntimeError("broken")

    class Reports(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            kind, fault, traceback = sys.exc_info()
            request = record.request  # type: ignore[attr-defined]
            reporter = ExceptionReporter(request, kind, fault, traceback, is_email=True)
            reports.extend((reporter.get_traceback_text(), reporter.get_traceback_html()))

    monkeypatch.setattr(breaks, broken)
    handler = Reports(logging.ERROR)
    logging.getLogger("django.request").addHandler(handler)
    try:
        names = ("password", "password1", "password2", "old_password", "new_password1", "new_password2")
        said = dict.fromkeys(names, SECRET) | {"code": code, "otp": SECRET, "username": "olga"}
        sent: Any = {"content_type": "application/json"} if url.startswith("/api/") else {}
        assert client.post(url, said, **sent).status_code == 500
    finally:
        logging.getLogger("django.request").removeHandler(handler)
    assert ["RuntimeError" in one for one in reports] == [True, True]
    assert [text[text.find(SECRET) - 300 :][:400] for text in reports if SECRET in text] == []
    assert PASSWORD not in "".join(reports)


# --- what a line says of the request that it belongs to ---------------------------------------------------
WEB = ("-m", "hule", "web", "--bind", "127.0.0.1:{port}")
PROXYS = "7b1f9f4c2a5d4f0e"


@pytest.mark.parametrize(
    ("peer", "given", "is_taken"),
    [
        ("127.0.0.1", PROXYS, True),
        ("203.0.113.7", PROXYS, False),
        ("127.0.0.1", "", False),
        ("127.0.0.1", "a line\\nof my own", False),
        ("127.0.0.1", "x" * 200, False),
    ],
)
def test_only_our_proxy_names_a_request(peer: str, given: str, is_taken: bool, settings: Any) -> None:
    settings.TRUSTED_PROXIES = ["127.0.0.1"]
    scope = {"client": (peer, 1), "headers": [(b"x-request-id", given.encode())]}
    assert (id_of(scope) == given) is is_taken
    assert len(id_of(scope)) >= 16


@pytest.mark.thorough
def test_every_line_of_a_request_is_one_object_with_its_id(migrated: Path, collected: Path) -> None:
    settings = {"LOG_FORMAT": "json", "LOG_LEVEL": "INFO", "TRUSTED_PROXIES": "127.0.0.1"}
    with make_place(migrated, STATIC_ROOT=str(collected), **settings) as place, place.web(*WEB) as site:
        wanted = Request(f"{site.url}/pass/secret-token/", headers={"X-Request-ID": PROXYS})
        with pytest.raises(HTTPError) as refused, urlopen(wanted, timeout=PATIENCE):
            pass
        with refused.value:
            assert refused.value.headers["X-Request-ID"] == PROXYS
        with urlopen(f"{site.url}/healthz", timeout=PATIENCE) as page:
            made = page.headers["X-Request-ID"]
        written = end(site.process)
    lines = [json.loads(line) for line in written.splitlines()]
    assert "secret-token" not in written
    mine = [line for line in lines if line.get("request") == PROXYS]
    assert {line["logger"] for line in mine} >= {"django.request", "config.front.request_lines"}
    (told,) = [line for line in mine if "ms" in line]
    assert (told["method"], told["path"], told["status"]) == ("GET", "/pass/…/", refused.value.code)
    assert [line["path"] for line in lines if line.get("request") == made] == ["/healthz"]


@pytest.mark.thorough
def test_a_plain_line_names_the_request_too(migrated: Path, collected: Path) -> None:
    with make_place(migrated, STATIC_ROOT=str(collected)) as place, place.web(*WEB) as site:
        with pytest.raises(HTTPError) as refused, urlopen(f"{site.url}/nowhere/", timeout=PATIENCE):
            pass
        with refused.value:
            made = refused.value.headers["X-Request-ID"]
        assert f"WARNING django.request: [{made}] Not Found: /nowhere/" in end(site.process)
