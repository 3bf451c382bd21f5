"""Delivering what is posted: each message is claimed first, tried with longer and longer pauses, and given up.

No message goes out twice by itself. One of which nothing was heard again once the server had it, or whose worker
stopped meanwhile, is left to a person: it may have arrived.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from datetime import timedelta
from email.utils import parseaddr
from itertools import islice
from typing import Final

from django.core.mail import EmailMessage
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from tournament.messages.mail import server
from tournament.messages.mail.models import Mail
from tournament.messages.mail.server import Answer, Away, Outcome, Server

logger = logging.getLogger(__name__)

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
    """Send what is due, the oldest first."""
    if not server.is_set():
        _waiting().update(state=Mail.State.NOT_SENT, try_at=None)
        return
    until = time.monotonic() + SECONDS
    while time.monotonic() < until and _due().exists():
        if not _send_some(until):
            return


def let_go() -> None:
    """Of those that were claimed and never heard of again it is not known whether they arrived."""
    lost = Mail.objects.filter(state=Mail.State.SENDING, try_at__lt=timezone.now())
    if count := lost.update(state=Mail.State.UNCLEAR, try_at=None):
        logger.warning("%s letters were being sent when their worker stopped", count)


def _waiting() -> QuerySet[Mail]:
    return Mail.objects.filter(state=Mail.State.WAITING)


def _due() -> QuerySet[Mail]:
    return _waiting().filter(Q(try_at=None) | Q(try_at__lte=timezone.now()))


def _send_some(until: float) -> bool:
    """Over one connection; False when the server is away, and nothing else is to be tried now."""
    try:
        with Server() as connection:
            for mail in islice(_claimed(), AT_ONCE):
                if not _send(connection, mail):
                    return True
                if time.monotonic() >= until:
                    break
    except Away as away:
        if (first := next(_claimed(), None)) is not None:
            _note(first, Answer(Outcome.LATER, str(away)))
        _put_off()
        return False
    return True


def _send(connection: Server, mail: Mail) -> bool:
    """False when the line broke: the next one needs another."""
    try:
        answer = connection.send(_message(mail), parseaddr(server.sender())[1])
    except Away as away:
        _note(mail, Answer(Outcome.LATER, str(away)))
        return False
    _note(mail, answer)
    return answer.outcome is not Outcome.UNCLEAR


def _claimed() -> Iterator[Mail]:
    """One after the other, each ours alone: whoever else looks finds it being sent."""
    while (pk := _due().order_by("posted_at", "pk").values_list("pk", flat=True).first()) is not None:
        ours = _due().filter(pk=pk)
        if ours.update(
            state=Mail.State.SENDING, tries=F("tries") + 1, try_at=timezone.now() + LEASE, error=""
        ):
            yield Mail.objects.get(pk=pk)


def _note(mail: Mail, answer: Answer) -> None:
    """What became of it. A pause follows each try but the last."""
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


def _put_off() -> None:
    """All others, too, for no server can be reached: that is no try of theirs."""
    _due().update(try_at=timezone.now() + PAUSES[0])


def _message(mail: Mail) -> EmailMessage:
    """Plain text. The same message has the same id, by which mail servers know it again."""
    at = parseaddr(server.sender())[1].rpartition("@")[2] or "localhost"
    headers = {
        "Message-ID": f"<{mail.key}@{at}>",
        "Auto-Submitted": "auto-generated",
        "Content-Language": mail.language,
    }
    return EmailMessage(mail.subject, mail.text, server.sender(), [mail.to], headers=headers)
