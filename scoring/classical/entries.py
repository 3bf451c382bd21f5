"""A hand of an evening as it was entered: who won, and what everybody held, by tiles or by points."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from scoring.classical.besides import WAYS, Besides
from scoring.classical.flowers import Flower
from scoring.classical.hands import Loser
from scoring.classical.rules import Rules
from scoring.classical.score import Score, score_loser, score_winner
from scoring.classical.turn import PLACES, Turn
from scoring.engine.hand import Hand, Meld
from scoring.engine.notation import FLAGS, parse_held, parse_record
from scoring.engine.problems import InvalidHand, Problem

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
        held = [one.to_json() for one in self.held]
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
    concealed, found = parse_held(held.tiles)
    melds = tuple(Meld(meld["type"], tuple(meld["tiles"]), meld["concealed"]) for meld in found)
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
