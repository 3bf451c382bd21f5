"""What was written last, as far as the hall may know it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q

from tournament.base.access import Audience
from tournament.base.models.tournament import Tournament
from tournament.base.selectors.embargo import hidden_from

PLAY = (
    *("hand_recorded", "hand_corrected", "hand_deepened", "hand_undone"),
    *("table_totals_entered", "table_totals_corrected", "table_totals_settled", "table_totals_set_aside"),
    *("penalty_given", "penalty_cancelled", "table_in", "table_reopened"),
)
TOLD = (
    *PLAY,
    *("session_started", "session_closed", "session_reopened", "results_opened", "standings_published"),
)
"""The actions that change what the ranking shows; those of PLAY follow from what happens at the tables."""


@dataclass(frozen=True)
class Change:
    """One write: an action of TOLD, where it was, and when."""

    action: str
    at: datetime
    session: int | None
    table: int | None
    hand: int | None


def last_change(tournament: Tournament, audience: Audience) -> Change | None:
    """The newest write that people at the ranking want to know of; None before the first session.

    Of a hidden session its beginning and end are told, but nothing of its tables, and no publication.
    """
    told = tournament.log.filter(action__in=TOLD)
    if hidden := hidden_from(audience, tournament):
        told = told.exclude(action__in=PLAY, data__session__in=hidden)
        told = told.exclude(Q(action="standings_published") & Q(data__after_session__gte=min(hidden)))
    entry = told.order_by("-seq").first()
    if entry is None:
        return None
    data = entry.data
    return Change(entry.action, entry.at, data.get("session"), data.get("table"), data.get("hand"))
