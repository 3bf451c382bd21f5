"""Where a visitor is: the connection's other end, or whom a trusted proxy says that it serves."""

from __future__ import annotations

from typing import Any

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory
from hypothesis import given
from hypothesis import strategies as st

from tournament.access.address import ClientAddress, client_address, place_of

PROXY = ("127.0.0.0/8", "::1", "10.1.0.0/16")
VISITOR = "203.0.113.7"


@pytest.mark.parametrize(
    ("peer", "forwarded", "found"),
    [
        (VISITOR, "", VISITOR),
        (VISITOR, "198.51.100.1", VISITOR),  # a visitor says so of themself
        ("127.0.0.1", VISITOR, VISITOR),
        ("127.0.0.1", f"198.51.100.1, {VISITOR}", VISITOR),  # the visitor wrote the first one
        ("127.0.0.1", f"{VISITOR}, 10.1.2.3", VISITOR),  # two proxies in a row
        ("::ffff:127.0.0.1", VISITOR, VISITOR),
        ("::1", "2001:db8::7", "2001:db8::7"),
        ("", VISITOR, VISITOR),  # a proxy over a Unix socket
        ("127.0.0.1", "", "127.0.0.1"),
        ("127.0.0.1", "unknown", "127.0.0.1"),
        ("127.0.0.1", f"{VISITOR}, nonsense", "127.0.0.1"),
        ("127.0.0.1", "10.1.0.9, 10.1.0.8", "10.1.0.9"),
    ],
)
def test_proxies_are_seen_through(peer: str, forwarded: str, found: str) -> None:
    assert client_address(peer, forwarded, PROXY) == found


@given(claimed=st.lists(st.ip_addresses().map(str), max_size=5))
def test_whatever_a_visitor_claims_their_own_proxy_line_counts(claimed: list[str]) -> None:
    assert client_address("127.0.0.1", ", ".join([*claimed, VISITOR]), PROXY) == VISITOR


@given(claimed=st.text(max_size=60))
def test_without_a_trusted_proxy_nobody_is_believed(claimed: str) -> None:
    assert client_address("127.0.0.1", claimed, ()) == "127.0.0.1"


def test_one_middleware_puts_it_where_every_limit_looks(settings: Any) -> None:
    settings.TRUSTED_PROXIES = list(PROXY)
    seen: list[str] = []

    def view(request: HttpRequest) -> HttpResponse:
        seen.append(place_of(request))
        return HttpResponse()

    for last in (7, 8):
        forwarded = f"203.0.113.{last}"
        ClientAddress(view)(RequestFactory().get("/", headers={"X-Forwarded-For": forwarded}))
    assert seen == ["203.0.113.7", "203.0.113.8"]


def test_who_has_a_network_of_ipv6_is_one_place() -> None:
    places = {
        place_of(RequestFactory().get("/", REMOTE_ADDR=one))
        for one in ("2001:db8:1:2::7", "2001:db8:1:2:ffff::9")
    }
    assert places == {"2001:db8:1:2::"}


def test_one_written_as_the_other_is_the_same_place() -> None:
    assert place_of(RequestFactory().get("/", REMOTE_ADDR=f"::ffff:{VISITOR}")) == VISITOR
