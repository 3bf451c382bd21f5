"""What a hand of 13 tiles waits for, and what would have made one of 14 worth declaring."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum

from scoring.engine.hand import Hand
from scoring.engine.problems import MISSING, TILE_COUNT, InvalidHand, check_partial
from scoring.engine.rulebooks import MCR, Rulebook
from scoring.engine.score import Score, score
from scoring.engine.tiles import TILES


@dataclass(frozen=True, slots=True)
class Wait:
    """A tile that completes the hand."""

    tile: str
    left: int
    """How many of its four copies the player does not hold."""
    self_drawn: Score
    by_discard: Score

    @property
    def reaches_minimum(self) -> bool:
        """Whether it may be declared at least when self-drawn; if not it completes the hand but wins
        nothing.
        """
        return self.self_drawn.meets_minimum or self.by_discard.meets_minimum

    def to_json(self) -> dict[str, object]:
        return {
            "tile": self.tile,
            "left": self.left,
            "reaches_minimum": self.reaches_minimum,
            "self_drawn": self.self_drawn.worth(),
            "by_discard": self.by_discard.worth(),
        }


def waits(record: Mapping[str, object], rulebook: Rulebook = MCR) -> tuple[Wait, ...]:
    """Every tile that completes a hand of 13 tiles, in the order of the tiles, with its score both ways.

    ``record`` is the JSON form of a hand with 13 tiles and without ``winning_tile`` and ``self_drawn``; winds
    left out are East. `InvalidHand` when it is not one.
    """
    known = {"melds": [], "seat_wind": "E", "prevalent_wind": "E"} | dict(record)
    known.pop("winning_tile", None)
    known.pop("self_drawn", None)
    problems = check_partial(known)
    concealed, melds = known.get("concealed"), known["melds"]
    if not problems and (not isinstance(concealed, list | tuple) or not isinstance(melds, list | tuple)):
        problems = (MISSING("concealed"),)
    if problems:
        raise InvalidHand(problems)
    assert isinstance(concealed, list | tuple)
    assert isinstance(melds, list | tuple)
    if (count := len(concealed) + 3 * len(melds)) != 13:
        raise InvalidHand((TILE_COUNT("concealed", count=count, expected=13),))
    held = [*concealed, *(tile for meld in melds for tile in meld["tiles"])]
    completing = (
        _wait(known, tile, 4 - held.count(tile), rulebook) for tile in TILES if held.count(tile) < 4
    )
    return tuple(wait for wait in completing if wait)


def _wait(known: Mapping[str, object], tile: str, left: int, rulebook: Rulebook) -> Wait | None:
    concealed = known["concealed"]
    assert isinstance(concealed, list | tuple)
    complete = dict(known) | {"concealed": [*concealed, tile], "winning_tile": tile}
    # A circumstance that fits only one way of winning (replacement, robbing) is left out of the other.
    drawn = complete | {"self_drawn": True, "robbing_kong": False}
    claimed = complete | {"self_drawn": False, "replacement": False}
    by_draw = score(Hand.from_json(drawn), rulebook)
    return Wait(tile, left, by_draw, score(Hand.from_json(claimed), rulebook)) if by_draw.win else None


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


MOST_IMPROVEMENTS = 5
"""Improvements worth reading."""


def improvements(hand: Hand, rulebook: Rulebook) -> tuple[Improvement, ...]:
    """The nearest hands that may be declared: the same self-drawn, other winning tiles, one tile exchanged.

    The steps come in that order, the dearest hand of each first, a few at most.
    """
    nearest: list[Improvement] = []
    for step in (_self_drawn, _winning_tiles, _exchanges):
        better = sorted(step(hand, rulebook), key=lambda improvement: -improvement.points)
        nearest.extend(better[: MOST_IMPROVEMENTS - len(nearest)])
    return tuple(nearest)


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
        others = list(hand.concealed)
        others.remove(out)
        for tile in TILES:
            better = _declarable(hand, rulebook, {"concealed": [*others, tile]}) if tile != out else None
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
