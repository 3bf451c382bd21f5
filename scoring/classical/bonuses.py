"""What the winner adds before anything is doubled (001:100–109)."""

from collections.abc import Iterable, Iterator

from scoring.classical.hands import Winner
from scoring.classical.line import Line
from scoring.classical.readings import wins_alone
from scoring.classical.rows import Row
from scoring.classical.rules import Rules
from scoring.engine.reading import Form, Reading


def bonuses(winner: Winner, reading: Reading, scored: Iterable[Line], rules: Rules) -> Iterator[Line]:
    """The winner's bonuses; ``scored`` are the lines of sets, pair and flowers."""
    hand = winner.hand
    earned = {
        Row.WON: True,
        Row.SELF_DRAWN: hand.self_drawn,
        Row.ONLY_TILE: wins_alone(hand),
        Row.STANDING_HAND: winner.standing,
        Row.NO_CHOWS: not reading.places(Form.CHOW),
        Row.NO_VALUE: not any(line.row is not Row.FLOWER or rules.flowers_are_value for line in scored),
        # The piece is from the wall: the discard that follows the last one is not.
        Row.LAST_TILE: hand.last_tile_of_wall and hand.self_drawn,
        Row.LOOSE_TILE: hand.replacement,
    }
    return (Line(row, row.worth) for row, is_earned in earned.items() if is_earned)
