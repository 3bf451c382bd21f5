"""What the figures of a session follow from: looked at before its hands are read again."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Max, QuerySet, Sum

from tournament.base.models.play import Session


@dataclass(frozen=True)
class Written:
    """The state of a session's hands. They are never changed in place: a correction is a new row, with a new number,
    and the row it replaces no longer counts."""

    session: int
    number: int
    tournament: int
    tournament_made: datetime
    hands: int
    ids: int
    newest: int


def written(sessions: QuerySet[Session]) -> list[Written]:
    """Of those that have hands, by tournament and number; one query."""
    rows = (
        sessions.filter(tables__hands__is_current=True)
        .order_by("tournament_id", "number")
        .values_list("pk", "number", "tournament_id", "tournament__created_at")
        .annotate(Count("tables__hands"), Sum("tables__hands__id"), Max("tables__hands__id"))
    )
    return [Written(*row) for row in rows]
