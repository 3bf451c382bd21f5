"""Analyse a hand by the classical game, for the calculator and the API."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from scoring.classical.hands import WinExtras, Winner, read_extras
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
class Analysis:
    """The score of a record of 14 tiles, or the waits of one of 13, or the problems of an invalid one."""

    record: Mapping[str, Any]
    rules: Rules = CLASSICAL
    problems: tuple[Problem, ...] = ()
    missing: int = 0
    """How many tiles are missing."""
    winner: Winner | None = None
    score: Score | None = None
    waits: tuple[Wait, ...] = ()
    extras: WinExtras = field(default_factory=WinExtras)

    @property
    def settlement(self) -> Settlement | None:
        """Who pays what while the losers' hands are worth nothing; None without a win."""
        if self.winner is None or self.score is None or not self.score.win:
            return None
        seat = self.winner.hand.seat_wind
        return settle(dict.fromkeys(WINDS, 0) | {seat: self.score.points}, seat, self.rules)

    def to_json(self) -> dict[str, Any]:
        """Return the analysis as plain data, with the keys of `scoring.calculator.Analysis` where they are the same."""
        answer: dict[str, Any] = {
            "rulebook": self.rules.key,
            "problems": [],
            "tiles_to_come": self.missing,
            "waits": [wait.to_json() for wait in self.waits],
        }
        if self.winner is None or self.score is None:
            return answer
        settlement = self.settlement
        hand = self.winner.hand.to_json() | self.extras.to_json()
        return answer | self.score.to_json() | {"hand": hand} | (settlement.to_json() if settlement else {})


def analyse(record: object, extras: WinExtras | None = None, rules: Rules = CLASSICAL) -> Analysis:
    """Return the analysis of a JSON record (`Hand.from_json`). While tiles are missing it may lack its winning tile.

    The extras of the classical game are read from the record unless `extras` is passed.
    """
    if not isinstance(record, Mapping):
        return Analysis({}, rules, find_problems(record))
    try:
        extras = extras or read_extras(record)
    except InvalidHand as refused:
        return Analysis(record, rules, refused.problems)
    if is_unfinished(record):
        missing, problems = tiles_missing(record), check_partial(record)
        completing = _waits(record, extras, rules) if missing == 1 and not problems else ()
        return Analysis(record, rules, problems, missing, waits=completing, extras=extras)
    if problems := find_problems(record):
        return Analysis(record, rules, problems, extras=extras)
    try:
        winner = extras.winner(Hand.from_json(record))
    except InvalidHand as refused:
        return Analysis(record, rules, refused.problems, extras=extras)
    return Analysis(record, rules, winner=winner, score=score_winner(winner, rules), extras=extras)


def _waits(record: Mapping[str, Any], extras: WinExtras, rules: Rules) -> tuple[Wait, ...]:
    fields = {name: value for name, value in record.items() if name not in WINNING_TILE_FLAGS}
    # Other extras depend on the winning tile, which is not there yet.
    known_extras = WinExtras(extras.flowers, extras.flags & {"standing"}, extras.wins_in_a_row)
    completing = []
    for tile in TILES:
        by_draw, by_discard = (
            _score_with(fields, tile, self_drawn, known_extras, rules) for self_drawn in (True, False)
        )
        if by_draw and by_discard and by_draw.win:
            completing.append(Wait(tile, by_draw.points, by_discard.points))
    return tuple(completing)


def _score_with(
    fields: Mapping[str, Any], tile: str, self_drawn: bool, extras: WinExtras, rules: Rules
) -> Score | None:
    """Return the score with this tile, or None when no copy of it is left."""
    winds = {"seat_wind": "E", "prevalent_wind": "E", "melds": []}
    complete = {"concealed": [*fields["concealed"], tile], "winning_tile": tile, "self_drawn": self_drawn}
    try:
        return score_winner(extras.winner(Hand.from_json({**winds, **fields, **complete})), rules)
    except InvalidHand:
        return None
