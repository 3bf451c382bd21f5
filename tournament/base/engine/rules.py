"""Everything a tournament plays by: criteria, table points, time, attendance, gathered as its rules.

Every line of it is a rulebook setting (RULES §7, §8).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from enum import Enum, StrEnum
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final

from penalties.engine import FOUL_BOOKS, FoulBook, find_foul_book
from penalties.engine.rules import Late
from scoring.engine import RULEBOOKS, Rulebook, find_rulebook
from scoring.engine.problems import Problem, problem_code

PARTICULAR_OUT_OF_RANGE = problem_code("particular_out_of_range", "From {least} to {most}.")
SCALE_OF_FOUR = problem_code(
    "scale_of_four",
    "Give four whole numbers from 0 to {most}, for the first place to the last: for example 4, 2, 1, 0.",
)
SCALE_RISES = problem_code("scale_rises", "A place is worth no more than the one before it.")
CRITERIA_UNKNOWN = problem_code("criteria_unknown", "Choose at least one to rank by; there are {known}.")
CRITERION_TWICE = problem_code("criterion_twice", "Choose each of them once.")

# --- Criteria ---


@dataclass(frozen=True, slots=True)
class Totals:
    """What a player's results add up to. Points are after penalties; ``best_session`` is in game points."""

    table_points: Fraction = Fraction(0)
    game_points: Fraction | int = 0
    best_session: int = 0
    hands_won: int = 0
    wins_by_discard: int = 0
    deal_ins: int = 0


@dataclass(frozen=True, slots=True)
class Criterion:
    """One way to rank (RULES §8): ``value`` of a player's totals, the larger the better."""

    key: str
    name: str
    value: Callable[[Totals], Fraction | int]


_ALL: Final = (
    Criterion("table_points", "Table points", lambda totals: totals.table_points),
    Criterion("game_points", "Game points", lambda totals: totals.game_points),
    Criterion("best_session", "Best session", lambda totals: totals.best_session),
    Criterion("hands_won", "Hands won", lambda totals: totals.hands_won),
    Criterion("wins_by_discard", "Wins by discard", lambda totals: totals.wins_by_discard),
    Criterion("deal_ins", "Fewest deal-ins", lambda totals: -totals.deal_ins),
)

CRITERIA: Final[Mapping[str, Criterion]] = {criterion.key: criterion for criterion in _ALL}

DEFAULT_ORDER: Final = ("table_points", "game_points")

SHARED_PLACE: Final = "shared_place"
"""Written last in an order of criteria: whoever is still equal shares the place. Understood when not written."""


def find_criteria(keys: Iterable[str]) -> tuple[Criterion, ...]:
    """The criteria of an order of keys; whatever follows ``shared_place`` can decide nothing and is refused.

    Raises KeyError for an unknown key, ValueError for no key, one that comes twice or after ``shared_place``.
    """
    order = list(keys)
    if len(set(order)) != len(order):
        raise ValueError(f"a criterion comes twice: {', '.join(order)}")
    if SHARED_PLACE in order and order.pop() != SHARED_PLACE:
        raise ValueError(f"{SHARED_PLACE} must come last")
    if not order:
        raise ValueError("nothing to rank by")
    return tuple(CRITERIA[key] for key in order)


# --- Table points ---


STANDARD_SCALE: Final = (4, 2, 1, 0)
_HUNDREDTHS: Final = 100


def table_points(
    game_points: Sequence[int],
    scale: Sequence[Fraction | int] = STANDARD_SCALE,
    placed: Sequence[bool] | None = None,
) -> tuple[Fraction, ...]:
    """Work out the table points for game points given in seat order (RULES §8: 4/2/1/0, equal scores share).

    Equal scores share the sum of their places exactly: ``table_points([30, 10, 10, -50])`` is ``(4, 3/2, 3/2, 0)``.
    Seats that are not ``placed`` have 0, and the others the first places: the last ones, as many as there are such
    seats, are nobody's. The parts sum to what the places taken are worth. Raises ValueError when there are not as many
    scores as places.
    """
    if len(game_points) != len(scale):
        raise ValueError(f"{len(scale)} places, {len(game_points)} scores")
    return _shares(_better(game_points, placed), tuple(scale))


def places(game_points: Sequence[int], placed: Sequence[bool] | None = None) -> tuple[int | None, ...]:
    """Place each score at its table, 1 the best; equal scores have the same place (1, 2, 2, 4).

    None for seats that are not ``placed``.
    """
    return tuple(None if better is None else 1 + better for better in _better(game_points, placed))


def _better(game_points: Sequence[int], placed: Sequence[bool] | None) -> tuple[int | None, ...]:
    """How many scored better, for each seat with a place."""
    if placed is None or all(placed):
        return tuple(sum(other > own for other in game_points) for own in game_points)
    counted = [points for points, has_place in zip(game_points, placed, strict=True) if has_place]
    return tuple(
        sum(other > own for other in counted) if has_place else None
        for own, has_place in zip(game_points, placed, strict=True)
    )


