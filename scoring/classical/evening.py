"""An evening of the classical game: who is East, the hands as they were entered, and all that follows from them.

Everybody's hand is entered by tiles or by points. An evening is plain data too (`Evening.to_json`, `read_evening`).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

from scoring.classical.hands import WAYS, Besides, Loser, read_besides
from scoring.classical.rules import CLASSICAL, Flower, Rules
from scoring.classical.score import Score, Settlement, score_loser, score_winner, settle
from scoring.engine.hand import Hand, Meld
from scoring.engine.notation import FLAGS, parse_held, parse_record
from scoring.engine.problems import InvalidHand, Problem
from scoring.engine.tiles import WINDS

PLACES: Final = range(4)
"""The players as they sit; the first is East to begin with, and play passes to the next."""
ROUNDS: Final = len(WINDS)


@dataclass(frozen=True, slots=True)
class Turn:
    """What a hand begins with: who is East and which wind the round has (001:77–78).

    >>> Turn().after(0).dealer, Turn().after(2).dealer, Turn().after(None).dealer
    (0, 1, 0)
    """

    passed: int = 0
    """How often East has been lost."""
    last: int | None = None
    """Who won last."""
    wins: int = 0
    """How many in a row."""

    @property
    def dealer(self) -> int:
        """The place that is East."""
        return self.passed % len(PLACES)

    @property
    def prevalent(self) -> str:
        """The wind of the round: the next one once everybody has held and lost East again."""
        return WINDS[min(self.passed // len(PLACES), ROUNDS - 1)]

    @property
    def is_over(self) -> bool:
        """Whether everybody has lost East in the round of North, the last (001:78)."""
        return self.passed >= len(PLACES) * ROUNDS

    def wind(self, place: int) -> str:
        """The seat wind of a place."""
        return WINDS[(place - self.dealer) % len(PLACES)]

    def wins_of(self, winner: int) -> int:
        """The wins in a row that this place would have with one more."""
        return self.wins + 1 if winner == self.last else 1

    def after(self, winner: int | None) -> "Turn":
        """The turn that follows: East stays who wins, and after a wash-out; else East passes on (001:73, 78).

        A wash-out is not scored and played anew, so it ends no row of wins.
        """
        if winner is None:
            return self
        passed = self.passed if winner == self.dealer else self.passed + 1
        return replace(self, passed=passed, last=winner, wins=self.wins_of(winner))


CIRCUMSTANCES: Final = (*(flag for flag in FLAGS if flag != "last_of_kind"), *WAYS)
"""What counts of the way a hand was won."""


@dataclass(frozen=True, slots=True)
class Held:
    """What one player held: points as the players reckoned them, or tiles as text; nothing is no points."""

    points: int | None = None
    tiles: str = ""
    """In the engine's notation."""
    flowers: tuple[Flower, ...] = ()

    def to_json(self) -> dict[str, Any]:
        if self.tiles:
            return {"tiles": self.tiles, "flowers": [flower.key for flower in self.flowers]}
        return {} if self.points is None else {"points": self.points}


@dataclass(frozen=True, slots=True)
class Entry:
    """One hand, as a fact: everything else follows from it and the turn."""

    winner: int | None
    """The winner's place; None for a wash-out, which is not scored (001:73)."""
    held: tuple[Held, ...] = (Held(),) * len(PLACES)
    ways: frozenset[str] = frozenset()
    """Of `CIRCUMSTANCES`; they count where the winner's tiles are known."""

    def to_json(self) -> dict[str, Any]:
        held = [player.to_json() for player in self.held]
        return {"winner": self.winner, "ways": sorted(self.ways), "held": held}


@dataclass(frozen=True, slots=True)
class Marks:
    """What everybody's hand scores, by place."""

    points: tuple[int, ...]
    scores: tuple[Score | None, ...]
    """The score of tiles that are known."""


def mark(entry: Entry, turn: Turn, rules: Rules) -> Marks:
    """The marks of a hand that somebody won; `InvalidHand` with all that is wrong, each at "held.<place>.<field>"."""
    assert entry.winner is not None
    problems: list[Problem] = list(_alike(entry))
    scores: list[Score | None] = []
    for place in PLACES:
        try:
            scores.append(_score(entry, place, turn, rules))
        except InvalidHand as refused:
            scores.append(None)
            problems += [_placed(problem, place) for problem in refused.problems]
    if problems:
        raise InvalidHand(tuple(problems))
    reckoned = (held.points or 0 for held in entry.held)
    points = tuple(
        score.points if score else _within(figure, place == entry.winner, rules)
        for place, (score, figure) in enumerate(zip(scores, reckoned, strict=True))
    )
    return Marks(points, tuple(scores))


def _within(points: int, is_winner: bool, rules: Rules) -> int:
    return min(points, rules.limit) if is_winner or rules.losers_have_limit else points


