"""What is to be done before the first session, and what has been done already."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from tournament.base.models.events import EventPage
from tournament.base.models.log import name_of
from tournament.base.models.tournament import Role, Tournament
from tournament.dues.selectors import Price, prices_of
from tournament.players.selectors.players import PlayerCounts, player_counts
from tournament.registration.selectors.plan import RegistrationStatus, registration_status
from tournament.registration.selectors.registrations import State, counts

OFFICIALS: Final = (Role.CHIEF, Role.UMPIRE, Role.SCORER)
PLAYERS_PER_OFFICIAL: Final = 16
"""An umpire for about four tables."""


@dataclass(frozen=True)
class Preparation:
    """The state of each step. `planned`: sessions in the timetable; `first_at`: when the first of them starts."""

    tournament: Tournament
    page: EventPage | None
    prices: Sequence[Price]
    status: RegistrationStatus
    to_review: int
    to_enter: int
    roll: PlayerCounts
    planned: int
    first_at: datetime | None
    officials: Sequence[str]

    @property
    def is_page_done(self) -> bool:
        """Whether people read where it is and whom to ask."""
        return self.page is not None and bool(self.page.address and self.page.contact)

    @property
    def is_registration_done(self) -> bool:
        """Whether people can register or have registered; without it, players are entered by list or by hand."""
        return self.status.plan is not None and (self.status.is_open or self.status.taken > 0)

    @property
    def are_players_done(self) -> bool:
        return self.roll.players > 0 and not (self.roll.missing or self.to_review or self.to_enter)

    @property
    def is_timetable_done(self) -> bool:
        return self.planned >= self.tournament.sessions_planned

    @property
    def officials_needed(self) -> int:
        """About how many umpires the players need."""
        return max(1, -(-max(self.roll.players, self.status.taken) // PLAYERS_PER_OFFICIAL))

    @property
    def are_officials_done(self) -> bool:
        return len(self.officials) >= self.officials_needed


def preparation_of(tournament: Tournament) -> Preparation:
    n = counts(tournament)
    sessions = tournament.timetable.exclude(session=None).order_by("day", "starts")
    officials = tournament.memberships.filter(role__in=OFFICIALS, table_number=None).select_related("user")
    first = sessions.first()
    return Preparation(
        tournament,
        EventPage.objects.filter(tournament=tournament).first(),
        prices_of(tournament),
        registration_status(tournament),
        to_review=n[State.PENDING],
        to_enter=n["to_enter"],
        roll=player_counts(tournament),
        planned=sessions.values("session").distinct().count(),
        first_at=first.starts_at if first else None,
        officials=[name_of(membership.user) for membership in officials],
    )
