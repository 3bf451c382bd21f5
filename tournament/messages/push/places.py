"""Which addresses this server writes to for a browser: push services on the public internet, nothing nearer.

An endpoint comes from whoever says to be a browser. Its form is checked when it comes, and where its name leads
whenever it is written to (`messages.outbound.places`).
"""

from __future__ import annotations

from urllib.parse import SplitResult, urlsplit

from django.conf import settings

from tournament.messages.outbound import places
from tournament.messages.outbound.places import HTTPS_PORT, is_number


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
        and not is_number(host)
    )


def is_own(parts: SplitResult) -> bool:
    """A push service in one's own network, named in the settings: neither https nor a public address is asked of it."""
    return parts.netloc in settings.PUSH_HOSTS and parts.scheme in ("http", "https")


def addresses(parts: SplitResult) -> list[tuple[str, int]]:
    """Where the endpoint's host is, address and port; `NotPublic` when any of them is not on the public internet."""
    may = (lambda _number: True) if is_own(parts) else places.is_public
    return places.addresses(parts, may, HTTPS_PORT if parts.scheme == "https" else 80)
