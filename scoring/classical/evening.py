"""An evening of the classical game: who is East, the hands as entered, and everything derived from them.

Every player's hand is entered by tiles or by points. `Evening.to_json` and `read_evening` convert it from and to
plain data.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, islice
from typing import Any, Final

from scoring.classical.hands import EXTRA_FLAGS, FLOWER_TWICE, Loser, WinExtras, read_extras
from scoring.classical.rules import CLASSICAL, Flower, Rules
from scoring.classical.score import Score, Settlement, score_loser, score_winner, settle
from scoring.engine.hand import Hand, Meld
from scoring.engine.notation import FLAGS, parse_record, parse_tiles
from scoring.engine.problems import NOT_A_LIST, NOT_YES_OR_NO, InvalidHand, Problem, problem_code
from scoring.engine.tiles import WINDS

NOT_AN_OBJECT = problem_code("not_an_object", "Here an object ({{…}}) is expected.")
NOT_FOUR = problem_code("not_four", "“{where}” is a list of four, one for each player.")
NUMBER_OUT_OF_SPAN = problem_code(
    "number_out_of_span", "“{where}” is a whole number from {minimum} to {maximum}."
)
TEXT_TOO_LONG_HERE = problem_code(
    "text_too_long_here", "“{where}” is a text of at most {maximum} characters."
)
UNKNOWN_SETTING = problem_code("unknown_setting", "There is no setting “{setting}”.")
UNKNOWN_WAY = problem_code("unknown_way", "There is no way of winning “{way}”.")
TOO_MANY_HANDS = problem_code("too_many_hands", "An evening has at most {maximum} hands.")
EVENING_OVER = problem_code("evening_over", "The rounds of all four winds are played: no more hands.")
TILES_AND_POINTS = problem_code("tiles_and_points", "Enter either the tiles or the points, not both.")
WINNER_WITHOUT_POINTS = problem_code(
    "winner_without_points", "What did the winning hand score? Give its points or its tiles."
)
FLOWERS_WITHOUT_TILES = problem_code(
    "flowers_without_tiles", "Seasons and flowers are in the points already; give them with tiles alone."
)
NOT_A_WIN = problem_code("not_a_win", "These tiles are not a winning hand.")

PLACES: Final = range(4)
"""The players as they sit; the first is East to begin with, and play passes to the next."""
ROUNDS: Final = len(WINDS)


@dataclass(frozen=True, slots=True)
class Turn:
    """The state before a hand: who is East and the prevalent wind (001:77–78).

    >>> Turn().after(0).dealer, Turn().after(2).dealer, Turn().after(None).dealer
    (0, 1, 0)
    """

    passed: int = 0
    """How often the deal has passed."""
    last: int | None = None
    """Who won last."""
    wins: int = 0
    """How many hands in a row they have won."""

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
        """Return the seat wind of a place."""
        return WINDS[(place - self.dealer) % len(PLACES)]

    def wins_of(self, winner: int) -> int:
        """Return the wins in a row of this place after one more win."""
        return self.wins + 1 if winner == self.last else 1

    def after(self, winner: int | None) -> "Turn":
        """Return the next turn. East keeps the deal after a win and a wash-out, else the deal passes (001:73, 78).

        A wash-out is not scored and is replayed, so it does not interrupt wins in a row.
        """
        if winner is None:
            return self
        passed = self.passed if winner == self.dealer else self.passed + 1
        return replace(self, passed=passed, last=winner, wins=self.wins_of(winner))


CIRCUMSTANCES: Final = (*(flag for flag in FLAGS if flag != "last_of_kind"), *EXTRA_FLAGS)
"""Flags that affect the score of the winner's hand."""


@dataclass(frozen=True, slots=True)
class PlayerHand:
    """One player's hand: points as reckoned by the players, or tiles as text; empty for no points."""

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
    """One hand as entered."""

    winner: int | None
    """The winner's place; None for a wash-out, which is not scored (001:73)."""
    hands: tuple[PlayerHand, ...] = (PlayerHand(),) * len(PLACES)
    flags: frozenset[str] = frozenset()
    """Some of `CIRCUMSTANCES`; they count when the winner's tiles are entered."""

    def to_json(self) -> dict[str, Any]:
        hands = [hand.to_json() for hand in self.hands]
        return {"winner": self.winner, "ways": sorted(self.flags), "players": hands}


