"""A row of a list on its way in, and what somebody has said of the rows."""

from __future__ import annotations

from dataclasses import dataclass

from scoring.engine.problems import Problem
from tournament.base.engine.names import display_name
from tournament.base.models.people import Player
from tournament.players.exports.players_known import Difference
from tournament.players.selectors.entrants import Entrant, changed


@dataclass(frozen=True)
class Said:
    """What somebody has said of a list's rows, by the rows' numbers, and of all of them.

    `left_out`: not wanted. `apart`: another person than the one of the same name. `refused`: differences that are not
    to be taken, by their keys. `soften`: write DE LA CRUZ as De la Cruz. `zeros`: put the zero in front of EMA numbers
    of seven digits. `updates`: the list is the event's own, edited (`players_keys`). `chosen`: what is done only if it
    is chosen, by its keys: a field is emptied, somebody who is in no row withdrawn.
    """

    left_out: frozenset[int] = frozenset()
    apart: frozenset[int] = frozenset()
    refused: frozenset[str] = frozenset()
    soften: bool = False
    zeros: bool = False
    updates: bool = False
    chosen: frozenset[str] = frozenset()


NOTHING = Said()


@dataclass(frozen=True)
class Row:
    """A line as a player to be, or as `player`, who is entered already. `number` is the file's.

    A problem's `where` is a field. `question`: whether this is another person than one of the same name, until it is
    answered. `is_in_doubt`: the player may be another person, whom only the name made one with this.
    """

    number: int
    cells: dict[str, str]
    entrant: Entrant
    problems: tuple[Problem, ...] = ()
    left_out: bool = False
    player: Player | None = None
    differences: tuple[Difference, ...] = ()
    refused: frozenset[str] = frozenset()
    chosen: frozenset[str] = frozenset()
    question: Problem | None = None
    is_in_doubt: bool = False

    @property
    def name(self) -> str:
        """As pages will show it."""
        return display_name(self.entrant.first_name, self.entrant.last_name)

    @property
    def taken(self) -> list[Difference]:
        """The differences that are to be taken."""
        return [one for one in self.differences if self.takes(one)]

    def takes(self, one: Difference) -> bool:
        return one.key in self.chosen if one.empties else one.key not in self.refused

    @property
    def outcome(self) -> Entrant:
        """The person as they would be in the tournament."""
        return changed(self.player, self.taken) if self.player else self.entrant

    @property
    def lost_zero(self) -> str:
        """The EMA number with the zero that a spreadsheet dropped; "" when none is missing."""
        return with_zero(digits(self.cells["ema_number"]))


def digits(text: str) -> str:
    return text.replace(" ", "")


def with_zero(ema_number: str) -> str:
    is_short = len(ema_number) == 7 and ema_number.isascii() and ema_number.isdigit()
    return f"0{ema_number}" if is_short else ""
