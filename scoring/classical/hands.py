"""The hands of the classical game as facts: the winner's, with how it was won, and a loser's as it lies there."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from scoring.classical.flowers import Flower
from scoring.engine.hand import Hand, Meld
from scoring.engine.problems import TILES_IN_HAND, InvalidHand, Problem, check_partial
from scoring.engine.tiles import pack


@dataclass(frozen=True, slots=True)
class Winner:
    """The hand of the player who declared, and what the classical game asks of it besides.

    `InvalidHand` with everything that cannot go together.
    """

    hand: Hand
    flowers: tuple[Flower, ...] = ()
    """Which seasons and flowers were drawn; `Hand.flowers`, a bare number, may be left out."""
    standing: bool = False
    """Declared a Standing Hand after the first discard (001:70)."""
    original: bool = False
    """East won with the fourteen tiles as dealt (001:98, 113; 000:1300)."""
    first_discard: bool = False
    """Won with East's first discard (001:114)."""
    wins_in_a_row: int = 1
    """Hands this player has won one after the other, this one among them (001:120)."""

    def __post_init__(self) -> None:
        if problems := (*_of_flowers(self.flowers), *_of_winner(self)):
            raise InvalidHand(problems)


@dataclass(frozen=True, slots=True)
class Loser:
    """What another player holds when somebody has won: thirteen tiles, a kong counting as three, if all is well.

    Four equal tiles not laid out are a pung (001:60). `InvalidHand` with everything that cannot be.
    """

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
        # Too many tiles are no fault of the record: such a hand scores nothing (001:75).
        faults = (fault for fault in check_partial(record) if fault.code != "too_many_tiles")
        if problems := (*faults, *_of_flowers(self.flowers)):
            raise InvalidHand(problems)
        object.__setattr__(self, "packed", pack(self.concealed))

    @property
    def has_too_many(self) -> bool:
        """Whether there are more tiles than a player who has not won may hold."""
        return len(self.concealed) + 3 * len(self.melds) >= TILES_IN_HAND


def _of_flowers(flowers: tuple[Flower, ...]) -> Iterator[Problem]:
    if len(set(flowers)) < len(flowers):
        yield Problem("flower_twice", "flowers")


def _of_winner(winner: Winner) -> Iterator[Problem]:
    """Circumstances that contradict each other."""
    hand, named = winner.hand, len(winner.flowers)
    is_east = hand.seat_wind == "E"
    if hand.flowers not in (0, named):
        yield Problem("flowers_differ", "flowers", {"flowers": hand.flowers, "named": named})
    if winner.original and not (is_east and hand.self_drawn and not hand.melds):
        yield Problem("original_not_dealt", "original")
    if winner.first_discard and (is_east or hand.self_drawn or hand.robbing_kong or hand.melds):
        yield Problem("not_easts_first_discard", "first_discard")
    if winner.standing and (winner.original or winner.first_discard):
        yield Problem("standing_too_early", "standing")
    if (winner.original or winner.first_discard) and hand.last_tile_of_wall:
        yield Problem("first_and_last_tile", "last_tile_of_wall")