@dataclass(frozen=True, slots=True)
class HandScores:
    """The scores of all four hands, by place."""

    points: tuple[int, ...]
    scores: tuple[Score | None, ...]
    """The scores of hands entered by tiles."""


def score_entry(entry: Entry, turn: Turn, rules: Rules) -> HandScores:
    """Return the scores of a hand that was won. Raises InvalidHand, with problems at "players.<place>.<field>"."""
    assert entry.winner is not None
    problems: list[Problem] = list(_duplicate_flowers(entry))
    scores: list[Score | None] = []
    for place in PLACES:
        try:
            scores.append(_score(entry, place, turn, rules))
        except InvalidHand as refused:
            scores.append(None)
            problems += [_at_field(problem, place) for problem in refused.problems]
    if problems:
        raise InvalidHand(tuple(problems))
    entered = (hand.points or 0 for hand in entry.hands)
    points = tuple(
        score.points if score else _limited(value, place == entry.winner, rules)
        for place, (score, value) in enumerate(zip(scores, entered, strict=True))
    )
    return HandScores(points, tuple(scores))


def _limited(points: int, is_winner: bool, rules: Rules) -> int:
    return min(points, rules.limit) if is_winner or rules.losers_have_limit else points


def _score(entry: Entry, place: int, turn: Turn, rules: Rules) -> Score | None:
    hand, is_winner = entry.hands[place], place == entry.winner
    if hand.tiles and hand.points is not None:
        raise InvalidHand((TILES_AND_POINTS("tiles"),))
    if not hand.tiles:
        if is_winner and hand.points is None:
            raise InvalidHand((WINNER_WITHOUT_POINTS("points"),))
        if hand.flowers:
            raise InvalidHand((FLOWERS_WITHOUT_TILES("flowers"),))
        return None
    if not is_winner:
        return score_loser(_loser(hand, place, turn), rules)
    score = _score_winner(entry, place, turn, rules)
    if not score.win:
        raise InvalidHand((NOT_A_WIN("tiles"),))
    return score


def _score_winner(entry: Entry, place: int, turn: Turn, rules: Rules) -> Score:
    hand = entry.hands[place]
    flags = dict.fromkeys(entry.flags & set(FLAGS), True)
    record = {**parse_record(hand.tiles), **flags} | _winds(place, turn)
    extras = WinExtras(hand.flowers, entry.flags & set(EXTRA_FLAGS), turn.wins_of(place))
    return score_winner(extras.winner(Hand.from_json(record)), rules)


def _loser(hand: PlayerHand, place: int, turn: Turn) -> Loser:
    concealed, records = parse_tiles(hand.tiles)
    melds = tuple(Meld(meld["type"], tuple(meld["tiles"]), meld["concealed"]) for meld in records)
    winds = _winds(place, turn)
    return Loser(concealed, melds, winds["seat_wind"], winds["prevalent_wind"], hand.flowers)


def _winds(place: int, turn: Turn) -> dict[str, str]:
    return {"seat_wind": turn.wind(place), "prevalent_wind": turn.prevalent}


def _duplicate_flowers(entry: Entry) -> Iterator[Problem]:
    """Yield a problem for seasons and flowers that two players have."""
    seen: set[Flower] = set()
    for place, hand in enumerate(entry.hands):
        if seen & set(hand.flowers):
            yield FLOWER_TWICE(f"players.{place}.flowers")
        seen |= set(hand.flowers)


def _at_field(problem: Problem, place: int) -> Problem:
    """Return the problem at the field where it can be corrected."""
    if problem.where in CIRCUMSTANCES:
        return problem.at("ways")
    field = problem.where if problem.where in ("points", "flowers") else "tiles"
    return problem.at(f"players.{place}.{field}")


NO_CHANGES: Final = (0,) * len(PLACES)


