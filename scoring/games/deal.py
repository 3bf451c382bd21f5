"""One deal of a game as it was recorded: what everybody was dealt, what happened, and what was said at the end."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Final

from scoring.engine import WINDS, Problem


class UnreadableGame(ValueError):
    """The record is not as its format has it; `where` says at which deal and event, as far as that is known."""

    def __init__(self, code: str, where: str = "", **params: str | int) -> None:
        self.problem = Problem(code, where, params)
        super().__init__(f"{where}: {code}" if where else code)


class Act(Enum):
    DRAW = auto()
    FLOWER = auto()
    """A flower is laid down; the tile for it comes as a draw of its own."""
    DISCARD = auto()
    CHOW = auto()
    PUNG = auto()
    KONG = auto()
    """A claimed one."""
    CONCEALED_KONG = auto()
    ADDED_KONG = auto()
    WIN = auto()


@dataclass(frozen=True, slots=True)
class Event:
    """`seat`: 0 to 3, from East. `tile`: what was drawn, discarded or claimed, or the kind of a kong; "" of a win."""

    act: Act
    seat: int
    tile: str = ""
    chow: tuple[str, ...] = ()
    """All three tiles of a chow, the claimed one among them."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """What the other program made of a win: Chinese names of fans → times, and the points."""

    fans: Mapping[str, int]
    points: int | None
    payments: tuple[int, ...] | None = None
    """By seat, from East; None where the record does not say."""


@dataclass(frozen=True, slots=True)
class OneWall:
    """Everybody draws from one wall, as at a table."""

    tiles: int
    """How many are left once all have their thirteen."""

    def is_used_up(self, drawn: Sequence[int], _seat: int) -> bool:
        return sum(drawn) >= self.tiles


@dataclass(frozen=True, slots=True)
class FourWalls:
    """Everybody draws from a wall of their own: it is over when whose turn comes next finds theirs empty."""

    tiles: int

    def is_used_up(self, drawn: Sequence[int], seat: int) -> bool:
        return drawn[(seat + 1) % 4] >= self.tiles


@dataclass(frozen=True, slots=True)
class Deal:
    """`hands`: thirteen tiles each, from East. `recorded`: None when nobody won."""

    identity: str
    """What its source calls it; neither a name nor an address."""
    prevalent: str
    hands: tuple[tuple[str, ...], ...]
    wall: OneWall | FourWalls
    events: tuple[Event, ...]
    recorded: Recorded | None = None
    counts_flowers: bool = field(default=False)
    """Whether the recorded points have flowers in them."""


SEATS: Final = range(4)


def wind(number: object, where: str = "") -> str:
    """The wind of a number from 0, East."""
    if type(number) is not int or not 0 <= number < len(WINDS):
        raise UnreadableGame("game_wind", where, said=str(number)[:20])
    return WINDS[number]
