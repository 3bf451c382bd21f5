"""What sets, pairs, seasons and flowers are worth before anything is doubled (001:81–92)."""

from collections.abc import Iterable, Iterator
from typing import Final

from scoring.classical.flowers import Flower
from scoring.classical.line import Line
from scoring.classical.rows import Row
from scoring.classical.rules import Rules
from scoring.engine.reading import Form, Group, Reading
from scoring.engine.tiles import DRAGONS, is_honour, is_terminal

SETS: Final = (Form.PUNG, Form.KONG)
_SIMPLES: Final = {Form.PUNG: Row.PUNG_OF_SIMPLES, Form.KONG: Row.KONG_OF_SIMPLES}
_TERMINALS: Final = {Form.PUNG: Row.PUNG_OF_TERMINALS, Form.KONG: Row.KONG_OF_TERMINALS}
_HONOURS: Final = {Form.PUNG: Row.PUNG_OF_HONOURS, Form.KONG: Row.KONG_OF_HONOURS}


def points_of_sets(reading: Reading) -> Iterator[Line]:
    """A line for each pung and kong; chows have no value (001:81)."""
    for place in reading.places(*SETS):
        group = reading.groups[place]
        row = _row_of(group)
        yield Line(row, row.concealed if group.concealed else row.exposed, (place,))


def _row_of(group: Group) -> Row:
    if is_honour(group.kind):
        return _HONOURS[group.form]
    return (_TERMINALS if is_terminal(group.kind) else _SIMPLES)[group.form]


def points_of_pair(place: int, tile: str, winds: tuple[str, str], rules: Rules) -> list[Line]:
    """What a pair of some tile scores beside the seat wind and the wind of the round (001:87–91)."""
    seat, prevalent = winds
    rows = [
        *([Row.PAIR_OF_DRAGONS] if tile in DRAGONS else []),
        *([Row.PAIR_OF_OWN_WIND] if tile == seat else []),
        *([Row.PAIR_OF_ROUND_WIND] if tile == prevalent else []),
    ]
    if len(rows) > 1 and not rules.both_winds_of_pair:
        rows = rows[:1]
    return [Line(row, row.worth, (place,)) for row in rows]


def points_of_pairs(reading: Reading, winds: tuple[str, str], rules: Rules) -> Iterator[Line]:
    """The pair that scores; of several in a loser's hand the dearest, unless each is played."""
    scored = [
        points_of_pair(place, reading.groups[place].tiles[0], winds, rules)
        for place in reading.places(Form.PAIR)
    ]
    if not rules.every_pair_of_losers:
        scored = sorted(scored, key=lambda lines: -sum(line.value for line in lines))[:1]
    for lines in scored:
        yield from lines


def points_of_flowers(flowers: Iterable[Flower]) -> Iterator[Line]:
    for flower in sorted(flowers, key=lambda flower: flower.value):
        yield Line(Row.FLOWER, Row.FLOWER.worth, flowers=(flower,))
