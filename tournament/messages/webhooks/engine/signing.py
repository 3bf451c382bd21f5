"""Signatures by the Standard Webhooks specification (standardwebhooks.com): HMAC-SHA256 over id, time and body."""

import base64
import binascii
import hashlib
import hmac
from collections.abc import Iterable
from typing import Final

PREFIX: Final = "whsec_"
KEY_BYTES: Final = 32
"""The specification asks for 24 to 64."""


def secret_of(key: bytes) -> str:
    """As it is shown, and given to who checks."""
    return PREFIX + base64.b64encode(key).decode()


def key_of(secret: str) -> bytes:
    """`ValueError` for what is no secret."""
    if not secret.startswith(PREFIX):
        raise ValueError("a secret begins with whsec_")
    try:
        return base64.b64decode(secret.removeprefix(PREFIX), validate=True)
    except binascii.Error as fault:
        raise ValueError("no base64") from fault


def headers(secrets: Iterable[str], message: str, seconds: int, body: bytes) -> dict[str, str]:
    """What goes with a message: one signature a secret, the newest first, so that both are good while one is renewed.

    `seconds`: when it is sent, which is another time at each try; the `message` keeps its id.
    """
    signed = (signature(secret, message, seconds, body) for secret in secrets)
    return {
        "webhook-id": message,
        "webhook-timestamp": str(seconds),
        "webhook-signature": " ".join(signed),
    }


def signature(secret: str, message: str, seconds: int, body: bytes) -> str:
    said = b".".join((message.encode(), str(seconds).encode(), body))
    return f"v1,{base64.b64encode(hmac.digest(key_of(secret), said, hashlib.sha256)).decode()}"


def dingtalk_sign(secret: str, milliseconds: int) -> str:
    """What a DingTalk robot with additional signature wants in its address."""
    said = f"{milliseconds}\n{secret}"
    return base64.b64encode(hmac.digest(secret.encode(), said.encode(), hashlib.sha256)).decode()


def feishu_sign(secret: str, seconds: int) -> str:
    """What a Feishu or Lark robot with signature wants in its message: the words are the key, and nothing is signed."""
    said = f"{seconds}\n{secret}"
    return base64.b64encode(hmac.digest(said.encode(), b"", hashlib.sha256)).decode()
