"""Who waits for an umpire."""

from __future__ import annotations

from django.db.models import QuerySet

from tournament.models import Call, Tournament


def open_calls(tournament: Tournament) -> QuerySet[Call]:
    """The queue: the longest waiting first, those somebody has taken at the end."""
    found = Call.objects.filter(table__session__tournament=tournament, done_at=None)
    return found.select_related("table__session__tournament", "taken_by").order_by(
        "taken_at", "called_at", "id"
    )