@dataclass(frozen=True, slots=True)
class SettledHand:
    """A settled hand; figures are by place."""

    entry: Entry
    turn: Turn
    hand_scores: HandScores | None
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
            "points": list(self.hand_scores.points) if self.hand_scores else None,
            "scores": [score.to_json() if score else None for score in self.hand_scores.scores]
            if self.hand_scores
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
    def settled_hands(self) -> tuple[SettledHand, ...]:
        """The settled hands. Raises `InvalidHand`."""
        return tuple(self.iter_settled())

    @property
    def turn(self) -> Turn:
        """The turn of the next hand."""
        return (
            self.settled_hands[-1].turn.after(self.settled_hands[-1].entry.winner)
            if self.settled_hands
            else Turn()
        )

    @property
    def totals(self) -> tuple[int, ...]:
        return self.settled_hands[-1].totals if self.settled_hands else NO_CHANGES

    def with_hand(self, entry: Entry) -> "Evening":
        """Return the evening with one more hand. Raises InvalidHand, or ValueError when the evening is over."""
        if self.turn.is_over:
            raise ValueError("the rounds of all four winds are played")
        evening = replace(self, entries=(*self.entries, entry))
        assert evening.settled_hands
        return evening

    def without_last(self) -> "Evening":
        return replace(self, entries=self.entries[:-1])

    def to_json(self) -> dict[str, Any]:
        """Return the entered data, which `read_evening` reads."""
        settings = {name: getattr(self.rules, name) for name in SETTINGS}
        hands = [entry.to_json() for entry in self.entries]
        return {"names": list(self.names), "rules": settings, "hands": hands}

    def iter_settled(self) -> Iterator[SettledHand]:
        """Yield the settled hands in order. Raises InvalidHand at the first invalid one."""
        turn, totals = Turn(), NO_CHANGES
        for entry in self.entries:
            settled = _settle(entry, turn, totals, self.rules)
            yield settled
            turn, totals = turn.after(entry.winner), settled.totals


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
"""Rules that a club may change from `CLASSICAL`."""


def _settle(entry: Entry, turn: Turn, totals: tuple[int, ...], rules: Rules) -> SettledHand:
    if entry.winner is None:
        return SettledHand(entry, turn, None, None, NO_CHANGES, totals)
    hand_scores = score_entry(entry, turn, rules)
    points = {turn.wind(place): hand_scores.points[place] for place in PLACES}
    settlement = settle(points, turn.wind(entry.winner), rules)
    changes = tuple(settlement.changes[turn.wind(place)] for place in PLACES)
    after = tuple(total + change for total, change in zip(totals, changes, strict=True))
    return SettledHand(entry, turn, hand_scores, settlement, changes, after)


MAX_HANDS: Final = 200
MAX_NAME_LENGTH: Final = 40
MAX_TILES_LENGTH: Final = 200
MAX_POINTS: Final = 100_000
MAX_LIMIT: Final = 100_000
MAX_FACTOR: Final = 4
MAX_PROBLEMS: Final = 100
"""Problems reported at once."""


class InvalidEvening(ValueError):
    """Raised for invalid data, with every problem and its place ("hands.0.players.1.tiles")."""

    def __init__(self, problems: Iterable[Problem] = ()) -> None:
        self.problems = tuple(problems)
        super().__init__(", ".join(problem.where for problem in self.problems) or "not an evening")

    @property
    def place(self) -> int:
        """The number of the first hand at fault, from 1; 0 where something else is."""
        first = self.problems[0].where.split(".") if self.problems else []
        return int(first[1]) + 1 if first[:1] == ["hands"] and len(first) > 1 else 0


def read_evening(data: object) -> Evening:
    """Return the evening of `Evening.to_json`, with all hands valid. Raises InvalidEvening."""
    if not isinstance(data, Mapping):
        raise InvalidEvening([NOT_AN_OBJECT()])
    names: Any = data.get("names")
    rules, hands = data.get("rules", {}), data.get("hands", [])
    faults = chain(_faults_of_names(names), _faults_of_rules(rules), _faults_of_hands(hands))
    if problems := tuple(islice(faults, MAX_PROBLEMS)):
        raise InvalidEvening(problems)
    evening = Evening(tuple(names), Rules(**rules), tuple(map(_read_entry, hands)))
    _check_hands(evening)
    return evening


def _check_hands(evening: Evening) -> None:
    """Raise InvalidEvening for an impossible hand or one after the last round."""
    number = 0
    try:
        for number, settled in enumerate(evening.iter_settled(), start=1):
            if settled.turn.is_over:
                raise InvalidEvening([EVENING_OVER(f"hands.{number - 1}")])
    except InvalidHand as refused:
        raise InvalidEvening(_under(f"hands.{number}", refused.problems)) from None


