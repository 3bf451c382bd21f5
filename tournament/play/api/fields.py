"""The addresses of a table in the API, and sessions as the API shows them."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from rest_framework import serializers

from tournament.base.models.play import Session, Table
from tournament.base.selectors import keeps_back

STEPS = {"hand_in": "hand-in", "reopen": "reopen"}
WRITES = {
    "desk": "api_desk",
    "hands": "api_hands",
    "preview": "api_preview",
    "penalties": "api_penalties",
    "penalty_preview": "api_penalty_preview",
    "absences": "api_absences",
    "appeals": "api_appeals",
    "calls": "api_table_calls",
    "extra_time": "api_extra_time",
}


def url_of(name: str, table: Table, **more: Any) -> str:
    """Return the address called `name` at this table."""
    session = table.session
    where = {"slug": session.tournament.slug, "session": session.number, "number": table.number}
    return reverse(name, kwargs=where | more)


def urls_of(table: Table) -> dict[str, str]:
    """Map what can be done at the table to its address."""
    steps = {key: url_of("api_table_step", table, step=step) for key, step in STEPS.items()}
    return {key: url_of(name, table) for key, name in WRITES.items()} | steps


class SessionSerializer(serializers.ModelSerializer[Session]):
    """Asks in its context for whom the sessions are read: `audience`."""

    tables = serializers.SerializerMethodField()

    class Meta:
        model = Session
        fields = ("number", "state", "started_at", "closed_at", "hidden", "tables")

    def get_tables(self, session: Session) -> list[dict[str, Any]]:
        """Each table with its starting seats (wind → player number) and how far it is, null for who is not told."""
        is_open = not keeps_back(self.context["audience"], session)
        return [
            {
                "number": table.number,
                "seats": {seat.wind: seat.player.number for seat in table.seats.all()},
                "hands_played": table.hands_played if is_open else None,
                "is_in": table.is_in if is_open else None,
                "on_paper": table.is_on_paper,
                "counts_totals": table.counts_totals if is_open else None,
                "version": table.version if is_open else None,
            }
            for table in session.tables.all()
        ]
