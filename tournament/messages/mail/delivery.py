"""Deliver queued mails by SMTP, to the server in the environment (`EMAIL_URL` or `EMAIL_…`).

Replies of servers and errors of smtplib contain addresses, so neither is logged.
"""

from __future__ import annotations

import logging
import smtplib
import socket
import ssl
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from email.utils import parseaddr
from enum import Enum, auto
from itertools import islice
from typing import Final

from django.conf import settings
from django.core.mail import EmailMessage
from django.core.mail.backends.smtp import EmailBackend
from django.utils import timezone

from tournament.base.engine.text import one_line
from tournament.messages.mail.models import Mail

logger = logging.getLogger(__name__)

# --- SMTP ---


MAX_REPLY_LENGTH: Final = 300
MESSAGE_TIMEOUT_FACTOR: Final = 3
"""How many times the usual timeout a server may take once it is reached: a slow one would get each message again."""
RESERVED_DOMAINS: Final = (".example", ".invalid")
"""Reserved top-level domains (RFC 2606), which the demonstration uses. Mail to them bounces, and bounces harm a
sender's reputation."""


class ServerUnreachable(Exception):
    """No message could be handed over, nor can any other one now. The argument is the reason."""


class Outcome(Enum):
    ACCEPTED = auto()
    RETRY = auto()
    """4xx, or the connection failed."""
    REJECTED = auto()
    """5xx, or the address is malformed."""
    RESERVED = auto()
    """Not sent: the address is in a reserved domain."""


@dataclass(frozen=True)
class Reply:
    """What became of one message. `text`: the server's own words."""

    outcome: Outcome
    text: str = ""

    @classmethod
    def of(cls, code: int, text: bytes | str) -> Reply:
        outcome = Outcome.ACCEPTED if code < 300 else Outcome.REJECTED if code >= 500 else Outcome.RETRY
        return cls(outcome, _format_reply(code, text))


def is_configured() -> bool:
    return bool(settings.EMAIL_HOST)


def sender() -> str:
    """Return the From address: as configured, else the SMTP user, else one at this host."""
    user: str = settings.EMAIL_HOST_USER
    return settings.DEFAULT_FROM_EMAIL or (user if "@" in user else f"hule@{socket.getfqdn()}")


class Server:
    """An SMTP connection for several messages: `with Server() as server:`. Raises ServerUnreachable on entry."""

    def __init__(self) -> None:
        self._backend = EmailBackend(timeout=settings.EMAIL_TIMEOUT)

    def __enter__(self) -> Server:
        try:
            self._backend.open()
        except (OSError, UnicodeError) as error:
            raise ServerUnreachable(_describe_error(error)) from None
        connection = self._backend.connection
        assert connection is not None
        assert connection.sock is not None
        connection.sock.settimeout(settings.EMAIL_TIMEOUT * MESSAGE_TIMEOUT_FACTOR)
        return self

    def __exit__(self, *_raised: object) -> None:
        with suppress(OSError):
            self._backend.close()

    def send(self, message: EmailMessage) -> Reply:
        """Send one message. Raises ServerUnreachable when the connection broke before the server confirmed it."""
        if message.to[0].lower().endswith(RESERVED_DOMAINS):
            return Reply(Outcome.RESERVED)
        try:
            self._backend.send_messages([message])
        except smtplib.SMTPRecipientsRefused as error:
            [(code, text)] = error.recipients.values()
            return Reply.of(code, text)
        except smtplib.SMTPResponseException as error:
            return Reply.of(error.smtp_code, error.smtp_error)
        except smtplib.SMTPServerDisconnected as error:
            raise ServerUnreachable(_describe_error(error)) from None
        except (smtplib.SMTPException, ValueError) as error:
            return Reply(Outcome.REJECTED, type(error).__name__)  # its text may be the address
        except OSError as error:
            raise ServerUnreachable(_describe_error(error)) from None
        return Reply(Outcome.ACCEPTED)


def send_now(to: str, subject: str, text: str) -> Reply:
    """Send one message at once. Nothing of it is stored. Raises ServerUnreachable."""
    message = EmailMessage(subject, text, sender(), [to], headers={"Auto-Submitted": "auto-generated"})
    with Server() as connection:
        return connection.send(message)


def _format_reply(code: int, text: bytes | str) -> str:
    decoded = text.decode("utf-8", "replace") if isinstance(text, bytes) else text
    return one_line(f"{code} {decoded}")[:MAX_REPLY_LENGTH]


def _describe_error(error: BaseException) -> str:
    if isinstance(error, smtplib.SMTPResponseException):
        return _format_reply(error.smtp_code, error.smtp_error)
    if isinstance(error, ssl.SSLCertVerificationError):
        return one_line(error.verify_message)[:MAX_REPLY_LENGTH]
    return one_line(str(error) or type(error).__name__)[:MAX_REPLY_LENGTH]


