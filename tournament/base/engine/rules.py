"""The rules of a tournament: ranking criteria, table points, timing, attendance, seat rotation (RULES §7, §8)."""

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

PARTICULAR_OUT_OF_RANGE = problem_code("particular_out_of_range", "From {minimum} to {maximum}.")
SCALE_OF_FOUR = problem_code(
    "scale_of_four",
    "Give four whole numbers from 0 to {maximum}, for the first place to the last: for example 4, 2, 1, 0.",
)
SCALE_RISES = problem_code("scale_rises", "A place cannot be worth more than the one before it.")
CRITERIA_UNKNOWN = problem_code("criteria_unknown", "Choose at least one ranking criterion: {known}.")
CRITERION_TWICE = problem_code("criterion_twice", "Choose each criterion only once.")

# --- Criteria ---


@dataclass(frozen=True, slots=True)
class Totals:
    """Sums of a player's results. Points are after penalties; ``best_session`` is in game points."""

    table_points: Fraction = Fraction(0)
    game_points: Fraction | int = 0
    best_session: int = 0
    hands_won: int = 0
    wins_by_discard: int = 0
    deal_ins: int = 0


@dataclass(frozen=True, slots=True)
class Criterion:
    """One ranking criterion (RULES §8): ``value`` of a player's totals, larger is better."""

    key: str
    name: str
    value: Callable[[Totals], Fraction | int]


CRITERIA: Final[Mapping[str, Criterion]] = {
    criterion.key: criterion
    for criterion in (
        Criterion("table_points", "Table points", lambda totals: totals.table_points),
        Criterion("game_points", "Game points", lambda totals: totals.game_points),
        Criterion("best_session", "Best session", lambda totals: totals.best_session),
        Criterion("hands_won", "Hands won", lambda totals: totals.hands_won),
        Criterion("wins_by_discard", "Wins by discard", lambda totals: totals.wins_by_discard),
        Criterion("deal_ins", "Fewest deal-ins", lambda totals: -totals.deal_ins),
    )
}

DEFAULT_ORDER: Final = ("table_points", "game_points")

SHARED_PLACE: Final = "shared_place"
"""Optional last key of an order of criteria: players who are still equal share the place."""


def find_criteria(keys: Iterable[str]) -> tuple[Criterion, ...]:
    """Return the criteria for an order of keys.

    Raises KeyError for an unknown key; ValueError for no key, a repeated one, or one after ``shared_place``.
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
    """Return the table points for game points in seat order (RULES §8: 4/2/1/0, equal scores share).

    Equal scores share the sum of their places exactly: ``table_points([30, 10, 10, -50])`` is ``(4, 3/2, 3/2, 0)``.
    Seats that are not ``placed`` get 0, and the last places of the scale are not awarded. Raises ValueError unless
    there are as many scores as places.
    """
    if len(game_points) != len(scale):
        raise ValueError(f"{len(scale)} places, {len(game_points)} scores")
    return _shares(_count_better(game_points, placed), tuple(scale))


def places(game_points: Sequence[int], placed: Sequence[bool] | None = None) -> tuple[int | None, ...]:
    """Return the place of each score at its table, 1 the best; equal scores share it (1, 2, 2, 4).

    None for seats that are not ``placed``.
    """
    return tuple(None if better is None else 1 + better for better in _count_better(game_points, placed))


def _count_better(game_points: Sequence[int], placed: Sequence[bool] | None) -> tuple[int | None, ...]:
    """Count the better scores for each seat that takes a place; None for the others."""
    if placed is None or all(placed):
        return tuple(sum(other > own for other in game_points) for own in game_points)
    counted = [points for points, has_place in zip(game_points, placed, strict=True) if has_place]
    return tuple(
        sum(other > own for other in counted) if has_place else None
        for own, has_place in zip(game_points, placed, strict=True)
    )


@lru_cache(maxsize=1024)
def _shares(better: tuple[int | None, ...], scale: tuple[Fraction | int, ...]) -> tuple[Fraction, ...]:
    """Return each player's share of the scale. Cached: a table has only 75 such patterns."""
    shares = []
    for first in better:
        if first is None:
            shares.append(Fraction(0))
            continue
        tied = better.count(first)
        shares.append(Fraction(sum(scale[first : first + tied])) / tied)
    return tuple(shares)


def two_decimals(points: Fraction | int) -> str:
    """Format points with two decimals, rounded half up (away from zero): ``7/3`` is ``2.33``, ``3/8`` ``0.38``."""
    hundredths = int(abs(Fraction(points)) * _HUNDREDTHS + Fraction(1, 2))
    sign = "-" if points < 0 and hundredths else ""
    return f"{sign}{hundredths // _HUNDREDTHS}.{hundredths % _HUNDREDTHS:02d}"


# --- Time ---


class LastHand(Enum):
    """Whether the hand being played when time runs out counts. A new one never begins."""

    VOID = "void"
    """It is abandoned and does not count (Overview of the rules, 004)."""
    FINISHED = "finished"
    """It is finished and counts (European practice)."""


