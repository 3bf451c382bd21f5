"""The facts of the preparation, and the marks of the navigation."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from tournament.base.engine.money import Money

PLAYERS_PER_OFFICIAL: Final = 16
"""An umpire for about four tables."""


class Mark(NamedTuple):
    """The mark beside a section of the navigation: a tick, or how many things wait there."""

    is_done: bool = False
    waiting: int = 0


@dataclass(frozen=True)
class Preparation:
    """What is known before the first session."""

    is_described: bool
    """Whether people read where it is and whom to ask."""
    has_registration: bool
    is_open: bool
    """Whether people can register now."""
    places: int | None
    """None: as many as come."""
    taken: int
    waiting: int
    prices: Sequence[tuple[str, Money]]
    to_review: int
    to_enter: int
    """How many have a place and are not players yet."""
    players: int
    missing: int
    """Players needed to fill the last table."""
    sessions: int
    scheduled: int
    """Sessions in the timetable."""
    drawn: int
    """Sessions with seats."""
    officials: Sequence[str]
    not_met: int | None
    """Clauses of the EMA that are not met; None for an event that its ranking does not count."""

    has_prizes: bool

    @property
    def is_registration_done(self) -> bool:
        """Whether people can register or have registered; without it, players are entered by list or by hand."""
        return self.has_registration and (self.is_open or self.taken > 0)

    @property
    def are_players_done(self) -> bool:
        """Whether nobody waits for the organiser; once seats are drawn, the board says who is missing at a table."""
        is_missing = self.missing and not self.drawn
        return self.players > 0 and not (is_missing or self.to_review or self.to_enter)

    @property
    def is_timetable_done(self) -> bool:
        return self.scheduled >= self.sessions

    @property
    def officials_needed(self) -> int:
        """About how many umpires the players need."""
        return max(1, -(-max(self.players, self.taken) // PLAYERS_PER_OFFICIAL))

    @property
    def are_officials_done(self) -> bool:
        return len(self.officials) >= self.officials_needed

    @property
    def marks(self) -> Mapping[str, Mark]:
        return {
            "event": Mark(self.is_described),
            "registration": Mark(self.is_registration_done),
            "people": Mark(self.are_players_done, self.to_review),
            "timetable": Mark(self.is_timetable_done),
            "draw": Mark(self.drawn > 0),
            "certification": Mark(self.not_met == 0),
            "prizes": Mark(self.has_prizes),
            "staff": Mark(self.are_officials_done),
        }
