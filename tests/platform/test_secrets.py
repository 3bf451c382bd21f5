"""What the server says of itself: a log without secrets that names each request; alive, ready, how much it has done."""

import json
import logging
import os
import re
import sys
import time
from collections.abc import Iterator
from datetime import timedelta
from io import StringIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import Request, urlopen
from uuid import uuid4

import pytest
from asgiref.sync import async_to_sync
from django.test import Client
from django.urls.converters import StringConverter
from django.utils import timezone
from django.views.debug import ExceptionReporter
from django_otp.oath import TOTP
from django_otp.plugins.otp_totp.models import TOTPDevice
from redis import Redis

from config.front import metrics, request_lines
from config.front.probes import may_read_metrics
from config.front.request_lines import request_id_of, with_request_lines
from config.log_lines import JsonFormatter, LineFormatter, request_id
from tests.house.addresses import PATTERNS
from tests.support.factories import PASSWORD, SYSTEM, make_tournament, make_user
from tests.support.processes import PATIENCE, Place, Site, end, make_place, status
from tests.support.registrations import make_plan, register_one
from tournament.accounts import setup_code
from tournament.base.models.tournament import Role
from tournament.base.selectors import registration_token
from tournament.staff.models import Invitation
from tournament.staff.passes import PassScope
from tournament.staff.services import invite, make_passes, revoke_passes

RECORD = """
import json
from tests.support.factories import make_tournament, make_umpire
from tournament.base.models.play import Table
from tournament.accounts.services import make_token
event = make_tournament(players=8, running=1)
print(json.dumps([event.slug, make_token(make_umpire(event, "uma"))[1]]))
"""
DRAWN_GAME = {"uuid": "3f0d4be5-5d3c-4f62-9f58-fbfa2ae4f8f0", "number": 2, "outcome": "draw"}


