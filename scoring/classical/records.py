"""An evening from plain data, as a page or a program kept it (`Evening.to_json`)."""

from collections.abc import Mapping
from typing import Any, Final

from scoring.classical.besides import read_besides
from scoring.classical.entries import CIRCUMSTANCES, Entry, Held
from scoring.classical.evening import SETTINGS, Evening
from scoring.classical.rules import CLASSICAL, Rules
from scoring.classical.turn import PLACES
from scoring.engine.problems import InvalidHand

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
    """The evening, every hand of it settled; `InvalidEvening` for anything else."""
    if not isinstance(data, Mapping):
        raise InvalidEvening
    names, hands = data.get("names"), data.get("hands", [])
    if not isinstance(hands, list) or len(hands) > MOST_HANDS:
        raise InvalidEvening
    evening = Evening(_names(names), read_rules(data.get("rules", {})))
    for number, hand in enumerate(hands, start=1):
        entry = _entry(hand, number)
        evening = Evening(evening.names, evening.rules, (*evening.entries, entry))
    _check(evening)
    return evening


def _check(evening: Evening) -> None:
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


def _names(names: object) -> tuple[str, ...]:
    if not isinstance(names, list) or len(names) != len(PLACES):
        raise InvalidEvening
    if not all(isinstance(name, str) and len(name) <= LONGEST_NAME for name in names):
        raise InvalidEvening
    return tuple(names)


def _entry(data: object, number: int) -> Entry:
    if not isinstance(data, Mapping):
        raise InvalidEvening(number)
    winner, ways, held = data.get("winner"), data.get("ways", []), data.get("held", [])
    if winner is not None and (type(winner) is not int or winner not in PLACES):
        raise InvalidEvening(number)
    if not isinstance(ways, list) or not all(way in CIRCUMSTANCES for way in ways):
        raise InvalidEvening(number)
    if not isinstance(held, list) or len(held) != len(PLACES):
        raise InvalidEvening(number)
    return Entry(winner, tuple(_held(one, number) for one in held), frozenset(ways))


def _held(data: object, number: int) -> Held:
    if not isinstance(data, Mapping):
        raise InvalidEvening(number)
    points, tiles = data.get("points"), data.get("tiles", "")
    if points is not None and (type(points) is not int or not 0 <= points <= MOST_POINTS):
        raise InvalidEvening(number)
    if not isinstance(tiles, str) or len(tiles) > LONGEST_TILES:
        raise InvalidEvening(number)
    return Held(points, tiles, _flowers(data, number))


def _flowers(data: Mapping[str, Any], number: int) -> Any:
    try:
        return read_besides({"named_flowers": data.get("flowers", [])}).flowers
    except InvalidHand:
        raise InvalidEvening(number) from None
