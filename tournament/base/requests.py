"""Addresses of visitors and of this site, and the appearance cookies."""

import socket
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Any, Final
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

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


LOOPBACK: Final = ("localhost", "127.0.0.1", "::1")
WILDCARD_HOSTS: Final = {"0.0.0.0": (socket.AF_INET, "192.0.2.1"), "::": (socket.AF_INET6, "2001:db8::1")}
"""Host that means all networks → its address family, and an address nobody has (RFC 5737, RFC 3849)."""
STANDARD_ADDRESS: Final = "http://127.0.0.1:8000"
"""Where `serve` and `hule web` listen by default."""


def site_address() -> str:
    """Return the site's base URL without a slash at the end.

    It does not depend on the request: letters, invitations and QR codes contain it.
    """
    return reachable_url(settings.SITE_ADDRESS or STANDARD_ADDRESS)


def reachable_url(address: str) -> str:
    """Return the URL at which other devices reach a server that listens at `address`.

    For all networks it has this machine's current address: a laptop may move into the hall.
    """
    parts = urlsplit(address)
    if parts.hostname not in WILDCARD_HOSTS:
        return address
    host = network_address(*WILDCARD_HOSTS[parts.hostname]) or "localhost"
    port = f":{parts.port}" if parts.port else ""
    return f"{parts.scheme}://{f'[{host}]' if ':' in host else host}{port}"


def is_reached_by_others(address: str) -> bool:
    """Return whether other devices can open an address."""
    return urlsplit(address).hostname not in LOOPBACK


def network_address(family: socket.AddressFamily, elsewhere: str) -> str | None:
    """Return this machine's address in its network. Only looks up a route: nothing is sent."""
    with socket.socket(family, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((elsewhere, 9))
        except OSError:
            return None
        return str(probe.getsockname()[0])


APPEARANCE_CHOICES = {
    "theme": {"": _("Same as device"), "light": _("Light"), "dark": _("Dark")},
    "contrast": {"": _("Same as device"), "normal": _("Normal"), "more": _("High")},
}
"""Cookie → value → label."""
APPEARANCE_TITLES = {"theme": _("Light or dark"), "contrast": _("Contrast")}
SHEETS = {"dark": ("theme",), "contrast": ("contrast",), "contrast-dark": ("theme", "contrast")}
"""Style sheet → the cookies it depends on, in the order of the links."""
ENABLING_VALUES = {"theme": "dark", "contrast": "more"}
DEVICE_QUERIES = {"theme": "(prefers-color-scheme: dark)", "contrast": "(prefers-contrast: more)"}
YEAR = 365 * 24 * 3600


def appearance_of(request: HttpRequest) -> dict[str, str]:
    """Return the reader's appearance cookies with valid values: {"theme": "dark", "contrast": "more"}.

    Without a cookie the device decides. static/js/theme.js uses the same cookies, so that a choice takes effect at
    once and on cached pages.
    """
    cookies = {name: request.COOKIES.get(name, "") for name in APPEARANCE_CHOICES}
    return {name: value for name, value in cookies.items() if value and value in APPEARANCE_CHOICES[name]}


def media_query(sheet: str, chosen: dict[str, str]) -> str:
    """Return the media attribute of a sheet's link: never, always, or if the device asks. theme.js does the same."""
    undecided = [name for name in SHEETS[sheet] if not chosen.get(name)]
    if any(chosen.get(name, ENABLING_VALUES[name]) != ENABLING_VALUES[name] for name in SHEETS[sheet]):
        return "not all"
    return " and ".join(DEVICE_QUERIES[name] for name in undecided) or "all"


def set_appearance_cookie(response: HttpResponse, name: str, value: str) -> None:
    """Store a choice for a year; an empty value deletes it."""
    if name not in APPEARANCE_CHOICES or value not in APPEARANCE_CHOICES[name]:
        raise ValueError(f"no appearance {name}={value}")
    if value:
        response.set_cookie(name, value, max_age=YEAR, samesite="Lax")
    else:
        response.delete_cookie(name, samesite="Lax")
