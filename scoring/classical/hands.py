"""The hands of the classical game, the winner's extras, and the readings of their tiles.

Every reading of a winner's hand is considered, of a loser's the best one.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from scoring.classical.rules import Flower
from scoring.engine.hand import KONG, PUNG, Hand, Meld
from scoring.engine.problems import (
    NOT_A_LIST,
    NOT_A_NUMBER,
    NOT_YES_OR_NO,
    TILES_IN_HAND,
    TOO_MANY_TILES,
    InvalidHand,
    Problem,
    check_partial,
    problem_code,
)
from scoring.engine.reading import Form, Group, Reading, Shape, arrangements, arrangements_of, reading_of
from scoring.engine.tiles import KIND, ONE, TILES, count, pack

FLOWER_TWICE = problem_code("flower_twice", "Each season and each flower exists only once.")
FLOWERS_DIFFER = problem_code(
    "flowers_differ",
    "The hand has {flowers} flower; flowers named: {named}.",
    "The hand has {flowers} flowers; flowers named: {named}.",
    by="flowers",
)
UNKNOWN_FLOWER = problem_code("unknown_flower", "There is no season or flower “{flower}”.")
WINS_OUT_OF_RANGE = problem_code(
    "wins_out_of_range", "Wins in a row must be between 1 and {maximum}, not {wins}."
)
ORIGINAL_NOT_DEALT = problem_code(
    "original_not_dealt", "An original hand is East’s as dealt: drawn, and without a meld."
)
NOT_EASTS_FIRST_DISCARD = problem_code(
    "not_easts_first_discard",
    "Only another player wins with East’s first discard: neither drawn nor robbed, and without a meld.",
)
STANDING_TOO_EARLY = problem_code(
    "standing_too_early", "A standing hand is declared after the player’s first discard."
)
FIRST_AND_LAST_TILE = problem_code(
    "first_and_last_tile", "A hand won on the first tile cannot be won on the last tile of the wall."
)


@dataclass(frozen=True, slots=True)
class Winner:
    """The winner's hand with the extras of the classical game. Raises `InvalidHand` for contradictions."""

    hand: Hand
    flowers: tuple[Flower, ...] = ()
    """The seasons and flowers drawn; `Hand.flowers`, their number, may be left out."""
    standing: bool = False
    """Declared a Standing Hand after the first discard (001:70)."""
    original: bool = False
    """East won with the fourteen tiles as dealt (001:98, 113; 000:1300)."""
    first_discard: bool = False
    """Won with East's first discard (001:114)."""
    wins_in_a_row: int = 1
    """Hands this player has won one after the other, this one among them (001:120)."""

    def __post_init__(self) -> None:
        if problems := (*_faults_of_flowers(self.flowers), *_faults_of_winner(self)):
            raise InvalidHand(problems)


@dataclass(frozen=True, slots=True)
class Loser:
    """Another player's 13 tiles; four equal ones not laid out are a pung (001:60). Raises `InvalidHand`."""

    concealed: tuple[str, ...]
    melds: tuple[Meld, ...]
    seat_wind: str
    prevalent_wind: str
    flowers: tuple[Flower, ...] = ()
    packed: int = field(init=False, repr=False, compare=False)
    """The concealed tiles (`scoring.engine.tiles`)."""

    def __post_init__(self) -> None:
        record = {
            "concealed": self.concealed,
            "melds": [meld.to_json() for meld in self.melds],
            "seat_wind": self.seat_wind,
            "prevalent_wind": self.prevalent_wind,
        }
        # A hand with too many tiles is valid and scores nothing (001:75).
        faults = (fault for fault in check_partial(record) if fault.code != TOO_MANY_TILES.code)
        if problems := (*faults, *_faults_of_flowers(self.flowers)):
            raise InvalidHand(problems)
        object.__setattr__(self, "packed", pack(self.concealed))

    @property
    def has_too_many(self) -> bool:
        """Whether there are more tiles than a player who has not won may hold."""
        return len(self.concealed) + 3 * len(self.melds) >= TILES_IN_HAND


def _faults_of_flowers(flowers: tuple[Flower, ...]) -> Iterator[Problem]:
    if len(set(flowers)) < len(flowers):
        yield FLOWER_TWICE("flowers")


def _faults_of_winner(winner: Winner) -> Iterator[Problem]:
    """Yield circumstances that contradict each other."""
    hand, named = winner.hand, len(winner.flowers)
    is_east = hand.seat_wind == "E"
    if hand.flowers not in (0, named):
        yield FLOWERS_DIFFER("flowers", flowers=hand.flowers, named=named)
    if winner.original and not (is_east and hand.self_drawn and not hand.melds):
        yield ORIGINAL_NOT_DEALT("original")
    if winner.first_discard and (is_east or hand.self_drawn or hand.robbing_kong or hand.melds):
        yield NOT_EASTS_FIRST_DISCARD("first_discard")
    if winner.standing and (winner.original or winner.first_discard):
        yield STANDING_TOO_EARLY("standing")
    if (winner.original or winner.first_discard) and hand.last_tile_of_wall:
        yield FIRST_AND_LAST_TILE("last_tile_of_wall")


