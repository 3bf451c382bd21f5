"""Webhook messages: kinds, retry delays, signatures and formats."""

import base64
import binascii
import hashlib
import hmac
import json
from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from typing import Any, Final
from urllib.parse import quote_plus

from tournament.base.engine.notices import Kind

# --- Kinds ---


STAFF_KINDS: Final = frozenset({Kind.UMPIRE_CALLED, Kind.PENALTY, Kind.APPEAL, Kind.REGISTRATION, Kind.TEST})
"""Kinds with content that is not public. All others contain only what the public pages show at that moment."""
SUBSCRIBABLE_KINDS: Final = tuple(kind for kind in Kind if kind is not Kind.TEST)
KINDS_WITH_NAMES: Final = frozenset({Kind.TABLE_FINISHED, Kind.RESULTS_PUBLISHED})
"""Kinds whose messages contain names of players."""


# --- Retry delays ---


_MINUTE, _HOUR = 60, 3600
RETRY_DELAYS: Final = (
    *(_MINUTE, 5 * _MINUTE, 15 * _MINUTE),
    *(_HOUR, 2 * _HOUR, 4 * _HOUR, 6 * _HOUR, 6 * _HOUR, 6 * _HOUR),
)
"""Seconds after each failed try, more than a day in sum; the try after the last delay is the last one."""
MAX_JITTER: Final = 0.25
"""A delay is up to this fraction longer, so that a target that recovers is not flooded."""
MAX_RETRY_AFTER: Final = _HOUR
"""Seconds up to which Retry-After is respected."""


def delay_after(tries: int, jitter: float, retry_after: int | None = None) -> int | None:
    """Return the seconds until the next try after `tries` failed ones; None after the last.

    `jitter`: from 0 to 1. `retry_after`: seconds that the target asks for.
    """
    if tries > len(RETRY_DELAYS):
        return None
    delay = round(RETRY_DELAYS[tries - 1] * (1 + MAX_JITTER * jitter))
    return max(delay, min(retry_after or 0, MAX_RETRY_AFTER))


def parse_retry_after(retry_after: str | None) -> int | None:
    """Return the seconds of a Retry-After header; None for a date or no header."""
    return int(retry_after) if retry_after and retry_after.isascii() and retry_after.isdigit() else None


# --- Signatures ---


SECRET_PREFIX: Final = "whsec_"
KEY_BYTES: Final = 32
"""The specification asks for 24 to 64."""


def encode_secret(key: bytes) -> str:
    """Return a key as the text that receivers configure."""
    return SECRET_PREFIX + base64.b64encode(key).decode()


def decode_secret(secret: str) -> bytes:
    """Return the key of a secret. Raises ValueError."""
    if not secret.startswith(SECRET_PREFIX):
        raise ValueError("a secret begins with whsec_")
    try:
        return base64.b64decode(secret.removeprefix(SECRET_PREFIX), validate=True)
    except binascii.Error as error:
        raise ValueError("no base64") from error


def signature_headers(secrets: Iterable[str], message_id: str, seconds: int, body: bytes) -> dict[str, str]:
    """Return the headers of the Standard Webhooks specification (standardwebhooks.com).

    One signature for each secret, so that the old one stays valid while it is renewed. `seconds`: the Unix time of
    this try.
    """
    signatures = (signature(secret, message_id, seconds, body) for secret in secrets)
    return {
        "webhook-id": message_id,
        "webhook-timestamp": str(seconds),
        "webhook-signature": " ".join(signatures),
    }


def signature(secret: str, message_id: str, seconds: int, body: bytes) -> str:
    """Sign id, time and body with HMAC-SHA256."""
    content = b".".join((message_id.encode(), str(seconds).encode(), body))
    return f"v1,{base64.b64encode(hmac.digest(decode_secret(secret), content, hashlib.sha256)).decode()}"


def dingtalk_sign(secret: str, milliseconds: int) -> str:
    """Return the signature that a DingTalk robot expects in its URL."""
    content = f"{milliseconds}\n{secret}"
    return base64.b64encode(hmac.digest(secret.encode(), content.encode(), hashlib.sha256)).decode()


def feishu_sign(secret: str, seconds: int) -> str:
    """Return the signature that a Feishu or Lark robot expects: the HMAC of nothing, with time and secret as key."""
    key = f"{seconds}\n{secret}"
    return base64.b64encode(hmac.digest(key.encode(), b"", hashlib.sha256)).decode()


# --- Formats ---


MAX_BYTES: Final = 1900
"""Of a chat message in UTF-8. WeCom takes 2048 bytes, Discord 2000 characters, the others more."""
_ELLIPSIS: Final = "…"
_ZERO_WIDTH_SPACE: Final = "\u200b"


