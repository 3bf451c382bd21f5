"""What can be told to programs and chats: kinds, formats, signatures and pauses."""

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

# --- What can be told ---


FOR_STAFF: Final = frozenset({Kind.UMPIRE_CALLED, Kind.PENALTY, Kind.APPEAL, Kind.REGISTRATION, Kind.TEST})
"""What the public pages do not say. All other kinds tell nothing that these do not say at that moment."""
OFFERED: Final = tuple(kind for kind in Kind if kind is not Kind.TEST)
NAMING: Final = frozenset({Kind.TABLE_FINISHED, Kind.RESULTS_PUBLISHED})
"""Kinds whose messages have names of players in them."""


# --- Pauses ---


_MINUTE, _HOUR = 60, 3600
PAUSES: Final = (
    *(_MINUTE, 5 * _MINUTE, 15 * _MINUTE),
    *(_HOUR, 2 * _HOUR, 4 * _HOUR, 6 * _HOUR, 6 * _HOUR, 6 * _HOUR),
)
"""Seconds after each try: more than a day together. After the one that follows the last a message is given up."""
JITTER: Final = 0.25
"""By so much of itself a pause is longer at the most, so that a target that comes back is not run over."""
LONGEST_ASKED: Final = _HOUR
"""For so long the other side may ask to be left alone (Retry-After)."""


def pause_after(tries: int, chance: float, wanted: int | None = None) -> int | None:
    """Say how many seconds pass until the next try, after so many; None when it is given up.

    `chance`: from 0 to 1. `wanted`: for how many seconds the other side asked to be left alone.
    """
    if tries > len(PAUSES):
        return None
    pause = round(PAUSES[tries - 1] * (1 + JITTER * chance))
    return max(pause, min(wanted or 0, LONGEST_ASKED))


def asked_for(retry_after: str | None) -> int | None:
    """Read the seconds of a Retry-After header; None for a date, or none."""
    return int(retry_after) if retry_after and retry_after.isascii() and retry_after.isdigit() else None


# --- Signatures ---


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
    """Make what goes with a message by the Standard Webhooks specification (standardwebhooks.com).

    One signature a secret, the newest first, so that both are good while one is renewed. `seconds`: when it is sent,
    which is another time at each try; the `message` keeps its id.
    """
    signed = (signature(secret, message, seconds, body) for secret in secrets)
    return {
        "webhook-id": message,
        "webhook-timestamp": str(seconds),
        "webhook-signature": " ".join(signed),
    }


def signature(secret: str, message: str, seconds: int, body: bytes) -> str:
    """Sign id, time and body by HMAC-SHA256."""
    content = b".".join((message.encode(), str(seconds).encode(), body))
    return f"v1,{base64.b64encode(hmac.digest(key_of(secret), content, hashlib.sha256)).decode()}"


def dingtalk_sign(secret: str, milliseconds: int) -> str:
    """Sign as a DingTalk robot with additional signature wants it in its address."""
    content = f"{milliseconds}\n{secret}"
    return base64.b64encode(hmac.digest(secret.encode(), content.encode(), hashlib.sha256)).decode()


def feishu_sign(secret: str, seconds: int) -> str:
    """Sign as a Feishu or Lark robot wants it in its message: the words are the key, and nothing is signed."""
    key = f"{seconds}\n{secret}"
    return base64.b64encode(hmac.digest(key.encode(), b"", hashlib.sha256)).decode()


# --- Formats ---


MOST_BYTES: Final = 1900
"""Of a message in UTF-8. WeCom takes 2048, Discord 2000 characters, the others more."""
_CUT: Final = "…"
_APART: Final = "\u200b"


class Format(StrEnum):
    """Who listens there. Chats get text alone, with nobody called by name and nothing made bold.

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


NEEDS_CHAT: Final = frozenset({Format.TELEGRAM})
"""Where a message has to say which chat it is for."""
MAY_SIGN: Final = frozenset({Format.DINGTALK, Format.FEISHU})
"""Where a robot may have a secret of its own."""


def body_of(format: Format, message: Mapping[str, Any], text: str, chat: str) -> str:
    """`message`: the whole of it, for programs; `text`: for people. As JSON, letters of every script as they are."""
    body = message if format is Format.HULE else _BODIES[format](text, chat)
    return json.dumps(body, ensure_ascii=False, separators=(",", ":"))


def _slack(text: str, _chat: str) -> dict[str, Any]:
    """<!channel> and the like call everybody, and Mattermost's @all does."""
    for sign, harmless in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("@", f"@{_APART}")):
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
    """<at user_id="all"> calls everybody."""
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
    """Cut a text to what each chat takes; the link stays whole."""
    room = MOST_BYTES - len(link.encode()) - 1
    encoded = text.encode()
    if len(encoded) > room:
        text = encoded[: room - len(_CUT.encode())].decode(errors="ignore") + _CUT
    return f"{text}\n{link}" if link else text


def signed(format: Format, url: str, body: str, key: str, milliseconds: int) -> tuple[str, str]:
    """Address and body as a robot with a secret of its own, `key`, wants them at this moment."""
    if not key or format not in MAY_SIGN:
        return url, body
    if format is Format.DINGTALK:
        sign = quote_plus(dingtalk_sign(key, milliseconds))
        return f"{url}{'&' if '?' in url else '?'}timestamp={milliseconds}&sign={sign}", body
    seconds = milliseconds // 1000
    stamp = {"timestamp": str(seconds), "sign": feishu_sign(key, seconds)}
    return url, json.dumps(stamp | json.loads(body), ensure_ascii=False, separators=(",", ":"))


def complaint(format: Format, answer: bytes) -> str:
    """What a chat says in its answer against a message although its status is 200; "" when it took it."""
    if format not in _CODES:
        return ""
    try:
        reply = json.loads(answer)
    except ValueError:
        return ""
    if not isinstance(reply, dict):
        return ""
    code, words = _CODES[format]
    return f"{reply[code]} {reply.get(words, '')}".strip() if reply.get(code, 0) not in (0, "0") else ""


_CODES: Final = {
    Format.DINGTALK: ("errcode", "errmsg"),
    Format.WECOM: ("errcode", "errmsg"),
    Format.FEISHU: ("code", "msg"),
}
