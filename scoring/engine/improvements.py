"""What would have made a hand worth declaring."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from scoring.engine.hand import Hand
from scoring.engine.problems import InvalidHand
from scoring.engine.rulebooks import Rulebook
from scoring.engine.score import Score, score
from scoring.engine.tiles import TILES


class Step(Enum):
    """One change to a hand."""

    SELF_DRAWN = "self_drawn"
    """The same tile, drawn instead of claimed."""
    WINNING_TILE = "winning_tile"
    """Another tile to win on."""
    EXCHANGE = "exchange"
    """Another tile in place of one in the hand."""


@dataclass(frozen=True, slots=True)
class Improvement:
    """A hand one step away that reaches the minimum."""

    step: Step
    points: int
    """Without flowers."""
    tile: str = ""
    """The tile that would have been needed."""
    instead_of: str = ""

    def to_json(self) -> dict[str, object]:
        return {
            "step": self.step.value,
            "points": self.points,
            "tile": self.tile,
            "instead_of": self.instead_of,
        }


MOST = 5
"""Improvements worth reading."""


def improvements(hand: Hand, rulebook: Rulebook) -> tuple[Improvement, ...]:
    """The nearest hands that may be declared: the same self-drawn, other winning tiles, one tile exchanged.

    The steps come in that order, the dearest hand of each first, a few at most.
    """
    found: list[Improvement] = []
    for step in (_self_drawn, _winning_tiles, _exchanges):
        better = sorted(step(hand, rulebook), key=lambda improvement: -improvement.points)
        found.extend(better[: MOST - len(found)])
    return tuple(found)


def _self_drawn(hand: Hand, rulebook: Rulebook) -> Iterator[Improvement]:
    if not hand.self_drawn and not hand.robbing_kong:
        drawn = _declarable(hand, rulebook, {"self_drawn": True})
        if drawn:
            yield Improvement(Step.SELF_DRAWN, drawn.points_without_flowers, hand.winning_tile)


def _winning_tiles(hand: Hand, rulebook: Rulebook) -> Iterator[Improvement]:
    rest = list(hand.concealed)
    rest.remove(hand.winning_tile)
    for tile in TILES:
        if tile != hand.winning_tile:
            change: dict[str, object] = {"concealed": [*rest, tile], "winning_tile": tile}
            if better := _declarable(hand, rulebook, change):
                yield Improvement(Step.WINNING_TILE, better.points_without_flowers, tile, hand.winning_tile)


def _exchanges(hand: Hand, rulebook: Rulebook) -> Iterator[Improvement]:
    rest = list(hand.concealed)
    rest.remove(hand.winning_tile)
    for out in dict.fromkeys(rest):
        kept = list(hand.concealed)
        kept.remove(out)
        for tile in TILES:
            better = _declarable(hand, rulebook, {"concealed": [*kept, tile]}) if tile != out else None
            if better:
                yield Improvement(Step.EXCHANGE, better.points_without_flowers, tile, out)


def _declarable(hand: Hand, rulebook: Rulebook, change: dict[str, object]) -> Score | None:
    """The score of the changed hand if it exists and may be declared."""
    try:
        changed = Hand.from_json(hand.to_json() | change)
    except InvalidHand:
        return None
    worth = score(changed, rulebook)
    return worth if worth.meets_minimum else None
