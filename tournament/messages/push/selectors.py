"""The key pair of this server, which addresses are written to for a browser, and whose phones are over.

An endpoint comes from whoever says to be a browser. It has to be a push service's on the public internet: its form is
checked when it comes, and where its name leads whenever it is written to (`messages.outbound`).
"""

from __future__ import annotations

from datetime import timedelta
from functools import lru_cache
from pathlib import Path
from urllib.parse import SplitResult, urlsplit

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone
from py_vapid import Vapid02
from py_vapid.utils import b64urldecode, b64urlencode

from config.kept import kept
from tournament.base.models.play import Session
from tournament.base.models.tournament import Tournament
from tournament.messages import outbound
from tournament.messages.outbound import HTTPS_PORT, is_number

KEPT_FOR = timedelta(days=7)
"""How long after the end of the last session a tournament's phones are kept."""


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
    may = (lambda _number: True) if is_own(parts) else outbound.is_public
    return outbound.addresses(parts, may, HTTPS_PORT if parts.scheme == "https" else 80)


def is_over(tournament: Tournament) -> bool:
    """Whether the tournament's phones are forgotten by now."""
    return tournaments_over(Tournament.objects.filter(pk=tournament.pk)).exists()


def tournaments_over(tournaments: QuerySet[Tournament]) -> QuerySet[Tournament]:
    """Those whose last session was closed a week ago; where sessions were never played, a week after the last day."""
    then = timezone.now() - KEPT_FOR
    sessions = Session.objects.filter(tournament=OuterRef("pk"))
    return tournaments.filter(
        ~Exists(sessions.filter(state=Session.State.RUNNING)),
        ~Exists(sessions.filter(closed_at__gte=then)),
        Q(ends_on__lt=then.date())
        | (Exists(sessions) & ~Exists(sessions.filter(state=Session.State.PLANNED))),
    )


PRIVATE_BYTES = 32
SECRET_BYTES = 16
LONGEST_KEY, LONGEST_SECRET = 90, 30
"""Characters; base64url of 65 and of 16 bytes, with padding or without."""


def signer() -> Vapid02:
    """Return what signs for this server: its key pair, by which push services know it (VAPID, RFC 8292).

    Made once and kept beside the data, readable by the server's user only. Browsers bind a subscription to the public
    key: with another one nobody who has subscribed can be notified any more.
    """
    return _signer(settings.PUSH_KEY or kept(Path(settings.DATA_DIR) / "push-key", _new_key))


@lru_cache(maxsize=4)
def _signer(private: str) -> Vapid02:
    vapid = Vapid02.from_string(private)
    # A server in a club's network has a name without a dot; the library would not take it for an address.
    vapid.conf = {"no-strict": True}
    return vapid


def _new_key() -> str:
    vapid = Vapid02()
    vapid.generate_keys()
    number = vapid.private_key.private_numbers().private_value
    return str(b64urlencode(number.to_bytes(PRIVATE_BYTES, "big")))


def public_key() -> str:
    """The public half as browsers want it: the uncompressed point, base64url."""
    return str(b64urlencode(signer().public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)))


def are_a_browsers(key: str, secret: str) -> bool:
    """Whether letters can be encrypted for these: a point of the curve P-256, and a secret of sixteen bytes."""
    if len(key) > LONGEST_KEY or len(secret) > LONGEST_SECRET:
        return False
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), b64urldecode(key.encode()))
        return len(b64urldecode(secret.encode())) == SECRET_BYTES
    except ValueError:
        return False
