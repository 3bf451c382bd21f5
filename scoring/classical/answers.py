"""Everything there is to say of a hand by the classical game: the calculator and REST ask it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from scoring.classical.hands import Besides, Winner, read_besides
from scoring.classical.rules import CLASSICAL, Rules
from scoring.classical.score import Score, Settlement, score_winner, settle
from scoring.engine.hand import Hand
from scoring.engine.problems import (
    WINNING_TILE_FLAGS,
    InvalidHand,
    Problem,
    check_partial,
    find_problems,
    is_unfinished,
    tiles_missing,
)
from scoring.engine.tiles import TILES, WINDS


@dataclass(frozen=True, slots=True)
class Wait:
    """A tile that completes the hand, and the points it wins either way."""

    tile: str
    self_drawn: int
    by_discard: int

    def to_json(self) -> dict[str, object]:
        return {"tile": self.tile, "self_drawn": self.self_drawn, "by_discard": self.by_discard}


@dataclass(frozen=True, slots=True)
class Answer:
    """What a record of 14 tiles scores, or what one of 13 waits for; or what is wrong with it."""

    record: Mapping[str, Any]
    rules: Rules = CLASSICAL
    problems: tuple[Problem, ...] = ()
    missing: int = 0
    """Tiles that are still to come."""
    winner: Winner | None = None
    score: Score | None = None
    waits: tuple[Wait, ...] = ()
    besides: Besides = field(default_factory=Besides)

    @property
    def settlement(self) -> Settlement | None:
        """Who pays what while the losers' hands are worth nothing; None without a win."""
        if self.winner is None or self.score is None or not self.score.win:
            return None
        seat = self.winner.hand.seat_wind
        return settle(dict.fromkeys(WINDS, 0) | {seat: self.score.points}, seat, self.rules)

    def to_json(self) -> dict[str, Any]:
        """The answer as plain data, under the names of `scoring.calculator.Answer` where they mean the same."""
        answer: dict[str, Any] = {
            "rulebook": self.rules.key,
            "problems": [],
            "tiles_to_come": self.missing,
            "waits": [wait.to_json() for wait in self.waits],
        }
        if self.winner is None or self.score is None:
            return answer
        settlement = self.settlement
        hand = self.winner.hand.to_json() | self.besides.to_json()
        return answer | self.score.to_json() | {"hand": hand} | (settlement.to_json() if settlement else {})


def consult(record: object, besides: Besides | None = None, rules: Rules = CLASSICAL) -> Answer:
    """The answer to a JSON record (`Hand.from_json`), which may lack its winning tile while tiles are missing.

    What the classical game asks besides is in the record too, unless it is given by itself.
    """
    if not isinstance(record, Mapping):
        return Answer({}, rules, find_problems(record))
    try:
        besides = besides or read_besides(record)
    except InvalidHand as refused:
        return Answer(record, rules, refused.problems)
    if is_unfinished(record):
        missing, problems = tiles_missing(record), check_partial(record)
        completing = _waits(record, besides, rules) if missing == 1 and not problems else ()
        return Answer(record, rules, problems, missing, waits=completing, besides=besides)
    if problems := find_problems(record):
        return Answer(record, rules, problems, besides=besides)
    try:
        winner = besides.winner(Hand.from_json(record))
    except InvalidHand as refused:
        return Answer(record, rules, refused.problems, besides=besides)
    return Answer(record, rules, winner=winner, score=score_winner(winner, rules), besides=besides)


def _waits(record: Mapping[str, Any], besides: Besides, rules: Rules) -> tuple[Wait, ...]:
    known = {name: value for name, value in record.items() if name not in WINNING_TILE_FLAGS}
    # What the way of winning adds is not known of a tile that has not come.
    standing = Besides(besides.flowers, besides.ways & {"standing"}, besides.wins_in_a_row)
    completing = []
    for tile in TILES:
        drawn, discarded = (_with(known, tile, way, standing, rules) for way in (True, False))
        if drawn and discarded and drawn.win:
            completing.append(Wait(tile, drawn.points, discarded.points))
    return tuple(completing)


def _with(
    known: Mapping[str, Any], tile: str, self_drawn: bool, besides: Besides, rules: Rules
) -> Score | None:
    """The score with this tile; None when there is none of it left."""
    winds = {"seat_wind": "E", "prevalent_wind": "E", "melds": []}
    whole = {"concealed": [*known["concealed"], tile], "winning_tile": tile, "self_drawn": self_drawn}
    try:
        return score_winner(besides.winner(Hand.from_json({**winds, **known, **whole})), rules)
    except InvalidHand:
        return None
