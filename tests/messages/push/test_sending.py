"""One message to a browser, which only it can read, by the server's own key; and what each answer means."""

import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from stat import S_IMODE
from threading import Event, Thread
from time import time
from typing import Any

import pytest
from http_ece import ECEException
from py_vapid.utils import b64urldecode

from tests.support.push_service import Browser, PushService, push_service
from tournament.messages.push import notifications as module
from tournament.messages.push.keys import are_valid_keys, public_key
from tournament.messages.push.notifications import Message, Outcome, send_message


@pytest.fixture
def service(settings: Any) -> Iterator[PushService]:
    with push_service() as running:
        settings.PUSH_HOSTS = [running.host]
        yield running


def message(browser: Browser, text: str = '{"title": "第3轮"}', endpoint: str = "") -> Message:
    mine = browser.subscription
    return Message(
        endpoint or mine.endpoint, mine.key, mine.secret, "hule.example.org", text, 900, "seat", True
    )


def test_only_the_browser_can_decrypt_the_message(service: PushService) -> None:
    """It says who sends it and how long it counts."""
    browser, other = service.browser(), service.browser()
    assert send_message(message(browser)) is Outcome.ACCEPTED
    (sent,) = service.delivered
    assert browser.read(sent.body) == {"title": "第3轮"}
    with pytest.raises(ECEException):
        other.read(sent.body)
    assert sent.claims["aud"] == service.url
    assert sent.claims["sub"] == "https://hule.example.org"
    assert time() < sent.claims["exp"] < time() + 24 * 3600
    assert sent.headers["Authorization"].endswith(f"k={public_key()}")
    named = {name: sent.headers[name] for name in ("TTL", "Topic", "Urgency", "Content-Encoding")}
    assert named == {"TTL": "900", "Topic": "seat", "Urgency": "high", "Content-Encoding": "aes128gcm"}


def test_each_status_has_its_outcome_and_redirects_are_not_followed(service: PushService) -> None:
    outcomes = {200: Outcome.ACCEPTED, 201: Outcome.ACCEPTED, 404: Outcome.GONE, 410: Outcome.GONE}
    outcomes |= dict.fromkeys((429, 500, 503), Outcome.RETRY)
    outcomes |= dict.fromkeys((307, 400, 403, 413), Outcome.REJECTED)
    for status, outcome in outcomes.items():
        service.delivered.clear()
        service.answers["/a"] = [status]
        assert send_message(message(service.browser())) is outcome, status
        assert [sent.path for sent in service.delivered] == ["/a"], status


def test_an_endpoint_in_a_private_network_is_gone_without_a_request(
    service: PushService, monkeypatch: pytest.MonkeyPatch
) -> None:
    nearby = [(None, None, None, "", ("127.0.0.1", 443))]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_of, **_how: nearby)
    monkeypatch.setattr(socket, "create_connection", lambda *_to, **_how: pytest.fail("connected"))
    assert send_message(message(service.browser(), endpoint="https://push.example.org/x")) is Outcome.GONE


def test_an_unreachable_service_is_retried(settings: Any) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        host = f"127.0.0.1:{taken.getsockname()[1]}"
    settings.PUSH_HOSTS = [host]
    assert send_message(message(Browser(f"http://{host}"))) is Outcome.RETRY


def test_a_slow_response_exceeds_the_deadline(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A byte now and then would keep a worker for hours."""
    monkeypatch.setattr(module, "DEADLINE", 0.3)
    was_cut_off = Event()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        host = f"127.0.0.1:{listener.getsockname()[1]}"
        settings.PUSH_HOSTS = [host]
        dawdler = Thread(target=dawdle, args=[listener, was_cut_off])
        dawdler.start()
        assert send_message(message(Browser(f"http://{host}"))) is Outcome.RETRY
        dawdler.join()
    assert was_cut_off.is_set()


def dawdle(listener: socket.socket, was_cut_off: Event) -> None:
    """Send a byte now and then, and give up by itself in the end."""
    line, _address = listener.accept()
    with line:
        line.settimeout(0.05)
        line.sendall(b"HTTP/1.1")
        try:
            for _byte in range(200):
                try:
                    if not line.recv(4096):
                        raise ConnectionError
                except TimeoutError:
                    line.sendall(b" ")
        except OSError:
            was_cut_off.set()


MINE = Browser("https://push.example.org").subscription


def test_the_private_key_is_created_once_and_the_setting_takes_precedence(
    settings: Any, tmp_path: Path
) -> None:
    settings.DATA_DIR = tmp_path
    first = public_key()
    assert public_key() == first
    assert [path.name for path in tmp_path.iterdir()] == ["push-key"]
    assert S_IMODE((tmp_path / "push-key").stat().st_mode) == 0o600
    assert len(b64urldecode(first.encode())) == 65
    stored_key = (tmp_path / "push-key").read_text()
    settings.DATA_DIR, settings.PUSH_KEY = tmp_path / "elsewhere", stored_key
    assert public_key()
    assert not settings.DATA_DIR.exists()


def test_concurrent_callers_get_the_same_key(settings: Any, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path
    with ThreadPoolExecutor(8) as threads:
        assert len(set(threads.map(lambda _each: public_key(), range(32)))) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["push-key"]


def test_only_keys_that_can_be_encrypted_for_are_valid() -> None:
    wrong = {
        "a short secret": (MINE.key, "c2hvcnQ"),
        "no secret": (MINE.key, ""),
        "no key": ("", MINE.secret),
        "no point of the curve": ("BAAA" + "A" * 83, MINE.secret),
        "no point at all": ("A" * 87, MINE.secret),
        "too long": (MINE.key * 2, MINE.secret),
        "not base64": ("!" * 87, MINE.secret),
    }
    assert are_valid_keys(MINE.key, MINE.secret)
    assert [what for what, (key, secret) in wrong.items() if are_valid_keys(key, secret)] == []
