"""Requests to other servers: where an address leads, and one POST to it.

An address may come from whoever says to be a browser, or from an organiser. Without these checks the server could be
made to knock at doors of its own network. Its form is checked by those who take it; where its name leads is looked up
here whenever it is written to.
"""

import http.client
import ipaddress
import socket
import ssl
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from urllib.parse import SplitResult

HTTPS_PORT = 443
GIVEN_OUT = ipaddress.IPv6Network("2000::/3")
"""What of IPv6 is given out to networks at all (RFC 4291). Elsewhere lie retired ranges that some still use."""
SPECIAL = tuple(
    map(
        ipaddress.ip_network,
        (
            "192.0.0.0/24",  # RFC 6890: protocols between neighbours, and one provider's metadata
            "192.31.196.0/24",  # RFC 7535: answered by whoever is near, as are the next three
            "192.52.193.0/24",  # RFC 7450
            "192.88.99.0/24",  # RFC 7526
            "192.175.48.0/24",  # RFC 7534
            "168.63.129.16/32",  # in one provider's networks the host of the machine itself
            "2001::/23",  # RFC 2928: protocols, tunnels among them
            "2001:db8::/32",  # RFC 3849: examples
            "2620:4f:8000::/48",  # RFC 7534
            "3fff::/20",  # RFC 9637: examples
        ),
    )
)
"""Special-purpose networks (IANA's registries) that Python's `is_global` lets pass, in this version or another."""

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


class NotPublic(OSError):
    """The name leads to an address that is not on the public internet."""


def is_public(number: str) -> bool:
    """Whether an address is one that everybody reaches; of one that wraps an older address, that counts."""
    address = unwrapped(number)
    if not address.is_global or address.is_multicast or any(address in network for network in SPECIAL):
        return False
    return isinstance(address, ipaddress.IPv4Address) or address in GIVEN_OUT


def unwrapped(number: str) -> Address:
    """The address, or the older one that it wraps: mapped, 6to4, or behind a gateway."""
    address = ipaddress.ip_address(number.partition("%")[0])
    if isinstance(address, ipaddress.IPv6Address):
        return address.ipv4_mapped or address.sixtofour or _translated(address) or address
    return address


def _translated(address: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    """The address behind a NAT64 gateway (RFC 6052: 64:ff9b::/96)."""
    if address not in ipaddress.ip_network("64:ff9b::/96"):
        return None
    return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)


def addresses(
    parts: SplitResult, may: Callable[[str], bool] = is_public, otherwise: int = HTTPS_PORT
) -> list[tuple[str, int]]:
    """Look up the host: address and port; `NotPublic` unless each of its addresses `may` be written to.

    `otherwise`: the port where none is named.
    """
    port = parts.port or otherwise
    try:
        resolved = socket.getaddrinfo(parts.hostname, port, type=socket.SOCK_STREAM)
    except UnicodeError as fault:  # a label of more than 63 letters, or none
        raise OSError(f"{parts.hostname} is no name") from fault
    numbers = [str(place[0]) for *_kind, place in resolved]
    if not all(map(may, numbers)):
        raise NotPublic(f"{parts.hostname} is not on the public internet")
    return [(number, port) for number in numbers]


def is_number(host: str) -> bool:
    """An address in place of a name, in any spelling that resolvers take: 127.0.0.1, 127.1, 0x7f.1, [::1]."""
    return ":" in host or host.rstrip(".").rsplit(".", 1)[-1].lower().startswith(tuple("0123456789"))


_tls = ssl.create_default_context()


class TooSlow(OSError):
    """No whole answer came in the time for all of it."""


@dataclass(frozen=True)
class Limits:
    """`patience`: seconds for which the other side may say nothing. `longest`: seconds for the whole, however busily
    it dawdles. `most`: bytes of the answer's body that are read."""

    patience: float
    longest: float
    most: int = 0


@dataclass(frozen=True)
class Answer:
    status: int
    headers: Mapping[str, str] = field(default_factory=dict)
    """By their names in small letters."""
    body: bytes = b""


def post(
    parts: SplitResult,
    where: Sequence[tuple[str, int]],
    headers: Mapping[str, str],
    body: bytes,
    limits: Limits,
) -> Answer:
    """Send a POST to the first of these addresses that takes the line.

    No second look-up, no redirect, no waiting for ever. `OSError` or `HTTPException` when none answers. The host's
    name is checked by TLS, unless the address begins with http.
    """
    target = f"{parts.path or '/'}{'?' if parts.query else ''}{parts.query}"
    with _connected(parts, where, limits) as line:
        connection = http.client.HTTPConnection(parts.netloc)
        connection.sock = line
        connection.request("POST", target, body, dict(headers))
        answer = connection.getresponse()
        by_name = {name.lower(): value for name, value in answer.getheaders()}
        return Answer(answer.status, by_name, _beginning(answer, limits.most))


def _beginning(answer: http.client.HTTPResponse, most: int) -> bytes:
    """Read the beginning of the body; nothing of one that never ends or is no proper one: the status has counted."""
    with suppress(OSError, http.client.HTTPException):
        return answer.read(most) if most else b""
    return b""


@contextmanager
def _connected(
    parts: SplitResult, where: Sequence[tuple[str, int]], limits: Limits
) -> Iterator[socket.socket]:
    with _first(where, limits.patience) as plain, _not_for_ever(plain, limits.longest):
        if parts.scheme == "http":
            yield plain
        else:
            with _tls.wrap_socket(plain, server_hostname=parts.hostname) as line:
                yield line


def _first(where: Sequence[tuple[str, int]], patience: float) -> socket.socket:
    """Connect to the first that takes the line: a name may have an address that cannot be reached from here."""
    for place in where[:-1]:
        with suppress(OSError):
            return socket.create_connection(place, timeout=patience)
    return socket.create_connection(where[-1], timeout=patience)


@contextmanager
def _not_for_ever(line: socket.socket, longest: float) -> Iterator[None]:
    """Cut the line off after so many seconds, even if a byte comes now and then."""
    is_over = threading.Event()
    with line.dup() as same:  # TLS takes the socket over
        cut = threading.Timer(longest, _cut, [same, is_over])
        cut.daemon = True
        cut.start()
        try:
            yield
        except (OSError, http.client.HTTPException) as fault:
            if is_over.is_set():
                raise TooSlow("no whole answer came in time") from fault
            raise
        finally:
            cut.cancel()


def _cut(line: socket.socket, is_over: threading.Event) -> None:
    """End a connection from outside; who waits on it gets an error at once."""
    is_over.set()
    with suppress(OSError):  # it has just ended by itself
        line.shutdown(socket.SHUT_RDWR)
