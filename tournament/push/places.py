"""Which addresses this server writes to for a stranger: push services on the public internet, nothing nearer.

An endpoint comes from whoever says to be a browser. Without this, the server could be made to knock at doors of its own
network. Checked when it comes (its form) and whenever it is written to (where its name leads).
"""

from __future__ import annotations

import ipaddress
import socket
from urllib.parse import SplitResult, urlsplit

from django.conf import settings

HTTPS_PORT = 443
GIVEN_OUT = ipaddress.IPv6Network("2000::/3")
"""What of IPv6 is given out to networks at all (RFC 4291). Elsewhere lie retired ranges that some still use."""
FOR_EXAMPLES = ipaddress.IPv6Network("3fff::/20")
"""RFC 9637, which Python 3.11 does not know."""
OLD_RELAYS = ipaddress.IPv4Network("192.88.99.0/24")
"""RFC 7526: retired, and answered by whoever is near."""


class NotPublic(OSError):
    """The name leads to an address that is not on the public internet."""


def is_acceptable(endpoint: str) -> bool:
    """Whether the address may be a push service's: https, the usual port, a name with a dot and no password."""
    if not endpoint.isascii() or any(char <= " " for char in endpoint):
        return False
    try:
        parts = urlsplit(endpoint)
        port = parts.port
    except ValueError:
        return False
    if is_own(parts):
        return True
    host = parts.hostname or ""
    return (
        parts.scheme == "https"
        and port in (None, HTTPS_PORT)
        and "@" not in parts.netloc
        and "." in host.strip(".")
        and not _is_number(host)
    )


def is_own(parts: SplitResult) -> bool:
    """A push service in one's own network, named in the settings: neither https nor a public address is asked of it."""
    return parts.netloc in settings.PUSH_HOSTS and parts.scheme in ("http", "https")


def addresses(parts: SplitResult) -> list[tuple[str, int]]:
    """Where the endpoint's host is, address and port; `NotPublic` when any of them is not on the public internet."""
    port = parts.port or (HTTPS_PORT if parts.scheme == "https" else 80)
    found = socket.getaddrinfo(parts.hostname, port, type=socket.SOCK_STREAM)
    numbers = [str(address[0]) for *_kind, address in found]
    if not is_own(parts) and not all(is_public(number) for number in numbers):
        raise NotPublic(f"{parts.hostname} is not on the public internet")
    return [(number, port) for number in numbers]


def is_public(number: str) -> bool:
    """Whether an address is one that everybody reaches; of one that wraps an older address, that counts."""
    address = ipaddress.ip_address(number.partition("%")[0])
    if isinstance(address, ipaddress.IPv6Address):
        older = address.ipv4_mapped or address.sixtofour or _translated(address)
        if older is None:
            return address in GIVEN_OUT and address.is_global and address not in FOR_EXAMPLES
        address = older
    return address.is_global and not address.is_multicast and address not in OLD_RELAYS


def _translated(address: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    """The address behind a NAT64 gateway (RFC 6052: 64:ff9b::/96)."""
    if address not in ipaddress.ip_network("64:ff9b::/96"):
        return None
    return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)


def _is_number(host: str) -> bool:
    """An address in place of a name, in any spelling that resolvers take: 127.0.0.1, 127.1, 0x7f.1, [::1]."""
    return ":" in host or host.rstrip(".").rsplit(".", 1)[-1].lower().startswith(tuple("0123456789"))
