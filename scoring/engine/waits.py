"""What a hand of 13 tiles waits for."""

from collections.abc import Mapping
from dataclasses import dataclass

from scoring.engine.hand import Hand
from scoring.engine.problems import InvalidHand, Problem, check_partial
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
    given = {"melds": [], "seat_wind": "E", "prevalent_wind": "E"} | dict(record)
    given.pop("winning_tile", None)
    given.pop("self_drawn", None)
    problems = check_partial(given)
    concealed, melds = given.get("concealed"), given["melds"]
    if not problems and (not isinstance(concealed, list | tuple) or not isinstance(melds, list | tuple)):
        problems = (Problem("missing", "concealed"),)
    if problems:
        raise InvalidHand(problems)
    assert isinstance(concealed, list | tuple)
    assert isinstance(melds, list | tuple)
    if (count := len(concealed) + 3 * len(melds)) != 13:
        raise InvalidHand((Problem("tile_count", "concealed", {"count": count, "expected": 13}),))
    held = [*concealed, *(tile for meld in melds for tile in meld["tiles"])]
    found = (_wait(given, tile, 4 - held.count(tile), rulebook) for tile in TILES if held.count(tile) < 4)
    return tuple(wait for wait in found if wait)


def _wait(given: Mapping[str, object], tile: str, left: int, rulebook: Rulebook) -> Wait | None:
    concealed = given["concealed"]
    assert isinstance(concealed, list | tuple)
    complete = dict(given) | {"concealed": [*concealed, tile], "winning_tile": tile}
    # A circumstance that fits only one way of winning (replacement, robbing) is left out of the other.
    drawn = complete | {"self_drawn": True, "robbing_kong": False}
    claimed = complete | {"self_drawn": False, "replacement": False}
    by_draw = score(Hand.from_json(drawn), rulebook)
    return Wait(tile, left, by_draw, score(Hand.from_json(claimed), rulebook)) if by_draw.win else None