@pytest.mark.thorough
@pytest.mark.django_db
def test_no_secret_is_in_the_log(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """At the most talkative level, as the settings have it written."""
    settings.AXES_ENABLED = True
    (console,) = [
        handler for handler in logging.getLogger().handlers if type(handler) is logging.StreamHandler
    ]
    monkeypatch.setattr(console, "stream", written := StringIO())
    monkeypatch.setattr(logging.getLogger(), "level", logging.DEBUG)
    secrets = use_every_secret()
    lines = written.getvalue()
    assert len(secrets) == 16
    assert "/nowhere/at-all" in lines, "the log is read"
    assert "/pass/…/" in lines
    assert [
        name for name, value in secrets.items() if value in lines or value.replace(" ", "") in lines
    ] == []


def use_every_secret() -> dict[str, str]:
    """Ask for pages and as a program with every kind of secret, right and wrong ones; return them by name."""
    web, secret = Client(raise_request_exception=False), {}

    # the first account, with a wrong code and the right one
    secret["wrong setup code"], secret["setup code"] = "WRNG-CODE", setup_code.code()
    secret["password"], secret["wrong password"] = "four-red-dragons", "three-red-dragons"
    account = {"password1": secret["password"], "password2": secret["password"], "username": "olga"}
    web.post("/organiser/setup/", {"code": secret["wrong setup code"], **account})
    assert web.post("/organiser/setup/", {"code": secret["setup code"], **account}).status_code == 302

    # a second factor
    web.post("/account/second-factor/begin/")
    device = TOTPDevice.objects.get()
    secret["app"] = device.key

    def shown(ahead: int = 0) -> str:
        code = TOTP(device.bin_key)
        code.time = time.time() + ahead
        return f"{code.token():06}"

    page = web.post("/account/second-factor/", {"password": secret["password"], "code": shown()})
    recovery = re.search(r"<li>(\d{5} \d{5})<", page.content.decode())
    assert recovery
    secret["recovery"] = recovery[1]
    web.post("/logout/")

    # signing in, on the page and as a program, wrongly and rightly
    web.post("/login/", {"username": "olga", "password": secret["wrong password"]})
    web.post("/login/", {"username": "olga", "password": secret["password"]})
    secret["wrong code"] = "918273"
    web.post("/login/code/", {"code": secret["wrong code"]})
    assert web.post("/login/code/", {"code": secret["recovery"]}).status_code == 302
    secret["session"] = str(web.session.session_key)
    secret["code"] = shown(30)

    def as_program(path: str, body: object, token: str = "") -> Any:
        headers = {"Authorization": f"Token {token}"} if token else {}
        return Client().post(path, json.dumps(body), content_type="application/json", headers=headers)

    right = {"username": "olga", "password": secret["password"], "otp": secret["code"]}
    secret["token"] = as_program("/api/v1/token/", right).json()["token"]
    as_program("/api/v1/token/", right | {"password": secret["wrong password"]})
    as_program("/api/v1/tournaments/", {}, secret["token"])
    secret["other token"] = "abcdef" * 10
    as_program("/api/v1/tournaments/", {}, secret["other token"])

    # passes: a good one, one that is over, one that never was
    event, tomorrow = make_tournament(running=0), timezone.now() + timedelta(days=1)
    passes = make_passes(event, SYSTEM, [PassScope("T1", 1), PassScope("T2", 2)], tomorrow)
    revoke_passes(event, SYSTEM, [passes[1]])
    secret["pass"], secret["pass over"] = passes[0].token, passes[1].token
    secret["no pass"] = "never-was-a-pass-of-ours"
    for name in ("pass", "pass over", "no pass"):
        Client().get(f"/pass/{secret[name]}/")

    # links that still open, with something wrong about the request
    coming = make_tournament(name="Autumn Open", drawn=False)
    make_plan(coming)
    secret["registration"] = registration_token(register_one(coming, 1))
    Client().get(f"/t/{coming.slug}/registration/{secret['registration']}/nowhere/")
    Client().post(f"/api/v1/tournaments/{coming.slug}/registrations/own/{secret['registration']}/nowhere/")
    invitation = Invitation(tournament=event, role=Role.DESK, expires_at=tomorrow)
    secret["invitation"] = invite(invitation, SYSTEM).token
    Client().post(f"/invitation/{secret['invitation']}/")
    Client(enforce_csrf_checks=True).post(f"/invitation/{secret['invitation']}/")
    logging.getLogger("django.request").warning("Not Found: /nowhere/%s", "at-all")
    return secret


def written_by(form: logging.Formatter, text: str, **more: Any) -> str:
    record = logging.LogRecord("django.request", logging.WARNING, "", 0, text, (), more.pop("exc_info", None))
    vars(record).update(more)
    return form.format(record)


FORMS = pytest.mark.parametrize(
    "form", [LineFormatter("{levelname} {name}:{request} {message}", style="{"), JsonFormatter()]
)
NO_SECRETS = {"day", "person", "other", "digest", "uidb64"}
"""What stands as any text in an address and opens nothing."""


@FORMS
def test_every_secret_of_an_address_is_left_out_of_the_log(form: logging.Formatter) -> None:
    routes = {route: converters for _entry, route, converters in PATTERNS}
    secret = {
        route: [name for name, converter in converters.items() if type(converter).__name__ == "secret"]
        for route, converters in routes.items()
    }
    leaks = []
    for route, names in secret.items():
        for name in names:
            address = re.sub(r"<\w+:\w+>", "spring", route.replace(f"<secret:{name}>", "b1946ac9:Xk-2_q"))
            for text in (
                f"Not Found: /{address}",
                f"Gone: /{address}nowhere",
                f"/login/?next={quote(f'/{address}', '')}",
            ):
                if "Xk-2_q" in written_by(form, text):
                    leaks.append(text)
    assert sum(map(len, secret.values())) >= 8
    assert leaks == []
    any_text = {
        name
        for converters in routes.values()
        for name, converter in converters.items()
        if type(converter) is StringConverter
    }
    assert any_text <= NO_SECRETS, "a secret in an address is a <secret:…>"


@FORMS
def test_a_refusal_is_one_short_line(form: logging.Formatter) -> None:
    try:
        raise PermissionError("not theirs")
    except PermissionError:
        fault = sys.exc_info()
    refused = written_by(form, f"Forbidden: /{'a' * 11_000}", status_code=403, exc_info=fault)
    assert len(refused) < 600
    assert "Traceback" not in refused
    broken = written_by(form, "Internal Server Error: /", status_code=500, exc_info=fault)
    assert "Traceback" in broken, "what is broken here is told in full"


FAULTS = {
    "sign in": ("/login/", "tournament.accounts.sign_in.authenticate"),
    "a program": ("/api/v1/token/", "tournament.accounts.sign_in.authenticate"),
    "the old password": ("/password/", "tournament.accounts.sign_in.check_within_limit"),
    "turning it off": ("/account/second-factor/disable/", "tournament.accounts.sign_in.check_within_limit"),
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
        data = dict.fromkeys(names, SECRET) | {"code": code, "otp": SECRET, "username": "olga"}
        sent: Any = {"content_type": "application/json"} if url.startswith("/api/") else {}
        assert client.post(url, data, **sent).status_code == 500
    finally:
        logging.getLogger("django.request").removeHandler(handler)
    assert ["RuntimeError" in report for report in reports] == [True, True]
    assert [text[text.find(SECRET) - 300 :][:400] for text in reports if SECRET in text] == []
    assert PASSWORD not in "".join(reports)


# --- what a line says of the request that it belongs to ---------------------------------------------------
WEB = ("-m", "hule", "web", "--bind", "127.0.0.1:{port}")
PROXYS = "7b1f9f4c2a5d4f0e"


@pytest.mark.parametrize(
    ("peer", "sent_id", "is_taken"),
    [
        ("127.0.0.1", PROXYS, True),
        ("203.0.113.7", PROXYS, False),
        ("127.0.0.1", "", False),
        ("127.0.0.1", "a line\\nof my own", False),
        ("127.0.0.1", "x" * 200, False),
    ],
)
def test_only_our_proxy_names_a_request(peer: str, sent_id: str, is_taken: bool, settings: Any) -> None:
    settings.TRUSTED_PROXIES = ["127.0.0.1"]
    scope = {"client": (peer, 1), "headers": [(b"x-request-id", sent_id.encode())]}
    assert (request_id_of(scope) == sent_id) is is_taken
    assert len(request_id_of(scope)) >= 16


def test_the_line_of_a_request_has_its_milliseconds(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(request_lines, "time", SimpleNamespace(monotonic=iter((5, 25)).__next__))
    caplog.set_level(logging.INFO, request_lines.logger.name)
    scope = {"type": "http", "method": "GET", "path": "/", "headers": []}
    async_to_sync(with_request_lines(AsyncMock()))(scope, AsyncMock(), AsyncMock())
    assert caplog.messages == ["GET /: 0 in 20000 ms"]


@FORMS
def test_a_line_names_its_request(form: logging.Formatter) -> None:
    token = request_id.set(PROXYS)
    try:
        assert PROXYS in written_by(form, "Not Found: /nowhere/")
    finally:
        request_id.reset(token)
    assert PROXYS not in written_by(form, "Not Found: /nowhere/")


def got(url: str, **headers: str) -> tuple[int, str]:
    try:
        with urlopen(Request(url, headers=headers), timeout=PATIENCE) as answer:
            return answer.status, answer.read().decode()
    except HTTPError as refusal:
        with refusal:
            return refusal.code, refusal.read().decode()


@pytest.fixture(scope="module")
def site(migrated: Path, collected: Path) -> Iterator[tuple[Place, Site]]:
    """All tests ask one server; the last one ends it and reads its log."""
    settings = {"ALLOWED_HOSTS": "hule.example.org", "STATIC_ROOT": str(collected)}
    settings |= {"METRICS_TOKEN": "count-me-in", "TRUSTED_PROXIES": "127.0.0.1"}
    settings |= {"LOG_FORMAT": "json", "LOG_LEVEL": "INFO"}
    with make_place(migrated, **settings) as place, place.web(*WEB) as site:
        yield place, site


@pytest.mark.thorough
def test_alive_and_ready_by_any_name_of_the_host(site: tuple[Place, Site]) -> None:
    url = site[1].url
    assert got(f"{url}/healthz") == (200, "alive")
    assert got(f"{url}/readyz") == (200, '{"ready": true, "missing": []}')
    assert status(f"{url}/login/") == 400, "which pages mind"


@pytest.mark.thorough
def test_readiness_notices_a_lost_database(tmp_path: Path, collected: Path) -> None:
    """It names only what is missing; the process lives."""
    with make_place(STATIC_ROOT=str(collected)) as place, place.web() as site:
        assert got(f"{site.url}/readyz") == (503, '{"ready": false, "missing": ["migrations"]}')
        assert got(f"{site.url}/healthz")[0] == 200


@pytest.mark.thorough
def test_readiness_does_not_reveal_addresses() -> None:
    away = {"DATABASE_URL": "postgres://hule:secret@127.0.0.1:9/hule", "REDIS_URL": "redis://127.0.0.1:9/0"}
    with make_place(None, **away) as place, place.web() as site:
        code, body = got(f"{site.url}/readyz")
        assert code == 503
        # The pool asks a database that is away for longer than a probe waits.
        assert json.loads(body)["missing"] in (["database"], ["database", "queue"])
        assert "secret" not in body
        assert got(f"{site.url}/healthz")[0] == 200
        site.process.kill()  # the pool would go on asking for half a minute


@pytest.mark.thorough
def test_metrics_are_404_for_others(site: tuple[Place, Site]) -> None:
    url = f"{site[1].url}/metrics"
    assert got(url)[0] == 404
    assert got(url, Authorization="Bearer count-me-out")[0] == 404
    assert got(url, Authorization="Bearer count-me-in")[0] == 200


@pytest.mark.parametrize(
    ("peer", "forwarded", "may"),
    [
        ("10.0.0.5", "", True),
        ("203.0.113.7", "", False),
        ("203.0.113.7", "10.0.0.5", False),  # a visitor says so of themself
        ("127.0.0.1", "203.0.113.7", False),  # through our proxy
        ("127.0.0.1", "10.0.0.5", True),
        ("", "", False),
    ],
)
def test_metrics_are_allowed_by_the_visitors_address(
    peer: str, forwarded: str, may: bool, settings: Any
) -> None:
    settings.METRICS_FROM, settings.METRICS_TOKEN = ["10.0.0.0/8"], ""
    settings.TRUSTED_PROXIES = ["127.0.0.1"]
    headers = [(b"x-forwarded-for", forwarded.encode())] if forwarded else []
    assert may_read_metrics({"client": (peer, 1), "headers": headers}) is may


def test_without_a_setting_metrics_are_404(settings: Any) -> None:
    settings.METRICS_FROM, settings.METRICS_TOKEN = [], ""
    for headers in ([], [(b"authorization", b"Bearer ")]):
        assert not may_read_metrics({"client": ("127.0.0.1", 1), "headers": headers})


@pytest.mark.redis
def test_the_queue_in_redis_is_counted(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.REDIS_URL = os.environ["TEST_REDIS_URL"]
    monkeypatch.setattr(metrics, "QUEUE_KEY", f"tasks {uuid4()}")
    with Redis.from_url(settings.REDIS_URL) as redis:
        redis.delete(metrics.QUEUE_KEY)
        redis.lpush(metrics.QUEUE_KEY, "a task")
        length = metrics.queue_length()
        redis.delete(metrics.QUEUE_KEY)
    assert length == 1


def figures(url: str) -> dict[str, float]:
    lines = got(f"{url}/metrics", Authorization="Bearer count-me-in")[1].splitlines()
    return {
        name: float(value)
        for name, _, value in (line.rpartition(" ") for line in lines if not line.startswith("#"))
    }


@pytest.mark.thorough
def test_requests_writes_watchers_and_the_queue_are_counted(site: tuple[Place, Site]) -> None:
    place, at = site
    slug, token = json.loads(place.run(RECORD))
    named = {"Host": "hule.example.org"}
    for _ in range(3):
        assert got(f"{at.url}/t/{slug}/", **named)[0] == 200
    assert got(f"{at.url}/no-such-page/", **named)[0] == 404
    hand = f"{at.url}/api/v1/tournaments/{slug}/sessions/1/tables/1/hands/"
    sent = Request(
        hand,
        json.dumps(DRAWN_GAME).encode(),
        {**named, "Authorization": f"Token {token}", "Content-Type": "application/json"},
    )
    with urlopen(sent, timeout=PATIENCE) as answer:
        assert answer.status == 201
    (place.folder / "queue" / "messages" / "1.celery.msg").touch()
    with urlopen(Request(f"{at.url}/live/{slug}/", headers=named), timeout=PATIENCE) as stream:
        stream.readline()
        counted = figures(at.url)
    assert counted["hule_watchers"] == 1
    assert counted['hule_writes_total{action="hand_recorded"}'] == 1
    assert counted['hule_requests_total{route="(unknown)",status="404"}'] == 1
    assert sum(value for name, value in counted.items() if "hule_request_seconds_count" in name) >= 5
    of_hands = [name for name in counted if name.startswith("hule_requests_total") and 'status="201"' in name]
    assert len(of_hands) == 1
    assert "hands/" in of_hands[0]
    assert slug not in of_hands[0]
    assert counted["hule_queue_length"] == 1
    assert "hule_backup_age_seconds" not in counted
    place.command("backup")
    assert 0 < figures(at.url)["hule_backup_age_seconds"] < 60


@pytest.mark.thorough
def test_every_line_of_a_request_is_one_object_with_its_id(site: tuple[Place, Site]) -> None:
    url, named = site[1].url, {"Host": "hule.example.org"}
    request = Request(f"{url}/pass/secret-token/", headers={"X-Request-ID": PROXYS, **named})
    with pytest.raises(HTTPError) as refused, urlopen(request, timeout=PATIENCE):
        pass
    with refused.value:
        assert refused.value.headers["X-Request-ID"] == PROXYS
    with urlopen(f"{url}/healthz", timeout=PATIENCE) as page:
        new_id = page.headers["X-Request-ID"]
    output = end(site[1].process)
    lines = [json.loads(line) for line in output.splitlines()]
    assert "secret-token" not in output
    request_lines = [line for line in lines if line.get("request") == PROXYS]
    assert {line["logger"] for line in request_lines} >= {"django.request", "config.front.request_lines"}
    (request_line,) = [line for line in request_lines if "ms" in line]
    fields = [request_line[name] for name in ("method", "path", "status")]
    assert fields == ["GET", "/pass/…/", refused.value.code]
    assert [line["path"] for line in lines if line.get("request") == new_id] == ["/healthz"]
