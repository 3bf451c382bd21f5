"""The mail server that the environment names (`EMAIL_URL` or `EMAIL_…`), and what it says to a message.

Addresses stand in what servers say and in what smtplib raises: nothing here writes to the log.
"""

from __future__ import annotations

import re
import smtplib
import socket
import ssl
from collections.abc import Callable
from dataclasses import dataclass
from email.utils import parseaddr
from enum import Enum, auto
from typing import Final

from django.conf import settings
from django.core.mail import EmailMessage
from django.core.mail.backends.smtp import EmailBackend
from django.core.mail.message import sanitize_address

MOST_WORDS: Final = 300
PATIENCE: Final = 3
"""Once it has all of a message a server may look at it for so many times as long as it has for anything else."""
INVENTED: Final = (".example", ".invalid")
"""Domains that are nobody's (RFC 2606): the demonstration's people live there. Letters to them would come back, and a
sender whose letters come back becomes suspect."""
_STARTS_WITH_A_DOT: Final = re.compile(rb"(?m)^\.")


class Away(Exception):
    """It cannot be spoken to, so no other message can be sent now either, and none was taken. Its text: why."""


class Outcome(Enum):
    TAKEN = auto()
    LATER = auto()
    """Not now: 4xx."""
    NEVER = auto()
    """5xx, or no address at all."""
    UNCLEAR = auto()
    """It had all of it, and was not heard of again."""
    INVENTED = auto()
    """It was not asked: nobody can have that address."""


@dataclass(frozen=True)
class Answer:
    outcome: Outcome
    words: str = ""
    """The server's."""

    @classmethod
    def of(cls, code: int, words: bytes | str) -> Answer:
        outcome = Outcome.TAKEN if code < 300 else Outcome.NEVER if code >= 500 else Outcome.LATER
        return cls(outcome, _said(code, words))


def is_set() -> bool:
    return bool(settings.EMAIL_HOST)


def sender() -> str:
    """What stands after From:, when the operator names nobody the name that signs in."""
    user: str = settings.EMAIL_HOST_USER
    return settings.DEFAULT_FROM_EMAIL or (user if "@" in user else f"hule@{socket.getfqdn()}")


class Server:
    """A connection for some messages: `with Server() as server:` opens it, or raises Away."""

    def __init__(self) -> None:
        self._backend = EmailBackend(timeout=settings.EMAIL_TIMEOUT)

    def __enter__(self) -> Server:
        try:
            self._backend.open()
        except (smtplib.SMTPException, OSError, UnicodeError) as fault:
            raise Away(_why(fault)) from None
        return self

    def __exit__(self, *_raised: object) -> None:
        try:
            self._backend.close()
        except (smtplib.SMTPException, OSError):
            return

    def send(self, message: EmailMessage, from_address: str) -> Answer:
        """Hand one over. Raises Away when the line broke before the server had all of it."""
        if message.to[0].lower().endswith(INVENTED):
            return Answer(Outcome.INVENTED)
        try:
            body = message.message().as_bytes().replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
            to = parseaddr(sanitize_address(message.to[0], "utf-8"))[1]
            return self._converse(from_address, to, body)
        except (smtplib.SMTPServerDisconnected, OSError) as fault:
            raise Away(_why(fault)) from None
        except (smtplib.SMTPException, ValueError) as fault:
            return Answer(Outcome.NEVER, type(fault).__name__)  # its text may be the address

    def _converse(self, from_address: str, to: str, body: bytes) -> Answer:
        """As `smtplib.sendmail` does it, but for knowing whether the server had all of it when the line broke."""
        smtp = self._backend.connection
        assert smtp is not None, "`with Server()` opens it"
        smtp.ehlo_or_helo_if_needed()
        steps: tuple[Callable[[], tuple[int, bytes]], ...] = (
            lambda: smtp.mail(from_address),
            lambda: smtp.rcpt(to),
            lambda: smtp.docmd("DATA"),
        )
        for step in steps:
            code, words = step()
            if code >= 400:
                smtp.rset()
                return Answer.of(code, words)
        smtp.send(_STARTS_WITH_A_DOT.sub(b"..", body.rstrip(b"\r\n")) + b"\r\n")
        return self._end(smtp)

    @staticmethod
    def _end(smtp: smtplib.SMTP) -> Answer:
        assert smtp.sock is not None
        smtp.sock.settimeout(settings.EMAIL_TIMEOUT * PATIENCE)
        try:
            smtp.send(b".\r\n")
            code, words = smtp.getreply()
        except (smtplib.SMTPServerDisconnected, OSError) as fault:
            return Answer(Outcome.UNCLEAR, _why(fault))
        smtp.sock.settimeout(settings.EMAIL_TIMEOUT)
        return Answer.of(code, words)


def _said(code: int, words: bytes | str) -> str:
    text = words.decode("utf-8", "replace") if isinstance(words, bytes) else words
    return _tidy(f"{code} {text}")


def _why(fault: BaseException) -> str:
    if isinstance(fault, smtplib.SMTPResponseException):
        return _said(fault.smtp_code, fault.smtp_error)
    if isinstance(fault, ssl.SSLCertVerificationError):
        return _tidy(fault.verify_message)
    return _tidy(str(fault) or type(fault).__name__)


def _tidy(text: str) -> str:
    shown = "".join(sign if sign.isprintable() else " " for sign in text)
    return " ".join(shown.split())[:MOST_WORDS]