def _under(place: str, problems: Iterable[Problem]) -> Iterator[Problem]:
    for problem in problems:
        yield problem.at(f"{place}.{problem.where}")


def _faults_of_names(names: Any) -> Iterator[Problem]:
    if not isinstance(names, list) or len(names) != len(PLACES):
        yield NOT_FOUR("names")
        return
    for place, name in enumerate(names):
        if not isinstance(name, str) or len(name) > MAX_NAME_LENGTH:
            yield TEXT_TOO_LONG_HERE(f"names.{place}", maximum=MAX_NAME_LENGTH)


_SPANS: Final = {"limit": (1, MAX_LIMIT), "east_factor": (1, MAX_FACTOR)}


def _faults_of_rules(rules: Any) -> Iterator[Problem]:
    """Yield problems of the rules. Missing settings are as in `CLASSICAL`."""
    if not isinstance(rules, Mapping):
        yield NOT_AN_OBJECT("rules")
        return
    for name, value in rules.items():
        where = f"rules.{name}"
        if name not in SETTINGS:
            yield UNKNOWN_SETTING("rules", setting=str(name)[:40])
        elif name in _SPANS:
            yield from _faults_of_number(value, where, *_SPANS[name])
        elif not isinstance(value, bool):
            yield NOT_YES_OR_NO(where)


def _faults_of_number(value: Any, where: str, minimum: int, maximum: int) -> Iterator[Problem]:
    if type(value) is not int or not minimum <= value <= maximum:
        yield NUMBER_OUT_OF_SPAN(where, minimum=minimum, maximum=maximum)


def _faults_of_hands(hands: Any) -> Iterator[Problem]:
    if not isinstance(hands, list):
        yield NOT_A_LIST("hands")
    elif len(hands) > MAX_HANDS:
        yield TOO_MANY_HANDS("hands", maximum=MAX_HANDS)
    else:
        for place, hand in enumerate(hands):
            yield from _faults_of_entry(hand, f"hands.{place}")


def _faults_of_entry(data: Any, at: str) -> Iterator[Problem]:
    if not isinstance(data, Mapping):
        yield NOT_AN_OBJECT(at)
        return
    winner, flags, hands = data.get("winner"), data.get("ways", []), data.get("players", [])
    if winner is not None:
        yield from _faults_of_number(winner, f"{at}.winner", PLACES[0], PLACES[-1])
    if not isinstance(flags, list):
        yield NOT_A_LIST(f"{at}.ways")
    else:
        for flag in flags:
            if flag not in CIRCUMSTANCES:
                yield UNKNOWN_WAY(f"{at}.ways", way=str(flag)[:40])
    if not isinstance(hands, list) or len(hands) != len(PLACES):
        yield NOT_FOUR(f"{at}.players")
        return
    for place, player in enumerate(hands):
        yield from _faults_of_player_hand(player, f"{at}.players.{place}")


def _faults_of_player_hand(data: Any, at: str) -> Iterator[Problem]:
    if not isinstance(data, Mapping):
        yield NOT_AN_OBJECT(at)
        return
    points, tiles = data.get("points"), data.get("tiles", "")
    if points is not None:
        yield from _faults_of_number(points, f"{at}.points", 0, MAX_POINTS)
    if not isinstance(tiles, str) or len(tiles) > MAX_TILES_LENGTH:
        yield TEXT_TOO_LONG_HERE(f"{at}.tiles", maximum=MAX_TILES_LENGTH)
    try:
        _read_flowers(data)
    except InvalidHand as refused:
        for problem in refused.problems:
            yield problem.at(f"{at}.flowers")


def _read_entry(data: Mapping[str, Any]) -> Entry:
    hands = tuple(
        PlayerHand(hand.get("points"), hand.get("tiles", ""), _read_flowers(hand)) for hand in data["players"]
    )
    return Entry(data.get("winner"), hands, frozenset(data.get("ways", [])))


def _read_flowers(data: Mapping[str, Any]) -> tuple[Flower, ...]:
    return read_extras({"named_flowers": data.get("flowers", [])}).flowers
