"""Score a hand of the classical game line by line, and settle who pays whom.

Sets, pairs and flowers give points (001:81–92), the winner also bonuses; then everything is doubled (001:93–99) and
capped at the limit.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from math import prod
from typing import Final

from scoring.classical.hands import Loser, Winner, is_only_wait, kinds_of, reading_of_loser, readings
from scoring.classical.rules import CLASSICAL, FLOWERS, SEASONS, Flower, Line, Row, Rules, Sort
from scoring.engine.detectors import is_nine_gates
from scoring.engine.reading import Form, Group, Reading, Shape
from scoring.engine.tiles import DRAGONS, NUMBERS, WINDS, count, is_honour, is_terminal

SETS: Final = (Form.PUNG, Form.KONG)
_SIMPLES: Final = {Form.PUNG: Row.PUNG_OF_SIMPLES, Form.KONG: Row.KONG_OF_SIMPLES}
_TERMINALS: Final = {Form.PUNG: Row.PUNG_OF_TERMINALS, Form.KONG: Row.KONG_OF_TERMINALS}
_HONOURS: Final = {Form.PUNG: Row.PUNG_OF_HONOURS, Form.KONG: Row.KONG_OF_HONOURS}


def points_of_sets(reading: Reading) -> Iterator[Line]:
    """Yield a line for each pung and kong; chows have no value (001:81)."""
    for place in reading.places(*SETS):
        group = reading.groups[place]
        row = _row_of(group)
        yield Line(row, row.concealed if group.concealed else row.exposed, (place,))


def _row_of(group: Group) -> Row:
    if is_honour(group.kind):
        return _HONOURS[group.form]
    return (_TERMINALS if is_terminal(group.kind) else _SIMPLES)[group.form]


def points_of_pair(place: int, tile: str, winds: tuple[str, str], rules: Rules) -> list[Line]:
    """Return the lines of a pair, given seat wind and prevalent wind (001:87–91)."""
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
    """Yield the lines of the pair that scores. Of a loser's pairs it is the highest, unless each scores."""
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


def doubles_of_sets(reading: Reading, winds: tuple[str, str], rules: Rules) -> Iterator[Line]:
    """Yield lines for pungs and kongs of dragons, of the seat wind and of the prevalent wind (001:94–96)."""
    seat, prevalent = winds
    for place in reading.places(*SETS):
        tile = reading.groups[place].tiles[0]
        if tile in DRAGONS:
            yield _doubling(Row.DRAGON, place)
        if tile == seat:
            yield _doubling(Row.OWN_WIND, place)
        if tile == prevalent and (tile != seat or rules.both_winds_of_pung):
            yield _doubling(Row.ROUND_WIND, place)


def doubles_of_flowers(flowers: tuple[Flower, ...], seat: str, rules: Rules) -> Iterator[Line]:
    """Yield lines for the player's own season and flower, and for all four of either (001:97–98)."""
    for four in (SEASONS, FLOWERS):
        has_all = four <= set(flowers)
        own = tuple(flower for flower in flowers if flower in four and flower.wind == seat)
        if own and (not has_all or rules.own_flower_in_four):
            yield Line(Row.OWN_FLOWER, Row.OWN_FLOWER.worth, flowers=own)
        if has_all:
            sorted_flowers = tuple(sorted(four, key=lambda flower: flower.value))
            yield Line(Row.FOUR_FLOWERS, Row.FOUR_FLOWERS.worth, flowers=sorted_flowers)


def doubles_of_winner(winner: Winner, reading: Reading) -> Iterator[Line]:
    """Yield lines for what doubles the winner's hand alone."""
    if winner.hand.robbing_kong:
        yield _doubling(Row.ROBBED_KONG)
    if row := suit_of_hand(reading):
        yield _doubling(row)
    kinds = kinds_of(reading)
    honours = {kind for kind in kinds if is_honour(kind)}
    if honours and kinds > honours and all(is_terminal(kind) for kind in kinds - honours):
        yield _doubling(Row.TERMINALS_AND_HONOURS)
    if winner.original:
        yield _doubling(Row.ORIGINAL_HAND)


