"""POST requests to URLs that users supply, protected against server-side request forgery (SSRF).

Callers validate the form of a URL when it is entered. Here its host is resolved for each request, and only public
addresses, or those a caller allows, are connected to.
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
ALLOCATED_IPV6 = ipaddress.IPv6Network("2000::/3")
"""The only IPv6 range that is allocated for public use (RFC 4291); some retired ranges outside it are still routed."""
SPECIAL_NETWORKS = tuple(
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
"""Special-purpose networks of the IANA registries that `is_global` accepts in some Python versions."""

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


class NotPublic(OSError):
    """The host resolves to an address that is not allowed."""


def is_public(ip: str) -> bool:
    """Whether an IP address, or the IPv4 address embedded in it, is on the public internet."""
    address = unwrap(ip)
    if (
        not address.is_global
        or address.is_multicast
        or any(address in network for network in SPECIAL_NETWORKS)
    ):
        return False
    return isinstance(address, ipaddress.IPv4Address) or address in ALLOCATED_IPV6


def unwrap(ip: str) -> Address:
    """Return the address, or the IPv4 address embedded in it: IPv4-mapped, 6to4 or NAT64."""
    address = ipaddress.ip_address(ip.partition("%")[0])
    if isinstance(address, ipaddress.IPv6Address):
        return address.ipv4_mapped or address.sixtofour or _nat64_target(address) or address
    return address


def _nat64_target(address: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    """Return the IPv4 address behind a NAT64 address (RFC 6052: 64:ff9b::/96)."""
    if address not in ipaddress.ip_network("64:ff9b::/96"):
        return None
    return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)


def resolve(
    parts: SplitResult, is_allowed: Callable[[str], bool] = is_public, default_port: int = HTTPS_PORT
) -> list[tuple[str, int]]:
    """Resolve the host to (IP address, port) pairs. Raises NotPublic unless every address `is_allowed`."""
    port = parts.port or default_port
    try:
        resolved = socket.getaddrinfo(parts.hostname, port, type=socket.SOCK_STREAM)
    except UnicodeError as error:  # a label of more than 63 letters, or none
        raise OSError(f"{parts.hostname} is no name") from error
    ips = [str(address[0]) for *_kind, address in resolved]
    if not all(map(is_allowed, ips)):
        raise NotPublic(f"{parts.hostname} is not on the public internet")
    return [(ip, port) for ip in ips]


def is_ip_literal(host: str) -> bool:
    """Whether a host is an IP address in any notation that resolvers accept: 127.0.0.1, 127.1, 0x7f.1, [::1]."""
    return ":" in host or host.rstrip(".").rsplit(".", 1)[-1].lower().startswith(tuple("0123456789"))


_tls = ssl.create_default_context()


class DeadlineExceeded(OSError):
    """The request took longer than `Limits.deadline`."""


@dataclass(frozen=True)
class Limits:
    """`timeout`: seconds for connecting and between two bytes. `deadline`: seconds for the whole request.
    `max_bytes`: how much of the response's body is read."""

    timeout: float
    deadline: float
    max_bytes: int = 0


@dataclass(frozen=True)
class Response:
    status: int
    headers: Mapping[str, str] = field(default_factory=dict)
    """Keys are lower-case."""
    body: bytes = b""


def post(
    parts: SplitResult,
    addresses: Sequence[tuple[str, int]],
    headers: Mapping[str, str],
    body: bytes,
    limits: Limits,
) -> Response:
    """POST to the first of these addresses that accepts a connection; redirects are not followed.

    The host is not resolved again, so the address that was checked is the one that is used. Raises OSError or
    HTTPException when there is no response.
    """
    target = f"{parts.path or '/'}{'?' if parts.query else ''}{parts.query}"
    with _connect(parts, addresses, limits) as line:
        connection = http.client.HTTPConnection(parts.netloc)
        connection.sock = line
        connection.request("POST", target, body, dict(headers))
        response = connection.getresponse()
        by_name = {name.lower(): value for name, value in response.getheaders()}
        return Response(response.status, by_name, _read_body(response, limits.max_bytes))


def _read_body(response: http.client.HTTPResponse, max_bytes: int) -> bytes:
    """Return the beginning of the body, empty if reading it fails: the status alone counts then."""
    with suppress(OSError, http.client.HTTPException):
        return response.read(max_bytes) if max_bytes else b""
    return b""


@contextmanager
def _connect(
    parts: SplitResult, addresses: Sequence[tuple[str, int]], limits: Limits
) -> Iterator[socket.socket]:
    with _connect_first(addresses, limits.timeout) as plain, _enforce_deadline(plain, limits.deadline):
        if parts.scheme == "http":
            yield plain
        else:
            with _tls.wrap_socket(plain, server_hostname=parts.hostname) as line:
                yield line


def _connect_first(addresses: Sequence[tuple[str, int]], timeout: float) -> socket.socket:
    """Connect to the first address that accepts; some, such as IPv6 ones, may be unreachable from here."""
    for address in addresses[:-1]:
        with suppress(OSError):
            return socket.create_connection(address, timeout=timeout)
    return socket.create_connection(addresses[-1], timeout=timeout)


@contextmanager
def _enforce_deadline(line: socket.socket, deadline: float) -> Iterator[None]:
    """Shut the connection down after `deadline` seconds, since a timeout never fires while bytes trickle in."""
    is_expired = threading.Event()
    with line.dup() as same:  # TLS takes the socket over
        timer = threading.Timer(deadline, _shut_down, [same, is_expired])
        timer.daemon = True
        timer.start()
        try:
            yield
        except (OSError, http.client.HTTPException) as error:
            if is_expired.is_set():
                raise DeadlineExceeded("no whole answer came in time") from error
            raise
        finally:
            timer.cancel()


def _shut_down(line: socket.socket, is_expired: threading.Event) -> None:
    """Shut the socket down from another thread, so that a blocked read fails at once."""
    is_expired.set()
    with suppress(OSError):  # it was closed just now
        line.shutdown(socket.SHUT_RDWR)
