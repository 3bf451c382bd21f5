"""Which addresses a stranger or an organiser can have this server write to: none in a network not named for it."""

import socket
from ipaddress import ip_network
from types import ModuleType
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.support.data import read_json
from tournament.base.errors import Invalid
from tournament.messages import outbound
from tournament.messages.outbound import NotPublic, is_public
from tournament.messages.push import selectors as push_selectors
from tournament.messages.push.selectors import is_valid_endpoint
from tournament.messages.webhooks import sending as webhook_places
from tournament.messages.webhooks.models import check_address

PRIVATE = (
    *("127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0"),
    *("224.0.0.1", "255.255.255.255", "::1", "::", "fe80::1", "fe80::1%eth0", "fd00::1", "ff02::1"),
    *("::ffff:127.0.0.1", "64:ff9b::a00:1", "2002:a00:1::", "2001:db8::1"),
    *("64:ff9b:1::a00:1", "fec0::1", "::10.0.0.1", "::8.8.8.8", "::ffff:0:10.0.0.1", "5f00::1", "3fff::1"),
    *("2001::1", "100::1", "192.88.99.1", "198.18.0.1", "240.0.0.1"),
    *("192.0.0.1", "192.0.0.192", "192.175.48.6", "168.63.129.16", "::ffff:168.63.129.16", "2001:1ff::1"),
)
PUBLIC = ("142.250.180.10", "2a00:1450:4001:830::200a", "64:ff9b::8efa:b40a")


def test_only_the_internet_s_addresses_are_public() -> None:
    assert [number for number in PRIVATE + PUBLIC if is_public(number)] == list(PUBLIC)


def leads_to(monkeypatch: pytest.MonkeyPatch, *numbers: str) -> None:
    answers = [(None, None, None, "", (number, 443)) for number in numbers]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_of, **_how: answers)


@pytest.mark.parametrize("module", [outbound, webhook_places], ids=["outbound", "webhooks"])
def test_a_name_with_any_private_address_is_refused(
    module: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    for nearby in ("127.0.0.1", "10.0.0.1", "169.254.169.254", "::1", "64:ff9b::a00:1"):
        leads_to(monkeypatch, "142.250.180.10", nearby)
        with pytest.raises(NotPublic):
            module.resolve(urlsplit("https://bot.example.org/x"))


def test_an_invalid_host_name_raises_os_error() -> None:
    """A label of more than 63 letters: no look-up knows what to do with it."""
    with pytest.raises(OSError, match="is no name"):
        outbound.resolve(urlsplit(f"https://{'a' * 70}.example.org/x"))


# --- push services ----------------------------------------------------------------------------------------------
SERVICES = (
    "https://fcm.googleapis.com/fcm/send/abc:def-123",
    "https://updates.push.services.mozilla.com/wpush/v2/gAAA",
    "https://web.push.apple.com:443/QGx",
    "https://wns2-par02p.notify.windows.com/w/?token=BQYA%3d%3d",
)
OTHERS = (
    *("", "push", "http://fcm.googleapis.com/x", "ftp://fcm.googleapis.com/x", "https:///x", "https://[/x"),
    *("https://localhost/x", "https://intranet/x", "https://127.0.0.1/x", "https://127.1/x"),
    *("https://0x7f.0.0.0x1/x", "https://2130706433/x", "https://10.0.0.1./x"),
    *("https://[::1]/x", "https://[::ffff:10.0.0.1]/x"),
    *("https://push.example.org:22/x", "https://push.example.org:99999/x"),
    "https://somebody:secret@push.example.org/x",
    "https://push.example.org\\@10.0.0.1/x y",
    "https://push.example.org/\r\nHost: elsewhere",
    "https://пуш.example.org/x",
)


def test_only_push_services_are_accepted() -> None:
    assert [endpoint for endpoint in SERVICES + OTHERS if is_valid_endpoint(endpoint)] == list(SERVICES)


def test_the_settings_allow_a_push_service_in_ones_own_network(settings: Any) -> None:
    settings.PUSH_HOSTS = ["10.0.0.5:8080"]
    assert is_valid_endpoint("http://10.0.0.5:8080/x")
    assert not is_valid_endpoint("http://10.0.0.5:8081/x")
    assert push_selectors.resolve(urlsplit("http://10.0.0.5:8080/x")) == [("10.0.0.5", 8080)]


# --- webhooks ---------------------------------------------------------------------------------------------------
def code(url: str) -> str | None:
    try:
        check_address(url)
    except Invalid as invalid:
        return invalid.problem.code
    return None


def test_webhooks_go_to_public_hosts_only() -> None:
    addresses = read_json("webhook-addresses.json")
    wrong = {url: code(url) for expected, url in addresses if code(url) != expected}
    assert wrong == {}


def test_an_allowed_network_permits_http_and_any_port(settings: Any) -> None:
    settings.WEBHOOK_NETWORKS = [ip_network("192.168.1.0/24")]
    assert code("http://192.168.1.9:81/x") is None
    assert webhook_places.resolve(urlsplit("http://192.168.1.9:81/x")) == [("192.168.1.9", 81)]


def test_http_is_refused_outside_allowed_networks(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.WEBHOOK_NETWORKS = [ip_network("192.168.1.0/24")]
    for number in ("192.168.2.9", "127.0.0.1", "::ffff:192.168.2.9", "8.8.8.8"):
        leads_to(monkeypatch, number)
        with pytest.raises(NotPublic):
            webhook_places.resolve(urlsplit("http://bot.example.org/x"))