@lru_cache(maxsize=1024)
def _shares(better: tuple[int | None, ...], scale: tuple[Fraction | int, ...]) -> tuple[Fraction, ...]:
    """Share the scale, knowing for each player how many scored better. A table has only 75 such patterns."""
    shares = []
    for first in better:
        if first is None:
            shares.append(Fraction(0))
            continue
        tied = better.count(first)
        shares.append(Fraction(sum(scale[first : first + tied])) / tied)
    return tuple(shares)


def two_decimals(points: Fraction | int) -> str:
    """Print points with two decimals, half up (away from zero): ``7/3`` is ``2.33``, ``3/8`` ``0.38``."""
    hundredths = int(abs(Fraction(points)) * _HUNDREDTHS + Fraction(1, 2))
    sign = "-" if points < 0 and hundredths else ""
    return f"{sign}{hundredths // _HUNDREDTHS}.{hundredths % _HUNDREDTHS:02d}"


# --- Time ---


class LastHand(Enum):
    """What becomes of the hand under way when the time is up. A new one never begins."""

    VOID = "void"
    """It is not finished and does not count (Overview of the rules, 004)."""
    FINISHED = "finished"
    """It is finished and counts (European practice)."""


@dataclass(frozen=True)
class Timing:
    """How a session ends. `warning`: so many minutes before the end the hall is told."""

    warning: int = 15
    last_hand: LastHand = LastHand.VOID

    @property
    def counts_last_hand(self) -> bool:
        """Whether the hand under way at the end is finished."""
        return self.last_hand is LastHand.FINISHED

    def to_json(self) -> dict[str, Any]:
        return {"warning": self.warning, "last_hand": self.last_hand.value}

    @classmethod
    def from_json(cls, snapshot: Mapping[str, Any]) -> Timing:
        return cls(snapshot["warning"], LastHand(snapshot["last_hand"]))


USUAL = Timing()


# --- Attendance ---


class Credit(StrEnum):
    """Whose a seat's result is while a stand-in plays it."""

    NOBODY = "nobody"
    """The stand-in takes no place; the absent player has 0 table points and what they owe themselves."""
    PLAYER = "player"
    """The stand-in plays for the absent player, and takes the place for them."""


