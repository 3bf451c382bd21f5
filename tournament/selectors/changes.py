"""What was written last, as far as the hall may know it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from tournament.models import Tournament

TOLD = (
    *(
        "hand_recorded",
        "hand_corrected",
        "hand_deepened",
        "hand_undone",
        "penalty_given",
        "penalty_cancelled",
        "table_in",
        "table_reopened",
    ),
    *("session_started", "session_closed", "session_reopened", "standings_published"),
)
"""The actions that change what the ranking shows."""


@dataclass(frozen=True)
class Change:
    """One write: an action of TOLD, where it was, and when."""

    action: str
    at: datetime
    session: int | None
    table: int | None
    hand: int | None


def last_change(tournament: Tournament) -> Change | None:
    """The newest write that people at the ranking want to know of; None before the first session."""
    entry = tournament.log.filter(action__in=TOLD).order_by("-seq").first()
    if entry is None:
        return None
    data = entry.data
    return Change(entry.action, entry.at, data.get("session"), data.get("table"), data.get("hand"))
