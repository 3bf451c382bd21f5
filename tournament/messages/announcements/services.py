"""Saying something to everybody or to some tables, and withdrawing it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.utils import timezone

from scoring.engine.problems import Problem
from tournament.base import access, log
from tournament.base.access import Actor, Right
from tournament.base.errors import Refused
from tournament.base.models.play import Table
from tournament.base.models.tournament import Tournament
from tournament.messages.announcements.models import LONGEST, Announcement
from tournament.messages.announcements.selectors import session_spoken_of
from tournament.play.engine.statements import Message
from tournament.play.services.tables import fresh

MOST_MINUTES = 24 * 60


def announce(tournament: Tournament, actor: Actor, message: Message, *, uuid: UUID) -> Announcement:
    """Say it. Tables are those of the session being played, or of the next. The same UUID is the same announcement."""
    access.require(actor, tournament, Right.SHOW)
    message = message.tidy()
    with log.write(tournament, actor, "announcement_made") as entry:
        if (known := entry.tournament.announcements.filter(uuid=uuid).first()) is not None:
            entry.unchanged()
            return known
        session = session_spoken_of(entry.tournament) if message.tables else None
        if problems := [*_wrong_texts(message), *_wrong_places(entry.tournament, message, session)]:
            raise Refused(problems)
        now = timezone.now()
        announcement = Announcement.objects.create(
            tournament=entry.tournament,
            uuid=uuid,
            text=message.text,
            translations=dict(message.translations),
            tables=list(message.tables),
            session=session,
            made_at=now,
            made_by=actor.user,
            ends_at=now + timedelta(minutes=message.minutes) if message.minutes else None,
        )
        entry.data = _log_data(announcement) | {
            "translations": announcement.translations,
            "minutes": message.minutes,
        }
    return announcement


def _wrong_texts(message: Message) -> list[Problem]:
    problems = [] if message.text else [Problem("announcement_missing", "text")]
    for where, text in [("text", message.text), *message.translations.items()]:
        if len(text) > LONGEST:
            problems.append(Problem("text_too_long", where, {"length": len(text), "most": LONGEST}))
    languages = dict(settings.LANGUAGES)
    problems += [
        Problem("unknown_language", language, {"language": language})
        for language in message.translations
        if language not in languages
    ]
    return problems


def _wrong_places(tournament: Tournament, message: Message, session: int | None) -> list[Problem]:
    problems = []
    if message.minutes is not None and not 1 <= message.minutes <= MOST_MINUTES:
        problems.append(Problem("announcement_minutes", "minutes", {"most": MOST_MINUTES}))
    tables = Table.objects.filter(session__tournament=tournament, session__number=session or 0)
    numbers = set(tables.values_list("number", flat=True)) if message.tables else set()
    problems += [
        Problem("no_such_table", "tables", {"table": number})
        for number in message.tables
        if number not in numbers
    ]
    return problems


def withdraw_announcement(announcement: Announcement, actor: Actor) -> Announcement:
    """Show it nowhere any more. Idempotent."""
    access.require(actor, announcement.tournament, Right.SHOW)
    with log.write(announcement.tournament, actor, "announcement_withdrawn") as entry:
        announcement = fresh(Announcement.objects.select_related("tournament"), announcement)
        if announcement.is_withdrawn:
            entry.unchanged()
            return announcement
        announcement.withdrawn_at = timezone.now()
        announcement.save(update_fields=["withdrawn_at"])
        entry.data = _log_data(announcement)
    return announcement


def _log_data(announcement: Announcement) -> dict[str, Any]:
    return {
        "uuid": str(announcement.uuid),
        "text": announcement.text,
        "tables": announcement.tables,
        "of_session": announcement.session,
    }
