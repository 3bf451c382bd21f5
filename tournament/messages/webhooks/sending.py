"""Send one message of a webhook over HTTP, to addresses that are allowed; nothing here uses the database."""

import http.client
import json
import socket
import ssl
import time
from dataclasses import dataclass
from enum import Enum
from functools import partial
from typing import Final
from urllib.parse import SplitResult, urlsplit

from django.conf import settings

from tournament.base.engine.text import one_line
from tournament.messages import outbound
from tournament.messages.outbound import (
    HTTPS_PORT,
    DeadlineExceeded,
    Limits,
    NotPublic,
    Response,
    is_public,
    unwrap,
)
from tournament.messages.webhooks.engine import (
    Format,
    error_in_body,
    parse_retry_after,
    sign_request,
    signature_headers,
)
from tournament.messages.webhooks.models import MAX_ANSWER_LENGTH, is_open_port

LIMITS: Final = Limits(timeout=5.0, deadline=10.0, max_bytes=2048)
UNACCEPTABLE: Final = frozenset({400, 413, 414, 415, 422})
"""Statuses that say the message is at fault, so that it is not retried."""
GONE: Final = 410
TOO_MANY: Final = 429


class Outcome(Enum):
    DELIVERED = "arrived"
    RETRY = "later"
    REJECTED = "never"
    """The message is not accepted; later ones may be."""
    GONE = "gone"
    """The target no longer exists."""


@dataclass(frozen=True)
class OutgoingMessage:
    """What is sent of a delivery. `secrets`: newest first."""

    url: str
    format: Format
    chat: str
    secrets: tuple[str, ...]
    message_id: str
    body: str
    kind: str


@dataclass(frozen=True)
class Attempt:
    """The outcome of one try. `fault`: a key of `texts.FAULTS`; `text`: the beginning of the response, or where it
    redirects to; `retry_after`: seconds from that header."""

    outcome: Outcome
    milliseconds: int
    status: int | None = None
    fault: str = ""
    text: str = ""
    retry_after: int | None = None


def send(outgoing: OutgoingMessage, seconds: float) -> Attempt:
    """Send a message once. Failures of the other side are returned, not raised.

    Runs in a thread, so it does not use the database. `seconds`: the Unix time for signatures.
    """
    start = time.monotonic()
    response: Response | None = None
    try:
        response = _post(outgoing, seconds)
        outcome, fault, text = _outcome(outgoing.format, response)
    except (OSError, http.client.HTTPException) as error:
        outcome, fault, text = Outcome.RETRY, fault_code(error), ""
    milliseconds = round((time.monotonic() - start) * 1000)
    if response is None:
        return Attempt(outcome, milliseconds, None, fault)
    retry_after = parse_retry_after(response.headers.get("retry-after"))
    return Attempt(outcome, milliseconds, response.status, fault, text, retry_after)


def _post(outgoing: OutgoingMessage, seconds: float) -> Response:
    now = round(seconds * 1000)
    url, text = sign_request(outgoing.format, outgoing.url, outgoing.body, outgoing.chat, now)
    body, parts = text.encode(), urlsplit(url)
    request_headers = {"Content-Type": "application/json; charset=utf-8", "User-Agent": "Hule"}
    request_headers |= signature_headers(outgoing.secrets, outgoing.message_id, int(seconds), body)
    if outgoing.format is Format.HULE:
        request_headers["X-Hule-Event"] = outgoing.kind  # lets programs dispatch before they parse
    return outbound.post(parts, resolve(parts), request_headers, body, LIMITS)


def _outcome(format: Format, response: Response) -> tuple[Outcome, str, str]:
    status, text = response.status, _reply(response.body)
    if 200 <= status < 300:
        error_text = error_in_body(format, response.body)
        return (
            (Outcome.RETRY, "complaint", error_text[:MAX_ANSWER_LENGTH])
            if error_text
            else (Outcome.DELIVERED, "", text)
        )
    if 300 <= status < 400:
        return Outcome.RETRY, "redirect", _shortened(response.headers.get("location", ""))
    if status == GONE:
        return Outcome.GONE, "gone", text
    if status in UNACCEPTABLE:
        return Outcome.REJECTED, "unacceptable", text
    return Outcome.RETRY, "too_many" if status == TOO_MANY else "status", text


def _reply(body: bytes) -> str:
    """Return the beginning of a response's body; of JSON with an error message, the message."""
    text = body.decode(errors="replace")
    try:
        parsed = json.loads(text)
    except ValueError:
        return _shortened(text)
    if isinstance(parsed, dict):
        text = next(
            (str(parsed[key]) for key in ("description", "message", "error") if parsed.get(key)), text
        )
    return _shortened(text)


def _shortened(text: str) -> str:
    return one_line(text)[:MAX_ANSWER_LENGTH]


def fault_code(error: Exception) -> str:
    """Return the code of an error that prevented a response."""
    return next((code for kind, code in _FAULTS if isinstance(error, kind)), "nobody")


_FAULTS: Final = (
    (NotPublic, "private"),
    (DeadlineExceeded, "hangs"),
    (TimeoutError, "hangs"),
    (socket.gaierror, "unknown_name"),
    (ssl.SSLError, "not_trusted"),
    (http.client.RemoteDisconnected, "nobody"),
    (http.client.HTTPException, "not_http"),
)


# --- Addresses ---


def resolve(parts: SplitResult) -> list[tuple[str, int]]:
    """Resolve the host to (IP address, port) pairs.

    Raises NotPublic unless every address is public or in WEBHOOK_NETWORKS.
    """
    is_https = parts.scheme == "https"
    port = parts.port or (HTTPS_PORT if is_https else 80)
    is_allowed = partial(_is_allowed, is_open=is_https and is_open_port(port))
    return outbound.resolve(parts, is_allowed, port)


def _is_allowed(ip: str, *, is_open: bool) -> bool:
    if is_open and is_public(ip):
        return True
    address = unwrap(ip)
    return any(address in network for network in settings.WEBHOOK_NETWORKS)
