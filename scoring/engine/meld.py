"""Sets on the table."""

from dataclasses import dataclass, field
from itertools import permutations
from typing import Any, Final

from scoring.engine import codes, traits
from scoring.engine.problems import InvalidHand, find_meld_problems
from scoring.engine.tiles import KIND, NUMBERS, TILES, pack

CHOW: Final = "chow"
PUNG: Final = "pung"
KONG: Final = "kong"

_set: Final = object.__setattr__
"""How a frozen record sets what it derives from its fields."""


@dataclass(frozen=True, slots=True)
class Meld:
    """A set on the table: a claimed chow, pung or kong, or a concealed kong (``concealed=True``)."""

    type: str
    tiles: tuple[str, ...]
    concealed: bool = False
    packed: int = field(init=False, repr=False, compare=False)
    """Its tiles (`scoring.engine.tiles`)."""
    code: int = field(init=False, repr=False, compare=False)
    """The set, and what it adds to the counts of melds (`scoring.engine.codes`)."""
    traits: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if problems := find_meld_problems(self.to_json()):
            raise InvalidHand(problems)
        tiles = tuple(sorted(self.tiles, key=KIND.__getitem__))
        kind, is_chow = KIND[tiles[0]], self.type == CHOW
        counts = codes.CONCEALED_KONG if self.concealed else codes.CLAIMED
        if self.type == KONG and not self.concealed:
            counts += codes.MELDED_KONG
        _set(self, "tiles", tiles)
        _set(self, "packed", pack(tiles))
        _set(self, "code", counts + (codes.CHOW[kind] if is_chow else codes.PUNG[kind]))
        _set(self, "traits", traits.OF_CHOW[kind] if is_chow else traits.OF_PUNG[kind])

    def to_json(self) -> dict[str, object]:
        return {"type": self.type, "tiles": list(self.tiles), "concealed": self.concealed}


def _possible_melds() -> dict[tuple[str, tuple[str, ...], bool], Meld]:
    melds: dict[tuple[str, tuple[str, ...], bool], Meld] = {}
    for kind, tile in enumerate(TILES):
        melds[PUNG, (tile,) * 3, False] = Meld(PUNG, (tile,) * 3)
        for concealed in (False, True):
            melds[KONG, (tile,) * 4, concealed] = Meld(KONG, (tile,) * 4, concealed)
        if kind < NUMBERS and kind % 9 < 7:
            chow = Meld(CHOW, TILES[kind : kind + 3])
            melds |= {(CHOW, order, False): chow for order in permutations(chow.tiles)}
    return melds


MELDS: Final = _possible_melds()
"""Every legal meld by type, tiles (a chow's in any order) and whether it is concealed."""


def known_melds(records: object) -> tuple[Meld, ...]:
    """The melds of a list of JSON records; ``KeyError`` or ``TypeError`` when one is none."""
    if not records:
        return as_tuple(records)
    melds = []
    for meld in records if type(records) is list else as_tuple(records):
        tiles, concealed = meld["tiles"], meld.get("concealed", False)
        if type(concealed) is not bool:
            raise TypeError
        # What JSON gives is a list: nothing else has to be asked what it is.
        known = tuple(tiles) if type(tiles) is list else as_tuple(tiles)
        melds.append(MELDS[meld["type"], known, concealed])
    return tuple(melds)


def as_tuple(tiles: object) -> tuple[Any, ...]:
    """A JSON list, and nothing else that has members, as a tuple."""
    if isinstance(tiles, (list, tuple)):
        return tuple(tiles)
    raise TypeError
