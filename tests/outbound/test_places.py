"""Which addresses on the internet are everybody's, and what a name that leads elsewhere comes to."""

import socket
from urllib.parse import urlsplit

import pytest

from tournament.outbound.places import NotPublic, addresses, is_public

PRIVATE = (
    *("127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0"),
    *("224.0.0.1", "255.255.255.255", "::1", "::", "fe80::1", "fe80::1%eth0", "fd00::1", "ff02::1"),
    *("::ffff:127.0.0.1", "64:ff9b::a00:1", "2002:a00:1::", "2001:db8::1"),
    *("64:ff9b:1::a00:1", "fec0::1", "::10.0.0.1", "::8.8.8.8", "::ffff:0:10.0.0.1", "5f00::1", "3fff::1"),
    *("2001::1", "100::1", "192.88.99.1", "198.18.0.1", "240.0.0.1"),
)
PUBLIC = ("142.250.180.10", "2a00:1450:4001:830::200a", "64:ff9b::8efa:b40a")


def test_only_the_internet_s_addresses_are_public() -> None:
    assert [number for number in PRIVATE + PUBLIC if is_public(number)] == list(PUBLIC)


def test_a_name_that_leads_nearby_too_is_not_written_to(monkeypatch: pytest.MonkeyPatch) -> None:
    for nearby in ("127.0.0.1", "10.0.0.1", "::1"):
        answers = [(None, None, None, "", (number, 443)) for number in ("142.250.180.10", nearby)]
        monkeypatch.setattr(socket, "getaddrinfo", lambda *_of, answers=answers, **_how: answers)
        with pytest.raises(NotPublic):
            addresses(urlsplit("https://push.example.org/x"))


def test_a_name_that_is_none_is_a_fault_of_the_network() -> None:
    """A label of more than 63 letters: no look-up knows what to do with it."""
    with pytest.raises(OSError, match="is no name"):
        addresses(urlsplit(f"https://{'a' * 70}.example.org/x"))
