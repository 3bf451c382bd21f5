"""Addresses of this site, and the appearance cookies."""

import socket
from typing import Final
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from config.bundles import DEVICE_QUERIES, ENABLING_VALUES, THEME_SHEETS

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
    undecided = [name for name in THEME_SHEETS[sheet] if not chosen.get(name)]
    if any(chosen.get(name, ENABLING_VALUES[name]) != ENABLING_VALUES[name] for name in THEME_SHEETS[sheet]):
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