def suit_of_hand(reading: Reading) -> Row | None:
    """Return the row of a hand of one suit, with honours or without, or of honours alone."""
    kinds = kinds_of(reading)
    suits = {kind // 9 for kind in kinds if kind < NUMBERS}
    if len(suits) > 1:
        return None
    if not suits:
        return Row.ALL_HONOURS
    return Row.ONE_SUIT_AND_HONOURS if max(kinds) >= NUMBERS else Row.ONE_SUIT


def _doubling(row: Row, *places: int) -> Line:
    return Line(row, row.worth, places)


WINS_IN_A_ROW: Final = 13
"""Wins in a row by East for limit hand J."""


def limit_hands(winner: Winner, reading: Reading, rules: Rules) -> Iterator[Line]:
    """Yield a line for each limit hand, A to J (001:110–120), that this reading is."""
    for row, applies in _LIMIT_HANDS.items():
        if applies(winner, reading, rules):
            yield Line(row, rules.limit, _groups_earning(row, reading))


def _groups_earning(row: Row, reading: Reading) -> tuple[int, ...]:
    """Return the groups that make a limit hand; empty for a whole hand."""
    tiles = {Row.LIMIT_THREE_WINDS: WINDS, Row.LIMIT_THREE_DRAGONS: DRAGONS}.get(row, ())
    return tuple(place for place, group in enumerate(reading.groups) if group.tiles[0] in tiles)


def _pungs(reading: Reading) -> set[str]:
    """Return the tiles of all pungs and kongs."""
    return {reading.groups[place].tiles[0] for place in reading.places(*SETS)}


def _is_three_winds(winner: Winner, reading: Reading, rules: Rules) -> bool:
    pairs = {reading.groups[place].tiles[0] for place in reading.places(Form.PAIR)}
    return len(_pungs(reading) & set(WINDS)) == 3 and bool(pairs & set(WINDS))


def _is_concealed_pungs(winner: Winner, reading: Reading, rules: Rules) -> bool:
    """Return whether there are four concealed pungs or kongs, self-drawn where the rules require it (000:1306)."""
    concealed = [place for place in reading.places(*SETS) if reading.groups[place].concealed]
    return len(concealed) == 4 and (winner.hand.self_drawn or not rules.concealed_pungs_drawn)


def _is_calling_nine_tile(winner: Winner, reading: Reading, rules: Rules) -> bool:
    """Return whether the hand is 1112345678999 of one suit and any other tile of it (001:29, 000:1494)."""
    hand = winner.hand
    # Every tile of the suit is held, so any of them may stand for the one too many.
    kinds = [kind for kind in range(NUMBERS) if count(hand.packed, kind)]
    last = (hand.winning,) if rules.nine_tiles_called else kinds
    return not hand.melds and any(is_nine_gates(hand.packed, kind) for kind in last)


_LIMIT_HANDS: Final[dict[Row, Callable[[Winner, Reading, Rules], bool]]] = {
    Row.LIMIT_ALL_HONOURS: lambda winner, reading, rules: suit_of_hand(reading) is Row.ALL_HONOURS,
    Row.LIMIT_THREE_WINDS: _is_three_winds,
    Row.LIMIT_ORIGINAL_HAND: lambda winner, reading, rules: winner.original,
    Row.LIMIT_FIRST_DISCARD: lambda winner, reading, rules: winner.first_discard,
    Row.LIMIT_TERMINALS: lambda winner, reading, rules: all(map(is_terminal, kinds_of(reading))),
    Row.LIMIT_THREE_DRAGONS: lambda winner, reading, rules: set(DRAGONS) <= _pungs(reading),
    Row.LIMIT_CONCEALED_PUNGS: _is_concealed_pungs,
    Row.LIMIT_THIRTEEN_ODD_MAJORS: lambda winner, reading, rules: reading.shape is Shape.THIRTEEN_ORPHANS,
    Row.LIMIT_CALLING_NINE_TILE: _is_calling_nine_tile,
    Row.LIMIT_THIRTEENTH_WIN: lambda winner, reading, rules: (
        winner.hand.seat_wind == "E" and winner.wins_in_a_row >= WINS_IN_A_ROW
    ),
}


def bonuses(winner: Winner, reading: Reading, scored: Iterable[Line], rules: Rules) -> Iterator[Line]:
    """Return the winner's bonuses (001:100–109); `scored` are the lines of sets, pair and flowers."""
    hand = winner.hand
    earned = {
        Row.WON: True,
        Row.SELF_DRAWN: hand.self_drawn,
        Row.ONLY_TILE: is_only_wait(hand),
        Row.STANDING_HAND: winner.standing,
        Row.NO_CHOWS: not reading.places(Form.CHOW),
        Row.NO_VALUE: not any(line.row is not Row.FLOWER or rules.flowers_are_value for line in scored),
        # Only a drawn tile is from the wall, not the discard that follows the last one.
        Row.LAST_TILE: hand.last_tile_of_wall and hand.self_drawn,
        Row.LOOSE_TILE: hand.replacement,
    }
    return (Line(row, row.worth) for row, is_earned in earned.items() if is_earned)


_ADDS = (Sort.POINTS, Sort.BONUS)
_MULTIPLIES = (Sort.DOUBLES, Sort.WINNER_DOUBLES)


@dataclass(frozen=True, slots=True)
class Score:
    """The score of a hand in one reading: points are added, multiplied and capped at the limit."""

    rules: Rules
    reading: Reading | None
    """None when the tiles of a winner are no winning hand."""
    lines: tuple[Line, ...] = ()
    """Everything that counts: points, bonuses, doubles, limit hands. Beside a limit hand the other lines show what
    the hand would have scored.
    """
    has_limit: bool = True
    """Whether the limit applies."""

    @property
    def win(self) -> bool:
        """Whether a winner's tiles are a winning hand; True for every loser."""
        return self.reading is not None

    @property
    def added(self) -> int:
        """Points and bonuses, before anything is doubled (001:109)."""
        return sum(line.value for line in self.of_sort(*_ADDS))

    @property
    def factor(self) -> int:
        """The product of all doubles."""
        return prod(line.value for line in self.of_sort(*_MULTIPLIES))

    @property
    def in_full(self) -> int:
        """The score without a limit."""
        return self.added * self.factor

    @property
    def points(self) -> int:
        """The score: the limit for a limit hand, and never more than the limit (001:110, 000:1405)."""
        if not self.win or self.of_sort(Sort.DEAD):
            return 0
        if self.of_sort(Sort.LIMIT):
            return self.rules.limit
        return min(self.in_full, self.rules.limit) if self.has_limit else self.in_full

    def of_sort(self, *sorts: Sort) -> tuple[Line, ...]:
        """Return the lines of these sorts."""
        return tuple(line for line in self.lines if line.row.sort in sorts)

    def to_json(self) -> dict[str, object]:
        """Return the score as plain data, in codes; a line's "groups" are places in the reading's."""
        return {
            "rules": self.rules.key,
            "win": self.win,
            "points": self.points,
            "added": self.added,
            "factor": self.factor,
            "in_full": self.in_full,
            "limit": self.rules.limit,
            "lines": [line.to_json() for line in self.lines],
            "reading": self.reading.to_json() if self.reading else None,
        }


def score_winner(winner: Winner, rules: Rules = CLASSICAL) -> Score:
    """Return the best score of the winning hand; ``win`` is False when its tiles are no winning hand."""
    scores = [_score_reading(winner, reading, rules) for reading in readings(winner.hand)]
    return max(scores, key=lambda score: (score.points, score.in_full), default=Score(rules, None))


def _score_reading(winner: Winner, reading: Reading, rules: Rules) -> Score:
    hand = winner.hand
    winds = hand.seat_wind, hand.prevalent_wind
    scored = [
        *points_of_sets(reading),
        *points_of_pairs(reading, winds, rules),
        *points_of_flowers(winner.flowers),
    ]
    lines = [
        *scored,
        *bonuses(winner, reading, scored, rules),
        *doubles_of_sets(reading, winds, rules),
        *doubles_of_flowers(winner.flowers, hand.seat_wind, rules),
        *doubles_of_winner(winner, reading),
        *limit_hands(winner, reading, rules),
    ]
    return Score(rules, reading, _enabled(lines, rules))


def score_loser(loser: Loser, rules: Rules = CLASSICAL) -> Score:
    """Return the score of a loser's hand (001:92–93); nothing when it has too many tiles (001:75)."""
    reading, winds = reading_of_loser(loser), (loser.seat_wind, loser.prevalent_wind)
    lines = [
        *points_of_sets(reading),
        *points_of_pairs(reading, winds, rules),
        *points_of_flowers(loser.flowers),
        *doubles_of_sets(reading, winds, rules),
        *doubles_of_flowers(loser.flowers, loser.seat_wind, rules),
        *([Line(Row.TOO_MANY_TILES, 0)] if loser.has_too_many else []),
    ]
    return Score(rules, reading, _enabled(lines, rules), rules.losers_have_limit)


def _enabled(lines: Iterable[Line], rules: Rules) -> tuple[Line, ...]:
    return tuple(line for line in lines if line.row not in rules.without)


EAST: Final = WINDS[0]


@dataclass(frozen=True, slots=True)
class Payment:
    """What one player pays another; players are their seat winds."""

    payer: str
    payee: str
    points: int
    """With East's factor, where it applies."""
    factor: int
    """What the difference was multiplied by, because one of the two is East."""

    def to_json(self) -> dict[str, object]:
        return {"payer": self.payer, "payee": self.payee, "points": self.points, "factor": self.factor}


@dataclass(frozen=True, slots=True)
class Settlement:
    """All payments of one hand: first those to the winner, then those between losers."""

    payments: tuple[Payment, ...]

    @property
    def changes(self) -> dict[str, int]:
        """What each seat wind gains or, negative, pays; the four sum to zero."""
        changes = dict.fromkeys(WINDS, 0)
        for payment in self.payments:
            changes[payment.payer] -= payment.points
            changes[payment.payee] += payment.points
        return changes

    def to_json(self) -> dict[str, object]:
        return {"payments": [payment.to_json() for payment in self.payments], "changes": self.changes}


def settle(points: Mapping[str, int], winner: str, rules: Rules = CLASSICAL) -> Settlement:
    """Return the payments for the four scores by seat wind (001:75). Raises ValueError when they are not four scores.

    The winner receives the score of the hand from each loser and pays nobody. Of two losers the one with less pays
    the difference.

    >>> settle({"E": 8, "S": 60, "W": 4, "N": 4}, winner="S").changes
    {'E': -104, 'S': 240, 'W': -68, 'N': -68}
    """
    if set(points) != set(WINDS) or min(points.values()) < 0 or winner not in points:
        raise ValueError(f"points {dict(points)} and winner {winner!r} must be of the four seat winds")
    to_winner = [_payment(seat, winner, points[winner], rules) for seat in WINDS if seat != winner]
    between = _between_losers(points, winner, rules) if rules.losers_settle else ()
    return Settlement(tuple(payment for payment in (*to_winner, *between) if payment.points))


def _between_losers(points: Mapping[str, int], winner: str, rules: Rules) -> Iterator[Payment]:
    for pair in combinations([seat for seat in WINDS if seat != winner], 2):
        payer, payee = sorted(pair, key=points.__getitem__)
        yield _payment(payer, payee, points[payee] - points[payer], rules)


def _payment(payer: str, payee: str, points: int, rules: Rules) -> Payment:
    factor = rules.east_factor if EAST in (payer, payee) else 1
    return Payment(payer, payee, factor * points, factor)
