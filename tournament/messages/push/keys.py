"""The VAPID key pair of this server (RFC 8292), created once in the data folder.

A subscription is bound to the public key: with a new key pair all existing subscriptions are lost.
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
MAX_KEY_LENGTH, MAX_SECRET_LENGTH = 90, 30
"""Characters of base64url for 65 and 16 bytes, with or without padding."""


def signer() -> Vapid02:
    """Return the signer with the key from the settings or the data folder."""
    return _signer(settings.PUSH_KEY or read_or_create(Path(settings.DATA_DIR) / "push-key", _new_key))


@lru_cache(maxsize=4)
def _signer(private: str) -> Vapid02:
    vapid = Vapid02.from_string(private)
    # Without this the library rejects host names without a dot, as in a club's own network.
    vapid.conf = {"no-strict": True}
    return vapid


def _new_key() -> str:
    vapid = Vapid02()
    vapid.generate_keys()
    number = vapid.private_key.private_numbers().private_value
    return str(b64urlencode(number.to_bytes(PRIVATE_BYTES, "big")))


def public_key() -> str:
    """Return the public key as the browsers' API takes it: the uncompressed point in base64url."""
    return str(b64urlencode(signer().public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)))


def are_valid_keys(key: str, secret: str) -> bool:
    """Whether `key` is a point on P-256 and `secret` has 16 bytes, both in base64url."""
    if len(key) > MAX_KEY_LENGTH or len(secret) > MAX_SECRET_LENGTH:
        return False
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), b64urldecode(key.encode()))
        return len(b64urldecode(secret.encode())) == SECRET_BYTES
    except ValueError:
        return False