def _score(entry: Entry, place: int, turn: Turn, rules: Rules) -> Score | None:
    held, is_winner = entry.held[place], place == entry.winner
    if held.tiles and held.points is not None:
        raise InvalidHand((Problem("tiles_and_points", "tiles"),))
    if not held.tiles:
        if is_winner and held.points is None:
            raise InvalidHand((Problem("winner_without_points", "points"),))
        if held.flowers:
            raise InvalidHand((Problem("flowers_without_tiles", "flowers"),))
        return None
    if not is_winner:
        return score_loser(_loser(held, place, turn), rules)
    score = _score_winner(entry, place, turn, rules)
    if not score.win:
        raise InvalidHand((Problem("not_a_win", "tiles"),))
    return score


def _score_winner(entry: Entry, place: int, turn: Turn, rules: Rules) -> Score:
    held = entry.held[place]
    flags = dict.fromkeys(entry.ways & set(FLAGS), True)
    record = {**parse_record(held.tiles), **flags} | _winds(place, turn)
    besides = Besides(held.flowers, entry.ways & set(WAYS), turn.wins_of(place))
    return score_winner(besides.winner(Hand.from_json(record)), rules)


def _loser(held: Held, place: int, turn: Turn) -> Loser:
    concealed, records = parse_held(held.tiles)
    melds = tuple(Meld(meld["type"], tuple(meld["tiles"]), meld["concealed"]) for meld in records)
    winds = _winds(place, turn)
    return Loser(concealed, melds, winds["seat_wind"], winds["prevalent_wind"], held.flowers)


def _winds(place: int, turn: Turn) -> dict[str, str]:
    return {"seat_wind": turn.wind(place), "prevalent_wind": turn.prevalent}


def _alike(entry: Entry) -> Iterator[Problem]:
    """Seasons and flowers that two players are said to have."""
    seen: set[Flower] = set()
    for place, held in enumerate(entry.held):
        if seen & set(held.flowers):
            yield Problem("flower_twice", f"held.{place}.flowers")
        seen |= set(held.flowers)


def _placed(problem: Problem, place: int) -> Problem:
    """The problem at the field where it is mended."""
    if problem.where in CIRCUMSTANCES:
        return Problem(problem.code, "ways", problem.params)
    field = problem.where if problem.where in ("points", "flowers") else "tiles"
    return Problem(problem.code, f"held.{place}.{field}", problem.params)


NOTHING: Final = (0,) * len(PLACES)


@dataclass(frozen=True, slots=True)
class Played:
    """A hand that is settled; figures stand by place."""

    entry: Entry
    turn: Turn
    marks: Marks | None
    """None for a wash-out."""
    settlement: Settlement | None
    changes: tuple[int, ...]
    totals: tuple[int, ...]
    """The running scores after it; they sum to zero."""

    def to_json(self) -> dict[str, Any]:
        return {
            "winner": self.entry.winner,
            "dealer": self.turn.dealer,
            "prevalent_wind": self.turn.prevalent,
            "points": list(self.marks.points) if self.marks else None,
            "scores": [score.to_json() if score else None for score in self.marks.scores]
            if self.marks
            else None,
            "payments": self.settlement.to_json()["payments"] if self.settlement else [],
            "changes": list(self.changes),
            "totals": list(self.totals),
        }


@dataclass(frozen=True)
class Evening:
    """Four players, the rules they play by, and the hands."""

    names: tuple[str, ...]
    rules: Rules = CLASSICAL
    entries: tuple[Entry, ...] = ()

    @cached_property
    def played(self) -> tuple[Played, ...]:
        """The hands, settled; `InvalidHand` for one that cannot be."""
        return tuple(self.settled())

    @property
    def turn(self) -> Turn:
        """What the next hand begins with."""
        return self.played[-1].turn.after(self.played[-1].entry.winner) if self.played else Turn()

    @property
    def totals(self) -> tuple[int, ...]:
        return self.played[-1].totals if self.played else NOTHING

    def with_hand(self, entry: Entry) -> "Evening":
        """One hand more; `InvalidHand` with all that is wrong with it, ``ValueError`` when the evening is over."""
        if self.turn.is_over:
            raise ValueError("the rounds of all four winds are played")
        evening = replace(self, entries=(*self.entries, entry))
        assert evening.played
        return evening

    def without_last(self) -> "Evening":
        """The last hand taken back."""
        return replace(self, entries=self.entries[:-1])

    def to_json(self) -> dict[str, Any]:
        """The facts alone (`read_evening`)."""
        settings = {name: getattr(self.rules, name) for name in SETTINGS}
        hands = [entry.to_json() for entry in self.entries]
        return {"names": list(self.names), "rules": settings, "hands": hands}

    def settled(self) -> Iterator[Played]:
        """The hands one by one, as far as they can be settled; then `InvalidHand`."""
        turn, totals = Turn(), NOTHING
        for entry in self.entries:
            played = _settle(entry, turn, totals, self.rules)
            yield played
            turn, totals = turn.after(entry.winner), played.totals


