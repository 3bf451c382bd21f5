"""Delivering what is posted over the mail server that the environment names (`EMAIL_URL` or `EMAIL_…`).

Addresses stand in what servers say and in what smtplib raises: nothing about the server is written to the log.
"""

from __future__ import annotations

import logging
import re
import smtplib
import socket
import ssl
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from email.utils import parseaddr
from enum import Enum, auto
from itertools import islice
from typing import Final

from django.conf import settings
from django.core.mail import EmailMessage
from django.core.mail.backends.smtp import EmailBackend
from django.core.mail.message import sanitize_address
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from tournament.base.engine.text import one_line
from tournament.messages.mail.models import Mail

logger = logging.getLogger(__name__)

# --- The mail server ---


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
        return cls(outcome, _reply(code, words))


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


def _reply(code: int, words: bytes | str) -> str:
    text = words.decode("utf-8", "replace") if isinstance(words, bytes) else words
    return one_line(f"{code} {text}")[:MOST_WORDS]


def _why(fault: BaseException) -> str:
    if isinstance(fault, smtplib.SMTPResponseException):
        return _reply(fault.smtp_code, fault.smtp_error)
    if isinstance(fault, ssl.SSLCertVerificationError):
        return one_line(fault.verify_message)[:MOST_WORDS]
    return one_line(str(fault) or type(fault).__name__)[:MOST_WORDS]


# --- Delivery ---


PAUSES: Final = tuple(timedelta(minutes=n) for n in (1, 5, 15, 60, 180, 360, 720))
"""After each try that failed; after the one that follows the last of them it is given up."""
LEASE: Final = timedelta(minutes=10)
"""How long one that is being sent is waited for."""
AT_ONCE: Final = 50
"""Messages over one connection."""
SECONDS: Final = 60.0
"""How long one task goes on: documents want the worker, too. The rest is due in the next minute."""
STATES: Final = {
    Outcome.TAKEN: Mail.State.SENT,
    Outcome.NEVER: Mail.State.FAILED,
    Outcome.UNCLEAR: Mail.State.UNCLEAR,
    Outcome.INVENTED: Mail.State.NOT_SENT,
}


def deliver() -> None:
    """Send what is due, the oldest first, each with longer and longer pauses after tries that failed.

    No message goes out twice by itself. One of which nothing was heard again once the server had it, or whose worker
    stopped meanwhile, is left to a person: it may have arrived.
    """
    if not is_set():
        Mail.objects.filter(state=Mail.State.WAITING).update(state=Mail.State.NOT_SENT, try_at=None)
        return
    until = time.monotonic() + SECONDS
    while time.monotonic() < until and due_mails().exists():
        if not _send_some(until):
            return


def let_go() -> None:
    """Mark messages that were claimed and never heard of again: nobody knows whether they arrived."""
    lost = Mail.objects.filter(state=Mail.State.SENDING, try_at__lt=timezone.now())
    if count := lost.update(state=Mail.State.UNCLEAR, try_at=None):
        logger.warning("%s letters were being sent when their worker stopped", count)


def due_mails() -> QuerySet[Mail]:
    is_due = Q(try_at=None) | Q(try_at__lte=timezone.now())
    return Mail.objects.filter(state=Mail.State.WAITING).filter(is_due)


def _send_some(until: float) -> bool:
    """Send over one connection; False when the server is away, and nothing else is to be tried now."""
    try:
        with Server() as connection:
            for mail in islice(claim_due_mails(), AT_ONCE):
                if not _send(connection, mail):
                    return True
                if time.monotonic() >= until:
                    break
    except Away as away:
        if (first := next(claim_due_mails(), None)) is not None:
            _note(first, Answer(Outcome.LATER, str(away)))
        due_mails().update(try_at=timezone.now() + PAUSES[0])  # of all others, too, as no try of theirs
        return False
    return True


def claim_due_mails() -> Iterator[Mail]:
    """Claim one after the other for this worker alone: whoever else looks finds it being sent."""
    while (pk := due_mails().order_by("posted_at", "pk").values_list("pk", flat=True).first()) is not None:
        ours = due_mails().filter(pk=pk)
        if ours.update(
            state=Mail.State.SENDING, tries=F("tries") + 1, try_at=timezone.now() + LEASE, error=""
        ):
            yield Mail.objects.get(pk=pk)


def _send(connection: Server, mail: Mail) -> bool:
    """Send one message; False when the line broke, and the next one needs another."""
    try:
        answer = connection.send(_message(mail), parseaddr(sender())[1])
    except Away as away:
        _note(mail, Answer(Outcome.LATER, str(away)))
        return False
    _note(mail, answer)
    return answer.outcome is not Outcome.UNCLEAR


def _message(mail: Mail) -> EmailMessage:
    """Make the e-mail, in plain text. The same message has the same id, by which mail servers know it again."""
    at = parseaddr(sender())[1].rpartition("@")[2] or "localhost"
    headers = {
        "Message-ID": f"<{mail.key}@{at}>",
        "Auto-Submitted": "auto-generated",
        "Content-Language": mail.language,
    }
    return EmailMessage(mail.subject, mail.text, sender(), [mail.to], headers=headers)


def _note(mail: Mail, answer: Answer) -> None:
    """Store what became of a message. A pause follows each try but the last."""
    mail.state, mail.error, mail.try_at = STATES.get(answer.outcome, Mail.State.WAITING), answer.words, None
    if mail.state == Mail.State.SENT:
        mail.error, mail.sent_at = "", timezone.now()
    elif mail.state == Mail.State.WAITING and mail.tries > len(PAUSES):
        mail.state = Mail.State.FAILED
    elif mail.state == Mail.State.WAITING:
        mail.try_at = timezone.now() + PAUSES[mail.tries - 1]
    mail.save(update_fields=["state", "error", "try_at", "sent_at"])
    if mail.state not in (Mail.State.SENT, Mail.State.NOT_SENT):
        logger.warning("Letter %s, try %s: %s", mail.pk, mail.tries, mail.state)
