"""What a request says: where it comes from, where it reached us, and how its page is to look."""

import socket
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Any, Final
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

IPV6_PLACE: Final = 64
"""Bits of an IPv6 address that stand for one place: whoever has one there has all of them."""


class ClientAddress:
    """Middleware: REMOTE_ADDR becomes the visitor's, whatever proxies of ours stand between.

    Every limit counts by it. Behind a proxy the connection comes from the proxy. Only a proxy that the site names is
    believed about whom it serves: a header that anybody may write would let a visitor be somebody else with each
    request.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        meta = request.META
        forwarded = meta.get("HTTP_X_FORWARDED_FOR", "")
        meta["REMOTE_ADDR"] = client_address(meta.get("REMOTE_ADDR", ""), forwarded, settings.TRUSTED_PROXIES)
        return self.get_response(request)


def client_address(peer: str, forwarded: str, trusted: Sequence[str]) -> str:
    """Find the nearest address that is not one of our proxies.

    `peer`: who is connected, nothing over a Unix socket. `forwarded`: each proxy has added at the end whom it served.
    """
    known = peer
    for entry in reversed(forwarded.split(",")):
        if not is_among(known, trusted):
            break
        if (address := _read(entry)) is None:
            break
        known = str(address)
    return known


def is_among(address: str, networks: Sequence[str]) -> bool:
    """Whether one of these addresses and networks has it.

    Who is connected by a Unix socket has no address, and sits on this machine: where any are named, they are among
    them.
    """
    if not networks:
        return False
    read = _read(address)
    return not address if read is None else any(read in network for network in _networks(tuple(networks)))


@lru_cache(maxsize=4)
def _networks(trusted: tuple[str, ...]) -> list[IPv6Network]:
    return [ip_network(network.strip(), strict=False) for network in trusted]  # type: ignore[misc]


def _read(text: str) -> IPv4Address | IPv6Address | None:
    try:
        address = ip_address(text.strip())
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


def visitor_in(scope: Mapping[str, Any]) -> str:
    """Return the visitor's address for what is answered before Django, as `ClientAddress` finds it."""
    peer = (scope.get("client") or ("",))[0]
    forwarded = b""
    if settings.TRUSTED_PROXIES:
        forwarded = b",".join(value for name, value in scope["headers"] if name == b"x-forwarded-for")
    return client_address(peer, forwarded.decode("latin-1"), settings.TRUSTED_PROXIES)


def place_of(request: HttpRequest) -> str:
    """What limits count by: an IPv4 address, or the network of an IPv6 one, by its first address."""
    return place_at(request.META.get("REMOTE_ADDR", ""))


@lru_cache(maxsize=4096)
def place_at(visitor: str) -> str:
    """The same for an address that is known."""
    address = _read(visitor)
    if isinstance(address, IPv6Address):
        return str(IPv6Network((address, IPV6_PLACE), strict=False).network_address)
    return str(address or "")


LOOPBACK: Final = ("localhost", "127.0.0.1", "::1")
EVERYWHERE: Final = {"0.0.0.0": (socket.AF_INET, "192.0.2.1"), "::": (socket.AF_INET6, "2001:db8::1")}
"""What a server listens on in all networks → of which kind it is, and an address nobody has (RFC 5737, RFC 3849)."""
STANDARD_ADDRESS: Final = "http://127.0.0.1:8000"
"""Where `serve` and `hule web` listen unless they are told otherwise."""


def site_address() -> str:
    """Return how this site's addresses begin for other devices, without a slash at the end.

    It is the same for whoever asks: letters, invitations, codes on paper and on screens all lead there.
    """
    return reached_at(settings.SITE_ADDRESS or STANDARD_ADDRESS)


def reached_at(address: str) -> str:
    """Return where a server is reached that listens at an address.

    In all networks means by the address this machine has now: a laptop may move into the hall.
    """
    parts = urlsplit(address)
    if parts.hostname not in EVERYWHERE:
        return address
    host = network_address(*EVERYWHERE[parts.hostname]) or "localhost"
    port = f":{parts.port}" if parts.port else ""
    return f"{parts.scheme}://{f'[{host}]' if ':' in host else host}{port}"


def is_reached_by_others(address: str) -> bool:
    """Whether any device but this one can open an address."""
    return urlsplit(address).hostname not in LOOPBACK


def network_address(family: socket.AddressFamily, elsewhere: str) -> str | None:
    """Find this machine's address in the network it is in. Asking for a route to elsewhere sends nothing."""
    with socket.socket(family, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((elsewhere, 9))
        except OSError:
            return None
        return str(probe.getsockname()[0])


CHOICES = {
    "theme": {"": _("As the device"), "light": _("Light"), "dark": _("Dark")},
    "contrast": {"": _("As the device"), "normal": _("Normal"), "more": _("High")},
}
"""Cookie → value → what the menu calls it."""
TITLES = {"theme": _("Light or dark"), "contrast": _("Contrast")}
SHEETS = {"dark": ("theme",), "contrast": ("contrast",), "contrast-dark": ("theme", "contrast")}
"""Style sheet over the tokens → the choices that must all ask for it, in the order of the links."""
ASKED_FOR = {"theme": "dark", "contrast": "more"}
DEVICE = {"theme": "(prefers-color-scheme: dark)", "contrast": "(prefers-contrast: more)"}
YEAR = 365 * 24 * 3600


def appearance_of(request: HttpRequest) -> dict[str, str]:
    """Read what a reader has chosen: {"theme": "dark", "contrast": "more"}, without what makes no sense.

    It is kept in two cookies; without a choice the device decides. static/js/theme.js reads and writes the same
    cookies, so that the choice shows at once and on cached pages too.
    """
    cookies = {name: request.COOKIES.get(name, "") for name in CHOICES}
    return {name: value for name, value in cookies.items() if value and value in CHOICES[name]}


def media_of(sheet: str, chosen: dict[str, str]) -> str:
    """Make the media query of a sheet's link: always, never, or as the device asks. theme.js says it the same way."""
    open_questions = [name for name in SHEETS[sheet] if not chosen.get(name)]
    if any(chosen.get(name, ASKED_FOR[name]) != ASKED_FOR[name] for name in SHEETS[sheet]):
        return "not all"
    return " and ".join(DEVICE[name] for name in open_questions) or "all"


def choose(response: HttpResponse, name: str, value: str) -> None:
    """Keep a choice for a year; an empty value forgets it."""
    if name not in CHOICES or value not in CHOICES[name]:
        raise ValueError(f"no appearance {name}={value}")
    if value:
        response.set_cookie(name, value, max_age=YEAR, samesite="Lax")
    else:
        response.delete_cookie(name, samesite="Lax")
