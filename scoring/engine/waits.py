"""The tiles that complete a hand of 13, and changes that would bring a hand of 14 to the minimum."""

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
        """Whether the hand can be declared with this tile, self-drawn or by discard."""
        return self.self_drawn.meets_minimum or self.by_discard.meets_minimum

    def to_json(self) -> dict[str, object]:
        return {
            "tile": self.tile,
            "left": self.left,
            "reaches_minimum": self.reaches_minimum,
            "self_drawn": self.self_drawn.summary(),
            "by_discard": self.by_discard.summary(),
        }


def waits(record: Mapping[str, object], rulebook: Rulebook = MCR) -> tuple[Wait, ...]:
    """Return every tile that completes a hand of 13 tiles, in the order of the tiles, with its score both ways.

    ``record`` is the JSON form of a hand with 13 tiles and without ``winning_tile`` and ``self_drawn``; missing winds
    are East. Raises `InvalidHand` for an invalid record.
    """
    fields = {"melds": [], "seat_wind": "E", "prevalent_wind": "E"} | dict(record)
    fields.pop("winning_tile", None)
    fields.pop("self_drawn", None)
    problems = check_partial(fields)
    concealed, melds = fields.get("concealed"), fields["melds"]
    if not problems and (not isinstance(concealed, list | tuple) or not isinstance(melds, list | tuple)):
        problems = (MISSING("concealed"),)
    if problems:
        raise InvalidHand(problems)
    assert isinstance(concealed, list | tuple)
    assert isinstance(melds, list | tuple)
    if (count := len(concealed) + 3 * len(melds)) != 13:
        raise InvalidHand((TILE_COUNT("concealed", count=count, expected=13),))
    all_tiles = [*concealed, *(tile for meld in melds for tile in meld["tiles"])]
    completing = (
        _wait(fields, tile, 4 - all_tiles.count(tile), rulebook)
        for tile in TILES
        if all_tiles.count(tile) < 4
    )
    return tuple(wait for wait in completing if wait)


def _wait(fields: Mapping[str, object], tile: str, left: int, rulebook: Rulebook) -> Wait | None:
    concealed = fields["concealed"]
    assert isinstance(concealed, list | tuple)
    complete = dict(fields) | {"concealed": [*concealed, tile], "winning_tile": tile}
    # A circumstance that fits only one way of winning (replacement, robbing) is left out of the other.
    by_draw_record = complete | {"self_drawn": True, "robbing_kong": False}
    by_discard_record = complete | {"self_drawn": False, "replacement": False}
    by_draw = score(Hand.from_json(by_draw_record), rulebook)
    return (
        Wait(tile, left, by_draw, score(Hand.from_json(by_discard_record), rulebook)) if by_draw.win else None
    )


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


MAX_IMPROVEMENTS = 5
"""The most improvements to show."""


def improvements(hand: Hand, rulebook: Rulebook) -> tuple[Improvement, ...]:
    """Return the nearest hands that may be declared: self-drawn, another winning tile, one tile exchanged.

    The steps come in that order, the highest hand of each first, `MAX_IMPROVEMENTS` in all.
    """
    nearest: list[Improvement] = []
    for step in (_self_drawn, _winning_tiles, _exchanges):
        better = sorted(step(hand, rulebook), key=lambda improvement: -improvement.points)
        nearest.extend(better[: MAX_IMPROVEMENTS - len(nearest)])
    return tuple(nearest)


def _self_drawn(hand: Hand, rulebook: Rulebook) -> Iterator[Improvement]:
    if not hand.self_drawn and not hand.robbing_kong:
        better = _declarable(hand, rulebook, {"self_drawn": True})
        if better:
            yield Improvement(Step.SELF_DRAWN, better.points_without_flowers, hand.winning_tile)


def _winning_tiles(hand: Hand, rulebook: Rulebook) -> Iterator[Improvement]:
    rest = list(hand.concealed)
    rest.remove(hand.winning_tile)
    for tile in TILES:
        if tile != hand.winning_tile:
            change: dict[str, object] = {
                "concealed": [*rest, tile],
                "winning_tile": tile,
                "last_of_kind": False,
            }
            if better := _declarable(hand, rulebook, change):
                yield Improvement(Step.WINNING_TILE, better.points_without_flowers, tile, hand.winning_tile)


def _exchanges(hand: Hand, rulebook: Rulebook) -> Iterator[Improvement]:
    rest = list(hand.concealed)
    rest.remove(hand.winning_tile)
    for removed in dict.fromkeys(rest):
        others = list(hand.concealed)
        others.remove(removed)
        for tile in TILES:
            if tile == removed:
                continue
            if better := _declarable(hand, rulebook, {"concealed": [*others, tile]}):
                yield Improvement(Step.EXCHANGE, better.points_without_flowers, tile, removed)


def _declarable(hand: Hand, rulebook: Rulebook, change: dict[str, object]) -> Score | None:
    """Return the score of the changed hand if it exists and may be declared."""
    try:
        changed = Hand.from_json(hand.to_json() | change)
    except InvalidHand:
        return None
    result = score(changed, rulebook)
    return result if result.meets_minimum else None
