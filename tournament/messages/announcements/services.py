"""Make and withdraw announcements."""

from datetime import timedelta
from typing import Any

from django.utils import timezone

from scoring.engine.problems import Problem
from tournament.base import log
from tournament.base.access import Actor, Right
from tournament.base.errors import Refused
from tournament.base.models.play import Table
from tournament.base.problems import NO_SUCH_TABLE
from tournament.base.validation import problems_of
from tournament.messages.announcements.models import Announcement
from tournament.messages.announcements.selectors import session_for_tables
from tournament.messages.announcements.texts import ANNOUNCEMENT_CANCELLED, ANNOUNCEMENT_CREATED
from tournament.play.services.tables import fresh


def announce(announcement: Announcement, actor: Actor, *, minutes: int | None = None) -> Announcement:
    """Store an announcement. Idempotent for the same UUID.

    Its tables are those of `session_for_tables`. `minutes`: how long it is active; None: until it is withdrawn.
    """
    with log.write(announcement.tournament, actor, ANNOUNCEMENT_CREATED, Right.SHOW) as entry:
        if (stored := entry.tournament.announcements.filter(uuid=announcement.uuid).first()) is not None:
            return entry.unchanged(stored)
        announcement.tournament, announcement.made_by = entry.tournament, actor.user
        announcement.made_at = timezone.now()
        if minutes is not None:
            announcement.ends_at = announcement.made_at + timedelta(minutes=minutes)
        announcement.translations = {
            language: " ".join(text.split()) for language, text in announcement.translations.items()
        }
        announcement.tables = sorted(set(announcement.tables))
        announcement.session = session_for_tables(entry.tournament) if announcement.tables else None
        if problems := [*problems_of(announcement, exclude=["tables"]), *_unknown_tables(announcement)]:
            raise Refused(problems)
        announcement.save(force_insert=True)
        entry.data = _log_data(announcement) | {
            "translations": announcement.translations,
            "minutes": minutes,
        }
    return announcement


def _unknown_tables(announcement: Announcement) -> list[Problem]:
    if not announcement.tables:
        return []
    tables = Table.objects.filter(
        session__tournament=announcement.tournament, session__number=announcement.session or 0
    )
    numbers = set(tables.values_list("number", flat=True))
    return [NO_SUCH_TABLE("tables", table=table) for table in announcement.tables if table not in numbers]


def cancel_announcement(announcement: Announcement, actor: Actor) -> Announcement:
    """End an announcement. Idempotent."""
    with log.write(announcement.tournament, actor, ANNOUNCEMENT_CANCELLED, Right.SHOW) as entry:
        announcement = fresh(Announcement.objects.select_related("tournament"), announcement)
        if announcement.is_cancelled:
            return entry.unchanged(announcement)
        announcement.cancelled_at = timezone.now()
        announcement.save(update_fields=["cancelled_at"])
        entry.data = _log_data(announcement)
    return announcement


def _log_data(announcement: Announcement) -> dict[str, Any]:
    return {
        "uuid": str(announcement.uuid),
        "text": announcement.text,
        "tables": announcement.tables,
        "of_session": announcement.session,
    }
