"""One message: only its browser can read it, the sender is signed, and each answer is understood."""

import socket
from collections.abc import Iterator
from threading import Thread
from time import monotonic, time
from typing import Any

import pytest
from http_ece import ECEException

from tests.support.push_service import Browser, PushService, push_service
from tournament.push import post as module
from tournament.push.keys import public_key
from tournament.push.post import Letter, Outcome, post


@pytest.fixture
def service(settings: Any) -> Iterator[PushService]:
    with push_service() as made:
        settings.PUSH_HOSTS = [made.host]
        yield made


def letter(browser: Browser, text: str = '{"title": "第3轮"}', endpoint: str = "") -> Letter:
    mine = browser.subscription
    return Letter(
        endpoint or mine.endpoint, mine.key, mine.secret, "hule.example.org", text, 900, "seat", True
    )


def test_the_browser_reads_it_and_nobody_else(service: PushService) -> None:
    browser, other = service.browser(), service.browser()
    assert post(letter(browser)) is Outcome.TAKEN
    (sent,) = service.delivered
    assert browser.read(sent.body) == {"title": "第3轮"}
    with pytest.raises(ECEException):
        other.read(sent.body)


def test_it_says_who_sends_and_how_long_it_counts(service: PushService) -> None:
    post(letter(service.browser()))
    (sent,) = service.delivered
    assert sent.claims["aud"] == service.url
    assert sent.claims["sub"] == "https://hule.example.org"
    assert time() < sent.claims["exp"] < time() + 24 * 3600
    assert sent.headers["Authorization"].endswith(f"k={public_key()}")
    named = {name: sent.headers[name] for name in ("TTL", "Topic", "Urgency", "Content-Encoding")}
    assert named == {"TTL": "900", "Topic": "seat", "Urgency": "high", "Content-Encoding": "aes128gcm"}


@pytest.mark.parametrize(
    ("status", "outcome"),
    [
        *((200, Outcome.TAKEN), (201, Outcome.TAKEN), (404, Outcome.GONE), (410, Outcome.GONE)),
        *((429, Outcome.LATER), (500, Outcome.LATER), (503, Outcome.LATER)),
        *((307, Outcome.REFUSED), (400, Outcome.REFUSED), (403, Outcome.REFUSED), (413, Outcome.REFUSED)),
    ],
)
def test_each_answer_is_understood_and_no_redirect_is_followed(
    service: PushService, status: int, outcome: Outcome
) -> None:
    service.answers["/a"] = [status]
    assert post(letter(service.browser())) is outcome
    assert [each.path for each in service.delivered] == ["/a"]


def test_an_endpoint_that_leads_into_this_network_is_gone_before_a_byte_is_sent(
    service: PushService, monkeypatch: pytest.MonkeyPatch
) -> None:
    nearby = [(None, None, None, "", ("127.0.0.1", 443))]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *asked, **how: nearby)
    monkeypatch.setattr(socket, "create_connection", lambda *asked, **how: pytest.fail("connected"))
    assert post(letter(service.browser(), endpoint="https://push.example.org/x")) is Outcome.GONE


def test_nobody_there_is_another_time(settings: Any) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        host = f"127.0.0.1:{taken.getsockname()[1]}"
    settings.PUSH_HOSTS = [host]
    assert post(letter(Browser(f"http://{host}"))) is Outcome.LATER


def test_who_dawdles_is_cut_off(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A byte now and then would keep a worker for hours."""
    monkeypatch.setattr(module, "LONGEST", 0.3)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        host = f"127.0.0.1:{listener.getsockname()[1]}"
        settings.PUSH_HOSTS = [host]
        dawdler = Thread(target=_dawdle, args=[listener])
        dawdler.start()
        begun = monotonic()
        assert post(letter(Browser(f"http://{host}"))) is Outcome.LATER
        assert monotonic() - begun < 8  # and not the ten seconds of the dawdler
        dawdler.join()


def _dawdle(listener: socket.socket) -> None:
    line, _from = listener.accept()
    with line:
        line.settimeout(0.05)
        line.sendall(b"HTTP/1.1")
        try:
            for _again in range(200):
                try:
                    if not line.recv(4096):
                        return
                except TimeoutError:
                    line.sendall(b" ")
        except OSError:
            return
