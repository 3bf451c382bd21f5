"""Which targets an organiser can have this server write to: none in a network that the operator has not named."""

from __future__ import annotations

import socket
from ipaddress import ip_network
from typing import Any
from urllib.parse import urlsplit

import pytest

from tournament.outbound.places import NotPublic
from tournament.webhooks.places import addresses, fault_of


def code(url: str) -> str | None:
    fault = fault_of(url)
    return None if fault is None else fault.code


def leads_to(monkeypatch: pytest.MonkeyPatch, *numbers: str) -> None:
    answers = [(None, None, None, "", (number, 443)) for number in numbers]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_of, **_how: answers)


CODES = {
    None: (
        "https://hooks.slack.com/services/T0/B0/xyz",
        "https://discord.com/api/webhooks/1/abc?wait=true",
        "https://api.telegram.org/bot1:abc/sendMessage",
        "https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=1-2",
        "https://chat.example.org:8443/hooks/abc",
    ),
    "webhook_address_wrong": (
        *("", "hook", "ftp://example.org/x", "https:///x", "https://[/x", "https://example.org:99999/x"),
        *("https://ana:secret@example.org/x", "https://example.org/x y", "https://пример.example/x"),
        *("https://example.org/\r\nHost:other", f"https://example.org/{'x' * 600}"),
    ),
    "webhook_not_https": ("http://example.org/x",),
    "webhook_port": ("https://example.org:25/x",),
    "webhook_private": (
        *("https://localhost/x", "https://intranet/x", "https://127.0.0.1/x", "https://127.1/x"),
        *("https://0x7f.1/x", "https://[::1]/x", "https://10.0.0.1./x"),
    ),
}


def test_chats_on_the_internet_are_written_to_and_nothing_else() -> None:
    wrong = {url: code(url) for expected, urls in CODES.items() for url in urls if code(url) != expected}
    assert wrong == {}


def test_in_a_named_network_http_and_any_port_will_do(settings: Any) -> None:
    settings.WEBHOOK_NETWORKS = [ip_network("192.168.1.0/24")]
    assert code("http://192.168.1.9:81/x") is None
    assert addresses(urlsplit("http://192.168.1.9:81/x")) == [("192.168.1.9", 81)]


def test_nowhere_else_is_http_spoken(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.WEBHOOK_NETWORKS = [ip_network("192.168.1.0/24")]
    for number in ("192.168.2.9", "127.0.0.1", "::ffff:192.168.2.9", "8.8.8.8"):
        leads_to(monkeypatch, number)
        with pytest.raises(NotPublic):
            addresses(urlsplit("http://bot.example.org/x"))


def test_a_name_that_leads_nearby_too_is_not_written_to(monkeypatch: pytest.MonkeyPatch) -> None:
    for nearby in ("127.0.0.1", "10.0.0.1", "169.254.169.254", "::1", "64:ff9b::a00:1"):
        leads_to(monkeypatch, "142.250.180.10", nearby)
        with pytest.raises(NotPublic):
            addresses(urlsplit("https://bot.example.org/x"))