class Format(StrEnum):
    """The receiver's message format. Chats get plain text without mentions and markup.

    Slack: https://api.slack.com/messaging/webhooks (Mattermost, Rocket.Chat and Matrix' hookshot take the same).
    Discord: https://discord.com/developers/docs/resources/webhook#execute-webhook
    Telegram: https://core.telegram.org/bots/api#sendmessage
    DingTalk: https://open.dingtalk.com/document/robots/custom-robot-access
    WeCom: https://developer.work.weixin.qq.com/document/path/91770
    Feishu, Lark: https://open.feishu.cn/document/client-docs/bot-v3/add-custom-bot
    """

    HULE = "hule"
    SLACK = "slack"
    DISCORD = "discord"
    TELEGRAM = "telegram"
    DINGTALK = "dingtalk"
    WECOM = "wecom"
    FEISHU = "feishu"


FORMATS_WITH_CHAT: Final = frozenset({Format.TELEGRAM})
"""Formats whose messages name their chat."""
SIGNABLE_FORMATS: Final = frozenset({Format.DINGTALK, Format.FEISHU})
"""Formats whose robots may have a secret of their own."""


def body_of(format: Format, message: Mapping[str, Any], text: str, chat: str) -> str:
    """Return the request body as JSON: `message` for programs, `text` for chats."""
    body = message if format is Format.HULE else _BODIES[format](text, chat)
    return json.dumps(body, ensure_ascii=False, separators=(",", ":"))


def _slack(text: str, _chat: str) -> dict[str, Any]:
    """Escape <!channel> and Mattermost's @all, which would notify everybody."""
    for sign, harmless in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("@", f"@{_ZERO_WIDTH_SPACE}")):
        text = text.replace(sign, harmless)
    return {"text": text}


def _discord(text: str, _chat: str) -> dict[str, Any]:
    return {"content": text, "allowed_mentions": {"parse": []}}


def _telegram(text: str, chat: str) -> dict[str, Any]:
    return {"chat_id": chat, "text": text, "link_preview_options": {"is_disabled": True}}


def _dingtalk(text: str, _chat: str) -> dict[str, Any]:
    return {"msgtype": "text", "text": {"content": text}, "at": {"isAtAll": False}}


def _wecom(text: str, _chat: str) -> dict[str, Any]:
    return {"msgtype": "text", "text": {"content": text}}


def _feishu(text: str, _chat: str) -> dict[str, Any]:
    """Escape <at user_id="all">, which would notify everybody."""
    return {"msg_type": "text", "content": {"text": text.replace("<", "＜")}}


_BODIES: Final[Mapping[Format, Callable[[str, str], dict[str, Any]]]] = {
    Format.SLACK: _slack,
    Format.DISCORD: _discord,
    Format.TELEGRAM: _telegram,
    Format.DINGTALK: _dingtalk,
    Format.WECOM: _wecom,
    Format.FEISHU: _feishu,
}


def chat_text(text: str, link: str) -> str:
    """Join text and link, shortening the text to MAX_BYTES in all."""
    room = MAX_BYTES - len(link.encode()) - 1
    encoded = text.encode()
    if len(encoded) > room:
        text = encoded[: room - len(_ELLIPSIS.encode())].decode(errors="ignore") + _ELLIPSIS
    return f"{text}\n{link}" if link else text


def sign_request(format: Format, url: str, body: str, key: str, milliseconds: int) -> tuple[str, str]:
    """Return URL and body, signed with the robot's own secret `key` if it has one."""
    if not key or format not in SIGNABLE_FORMATS:
        return url, body
    if format is Format.DINGTALK:
        sign = quote_plus(dingtalk_sign(key, milliseconds))
        return f"{url}{'&' if '?' in url else '?'}timestamp={milliseconds}&sign={sign}", body
    seconds = milliseconds // 1000
    stamp = {"timestamp": str(seconds), "sign": feishu_sign(key, seconds)}
    return url, json.dumps(stamp | json.loads(body), ensure_ascii=False, separators=(",", ":"))


def error_in_body(format: Format, answer: bytes) -> str:
    """Return the error in the body of a chat's 200 response; "" when the message was accepted."""
    if format not in _ERROR_FIELDS:
        return ""
    try:
        reply = json.loads(answer)
    except ValueError:
        return ""
    if not isinstance(reply, dict):
        return ""
    code, text = _ERROR_FIELDS[format]
    return f"{reply[code]} {reply.get(text, '')}".strip() if reply.get(code, 0) not in (0, "0") else ""


_ERROR_FIELDS: Final = {
    Format.DINGTALK: ("errcode", "errmsg"),
    Format.WECOM: ("errcode", "errmsg"),
    Format.FEISHU: ("code", "msg"),
}
