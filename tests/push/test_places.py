"""Which addresses a stranger can have this server write to: none in its own network."""

import socket
from typing import Any
from urllib.parse import urlsplit

import pytest

from tournament.push.places import NotPublic, addresses, is_acceptable, is_public


@pytest.mark.parametrize(
    "endpoint",
    [
        "https://fcm.googleapis.com/fcm/send/abc:def-123",
        "https://updates.push.services.mozilla.com/wpush/v2/gAAA",
        "https://web.push.apple.com:443/QGx",
        "https://wns2-par02p.notify.windows.com/w/?token=BQYA%3d%3d",
    ],
)
def test_push_services_are_accepted(endpoint: str) -> None:
    assert is_acceptable(endpoint)


@pytest.mark.parametrize(
    "endpoint",
    [
        "",
        "push",
        "http://fcm.googleapis.com/x",
        "ftp://fcm.googleapis.com/x",
        "https://localhost/x",
        "https://intranet/x",
        "https://127.0.0.1/x",
        "https://127.1/x",
        "https://0x7f.0.0.0x1/x",
        "https://2130706433/x",
        "https://10.0.0.1./x",
        "https://[::1]/x",
        "https://[::ffff:10.0.0.1]/x",
        "https://push.example.org:22/x",
        "https://push.example.org:99999/x",
        "https://somebody:secret@push.example.org/x",
        "https://push.example.org\\@10.0.0.1/x y",
        "https://push.example.org/\r\nHost: elsewhere",
        "https://пуш.example.org/x",
        "https:///x",
        "https://[/x",
    ],
)
def test_anything_else_is_not(endpoint: str) -> None:
    assert not is_acceptable(endpoint)


def test_a_service_of_one_s_own_network_is_named_in_the_settings(settings: Any) -> None:
    settings.PUSH_HOSTS = ["10.0.0.5:8080"]
    assert is_acceptable("http://10.0.0.5:8080/x")
    assert not is_acceptable("http://10.0.0.5:8081/x")
    assert addresses(urlsplit("http://10.0.0.5:8080/x")) == [("10.0.0.5", 8080)]


@pytest.mark.parametrize(
    "number",
    [
        *("127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0"),
        *("224.0.0.1", "255.255.255.255", "::1", "::", "fe80::1", "fe80::1%eth0", "fd00::1", "ff02::1"),
        *("::ffff:127.0.0.1", "64:ff9b::a00:1", "2002:a00:1::", "2001:db8::1"),
        *(
            "64:ff9b:1::a00:1",
            "fec0::1",
            "::10.0.0.1",
            "::8.8.8.8",
            "::ffff:0:10.0.0.1",
            "5f00::1",
            "3fff::1",
        ),
        *("2001::1", "100::1", "192.88.99.1", "198.18.0.1", "240.0.0.1"),
    ],
)
def test_no_address_of_a_network_s_own_is_public(number: str) -> None:
    assert not is_public(number)


@pytest.mark.parametrize("number", ["142.250.180.10", "2a00:1450:4001:830::200a", "64:ff9b::8efa:b40a"])
def test_the_internet_s_are(number: str) -> None:
    assert is_public(number)


@pytest.mark.parametrize("nearby", ["127.0.0.1", "10.0.0.1", "::1"])
def test_a_name_that_leads_nearby_too_is_not_written_to(monkeypatch: pytest.MonkeyPatch, nearby: str) -> None:
    found = [(None, None, None, "", (number, 443)) for number in ("142.250.180.10", nearby)]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *asked, **how: found)
    with pytest.raises(NotPublic):
        addresses(urlsplit("https://push.example.org/x"))