EXTRA_FLAGS: Final = ("standing", "original", "first_discard")
"""Flags of a win that `Hand` does not have."""
MAX_WINS: Final = 99
_FLOWER_BY_KEY: Final = {flower.key: flower for flower in Flower}


@dataclass(frozen=True, slots=True)
class WinExtras:
    """The extras of a `Winner` apart from the hand."""

    flowers: tuple[Flower, ...] = ()
    flags: frozenset[str] = frozenset()
    """Some of `EXTRA_FLAGS`."""
    wins_in_a_row: int = 1

    def winner(self, hand: Hand) -> Winner:
        """Return the winner with this hand. Raises InvalidHand for circumstances that contradict each other."""
        return Winner(
            hand,
            self.flowers,
            standing="standing" in self.flags,
            original="original" in self.flags,
            first_discard="first_discard" in self.flags,
            wins_in_a_row=self.wins_in_a_row,
        )

    def to_json(self) -> dict[str, Any]:
        flowers = [flower.key for flower in self.flowers]
        flags = {flag: flag in self.flags for flag in EXTRA_FLAGS}
        return {"named_flowers": flowers, **flags, "wins_in_a_row": self.wins_in_a_row}


def read_extras(record: Mapping[str, Any]) -> WinExtras:
    """Return the extras of a record. Raises InvalidHand."""
    named, wins = record.get("named_flowers", []), record.get("wins_in_a_row", 1)
    problems = (*_faults_of_named_flowers(named), *_faults_of_flags(record), *_faults_of_wins(wins))
    if problems:
        raise InvalidHand(problems)
    return WinExtras(
        tuple(_FLOWER_BY_KEY[key] for key in named),
        frozenset(flag for flag in EXTRA_FLAGS if record.get(flag)),
        wins,
    )


def _faults_of_named_flowers(named: object) -> Iterator[Problem]:
    if not isinstance(named, list | tuple):
        yield NOT_A_LIST("named_flowers")
        return
    for key in named:
        if not isinstance(key, str) or key not in _FLOWER_BY_KEY:
            yield UNKNOWN_FLOWER("named_flowers", flower=str(key)[:20])


def _faults_of_flags(record: Mapping[str, Any]) -> Iterator[Problem]:
    for flag in EXTRA_FLAGS:
        if not isinstance(record.get(flag, False), bool):
            yield NOT_YES_OR_NO(flag)


def _faults_of_wins(wins: object) -> Iterator[Problem]:
    if not isinstance(wins, int) or isinstance(wins, bool):
        yield NOT_A_NUMBER("wins_in_a_row")
    elif not 1 <= wins <= MAX_WINS:
        yield WINS_OUT_OF_RANGE("wins_in_a_row", wins=wins, maximum=MAX_WINS)


SHAPES: Final = (Shape.SETS, Shape.THIRTEEN_ORPHANS)
"""Winning shapes: four sets and a pair, as the Calling Nine Tile Hand is too, and the Thirteen Odd Majors (001:29)."""

_MELD_FORMS: Final = {PUNG: Form.PUNG, KONG: Form.KONG}


def readings(hand: Hand) -> Iterator[Reading]:
    """Yield every reading of a winner's hand. A group completed by the winning discard is exposed (001:55)."""
    for arrangement in arrangements(hand):
        if arrangement[0] in SHAPES:
            reading = reading_of(hand, arrangement)
            yield from (reading,) if hand.self_drawn else _completed_readings(hand, reading)


def _completed_readings(hand: Hand, reading: Reading) -> Iterator[Reading]:
    """Yield the reading once for each group that the winning tile may have completed."""
    for place, group in enumerate(reading.groups):
        if group.concealed and hand.winning_tile in group.tiles:
            groups = (*reading.groups[:place], replace(group, concealed=False), *reading.groups[place + 1 :])
            yield Reading(reading.shape, groups)


def is_only_wait(hand: Hand) -> bool:
    """Return whether no other kind of tile would have completed the hand, even one that is used up (000:1522)."""
    before = hand.packed - ONE[hand.winning]
    others = (weight for kind, weight in enumerate(ONE) if kind != hand.winning)
    return not any(_is_win(before + weight, len(hand.concealed)) for weight in others)


def _is_win(packed: int, concealed: int) -> bool:
    return any(shape in SHAPES for shape, _ in arrangements_of(packed, concealed))


def reading_of_loser(loser: Loser) -> Reading:
    """Return the reading: pungs, melds, then pairs. Chows score nothing, so no tile is needed twice (001:81)."""
    counts = [(tile, count(loser.packed, kind)) for kind, tile in enumerate(TILES)]
    pungs = [Group(Form.PUNG, (tile,) * 3, True) for tile, times in counts if times > 2]
    pairs = [Group(Form.PAIR, (tile,) * 2, True) for tile, times in counts if times == 2]
    melds = [Group(_MELD_FORMS.get(meld.type, Form.CHOW), meld.tiles, meld.concealed) for meld in loser.melds]
    return Reading(Shape.SETS, (*pungs, *melds, *pairs))


def kinds_of(reading: Reading) -> set[int]:
    """Return the kinds of all tiles of a reading."""
    return {KIND[tile] for group in reading.groups for tile in group.tiles}