# --- Delivery ---


RETRY_DELAYS: Final = tuple(timedelta(minutes=n) for n in (1, 5, 15, 60, 180, 360, 720))
"""The delay after each failed try; the try after the last delay is the last one."""
LEASE: Final = timedelta(minutes=10)
"""How long a worker may take for a mail that it has claimed."""
BATCH_SIZE: Final = 50
"""Mails per connection."""
MAX_TASK_SECONDS: Final = 60.0
"""How long one task runs, since documents need the worker too. The next periodic task sends the rest."""
STATE_OF_OUTCOME: Final = {
    Outcome.ACCEPTED: Mail.State.SENT,
    Outcome.REJECTED: Mail.State.FAILED,
    Outcome.RESERVED: Mail.State.NOT_SENT,
}


def deliver() -> None:
    """Send the mails that are due, oldest first, with growing delays after failures.

    At least once: a mail that the server did not confirm, or whose worker stopped, is sent again with its Message-ID.
    """
    if not is_configured():
        Mail.objects.filter(state=Mail.State.WAITING).update(state=Mail.State.NOT_SENT, try_at=None)
        return
    until = time.monotonic() + MAX_TASK_SECONDS
    while time.monotonic() < until and Mail.objects.due(timezone.now()).exists():
        if not _send_batch(until):
            return


def expire_claims() -> None:
    """Let mails wait again whose worker stopped while sending; those with too many tries fail."""
    now = timezone.now()
    lost = Mail.objects.expired(now)
    failed = lost.filter(tries__gt=len(RETRY_DELAYS)).update(state=Mail.State.FAILED, try_at=None)
    if count := failed + lost.wait_again(now):
        logger.warning("%s letters were being sent when their worker stopped", count)


def _send_batch(until: float) -> bool:
    """Send up to BATCH_SIZE mails over one connection; return False when the server is unreachable."""
    try:
        with Server() as connection:
            for mail in islice(claim_due_mails(), BATCH_SIZE):
                if not _send(connection, mail) or time.monotonic() >= until:
                    break
    except ServerUnreachable as error:
        if (first := next(claim_due_mails(), None)) is not None:
            _store_reply(first, Reply(Outcome.RETRY, str(error)))
        # The others wait as well, without using up a try.
        Mail.objects.due(timezone.now()).update(try_at=timezone.now() + RETRY_DELAYS[0])
        return False
    return True


def claim_due_mails() -> Iterator[Mail]:
    """Claim due mails one by one for this worker, oldest first."""
    while mail := Mail.objects.due(timezone.now()).order_by("posted_at", "pk").first():
        if Mail.objects.claim(mail.pk, timezone.now() + LEASE, error=""):
            mail.refresh_from_db()
            yield mail


def _send(connection: Server, mail: Mail) -> bool:
    """Send one mail; return False when the connection broke, so the next mail needs a new one."""
    try:
        reply = connection.send(_message(mail))
    except ServerUnreachable as error:
        _store_reply(mail, Reply(Outcome.RETRY, str(error)))
        return False
    _store_reply(mail, reply)
    return True


def _message(mail: Mail) -> EmailMessage:
    """Build the plain-text message. The Message-ID is the same for every try, so servers can drop duplicates."""
    domain = parseaddr(sender())[1].rpartition("@")[2] or "localhost"
    headers = {
        "Message-ID": f"<{mail.key}@{domain}>",
        "Auto-Submitted": "auto-generated",
        "Content-Language": mail.language,
    }
    return EmailMessage(mail.subject, mail.text, sender(), [mail.to], headers=headers)


def _store_reply(mail: Mail, reply: Reply) -> None:
    """Store the outcome of a try, and when the next one is due if there is one."""
    mail.state = STATE_OF_OUTCOME.get(reply.outcome, Mail.State.WAITING)
    mail.error, mail.try_at = reply.text, None
    if mail.state == Mail.State.SENT:
        mail.error, mail.sent_at = "", timezone.now()
    elif mail.state == Mail.State.WAITING and mail.tries > len(RETRY_DELAYS):
        mail.state = Mail.State.FAILED
    elif mail.state == Mail.State.WAITING:
        mail.try_at = timezone.now() + RETRY_DELAYS[mail.tries - 1]
    mail.save(update_fields=["state", "error", "try_at", "sent_at"])
    if mail.state not in (Mail.State.SENT, Mail.State.NOT_SENT):
        logger.warning("Letter %s, try %s: %s", mail.pk, mail.tries, mail.state)
