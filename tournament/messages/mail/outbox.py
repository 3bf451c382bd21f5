"""Queue mails: a mail is stored in the transaction it reports about, and sent after the commit."""

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from typing import Final
from uuid import UUID, uuid4

from django.conf import settings
from django.db import transaction
from django.utils import timezone, translation
from django.utils.formats import date_format

from tournament.base.engine.money import Money
from tournament.base.engine.text import one_line
from tournament.base.models.registration import Registration
from tournament.base.models.tournament import Tournament
from tournament.base.work import enqueue
from tournament.messages.mail import delivery
from tournament.messages.mail.models import LetterText, Mail
from tournament.messages.mail.selectors import text_of
from tournament.messages.mail.texts import LETTERS, fill_placeholders
from tournament.web.texts.words import days_text, money_text, time_text

MAX_SUBJECT_LENGTH: Final = 200


def queue_mail(
    letter: str,
    to: str,
    language: str,
    facts: Mapping[str, object],
    *,
    tournament: Tournament | None = None,
    registration: Registration | None = None,
    key: UUID | None = None,
    wait: timedelta | None = None,
    own: LetterText | None = None,
) -> Mail | None:
    """Store a letter for the worker to send; return None without an address.

    `facts`: the values of its placeholders. `own`: a text for this occasion, instead of the letter's. Idempotent for
    the same `key`. `wait`: the time in which it can still be deleted (`delete_unsent`).
    """
    if not to:
        return None
    language = language if language in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE
    subject, text = render_letter(own or text_of(LETTERS[letter], language, tournament), facts, tournament)
    now, is_configured = timezone.now(), delivery.is_configured()
    mail, is_new = Mail.objects.get_or_create(
        key=key or uuid4(),
        defaults={
            "tournament": tournament,
            "registration": registration,
            "letter": letter,
            "to": to,
            "language": language,
            "subject": subject,
            "text": text,
            "state": Mail.State.WAITING if is_configured else Mail.State.NOT_SENT,
            "posted_at": now,
            "try_at": now + (wait or timedelta()) if is_configured else None,
        },
    )
    if is_new and is_configured and not wait:
        send_on_commit(mail)
    return mail


def send_on_commit(mail: Mail) -> None:
    """Start the sending task after the commit. If the queue is unreachable the periodic task sends the mail."""
    transaction.on_commit(lambda: enqueue("messages.mail.send_mail", mail.pk))


def delete_unsent(key: UUID) -> bool:
    """Delete a queued letter that no longer holds; return False when a try to send it has begun."""
    unsent = Mail.objects.filter(key=key, state__in=(Mail.State.WAITING, Mail.State.NOT_SENT), tries=0)
    return bool(unsent.delete()[0])


def render_letter(
    own: LetterText, facts: Mapping[str, object], tournament: Tournament | None
) -> tuple[str, str]:
    """Return subject and text with their placeholders filled, in the text's language."""
    with translation.override(own.language), timezone.override(tournament.zone if tournament else None):
        values = _event_facts(tournament) | {name: _as_text(fact) for name, fact in facts.items()}
    subject = " ".join(fill_placeholders(own.subject, values).split())[:MAX_SUBJECT_LENGTH]
    return subject, fill_placeholders(own.text, values) + "\n"


def _event_facts(tournament: Tournament | None) -> dict[str, str]:
    if tournament is None:
        return {}
    days = days_text(tournament.starts_on, tournament.ends_on)
    return {"tournament": tournament.name, "venue": _as_text(tournament.venue), "days": days}


def _as_text(fact: object) -> str:
    """Format a value on one line, so that user input cannot break a header or a line of the text."""
    if isinstance(fact, datetime):
        return time_text(fact)
    if isinstance(fact, date):
        return date_format(fact)
    if isinstance(fact, Money):
        return money_text(fact)
    return "" if fact is None else one_line(str(fact))
