"""One message to one browser: encrypted for it alone (RFC 8291), signed (RFC 8292), and handed to its push service
(RFC 8030)."""

from __future__ import annotations

import http.client
import logging
import time
from dataclasses import dataclass
from enum import Enum
from urllib.parse import SplitResult, urlsplit

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from py_vapid.utils import b64urldecode

from tournament.messages.outbound import line
from tournament.messages.outbound.places import NotPublic
from tournament.messages.push import places
from tournament.messages.push.keys import signer

logger = logging.getLogger(__name__)

PATIENCE = 5.0
"""Seconds for which a push service may say nothing."""
LONGEST = 15.0
"""Seconds for the whole of one message, however busily the other side dawdles."""
SIGNED_FOR = 12 * 3600
"""Seconds; RFC 8292 §2 allows a day."""


class Outcome(Enum):
    TAKEN = "taken"
    GONE = "gone"
    """Nobody is there any more: never write there again."""
    LATER = "later"
    """Nothing is wrong with the message; another time it may be taken."""
    REFUSED = "refused"


@dataclass(frozen=True)
class Letter:
    """What goes to one phone, and how."""

    endpoint: str
    key: str
    secret: str
    site: str
    text: str
    seconds: int
    """How long the push service keeps it for a phone that is off."""
    topic: str
    """A newer one with the same topic takes the place of one still waiting (RFC 8030 §5.4)."""
    urgent: bool


def post(letter: Letter) -> Outcome:
    """Hand the letter over, once. Never raises for what the other side does; no redirect is followed."""
    parts = urlsplit(letter.endpoint)
    try:
        status = _status(parts, _headers(letter, parts), _encrypted(letter))
    except NotPublic:
        return Outcome.GONE
    except (OSError, http.client.HTTPException) as fault:
        logger.info("Push service %s cannot be reached: %s", parts.hostname, fault)
        return Outcome.LATER
    return _outcome(status, parts.hostname or "")


def _outcome(status: int, host: str) -> Outcome:
    if 200 <= status < 300:
        return Outcome.TAKEN
    if status in (404, 410):
        return Outcome.GONE
    if status == 429 or status >= 500:
        return Outcome.LATER
    logger.warning("Push service %s has refused a message with %s", host, status)
    return Outcome.REFUSED


def _encrypted(letter: Letter) -> bytes:
    return bytes(
        http_ece.encrypt(
            letter.text.encode(),
            private_key=ec.generate_private_key(ec.SECP256R1()),
            dh=b64urldecode(letter.key.encode()),
            auth_secret=b64urldecode(letter.secret.encode()),
        )
    )


def _headers(letter: Letter, parts: SplitResult) -> dict[str, str]:
    claims = {
        "aud": f"{parts.scheme}://{parts.netloc}",
        "sub": f"https://{letter.site}",
        "exp": int(time.time()) + SIGNED_FOR,
    }
    return {
        **signer().sign(claims),
        "Content-Type": "application/octet-stream",
        "Content-Encoding": "aes128gcm",
        "TTL": str(letter.seconds),
        "Topic": letter.topic,
        "Urgency": "high" if letter.urgent else "normal",
    }


def _status(parts: SplitResult, headers: dict[str, str], body: bytes) -> int:
    limits = line.Limits(PATIENCE, LONGEST)
    return line.post(parts, places.addresses(parts), headers, body, limits).status
