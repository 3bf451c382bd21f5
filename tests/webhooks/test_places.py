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
    found = [(None, None, None, "", (number, 443)) for number in numbers]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *asked, **how: found)


@pytest.mark.parametrize(
    "url",
    [
        "https://hooks.slack.com/services/T0/B0/xyz",
        "https://discord.com/api/webhooks/1/abc?wait=true",
        "https://api.telegram.org/bot1:abc/sendMessage",
        "https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=1-2",
        "https://chat.example.org:8443/hooks/abc",
    ],
)
def test_chats_on_the_internet_are_written_to(url: str) -> None:
    assert code(url) is None


@pytest.mark.parametrize(
    ("url", "why"),
    [
        *(
            (one, "webhook_address_wrong")
            for one in ("", "hook", "ftp://example.org/x", "https:///x", "https://[/x")
        ),
        ("https://ana:secret@example.org/x", "webhook_address_wrong"),
        ("https://example.org/x y", "webhook_address_wrong"),
        ("https://example.org/\r\nHost:other", "webhook_address_wrong"),
        ("https://пример.example/x", "webhook_address_wrong"),
        ("https://example.org:99999/x", "webhook_address_wrong"),
        (f"https://example.org/{'x' * 600}", "webhook_address_wrong"),
        ("http://example.org/x", "webhook_not_https"),
        ("https://example.org:25/x", "webhook_port"),
        *(
            (f"https://{host}/x", "webhook_private")
            for host in ("localhost", "intranet", "127.0.0.1", "127.1", "0x7f.1", "[::1]", "10.0.0.1.")
        ),
    ],
)
def test_anything_else_is_not_and_it_is_said_why(url: str, why: str) -> None:
    assert code(url) == why


def test_in_a_named_network_http_and_any_port_will_do(settings: Any) -> None:
    settings.WEBHOOK_NETWORKS = [ip_network("192.168.1.0/24")]
    assert code("http://192.168.1.9:81/x") is None
    assert addresses(urlsplit("http://192.168.1.9:81/x")) == [("192.168.1.9", 81)]


@pytest.mark.parametrize("number", ["192.168.2.9", "127.0.0.1", "::ffff:192.168.2.9", "8.8.8.8"])
def test_nowhere_else_is_http_spoken(settings: Any, monkeypatch: pytest.MonkeyPatch, number: str) -> None:
    settings.WEBHOOK_NETWORKS = [ip_network("192.168.1.0/24")]
    leads_to(monkeypatch, number)
    with pytest.raises(NotPublic):
        addresses(urlsplit("http://bot.example.org/x"))


@pytest.mark.parametrize("nearby", ["127.0.0.1", "10.0.0.1", "169.254.169.254", "::1", "64:ff9b::a00:1"])
def test_a_name_that_leads_nearby_too_is_not_written_to(monkeypatch: pytest.MonkeyPatch, nearby: str) -> None:
    leads_to(monkeypatch, "142.250.180.10", nearby)
    with pytest.raises(NotPublic):
        addresses(urlsplit("https://bot.example.org/x"))
