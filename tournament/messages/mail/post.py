"""Posting a letter: it is written in the transaction of what it tells, and sent once that is committed."""

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
from tournament.base.work import later
from tournament.messages.mail import delivery
from tournament.messages.mail.models import Mail
from tournament.messages.mail.selectors import text_of
from tournament.messages.mail.texts import LETTERS, filled
from tournament.web.texts.words import days_text, money_text, time_text

MOST_SUBJECT: Final = 200


def post(
    letter: str,
    to: str,
    language: str,
    facts: Mapping[str, object],
    *,
    tournament: Tournament | None = None,
    registration: Registration | None = None,
    key: UUID | None = None,
    wait: timedelta | None = None,
) -> Mail | None:
    """Write a letter for the worker to send; None without an address. `facts`: what its text has placeholders for.

    The same `key` is the same letter, and is posted once. `wait`: how long it may still be taken back.
    """
    if not to:
        return None
    language = language if language in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE
    with translation.override(language), timezone.override(tournament.zone if tournament else None):
        subject, text = _subject_and_text(letter, language, facts, tournament)
    now, sends = timezone.now(), delivery.is_set()
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
            "state": Mail.State.WAITING if sends else Mail.State.NOT_SENT,
            "posted_at": now,
            "try_at": now + (wait or timedelta()) if sends else None,
        },
    )
    if is_new and sends and not wait:
        send_later(mail)
    return mail


def send_later(mail: Mail) -> None:
    """Have it sent once what it tells is committed. When the queue is away the next minute's look finds it."""
    transaction.on_commit(lambda: later("messages.mail.send_mail", mail.pk))


def take_back(key: UUID) -> bool:
    """Delete a letter whose facts turned out wrong, unless somebody may have it already."""
    unsent = Mail.objects.filter(key=key, state__in=(Mail.State.WAITING, Mail.State.NOT_SENT), tries=0)
    return bool(unsent.delete()[0])


def _subject_and_text(
    letter: str, language: str, facts: Mapping[str, object], tournament: Tournament | None
) -> tuple[str, str]:
    """Fill in the letter, in the language of the moment."""
    values = _event_facts(tournament) | {name: _as_text(fact) for name, fact in facts.items()}
    own = text_of(LETTERS[letter], language, tournament)
    return " ".join(filled(own.subject, values).split())[:MOST_SUBJECT], filled(own.text, values) + "\n"


def _event_facts(tournament: Tournament | None) -> dict[str, str]:
    if tournament is None:
        return {}
    days = days_text(tournament.starts_on, tournament.ends_on)
    return {"tournament": tournament.name, "venue": _as_text(tournament.venue), "days": days}


def _as_text(fact: object) -> str:
    """Write a fact as people do, in one line: what was typed into a form ends no line of a letter, and no header."""
    if isinstance(fact, datetime):
        return time_text(fact)
    if isinstance(fact, date):
        return date_format(fact)
    if isinstance(fact, Money):
        return money_text(fact)
    return "" if fact is None else one_line(str(fact))