@dataclass(frozen=True)
class Attendance:
    """What follows for the standings when a player is not there (RULES §8).

    `stand_in`: whose the result is where one plays to the end; `withdrawn_ranked`: who withdrew keeps a rank.
    `starting_points`: what a player holds when a session begins, so that lateness docks no more (seed 000, "Being
    late"); 0 where nobody starts with points.
    """

    stand_in: Credit = Credit.NOBODY
    withdrawn_ranked: bool = True
    starting_points: int = 0

    def has_place(self, *, stand_in: bool, empty: bool) -> bool:
        """Whether a seat takes one of its table's places; the absent player's result is then the seat's."""
        return not empty and (not stand_in or self.stand_in is Credit.PLAYER)

    def points_held(self, score: int) -> int | None:
        """What a player at `score` can still lose by lateness; None where nobody starts with points."""
        return max(0, self.starting_points + score) if self.starting_points else None

    def to_json(self) -> dict[str, Any]:
        return {
            "stand_in": self.stand_in.value,
            "withdrawn_ranked": self.withdrawn_ranked,
            "starting_points": self.starting_points,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Attendance:
        # snapshots made before it could be said started nobody with points
        points = int(data.get("starting_points", 0))
        return cls(Credit(data["stand_in"]), bool(data["withdrawn_ranked"]), points)


USUAL_ATTENDANCE: Final = Attendance()


# --- Seat rotation ---


WINDS: Final = ("E", "S", "W", "N")
HANDS_PER_ROUND: Final = 4
SEATS_PER_TABLE: Final = 4
HANDS_PER_SESSION: Final = 16


@dataclass(frozen=True, slots=True)
class Chart:
    """A seat rotation chart: for each wind round, who takes the chairs E, S, W, N, named by starting wind.

    A session is 16 hands: four wind rounds of four. Between rounds the players change chairs as the chart says; within
    a round they keep their chairs while the deal, and with it every seat wind, moves on after each hand (seed 000,
    Appendices 1 and 2). A player is named by the starting wind: the seat taken in the first hand of the session.

    ``rounds[1] == "SENW"`` reads: in the South round the player who started South takes the East chair, the
    one who started East the South chair, and so on. Raises ValueError unless round 1 is the start itself
    and everybody sits once in every chair.
    """

    key: str
    rounds: tuple[str, str, str, str]

    def __post_init__(self) -> None:
        if self.rounds[0] != "".join(WINDS):
            raise ValueError(f"chart {self.key}: the first round must be the starting seats")
        lines = [*self.rounds, *("".join(column) for column in zip(*self.rounds, strict=True))]
        if any(sorted(line) != sorted(WINDS) for line in lines):
            raise ValueError(f"chart {self.key}: everybody sits once in every chair")


APPENDIX_2: Final = Chart("appendix2", ("ESWN", "SENW", "WNSE", "NWES"))
EXCHANGED: Final = Chart("exchanged", ("ESWN", "SENW", "NWES", "WNSE"))
"""The other chart in circulation: Appendix 2 with the chairs of the West and North rounds exchanged.

It is Appendix 2 read by the wrong axis (a line a player instead of a line a round), which is how it came about.
"""

CHARTS: Final[Mapping[str, Chart]] = {chart.key: chart for chart in (APPENDIX_2, EXCHANGED)}


def find_chart(key: str) -> Chart:
    """The named chart; KeyError when there is none."""
    return CHARTS[key]


def prevalent_wind(hand_number: int) -> str:
    """The wind of the round that hand 1..16 belongs to."""
    return WINDS[_round_and_turn(hand_number)[0]]


def position(start_wind: str, hand_number: int, chart: Chart = APPENDIX_2) -> str:
    """The chair (named by the wind it has in the first hand of the round) of a player in hand 1..16.

    Chairs are fixed while a round lasts: draw the table picture with them.
    """
    wind_round, _ = _round_and_turn(hand_number)
    return WINDS[chart.rounds[wind_round].index(_wind(start_wind))]


def seat_wind(start_wind: str, hand_number: int, chart: Chart = APPENDIX_2) -> str:
    """The seat wind in hand 1..16 of the player who started the session at ``start_wind``."""
    _, turn = _round_and_turn(hand_number)
    return WINDS[(WINDS.index(position(start_wind, hand_number, chart)) - turn) % 4]


def occupants(hand_number: int, chart: Chart = APPENDIX_2) -> dict[str, str]:
    """Seat wind → starting wind of the player who has it in hand 1..16, in the order E, S, W, N."""
    wind_round, turn = _round_and_turn(hand_number)
    seated = chart.rounds[wind_round]
    return {wind: seated[(chair + turn) % 4] for chair, wind in enumerate(WINDS)}


def dealer(hand_number: int, chart: Chart = APPENDIX_2) -> str:
    """The starting wind of the player who deals hand 1..16."""
    return occupants(hand_number, chart)["E"]


def _round_and_turn(hand_number: int) -> tuple[int, int]:
    if not 1 <= hand_number <= HANDS_PER_SESSION:
        raise ValueError(f"a session has hands 1 to {HANDS_PER_SESSION}, not {hand_number}")
    return divmod(hand_number - 1, HANDS_PER_ROUND)


def _wind(wind: str) -> str:
    if wind not in WINDS:
        raise ValueError(f"not a wind: {wind!r}")
    return wind


# --- How it is played ---


LONGEST_WARNING: Final = 60
"""Minutes before the end of a session."""
MOST_FOR_A_PLACE: Final = 100
"""Table points."""


@dataclass(frozen=True)
class PlaySettings:
    """How a tournament is played, apart from fans and fouls. A rulebook has a default for each (RULES §8)."""

    last_hand: LastHand
    warning: int
    chart: Chart
    scale: tuple[Fraction, ...]
    criteria: tuple[str, ...]
    """Without `SHARED_PLACE`, which is understood."""
    held_out_waits: bool
    """Whether a tile whose four copies one holds oneself is a wait."""

    def differing(self, other: PlaySettings) -> tuple[str, ...]:
        """Name the settings that are not the same in the other."""
        names = (field.name for field in fields(self))
        return tuple(name for name in names if getattr(self, name) != getattr(other, name))

    def problems(self) -> list[Problem]:
        """Find everything that cannot be; `where` is the setting."""
        problems = []
        if not 1 <= self.warning <= LONGEST_WARNING:
            problems.append(PARTICULAR_OUT_OF_RANGE("warning", least=1, most=LONGEST_WARNING))
        if len(self.scale) != SEATS_PER_TABLE or not all(0 <= own <= MOST_FOR_A_PLACE for own in self.scale):
            problems.append(SCALE_OF_FOUR("scale", most=MOST_FOR_A_PLACE))
        elif list(self.scale) != sorted(self.scale, reverse=True):
            problems.append(SCALE_RISES("scale"))
        if not self.criteria or not CRITERIA.keys() >= set(self.criteria):
            problems.append(CRITERIA_UNKNOWN("criteria", known=", ".join(CRITERIA)))
        elif len(set(self.criteria)) != len(self.criteria):
            problems.append(CRITERION_TWICE("criteria"))
        return problems

    def to_json(self) -> dict[str, Any]:
        return {
            "last_hand": self.last_hand.value,
            "warning": self.warning,
            "chart": self.chart.key,
            "scale": [str(own) if own.denominator > 1 else int(own) for own in self.scale],
            "criteria": list(self.criteria),
            "held_out_waits": self.held_out_waits,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> PlaySettings:
        """The settings that `to_json` writes; KeyError, TypeError or ValueError for anything else."""
        return cls(
            last_hand=LastHand(data["last_hand"]),
            warning=int(data["warning"]),
            chart=find_chart(data["chart"]),
            scale=tuple(Fraction(own) for own in data["scale"]),
            criteria=tuple(map(str, data["criteria"])),
            held_out_waits=bool(data["held_out_waits"]),
        )


# --- Rules ---


LATE: Final = "late"
"""The foul whose rule says what lateness costs."""


@dataclass(frozen=True)
class Rules:
    """A tournament's rules: the scoring rulebook, the foul book, and its own settings.

    `scale`: table points of the four places; `criteria`: what ranks, in order. A tournament stores them as a snapshot
    when it is made.
    """

    name: str
    scoring: Rulebook
    fouls: FoulBook
    chart: Chart = APPENDIX_2
    scale: tuple[Fraction, ...] = tuple(Fraction(points) for points in STANDARD_SCALE)
    criteria: tuple[str, ...] = DEFAULT_ORDER
    timing: Timing = USUAL
    attendance: Attendance = USUAL_ATTENDANCE

    @property
    def play(self) -> PlaySettings:
        """How it is played, apart from fans and fouls."""
        return PlaySettings(
            last_hand=self.timing.last_hand,
            warning=self.timing.warning,
            chart=self.chart,
            scale=self.scale,
            criteria=tuple(key for key in self.criteria if key != SHARED_PLACE),
            held_out_waits=self.scoring.held_out_waits,
        )

    def with_play(self, play: PlaySettings) -> Rules:
        """The same fans and fouls, played so."""
        return replace(
            self,
            scoring=replace(self.scoring, held_out_waits=play.held_out_waits),
            chart=play.chart,
            scale=play.scale,
            criteria=play.criteria,
            timing=Timing(play.warning, play.last_hand),
        )

    @property
    def lateness(self) -> Late | None:
        """What lateness costs by minutes; None where the foul book has no such rule."""
        foul = self.fouls.find(LATE)
        return foul.rule if foul and isinstance(foul.rule, Late) else None

    def to_json(self) -> dict[str, Any]:
        """A snapshot that `from_json` reads back, whatever the code says by then."""
        return {
            "name": self.name,
            "scoring": self.scoring.to_json(),
            "fouls": self.fouls.to_json(),
            "chart": self.chart.key,
            "scale": [str(points) for points in self.scale],
            "criteria": list(self.criteria),
            "timing": self.timing.to_json(),
            "attendance": self.attendance.to_json(),
        }

    @classmethod
    def from_json(cls, snapshot: Mapping[str, Any]) -> Rules:
        return cls(
            name=snapshot["name"],
            scoring=Rulebook.from_json(snapshot["scoring"]),
            fouls=FoulBook.from_json(snapshot["fouls"]),
            chart=find_chart(snapshot["chart"]),
            scale=tuple(Fraction(points) for points in snapshot["scale"]),
            criteria=tuple(snapshot["criteria"]),
            # snapshots made before there was a timing played by the usual one
            timing=Timing.from_json(snapshot["timing"]) if "timing" in snapshot else USUAL,
            attendance=Attendance.from_json(snapshot["attendance"])
            if "attendance" in snapshot
            else USUAL_ATTENDANCE,
        )


FOULS_OF: Final[Mapping[str, str]] = {
    rulebook.key: rulebook.key if rulebook.key in FOUL_BOOKS else "mcr" for rulebook in RULEBOOKS
}
"""Rulebook → its book of fouls. `botzone` has none of its own, since programs on a server cannot be late: in a hall its
fans are played with the fouls of `mcr`."""
PLAYABLE: Final = tuple(FOULS_OF)
"""The rulebooks a tournament can choose, the default first; `china1998` is a book of fouls alone."""


def rules_named(name: str) -> Rules:
    """The rules of a rulebook as they are today; KeyError for one that no tournament can be played by."""
    return Rules(name, find_rulebook(name), find_foul_book(FOULS_OF[name]))


def rules_from_snapshot(snapshot: Mapping[str, Any]) -> Rules:
    """The rules of a stored snapshot, parsed once however often they are asked for."""
    return _parsed(json.dumps(snapshot, sort_keys=True))


@lru_cache(maxsize=64)
def _parsed(text: str) -> Rules:
    return Rules.from_json(json.loads(text))
