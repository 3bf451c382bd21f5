"""Addresses of visitors, behind trusted proxies, and what rate limits count by."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse

IPV6_PREFIX: Final = 64
"""Bits of an IPv6 address that identify one subscriber, who has all addresses below it."""


class ClientAddress:
    """Middleware that sets REMOTE_ADDR to the visitor's address behind trusted proxies.

    Rate limits count by it. Only proxies in TRUSTED_PROXIES are believed: anybody can send X-Forwarded-For.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        meta = request.META
        forwarded = meta.get("HTTP_X_FORWARDED_FOR", "")
        meta["REMOTE_ADDR"] = client_address(meta.get("REMOTE_ADDR", ""), forwarded, settings.TRUSTED_PROXIES)
        return self.get_response(request)


def client_address(peer: str, forwarded: str, trusted: Sequence[str]) -> str:
    """Return the nearest address that is not a trusted proxy.

    `peer`: the connected address, "" for a Unix socket. `forwarded`: X-Forwarded-For, to which each proxy appends.
    """
    client = peer
    for entry in reversed(forwarded.split(",")):
        if not is_in_networks(client, trusted) or (address := _read(entry)) is None:
            break
        client = str(address)
    return client


def is_in_networks(address: str, networks: Sequence[str]) -> bool:
    """Return whether an address is in one of these networks.

    A Unix socket ("") is local, and is in any non-empty list of networks.
    """
    if not networks:
        return False
    parsed = _read(address)
    return not address if parsed is None else any(parsed in network for network in _networks(tuple(networks)))


@lru_cache(maxsize=4)
def _networks(trusted: tuple[str, ...]) -> list[IPv6Network]:
    return [ip_network(network.strip(), strict=False) for network in trusted]  # type: ignore[misc]


def _read(text: str) -> IPv4Address | IPv6Address | None:
    try:
        address = ip_address(text.strip())
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


def visitor_address(scope: Mapping[str, Any]) -> str:
    """Return the visitor's address from an ASGI scope, as `ClientAddress` does for requests."""
    peer = (scope.get("client") or ("",))[0]
    forwarded = b""
    if settings.TRUSTED_PROXIES:
        forwarded = b",".join(value for name, value in scope["headers"] if name == b"x-forwarded-for")
    return client_address(peer, forwarded.decode("latin-1"), settings.TRUSTED_PROXIES)


def rate_limit_key(request: HttpRequest) -> str:
    """Return what rate limits count by: an IPv4 address, or the first address of an IPv6 network."""
    return address_key(request.META.get("REMOTE_ADDR", ""))


@lru_cache(maxsize=4096)
def address_key(visitor: str, ipv6_prefix: int = IPV6_PREFIX) -> str:
    """Return the same for an address, or the first address of a larger IPv6 network."""
    address = _read(visitor)
    if isinstance(address, IPv6Address):
        return str(IPv6Network((address, ipv6_prefix), strict=False).network_address)
    return str(address or "")
