"""Where an address leads: to the public internet, or to somebody's own network.

An address may come from whoever says to be a browser, or from an organiser. Without this, the server could be made to
knock at doors of its own network. The form of an address is for those who take it; where its name leads is looked at
whenever it is written to.
"""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Callable
from urllib.parse import SplitResult

HTTPS_PORT = 443
GIVEN_OUT = ipaddress.IPv6Network("2000::/3")
"""What of IPv6 is given out to networks at all (RFC 4291). Elsewhere lie retired ranges that some still use."""
FOR_EXAMPLES = ipaddress.IPv6Network("3fff::/20")
"""RFC 9637, which Python 3.11 does not know."""
OLD_RELAYS = ipaddress.IPv4Network("192.88.99.0/24")
"""RFC 7526: retired, and answered by whoever is near."""

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


class NotPublic(OSError):
    """The name leads to an address that is not on the public internet."""


def is_public(number: str) -> bool:
    """Whether an address is one that everybody reaches; of one that wraps an older address, that counts."""
    address = unwrapped(number)
    if isinstance(address, ipaddress.IPv6Address):
        return address in GIVEN_OUT and address.is_global and address not in FOR_EXAMPLES
    return address.is_global and not address.is_multicast and address not in OLD_RELAYS


def unwrapped(number: str) -> Address:
    """The address, or the older one that it wraps: mapped, 6to4, or behind a gateway."""
    address = ipaddress.ip_address(number.partition("%")[0])
    if isinstance(address, ipaddress.IPv6Address):
        return address.ipv4_mapped or address.sixtofour or _translated(address) or address
    return address


def addresses(
    parts: SplitResult, may: Callable[[str], bool] = is_public, otherwise: int = HTTPS_PORT
) -> list[tuple[str, int]]:
    """Where the host is, address and port; `NotPublic` when any of them is none that `may` be written to.

    `otherwise`: the port where none is named.
    """
    port = parts.port or otherwise
    try:
        found = socket.getaddrinfo(parts.hostname, port, type=socket.SOCK_STREAM)
    except UnicodeError as fault:  # a label of more than 63 letters, or none
        raise OSError(f"{parts.hostname} is no name") from fault
    numbers = [str(address[0]) for *_kind, address in found]
    if not all(map(may, numbers)):
        raise NotPublic(f"{parts.hostname} is not on the public internet")
    return [(number, port) for number in numbers]


def is_number(host: str) -> bool:
    """An address in place of a name, in any spelling that resolvers take: 127.0.0.1, 127.1, 0x7f.1, [::1]."""
    return ":" in host or host.rstrip(".").rsplit(".", 1)[-1].lower().startswith(tuple("0123456789"))


def _translated(address: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    """The address behind a NAT64 gateway (RFC 6052: 64:ff9b::/96)."""
    if address not in ipaddress.ip_network("64:ff9b::/96"):
        return None
    return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
