"""Where other devices reach this server: what stands on paper, on screens and in letters begins with it."""

from __future__ import annotations

import socket
from typing import Final
from urllib.parse import urlsplit

from django.http import HttpRequest

LOOPBACK: Final = ("localhost", "127.0.0.1", "::1")


def own_address(request: HttpRequest) -> str:
    """Where other devices reach this server: as the organiser does, unless that is only this very machine."""
    address = urlsplit(request.build_absolute_uri("/"))
    if address.hostname not in LOOPBACK:
        return f"{address.scheme}://{address.netloc}"
    port = f":{address.port}" if address.port else ""
    return f"{address.scheme}://{_network_address() or address.hostname}{port}"


def _network_address() -> str | None:
    """This machine's address in the network it is in. Asking for a route sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # TEST-NET-1: an address nobody has
        except OSError:
            return None
        return str(probe.getsockname()[0])
