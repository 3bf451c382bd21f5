"""The ten limit hands, A to J (001:110–120)."""

from collections.abc import Callable, Iterator
from typing import Final

from scoring.classical.doubles import suit_of_hand
from scoring.classical.hands import Winner
from scoring.classical.line import Line
from scoring.classical.points import SETS
from scoring.classical.readings import kinds_of
from scoring.classical.rows import Row
from scoring.classical.rules import Rules
from scoring.engine.detectors import is_nine_gates
from scoring.engine.reading import Form, Reading, Shape
from scoring.engine.tiles import DRAGONS, NUMBERS, WINDS, count, is_terminal

WINS_IN_A_ROW: Final = 13
"""East's, for limit hand J."""


def limit_hands(winner: Winner, reading: Reading, rules: Rules) -> Iterator[Line]:
    """A line for each limit hand that the winner's hand is in this reading, worth the limit."""
    for row, is_one in _LIMIT_HANDS.items():
        if is_one(winner, reading, rules):
            yield Line(row, rules.limit, _earning(row, reading))


def _earning(row: Row, reading: Reading) -> tuple[int, ...]:
    """The groups that make a limit hand of some of the sets; none where it is the whole hand."""
    of = {Row.LIMIT_THREE_WINDS: WINDS, Row.LIMIT_THREE_DRAGONS: DRAGONS}.get(row, ())
    return tuple(place for place, group in enumerate(reading.groups) if group.tiles[0] in of)


def _pungs(reading: Reading) -> set[str]:
    """The tiles there is a pung or kong of."""
    return {reading.groups[place].tiles[0] for place in reading.places(*SETS)}


def _is_all_honours(winner: Winner, reading: Reading, rules: Rules) -> bool:
    return suit_of_hand(reading) is Row.ALL_HONOURS


def _is_three_winds(winner: Winner, reading: Reading, rules: Rules) -> bool:
    pairs = {reading.groups[place].tiles[0] for place in reading.places(Form.PAIR)}
    return len(_pungs(reading) & set(WINDS)) == 3 and bool(pairs & set(WINDS))


def _is_original(winner: Winner, reading: Reading, rules: Rules) -> bool:
    return winner.original


def _is_first_discard(winner: Winner, reading: Reading, rules: Rules) -> bool:
    return winner.first_discard


def _is_terminals(winner: Winner, reading: Reading, rules: Rules) -> bool:
    return all(map(is_terminal, kinds_of(reading)))


def _is_three_dragons(winner: Winner, reading: Reading, rules: Rules) -> bool:
    return set(DRAGONS) <= _pungs(reading)


def _is_concealed_pungs(winner: Winner, reading: Reading, rules: Rules) -> bool:
    """Four concealed pungs or kongs, and the winning tile drawn where the rules ask for it (000:1306)."""
    concealed = [place for place in reading.places(*SETS) if reading.groups[place].concealed]
    return len(concealed) == 4 and (winner.hand.self_drawn or not rules.concealed_pungs_drawn)


def _is_thirteen_odd_majors(winner: Winner, reading: Reading, rules: Rules) -> bool:
    return reading.shape is Shape.THIRTEEN_ORPHANS


def _is_calling_nine_tile(winner: Winner, reading: Reading, rules: Rules) -> bool:
    """1112345678999 of one suit and any other tile of it, all in hand (001:29, 000:1494)."""
    hand = winner.hand
    # Every tile of the suit is held, so any of them may stand for the one too many.
    held = [kind for kind in range(NUMBERS) if count(hand.packed, kind)]
    last = (hand.winning,) if rules.nine_tiles_called else held
    return not hand.melds and any(is_nine_gates(hand.packed, kind) for kind in last)


def _is_thirteenth_win(winner: Winner, reading: Reading, rules: Rules) -> bool:
    return winner.hand.seat_wind == "E" and winner.wins_in_a_row >= WINS_IN_A_ROW


_LIMIT_HANDS: Final[dict[Row, Callable[[Winner, Reading, Rules], bool]]] = {
    Row.LIMIT_ALL_HONOURS: _is_all_honours,
    Row.LIMIT_THREE_WINDS: _is_three_winds,
    Row.LIMIT_ORIGINAL_HAND: _is_original,
    Row.LIMIT_FIRST_DISCARD: _is_first_discard,
    Row.LIMIT_TERMINALS: _is_terminals,
    Row.LIMIT_THREE_DRAGONS: _is_three_dragons,
    Row.LIMIT_CONCEALED_PUNGS: _is_concealed_pungs,
    Row.LIMIT_THIRTEEN_ODD_MAJORS: _is_thirteen_odd_majors,
    Row.LIMIT_CALLING_NINE_TILE: _is_calling_nine_tile,
    Row.LIMIT_THIRTEENTH_WIN: _is_thirteenth_win,
}