@dataclass(frozen=True)
class Timing:
    """How a session ends. `warning`: minutes before the end at which the hall is warned."""

    warning: int = 15
    last_hand: LastHand = LastHand.VOID

    @property
    def counts_last_hand(self) -> bool:
        """Whether the hand being played at the end is finished."""
        return self.last_hand is LastHand.FINISHED

    def to_json(self) -> dict[str, Any]:
        return {"warning": self.warning, "last_hand": self.last_hand.value}

    @classmethod
    def from_json(cls, snapshot: Mapping[str, Any]) -> Timing:
        return cls(snapshot["warning"], LastHand(snapshot["last_hand"]))


DEFAULT_TIMING = Timing()


# --- Attendance ---


class Credit(StrEnum):
    """Who gets a seat's result while a stand-in plays it."""

    NOBODY = "nobody"
    """The stand-in takes no place; the absent player has 0 table points and keeps their own penalties."""
    PLAYER = "player"
    """The stand-in plays, and takes the place, for the absent player."""
    STAND_IN = "stand_in"
    """A stand-in who plays the whole session takes a place, another one none (MERS Tournament Regulations, section 4).

    The absent player has 0 table points and keeps their own penalties.
    """


@dataclass(frozen=True)
class Attendance:
    """Consequences of absence for the standings (RULES §8).

    `stand_in`: who gets the result of a stand-in who plays to the end. `withdrawn_ranked`: withdrawn players keep a
    rank. `starting_points`: points a player starts a session with, the most that lateness can cost (seed 000,
    "Being late"); 0 for no limit. `disqualified_ranked`: disqualified players have the last rank, with 0 points, and
    not none.
    """

    stand_in: Credit = Credit.NOBODY
    withdrawn_ranked: bool = True
    starting_points: int = 0
    disqualified_ranked: bool = False

    @property
    def credits_player(self) -> bool:
        """Whether the result of a stand-in is the absent player's."""
        return self.stand_in is Credit.PLAYER

    def stand_in_has_place(self, first_hand: int | None) -> bool:
        """Return whether a stand-in who plays from this hand on, or from the first, takes a place at the table."""
        return self.credits_player or (self.stand_in is Credit.STAND_IN and first_hand in (None, 1))

    def points_held(self, score: int) -> int | None:
        """Return how many points a player at `score` can still lose by lateness; None for no limit."""
        return max(0, self.starting_points + score) if self.starting_points else None

    def to_json(self) -> dict[str, Any]:
        return {
            "stand_in": self.stand_in.value,
            "withdrawn_ranked": self.withdrawn_ranked,
            "starting_points": self.starting_points,
            "disqualified_ranked": self.disqualified_ranked,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Attendance:
        # older snapshots have only the first two
        return cls(
            Credit(data["stand_in"]),
            bool(data["withdrawn_ranked"]),
            int(data.get("starting_points", 0)),
            bool(data.get("disqualified_ranked", False)),
        )


DEFAULT_ATTENDANCE: Final = Attendance()


# --- Seat rotation ---


WINDS: Final = ("E", "S", "W", "N")
HANDS_PER_ROUND: Final = 4
SEATS_PER_TABLE: Final = 4
HANDS_PER_SESSION: Final = 16


@dataclass(frozen=True, slots=True)
class Chart:
    """A seat rotation chart: for each wind round, who takes the chairs E, S, W, N, named by starting wind.

    A session has 16 hands: four wind rounds of four. Players change chairs between rounds as the chart says; within
    a round they stay, and the deal, with every seat wind, moves on after each hand (seed 000, Appendices 1 and 2).
    Players are named by their wind in the first hand of the session.

    ``rounds[1] == "SENW"``: in the South round the player who started South takes the East chair, the one who
    started East the South chair, and so on. Raises ValueError unless round 1 is "ESWN" and everybody sits once in
    every chair.
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
"""Another chart in use: Appendix 2 with the West and North rounds exchanged.

It is Appendix 2 read by the wrong axis, one line a player instead of one line a round.
"""

CHARTS: Final[Mapping[str, Chart]] = {chart.key: chart for chart in (APPENDIX_2, EXCHANGED)}


def find_chart(key: str) -> Chart:
    """Return the chart of a key; raise KeyError for an unknown one."""
    return CHARTS[key]


def prevalent_wind(hand_number: int) -> str:
    """Return the prevalent wind of hand 1..16."""
    return WINDS[_round_and_turn(hand_number)[0]]


def position(start_wind: str, hand_number: int, chart: Chart = APPENDIX_2) -> str:
    """Return a player's chair in hand 1..16, named by its wind in the first hand of the round.

    Chairs do not change during a round: pictures of the table use them.
    """
    wind_round, _ = _round_and_turn(hand_number)
    return WINDS[chart.rounds[wind_round].index(_wind(start_wind))]


def seat_wind(start_wind: str, hand_number: int, chart: Chart = APPENDIX_2) -> str:
    """Return the seat wind in hand 1..16 of the player who started the session at ``start_wind``."""
    _, turn = _round_and_turn(hand_number)
    return WINDS[(WINDS.index(position(start_wind, hand_number, chart)) - turn) % 4]


def occupants(hand_number: int, chart: Chart = APPENDIX_2) -> dict[str, str]:
    """Map each seat wind to the starting wind of its player in hand 1..16, in the order E, S, W, N."""
    wind_round, turn = _round_and_turn(hand_number)
    seated = chart.rounds[wind_round]
    return {wind: seated[(chair + turn) % 4] for chair, wind in enumerate(WINDS)}


def dealer(hand_number: int, chart: Chart = APPENDIX_2) -> str:
    """Return the starting wind of the dealer of hand 1..16."""
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


MAX_WARNING_MINUTES: Final = 60
"""Minutes before the end of a session."""
MAX_TABLE_POINTS: Final = 100
"""Table points."""


@dataclass(frozen=True)
class PlaySettings:
    """How a tournament is played, apart from fans and fouls. Each rulebook has defaults (RULES §8)."""

    last_hand: LastHand
    warning: int
    chart: Chart
    scale: tuple[Fraction, ...]
    criteria: tuple[str, ...]
    """Keys, without the optional `SHARED_PLACE`."""
    held_out_waits: bool
    """Whether a tile counts as a wait if the player holds all four copies."""

    def differing(self, other: PlaySettings) -> tuple[str, ...]:
        """Return the names of the settings that differ from another's."""
        names = (field.name for field in fields(self))
        return tuple(name for name in names if getattr(self, name) != getattr(other, name))

    def problems(self) -> list[Problem]:
        """Return every problem; `where` is the name of the setting."""
        problems = []
        if not 1 <= self.warning <= MAX_WARNING_MINUTES:
            problems.append(PARTICULAR_OUT_OF_RANGE("warning", minimum=1, maximum=MAX_WARNING_MINUTES))
        if len(self.scale) != SEATS_PER_TABLE or not all(0 <= own <= MAX_TABLE_POINTS for own in self.scale):
            problems.append(SCALE_OF_FOUR("scale", maximum=MAX_TABLE_POINTS))
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
        """Read what `to_json` writes; raise KeyError, TypeError or ValueError for anything else."""
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
"""Key of the foul whose rule has the cost of lateness."""


@dataclass(frozen=True)
class Rules:
    """A tournament's rules: scoring rulebook, foul book and settings.

    `scale`: table points of the four places; `criteria`: ranking criteria in order. A tournament stores a snapshot.
    """

    name: str
    scoring: Rulebook
    fouls: FoulBook
    chart: Chart = APPENDIX_2
    scale: tuple[Fraction, ...] = tuple(Fraction(points) for points in STANDARD_SCALE)
    criteria: tuple[str, ...] = DEFAULT_ORDER
    timing: Timing = DEFAULT_TIMING
    attendance: Attendance = DEFAULT_ATTENDANCE

    @property
    def play(self) -> PlaySettings:
        """The settings apart from fans and fouls."""
        return PlaySettings(
            last_hand=self.timing.last_hand,
            warning=self.timing.warning,
            chart=self.chart,
            scale=self.scale,
            criteria=tuple(key for key in self.criteria if key != SHARED_PLACE),
            held_out_waits=self.scoring.held_out_waits,
        )

    def with_play(self, play: PlaySettings) -> Rules:
        """Return the same fans and fouls with other settings."""
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
        """The foul book's rule for lateness, by minutes; None if it has none."""
        foul = self.fouls.find(LATE)
        return foul.rule if foul and isinstance(foul.rule, Late) else None

    def to_json(self) -> dict[str, Any]:
        """Return a snapshot that `from_json` can read in later versions."""
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
            # older snapshots lack these
            timing=Timing.from_json(snapshot["timing"]) if "timing" in snapshot else DEFAULT_TIMING,
            attendance=Attendance.from_json(snapshot["attendance"])
            if "attendance" in snapshot
            else DEFAULT_ATTENDANCE,
        )


FOULS_OF: Final[Mapping[str, str]] = {
    rulebook.key: rulebook.key if rulebook.key in FOUL_BOOKS else "mcr" for rulebook in RULEBOOKS
}
"""Rulebook → its foul book. `botzone` has none, since programs cannot be late, and takes that of `mcr`."""
PLAYABLE: Final = tuple(FOULS_OF)
"""Rulebooks that a tournament can choose, the default first; `china1998` and `mers` are only foul books."""


def rules_named(name: str, foul_book: str = "") -> Rules:
    """Return the current rules of a rulebook, with its own foul book or another one.

    Raises KeyError for a rulebook that is not playable, or an unknown foul book.
    """
    return Rules(name, find_rulebook(name), find_foul_book(foul_book or FOULS_OF[name]))


def rules_from_snapshot(snapshot: Mapping[str, Any]) -> Rules:
    """Return the rules of a stored snapshot. Parsed once per snapshot."""
    return _parsed(json.dumps(snapshot, sort_keys=True))


@lru_cache(maxsize=64)
def _parsed(text: str) -> Rules:
    return Rules.from_json(json.loads(text))
