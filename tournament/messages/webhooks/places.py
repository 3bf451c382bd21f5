"""Which addresses this server tells what happens: https on the public internet, and the networks that the operator
has named (`WEBHOOK_NETWORKS`).

Within those, http and any port will do: a computer beside the hall's server seldom has a certificate.
"""

from __future__ import annotations

from functools import partial
from typing import Final
from urllib.parse import SplitResult, urlsplit

from django.conf import settings

from scoring.engine.problems import Problem
from tournament.messages.outbound import places
from tournament.messages.outbound.places import HTTPS_PORT, is_number, is_public, unwrapped
from tournament.messages.webhooks.models import LONGEST_URL

LOWEST_PORT: Final = 1024
"""Below it only the port of https: mail servers and the like have nothing to be told."""


def fault_of(url: str) -> Problem | None:
    """What is wrong with the form of an address; None when it may be written to."""
    if not url.isascii() or any(sign <= " " or sign in '\\"<>\x7f' for sign in url) or len(url) > LONGEST_URL:
        return Problem("webhook_address_wrong", "url")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return Problem("webhook_address_wrong", "url")
    host = parts.hostname or ""
    if parts.scheme not in ("http", "https") or not host.strip(".") or "@" in parts.netloc or parts.fragment:
        return Problem("webhook_address_wrong", "url")
    if settings.WEBHOOK_NETWORKS:
        return None
    if parts.scheme == "http":
        return Problem("webhook_not_https", "url")
    if is_number(host) or "." not in host.strip("."):
        return Problem("webhook_private", "url")
    return None if port is None or _is_open(port) else Problem("webhook_port", "url")


def addresses(parts: SplitResult) -> list[tuple[str, int]]:
    """Where the target is, now; `NotPublic` when any of its addresses is neither public nor in a named network."""
    is_https = parts.scheme == "https"
    port = parts.port or (HTTPS_PORT if is_https else 80)
    may = partial(_may, is_open=is_https and _is_open(port))
    return places.addresses(parts, may, port)


def _is_open(port: int) -> bool:
    return port == HTTPS_PORT or port >= LOWEST_PORT


def _may(number: str, *, is_open: bool) -> bool:
    return (is_open and is_public(number)) or _is_named(number)


def _is_named(number: str) -> bool:
    address = unwrapped(number)
    return any(address in network for network in settings.WEBHOOK_NETWORKS)
