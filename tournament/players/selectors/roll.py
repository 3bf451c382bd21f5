"""The players as the draw sees them: how many there are, whether they fill tables, and who can still be taken out."""

from __future__ import annotations

from dataclasses import dataclass

from scoring.engine.problems import Problem
from tournament.base.models.people import Player
from tournament.base.models.play import Seat, Session
from tournament.base.models.tournament import Tournament
from tournament.base.selectors.by_version import by_version
from tournament.players.selectors.participants import players_of
from tournament.seating.engine.requests import SEATS
from tournament.seating.selectors.draws import is_out_of_date


@dataclass(frozen=True)
class Roll:
    """The players, as everybody counts them and as the draw sees them."""

    entered: int
    """Players who take part (`participants.taking_part`), those who have left since they played among them."""
    players: int
    """Who has not withdrawn, the `substitutes` included: the draw seats these."""
    substitutes: int
    left: int
    """Players who withdrew after they had played."""
    withdrawn: int
    """Who withdrew before that: counted nowhere else."""
    is_out_of_date: bool
    """Whether those seated in a session still to play are not exactly those who are to play it."""
    is_open: bool
    """Whether anything is still to be drawn or seated for everybody: a session is to be played, and it is no final."""

    @property
    def missing(self) -> int:
        """How many more would fill the last table; 0 when there is nothing left to fill it for."""
        return -self.players % SEATS if self.is_open else 0


@by_version(64)
def roll_of(tournament: Tournament) -> Roll:
    here, away = tournament.players.filter(withdrawn_at=None), tournament.players.exclude(withdrawn_at=None)
    entered, substitutes = players_of(tournament).count(), here.filter(is_substitute=True).count()
    left = entered - (here.count() - substitutes)
    states = set(tournament.sessions.values_list("state", flat=True))
    is_open = not tournament.finals.exists() and (not states or Session.State.PLANNED in states)
    return Roll(
        entered=entered,
        players=here.count(),
        substitutes=substitutes,
        left=left,
        withdrawn=away.count() - left,
        is_out_of_date=is_out_of_date(tournament),
        is_open=is_open,
    )


def what_keeps(player: Player) -> Problem | None:
    """Why this player cannot be deleted; None for who was entered and nothing more."""
    seats = Seat.objects.filter(player=player)
    about = {"name": player.name}
    if seats.exclude(table__session__state=Session.State.PLANNED).exists():
        return Problem("player_has_played", "", about)
    if any(player.number in final.numbers for final in player.tournament.finals.all()):
        return Problem("player_in_a_final", "", about)
    if seats.exists():
        return Problem("player_has_seats", "", about)
    return None
