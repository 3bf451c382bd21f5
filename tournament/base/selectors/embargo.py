"""Whose results are kept from whom: the one place that knows which sessions an audience is not told of."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Final

from django.db.models import QuerySet

from tournament.base.access import Audience
from tournament.base.models.hands import Hand
from tournament.base.models.play import Session, Table
from tournament.base.models.tournament import Publication, Tournament
from tournament.base.selectors.by_version import by_version

SEATS_AND_CLOCK: Final = frozenset(
    {
        *("player_absent", "player_arrived", "begun_without", "absence_taken_back", "stand_in_seated"),
        *("player_seated_again", "stand_in_named", "seats_corrected", "correction_undone", "extra_time_set"),
    }
)
"""What is written at a table and told although its session is hidden: who sits there, and how long."""
STAFFS_OWN: Final = ("dues_", "mail_", "webhook_")
"""Actions that begin so are nobody's business but the staff's: the public hears of none, and no page is drawn anew."""
UNHEARD: Final = frozenset({"registration_made", "registration_expired", "ema_columns_set"})
"""What changes nothing that the public sees: an unconfirmed registration has no place, a file that is sent away no page
of its own. No page is drawn anew."""
HIDING: Final = "results_hidden"
OPENING: Final = "results_opened"


def is_of_play(action: str, data: Mapping[str, Any]) -> bool:
    """Whether a log entry follows from how a table played: where its session is hidden, the public hears of none.

    What is new is of play until it is named above.
    """
    return "table" in data and action not in SEATS_AND_CLOCK


def next_public(
    before: int, seq: int, action: str, data: Mapping[str, Any], hidden: Collection[int]
) -> int | None:
    """The public version after the entry `seq`; None when the public is told nothing. `hidden`: the sessions after it.

    Once nothing is hidden any more the public counts as the log does.
    """
    unheard = action in UNHEARD or action.startswith(STAFFS_OWN)
    if unheard or (is_of_play(action, data) and data.get("session") in hidden):
        return None
    return seq if action == OPENING and not hidden else before + 1


def version_for(audience: Audience, tournament: Tournament) -> int:
    """The newest version this audience knows of."""
    return tournament.version if audience is Audience.STAFF else tournament.public_version


def hidden_from(audience: Audience, tournament: Tournament) -> frozenset[int]:
    """The numbers of the sessions whose results this audience is not told."""
    return frozenset() if audience is Audience.STAFF else hidden_sessions(tournament)


@by_version(64)
def hidden_sessions(tournament: Tournament) -> frozenset[int]:
    """The numbers of the sessions whose results the public is not told."""
    return frozenset(tournament.sessions.filter(hidden=True).values_list("number", flat=True))


def keeps_back(audience: Audience, session: Session) -> bool:
    """Whether this audience is not told how play went in the session."""
    return session.number in hidden_from(audience, session.tournament)


def publications_for(audience: Audience, tournament: Tournament) -> QuerySet[Publication]:
    """The publications this audience may read, the newest first: none that has a hidden session in it."""
    hidden = hidden_from(audience, tournament)
    found = tournament.publications.all()
    return found.filter(after_session__lt=min(hidden)) if hidden else found


def versions_of(audience: Audience, table: Table, number: int) -> QuerySet[Hand]:
    """Every version of a hand, the newest first; none where the audience is not told of hands."""
    found = table.hands.filter(number=number).order_by("-version")
    return (
        found.none() if keeps_back(audience, table.session) else found.select_related("winner", "discarder")
    )