SETTINGS: Final = (
    "limit",
    "losers_have_limit",
    "east_factor",
    "losers_settle",
    "both_winds_of_pair",
    "both_winds_of_pung",
    "own_flower_in_four",
    "flowers_are_value",
    "concealed_pungs_drawn",
    "nine_tiles_called",
    "every_pair_of_losers",
)
"""What a club may settle otherwise than `CLASSICAL`."""


def _settle(entry: Entry, turn: Turn, totals: tuple[int, ...], rules: Rules) -> Played:
    if entry.winner is None:
        return Played(entry, turn, None, None, NOTHING, totals)
    marks = mark(entry, turn, rules)
    points = {turn.wind(place): marks.points[place] for place in PLACES}
    settlement = settle(points, turn.wind(entry.winner), rules)
    changes = tuple(settlement.changes[turn.wind(place)] for place in PLACES)
    after = tuple(total + change for total, change in zip(totals, changes, strict=True))
    return Played(entry, turn, marks, settlement, changes, after)


MOST_HANDS: Final = 200
LONGEST_NAME: Final = 40
LONGEST_TILES: Final = 200
MOST_POINTS: Final = 100_000
MOST_LIMIT: Final = 100_000
MOST_FACTOR: Final = 4


class InvalidEvening(ValueError):
    """The data is no evening; `place` is the number of the hand at fault, 0 for the rest."""

    def __init__(self, place: int = 0) -> None:
        super().__init__(f"hand {place}" if place else "not an evening")
        self.place = place


def read_evening(data: object) -> Evening:
    """The evening of `Evening.to_json`, every hand of it settled; `InvalidEvening` for anything else."""
    if not isinstance(data, Mapping):
        raise InvalidEvening
    names, hands = data.get("names"), data.get("hands", [])
    if not isinstance(hands, list) or len(hands) > MOST_HANDS:
        raise InvalidEvening
    evening = Evening(_read_names(names), read_rules(data.get("rules", {})))
    for number, hand in enumerate(hands, start=1):
        entry = _read_entry(hand, number)
        evening = Evening(evening.names, evening.rules, (*evening.entries, entry))
    _check_hands(evening)
    return evening


def _check_hands(evening: Evening) -> None:
    """Every hand is one that can be, and none comes after the last round."""
    number = 1
    try:
        for number, played in enumerate(evening.settled(), start=2):
            if played.turn.is_over:
                raise InvalidEvening(number - 1)
    except InvalidHand:
        raise InvalidEvening(number) from None


def read_rules(data: object) -> Rules:
    """The rules; what is not said is as in `CLASSICAL`."""
    if not isinstance(data, Mapping) or not set(data) <= set(SETTINGS):
        raise InvalidEvening
    for name, value in data.items():
        if type(value) is not type(getattr(CLASSICAL, name)):
            raise InvalidEvening
    limit, factor = data.get("limit", CLASSICAL.limit), data.get("east_factor", CLASSICAL.east_factor)
    if not 1 <= limit <= MOST_LIMIT or not 1 <= factor <= MOST_FACTOR:
        raise InvalidEvening
    return Rules(**data)


def _read_names(names: object) -> tuple[str, ...]:
    if not isinstance(names, list) or len(names) != len(PLACES):
        raise InvalidEvening
    if not all(isinstance(name, str) and len(name) <= LONGEST_NAME for name in names):
        raise InvalidEvening
    return tuple(names)


def _read_entry(data: object, number: int) -> Entry:
    if not isinstance(data, Mapping):
        raise InvalidEvening(number)
    winner, ways, held = data.get("winner"), data.get("ways", []), data.get("held", [])
    if winner is not None and (type(winner) is not int or winner not in PLACES):
        raise InvalidEvening(number)
    if not isinstance(ways, list) or not all(way in CIRCUMSTANCES for way in ways):
        raise InvalidEvening(number)
    if not isinstance(held, list) or len(held) != len(PLACES):
        raise InvalidEvening(number)
    return Entry(winner, tuple(_read_held(player, number) for player in held), frozenset(ways))


def _read_held(data: object, number: int) -> Held:
    if not isinstance(data, Mapping):
        raise InvalidEvening(number)
    points, tiles = data.get("points"), data.get("tiles", "")
    if points is not None and (type(points) is not int or not 0 <= points <= MOST_POINTS):
        raise InvalidEvening(number)
    if not isinstance(tiles, str) or len(tiles) > LONGEST_TILES:
        raise InvalidEvening(number)
    return Held(points, tiles, _read_flowers(data, number))


def _read_flowers(data: Mapping[str, Any], number: int) -> Any:
    try:
        return read_besides({"named_flowers": data.get("flowers", [])}).flowers
    except InvalidHand:
        raise InvalidEvening(number) from None
