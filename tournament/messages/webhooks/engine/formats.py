"""The bodies that chats understand: text alone, with nobody called by name and nothing made bold.

Slack: https://api.slack.com/messaging/webhooks (Mattermost, Rocket.Chat and Matrix' hookshot take the same).
Discord: https://discord.com/developers/docs/resources/webhook#execute-webhook
Telegram: https://core.telegram.org/bots/api#sendmessage
DingTalk: https://open.dingtalk.com/document/robots/custom-robot-access
WeCom: https://developer.work.weixin.qq.com/document/path/91770
Feishu, Lark: https://open.feishu.cn/document/client-docs/bot-v3/add-custom-bot
"""

import json
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any, Final
from urllib.parse import quote_plus

from tournament.messages.webhooks.engine.signing import dingtalk_sign, feishu_sign

MOST_BYTES: Final = 1900
"""Of a message in UTF-8. WeCom takes 2048, Discord 2000 characters, the others more."""
_CUT: Final = "…"
_APART: Final = "\u200b"


class Format(StrEnum):
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


def chat_text(text: str, link: str) -> str:
    """What a chat shows: no longer than each takes, the link whole."""
    room = MOST_BYTES - len(link.encode()) - 1
    said = text.encode()
    if len(said) > room:
        text = said[: room - len(_CUT.encode())].decode(errors="ignore") + _CUT
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
        said = json.loads(answer)
    except ValueError:
        return ""
    if not isinstance(said, dict):
        return ""
    code, words = _CODES[format]
    return f"{said[code]} {said.get(words, '')}".strip() if said.get(code, 0) not in (0, "0") else ""


_CODES: Final = {
    Format.DINGTALK: ("errcode", "errmsg"),
    Format.WECOM: ("errcode", "errmsg"),
    Format.FEISHU: ("code", "msg"),
}


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
