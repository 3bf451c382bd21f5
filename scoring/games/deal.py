"""A recorded deal: the tiles dealt, what happened, and the recorded score.

Names of tiles and fans of other programs are translated to ours.
"""

import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from importlib.resources import files
from typing import Final, NamedTuple

from scoring.engine import FANS, TILES, WINDS, Fan, Problem, find_fan
from scoring.engine.problems import problem_code

GAME_INCOMPLETE = problem_code("game_incomplete", "The record is missing something that its format requires.")
GAME_LINE = problem_code("game_line", "“{text}” is not an event of a game.")
GAME_TILE = problem_code("game_tile", "“{text}” is not a tile of this format.")
GAME_WIND = problem_code("game_wind", "“{text}” is not a prevalent wind.")


class UnreadableGame(ValueError):
    """Raised for a record that does not follow its format; `where` names deal and event, where known."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        super().__init__(f"{problem.where}: {problem.code}" if problem.where else problem.code)


class Act(Enum):
    DRAW = auto()
    FLOWER = auto()
    """A flower is laid down; its replacement tile is a separate draw."""
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
    """An action of seat 0 (East) to 3. `tile`: drawn, discarded or claimed, or the kind of a kong; "" for a win."""

    act: Act
    seat: int
    tile: str = ""
    chow: tuple[str, ...] = ()
    """All three tiles of a chow, including the claimed one."""


@dataclass(frozen=True, slots=True)
class RecordedScore:
    """The score by the other program: Chinese names of fans with their times, and the points."""

    fans: Mapping[str, int]
    points: int | None
    payments: tuple[int, ...] | None = None
    """By seat, from East; None where the record does not say."""


@dataclass(frozen=True, slots=True)
class OneWall:
    """All players draw from one wall, as at a table."""

    tiles: int
    """How many are left after the deal."""

    def is_used_up(self, drawn_counts: Sequence[int], _seat: int) -> bool:
        return sum(drawn_counts) >= self.tiles


@dataclass(frozen=True, slots=True)
class FourWalls:
    """Every player draws from a wall of their own. The deal ends when the next player's wall is empty."""

    tiles: int

    def is_used_up(self, drawn_counts: Sequence[int], seat: int) -> bool:
        return drawn_counts[(seat + 1) % 4] >= self.tiles


@dataclass(frozen=True, slots=True)
class Deal:
    """One deal. `hands`: thirteen tiles each, from East. `recorded`: None for a draw."""

    identity: str
    """Its id in the source; neither a name nor an address."""
    prevalent: str
    hands: tuple[tuple[str, ...], ...]
    wall: OneWall | FourWalls
    events: tuple[Event, ...]
    recorded: RecordedScore | None = None


SEATS: Final = range(4)


def wind(number: object, where: str = "") -> str:
    """Return the wind of a number from 0, East."""
    if type(number) is not int or not 0 <= number < len(WINDS):
        raise UnreadableGame(GAME_WIND(where, text=str(number)[:20]))
    return WINDS[number]


FLOWER: Final = "flower"
"""Any of the eight; only their number matters."""

_CHARACTERS, _DOTS, _BAMBOOS = (tuple(f"{n}{suit}" for n in range(1, 10)) for suit in "mps")
_HONOURS: Final = tuple("ESWNCFP")

BOTZONE: Final[Mapping[object, str]] = {
    **{f"W{n}": tile for n, tile in enumerate(_CHARACTERS, 1)},
    **{f"B{n}": tile for n, tile in enumerate(_DOTS, 1)},
    **{f"T{n}": tile for n, tile in enumerate(_BAMBOOS, 1)},
    **{f"F{n}": tile for n, tile in enumerate("ESWN", 1)},
    **{f"J{n}": tile for n, tile in enumerate("CFP", 1)},
    **{f"H{n}": FLOWER for n in range(1, 9)},
}
"""PKU and Botzone: W characters, B dots, T bamboos, F winds from East, J red, green and white dragon, H flowers."""

TZIAKCHA: Final[Mapping[object, str]] = {
    number: (*_CHARACTERS, *_BAMBOOS, *_DOTS, *_HONOURS, *[FLOWER] * 2)[number // 4] for number in range(144)
}
"""Each of the 144 tiles by its number."""

SALASASA: Final[Mapping[object, str]] = {
    **dict(enumerate(_CHARACTERS, 11)),
    **dict(enumerate(_DOTS, 21)),
    **dict(enumerate(_BAMBOOS, 31)),
    **dict(enumerate("ESWNCPF", 41)),
    **dict.fromkeys(range(51, 59), FLOWER),
}
"""45 is the red dragon, 46 the white, 47 the green."""

assert set(TILES) <= set(BOTZONE.values()) & set(TZIAKCHA.values()) & set(SALASASA.values())


def tile(value: object, alphabet: Mapping[object, str], where: str) -> str:
    if isinstance(value, (list, dict)) or value not in alphabet:
        raise UnreadableGame(GAME_TILE(where, text=str(value)[:20]))
    return alphabet[value]


def tiles(value: object, alphabet: Mapping[object, str], where: str) -> tuple[str, ...]:
    if not isinstance(value, (list, tuple)):
        raise UnreadableGame(GAME_TILE(where, text=str(value)[:20]))
    return tuple(tile(text, alphabet, where) for text in value)


def chow_of_middle(middle: str) -> tuple[str, ...]:
    """Return the three tiles of a chow by its middle one; () when there is none."""
    if len(middle) != 2 or middle[0] in "19":
        return ()
    return tuple(f"{int(middle[0]) + step}{middle[1]}" for step in (-1, 0, 1))


def fans(text: str, where: str) -> Counter[str]:
    """Return the times of each fan by name from `混一色*1+箭刻*1`."""
    times_by_name: Counter[str] = Counter()
    for part in filter(None, text.split("+")):
        name, _, times = part.partition("*")
        if not (times or "1").isdecimal():
            raise UnreadableGame(GAME_LINE(where, text=part[:40]))
        times_by_name[name.strip()] += int(times or "1")
    return times_by_name


_DATA: Final = tomllib.loads((files("scoring.games") / "names.toml").read_text("utf-8"))
_BY_NAME: Final[Mapping[str, Fan]] = (
    {fan.zh_hans: fan for fan in FANS}
    | {fan.zh_hant: fan for fan in FANS}
    | {name: find_fan(key) for name, key in _DATA["names"].items()}
)

NUMBERED: Final[Mapping[str, list[str]]] = _DATA["numbered"]
"""By program: names of fans by number."""


class MatchedFans(NamedTuple):
    """Recorded fans with their times, and the names that match no fan."""

    fans: Counter[Fan]
    unknown: tuple[str, ...]


def match_fans(recorded: Mapping[str, int]) -> MatchedFans:
    fans: Counter[Fan] = Counter()
    for name, times in recorded.items():
        if name in _BY_NAME:
            fans[_BY_NAME[name]] += times
    return MatchedFans(fans, tuple(name for name in recorded if name not in _BY_NAME))
