"""Signatures by the Standard Webhooks specification, pauses, and what each chat is sent."""

import base64
import hashlib
import hmac
import json
from itertools import pairwise
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament.base.engine.notices import Kind
from tournament.base.log_actions import ACTIONS
from tournament.messages.webhooks import engine as webhooks_engine
from tournament.messages.webhooks.engine import (
    MAX_RETRY_AFTER,
    RETRY_DELAYS,
    SUBSCRIBABLE_KINDS,
    Format,
    decode_secret,
    delay_after,
    encode_secret,
    parse_retry_after,
    signature,
    signature_headers,
)

keys = st.binary(min_size=24, max_size=64)
messages = st.text(st.characters(categories=("L", "N")), min_size=1, max_size=40)
moments = st.integers(0, 2**40)


def test_the_specifications_example_has_its_signature() -> None:
    """https://github.com/standard-webhooks/standard-webhooks: the test vector of its libraries."""
    secret, message = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "msg_p5jXN8AQM9LWM0D4loKWxJek"
    signed_as = signature(secret, message, 1614265330, b'{"test": 2432232314}')
    assert signed_as == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


@given(keys, keys, messages, moments, st.binary(max_size=200), st.binary(min_size=1, max_size=5))
def test_old_and_new_secret_verify_a_message_but_not_a_changed_body(
    key: bytes, old: bytes, message: str, seconds: int, body: bytes, more: bytes
) -> None:
    secret = encode_secret(key)
    sent = signature_headers([secret], message, seconds, body)
    content = f"{sent['webhook-id']}.{sent['webhook-timestamp']}.".encode() + body
    expected = base64.b64encode(hmac.new(key, content, hashlib.sha256).digest()).decode()
    assert sent["webhook-signature"] == f"v1,{expected}"
    assert decode_secret(secret) == key
    secrets = [secret, encode_secret(old)]
    signatures = signature_headers(secrets, message, seconds, body)["webhook-signature"].split(" ")
    assert signatures == [signature(each, message, seconds, body) for each in secrets]
    assert signature(secret, message, seconds, body) != signature(secret, message, seconds, body + more)


@pytest.mark.parametrize("secret", ["", "MfKQ9r8G", "whsec_not base64!"])
def test_an_invalid_secret_is_refused(secret: str) -> None:
    with pytest.raises(ValueError, match=r"whsec_|base64"):
        decode_secret(secret)


@given(st.integers(1, len(RETRY_DELAYS)), st.floats(0, 1), st.integers(0, 1000))
def test_delays_vary_by_a_quarter_until_the_last_try(tries: int, jitter: float, more: int) -> None:
    pause = delay_after(tries, jitter)
    assert pause is not None
    assert RETRY_DELAYS[tries - 1] <= pause <= RETRY_DELAYS[tries - 1] * 1.25 + 1
    assert delay_after(len(RETRY_DELAYS) + 1 + more, jitter) is None


def test_delays_grow_to_more_than_a_day_and_retry_after_is_parsed() -> None:
    assert all(first <= second for first, second in pairwise(RETRY_DELAYS))
    assert sum(RETRY_DELAYS) > 24 * 3600
    answers = {"120": 120, "Wed, 21 Oct 2026 07:28:00 GMT": None, "": None, None: None}
    assert {answer: parse_retry_after(answer) for answer in answers} == answers


@given(st.floats(0, 1), st.integers(0, 10**9))
def test_retry_after_is_limited_to_an_hour(jitter: float, retry_after: int) -> None:
    pause = delay_after(1, jitter, retry_after)
    assert pause is not None
    assert min(retry_after, MAX_RETRY_AFTER) <= pause <= MAX_RETRY_AFTER


def body(format: Format, text: str, chat: str = "") -> dict[str, object]:
    read: dict[str, object] = json.loads(webhooks_engine.body_of(format, {"type": "test"}, text, chat))
    return read


def test_each_chat_gets_its_format() -> None:
    assert body(Format.HULE, "x") == {"type": "test"}
    assert body(Format.SLACK, "七号桌") == {"text": "七号桌"}
    assert body(Format.DISCORD, "x") == {"content": "x", "allowed_mentions": {"parse": []}}
    telegram = {"chat_id": "@club", "text": "x", "link_preview_options": {"is_disabled": True}}
    assert body(Format.TELEGRAM, "x", "@club") == telegram
    wecom = {"msgtype": "text", "text": {"content": "x"}}
    assert body(Format.WECOM, "x") == wecom
    assert body(Format.DINGTALK, "x") == wecom | {"at": {"isAtAll": False}}
    assert body(Format.FEISHU, "x") == {"msg_type": "text", "content": {"text": "x"}}


def test_typed_text_mentions_nobody_in_a_chat() -> None:
    assert body(Format.SLACK, "<!channel> & @here") == {"text": "&lt;!channel&gt; &amp; @\u200bhere"}
    assert body(Format.FEISHU, '<at user_id="all">')["content"] == {"text": '＜at user_id="all">'}


@given(st.text(max_size=3000), st.sampled_from(["", "https://hule.example.org/t/open/ranking/"]))
def test_long_messages_are_cut_and_their_link_is_whole(text: str, link: str) -> None:
    text = text.encode(errors="ignore").decode()
    shown = webhooks_engine.chat_text(text, link)
    assert len(shown.encode()) <= webhooks_engine.MAX_BYTES
    assert shown.endswith(link)


def test_only_robots_get_their_signature() -> None:
    address = "https://oapi.dingtalk.com/robot/send?access_token=x"
    url, text = webhooks_engine.sign_request(Format.DINGTALK, address, "{}", "SEC1", 1700)
    query = parse_qs(urlsplit(url).query)
    expected = base64.b64encode(hmac.new(b"SEC1", b"1700\nSEC1", hashlib.sha256).digest()).decode()
    assert (query["timestamp"], query["sign"], text) == (["1700"], [expected], "{}")
    url, text = webhooks_engine.sign_request(
        Format.FEISHU, "https://open.feishu.cn/x", '{"msg_type":"text"}', "key", 1_700_000
    )
    expected = base64.b64encode(hmac.new(b"1700\nkey", b"", hashlib.sha256).digest()).decode()
    assert json.loads(text) == {"timestamp": "1700", "sign": expected, "msg_type": "text"}
    assert url == "https://open.feishu.cn/x"
    message = ("https://example.org/x", "{}")
    others = set(Format) - webhooks_engine.SIGNABLE_FORMATS
    assert [
        format for format in others if webhooks_engine.sign_request(format, *message, "key", 1700) != message
    ] == []


def test_an_error_in_a_200_body_fails_and_every_kind_has_an_action() -> None:
    cases = {
        (Format.WECOM, b'{"errcode":0,"errmsg":"ok"}'): "",
        (Format.WECOM, b'{"errcode":93000,"errmsg":"invalid webhook url"}'): "93000 invalid webhook url",
        (Format.FEISHU, b'{"StatusCode":0,"code":0,"msg":"success"}'): "",
        (Format.FEISHU, b'{"code":19021,"msg":"sign match fail"}'): "19021 sign match fail",
        (Format.DINGTALK, b"<html>"): "",
        (Format.DINGTALK, b"[1]"): "",
        (Format.SLACK, b'{"errcode":1}'): "",
    }
    assert {case: webhooks_engine.error_in_body(*case) for case in cases} == cases
    assert {notice.kind for action in ACTIONS.values() for notice in action.webhooks} == set(
        SUBSCRIBABLE_KINDS
    )
    assert Kind.TEST not in SUBSCRIBABLE_KINDS
