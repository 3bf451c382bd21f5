"""Where a visitor is: the address that every limit counts by, for there is one reading of it.

Behind a proxy the connection comes from the proxy. Only a proxy that the site names is believed about whom it serves: a
header that anybody may write would let a visitor be somebody else with each request.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse

IPV6_PLACE: Final = 64
"""Bits of an IPv6 address that stand for one place: whoever has one there has all of them."""


class ClientAddress:
    """Middleware: REMOTE_ADDR becomes the visitor's, whatever proxies of ours stand between."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        meta = request.META
        forwarded = meta.get("HTTP_X_FORWARDED_FOR", "")
        meta["REMOTE_ADDR"] = client_address(meta.get("REMOTE_ADDR", ""), forwarded, settings.TRUSTED_PROXIES)
        return self.get_response(request)


def client_address(peer: str, forwarded: str, trusted: Sequence[str]) -> str:
    """The nearest address that is not one of our proxies.

    `peer`: who is connected, nothing over a Unix socket. `forwarded`: each proxy has added at the end whom it served.
    """
    known = peer
    for said in reversed(forwarded.split(",")):
        if not is_among(known, trusted):
            break
        if (address := _read(said)) is None:
            break
        known = str(address)
    return known


def is_among(address: str, networks: Sequence[str]) -> bool:
    """Whether one of these addresses and networks has it. Who is connected by a Unix socket has no address, and sits on
    this machine: where any are named, they are among them."""
    if not networks:
        return False
    read = _read(address)
    return not address if read is None else any(read in network for network in _networks(tuple(networks)))


def place_of(request: HttpRequest) -> str:
    """What limits count by: an IPv4 address, or the network of an IPv6 one, by its first address."""
    address = _read(request.META.get("REMOTE_ADDR", ""))
    if isinstance(address, IPv6Address):
        return str(IPv6Network((address, IPV6_PLACE), strict=False).network_address)
    return str(address or "")


@lru_cache(maxsize=4)
def _networks(trusted: tuple[str, ...]) -> list[IPv6Network]:
    return [ip_network(one.strip(), strict=False) for one in trusted]  # type: ignore[misc]


def _read(text: str) -> IPv4Address | IPv6Address | None:
    try:
        address = ip_address(text.strip())
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address
