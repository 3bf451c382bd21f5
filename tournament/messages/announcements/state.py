"""What is said to a table: the part of the desk's state about announcements."""

from __future__ import annotations

from typing import Any

from django.utils.text import capfirst
from django.utils.translation import get_language

from tournament.base.models.play import Table
from tournament.messages.announcements.selectors import heard_at
from tournament.web.texts.log import tables_text
from tournament.web.texts.words import time_of_day


def announcements_at(table: Table, *_: object) -> dict[str, Any]:
    """{"announcements": [{"uuid", "text", "language", "tables", "at", "ends"}]}, the newest first."""
    return {"announcements": _announced_at(table)}


def _announced_at(table: Table) -> list[dict[str, Any]]:
    session, language = table.session, get_language() or ""
    return [
        {
            "uuid": str(one.uuid),
            "text": one.text_in(language),
            "language": language if language in one.translations else "",
            "tables": capfirst(tables_text(one.tables)) if one.tables else "",
            "at": time_of_day(one.made_at),
            "ends": one.ends_at.isoformat() if one.ends_at else "",
        }
        for one in heard_at(session.tournament, [(session.number, table.number)])
    ]
