"""One message to one target, and what it answers. Nothing here reads or writes the database: it runs in threads."""

from __future__ import annotations

import http.client
import json
import socket
import ssl
import time
from dataclasses import dataclass
from enum import Enum
from typing import Final
from urllib.parse import urlsplit

from tournament.messages.outbound import line
from tournament.messages.outbound.line import Answer, Limits, TooSlow
from tournament.messages.outbound.places import NotPublic
from tournament.messages.webhooks import places
from tournament.messages.webhooks.engine.formats import Format, complaint, signed
from tournament.messages.webhooks.engine.pauses import asked_for
from tournament.messages.webhooks.engine.signing import headers
from tournament.messages.webhooks.models import LONGEST_ANSWER

LIMITS: Final = Limits(patience=5.0, longest=10.0, most=2048)
"""Five seconds of silence, ten for everything, two kilobytes of the answer."""
UNACCEPTABLE: Final = frozenset({400, 413, 414, 415, 422})
"""The message is at fault: it is no better the next time."""
GONE: Final = 410
TOO_MANY: Final = 429


class Outcome(Enum):
    ARRIVED = "arrived"
    LATER = "later"
    NEVER = "never"
    """This message; the next may arrive."""
    GONE = "gone"
    """The target: nothing more is to be sent there."""


@dataclass(frozen=True)
class Parcel:
    """A message as it is to be sent. `secrets`: the newest first."""

    url: str
    format: Format
    chat: str
    secrets: tuple[str, ...]
    message: str
    body: str
    kind: str


@dataclass(frozen=True)
class Report:
    """What came of a try. `fault`: why it failed, by its code; `said`: the other side's own words, or where it wanted
    to lead; `asked`: for how many seconds it asks to be left alone."""

    outcome: Outcome
    milliseconds: int
    status: int | None = None
    fault: str = ""
    said: str = ""
    asked: int | None = None


def send(parcel: Parcel, seconds: float) -> Report:
    """Hand it over, once. Never raises for what the other side does. `seconds`: what the clock says, for signatures."""
    begun = time.monotonic()
    answer: Answer | None = None
    try:
        answer = _posted(parcel, seconds)
        outcome, fault, said = _understood(parcel.format, answer)
    except (OSError, http.client.HTTPException) as trouble:
        outcome, fault, said = Outcome.LATER, fault_of(trouble), ""
    took = round((time.monotonic() - begun) * 1000)
    if answer is None:
        return Report(outcome, took, None, fault)
    return Report(outcome, took, answer.status, fault, said, asked_for(answer.headers.get("retry-after")))


def _posted(parcel: Parcel, seconds: float) -> Answer:
    url, text = signed(parcel.format, parcel.url, parcel.body, parcel.chat, round(seconds * 1000))
    body, parts = text.encode(), urlsplit(url)
    told = {"Content-Type": "application/json; charset=utf-8", "User-Agent": "Hule"}
    told |= headers(parcel.secrets, parcel.message, int(seconds), body)
    return line.post(parts, places.addresses(parts), told | _for_programs(parcel), body, LIMITS)


def _for_programs(parcel: Parcel) -> dict[str, str]:
    """By which a program sorts before it reads."""
    return {"X-Hule-Event": parcel.kind} if parcel.format is Format.HULE else {}


def _understood(format: Format, answer: Answer) -> tuple[Outcome, str, str]:
    status, said = answer.status, _words(answer.body)
    if 200 <= status < 300:
        against = complaint(format, answer.body)
        return (
            (Outcome.LATER, "complaint", against[:LONGEST_ANSWER]) if against else (Outcome.ARRIVED, "", said)
        )
    if 300 <= status < 400:
        return Outcome.LATER, "redirect", _printable(answer.headers.get("location", ""))
    if status == GONE:
        return Outcome.GONE, "gone", said
    if status in UNACCEPTABLE:
        return Outcome.NEVER, "unacceptable", said
    return Outcome.LATER, "too_many" if status == TOO_MANY else "status", said


def fault_of(trouble: Exception) -> str:
    """The code of what went wrong before there was an answer."""
    return next((code for kind, code in _FAULTS if isinstance(trouble, kind)), "nobody")


_FAULTS: Final = (
    (NotPublic, "private"),
    (TooSlow, "hangs"),
    (TimeoutError, "hangs"),
    (socket.gaierror, "unknown_name"),
    (ssl.SSLError, "not_trusted"),
    (http.client.RemoteDisconnected, "nobody"),
    (http.client.HTTPException, "not_http"),
)


def _words(body: bytes) -> str:
    """How an answer begins; of JSON with a sentence in it, that."""
    text = body.decode(errors="replace")
    try:
        read = json.loads(text)
    except ValueError:
        return _printable(text)
    if isinstance(read, dict):
        text = next((str(read[key]) for key in ("description", "message", "error") if read.get(key)), text)
    return _printable(text)


def _printable(text: str) -> str:
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())[:LONGEST_ANSWER]
