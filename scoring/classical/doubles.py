"""What multiplies a score: for everybody, and for the winner alone (001:93–99)."""

from collections.abc import Iterator

from scoring.classical.flowers import FLOWERS, SEASONS, Flower
from scoring.classical.hands import Winner
from scoring.classical.line import Line
from scoring.classical.points import SETS
from scoring.classical.readings import kinds_of
from scoring.classical.rows import Row
from scoring.classical.rules import Rules
from scoring.engine.reading import Reading
from scoring.engine.tiles import DRAGONS, NUMBERS, is_honour, is_terminal


def doubles_of_sets(reading: Reading, winds: tuple[str, str], rules: Rules) -> Iterator[Line]:
    """Pungs and kongs of dragons, of the seat wind and of the wind of the round (001:94–96)."""
    seat, prevalent = winds
    for place in reading.places(*SETS):
        tile = reading.groups[place].tiles[0]
        if tile in DRAGONS:
            yield _line(Row.DRAGON, place)
        if tile == seat:
            yield _line(Row.OWN_WIND, place)
        if tile == prevalent and (tile != seat or rules.both_winds_of_pung):
            yield _line(Row.ROUND_WIND, place)


def doubles_of_flowers(flowers: tuple[Flower, ...], seat: str, rules: Rules) -> Iterator[Line]:
    """One's own season and flower, and all four of either (001:97–98)."""
    for four in (SEASONS, FLOWERS):
        whole = four <= set(flowers)
        own = tuple(flower for flower in flowers if flower in four and flower.wind == seat)
        if own and (not whole or rules.own_flower_in_four):
            yield Line(Row.OWN_FLOWER, Row.OWN_FLOWER.worth, flowers=own)
        if whole:
            together = tuple(sorted(four, key=lambda flower: flower.value))
            yield Line(Row.FOUR_FLOWERS, Row.FOUR_FLOWERS.worth, flowers=together)


def doubles_of_winner(winner: Winner, reading: Reading) -> Iterator[Line]:
    """What the winner's tiles and the way of winning multiply by."""
    if winner.hand.robbing_kong:
        yield _line(Row.ROBBED_KONG)
    if row := suit_of_hand(reading):
        yield _line(row)
    kinds = kinds_of(reading)
    honours = {kind for kind in kinds if is_honour(kind)}
    if honours and kinds > honours and all(is_terminal(kind) for kind in kinds - honours):
        yield _line(Row.TERMINALS_AND_HONOURS)
    if winner.original:
        yield _line(Row.ORIGINAL_HAND)


def suit_of_hand(reading: Reading) -> Row | None:
    """The row of a hand of one suit, with honours or without, or of honours alone."""
    kinds = kinds_of(reading)
    suits = {kind // 9 for kind in kinds if kind < NUMBERS}
    if len(suits) > 1:
        return None
    if not suits:
        return Row.ALL_HONOURS
    return Row.ONE_SUIT_AND_HONOURS if max(kinds) >= NUMBERS else Row.ONE_SUIT


def _line(row: Row, *places: int) -> Line:
    return Line(row, row.worth, places)
