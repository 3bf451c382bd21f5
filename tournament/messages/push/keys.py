"""The key pair by which push services know this server (VAPID, RFC 8292).

Made once and kept beside the data, readable by the server's user only. Browsers bind a subscription to the public key:
with another one nobody who has subscribed can be told any more.
"""

from functools import lru_cache
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from py_vapid import Vapid02
from py_vapid.utils import b64urldecode, b64urlencode

from config.private_files import read_or_create

PRIVATE_BYTES = 32
SECRET_BYTES = 16
LONGEST_KEY, LONGEST_SECRET = 90, 30
"""Characters; base64url of 65 and of 16 bytes, with padding or without."""


def signer() -> Vapid02:
    """What signs for this server."""
    return _signer(settings.PUSH_KEY or read_or_create(Path(settings.DATA_DIR) / "push-key", _new_key))


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
