"""The hand as a fact: the tiles of the player who declared, and how the winning tile came.

A `Hand` that exists is possible at a table; whether it is a *winning* hand is for `scoring.engine.score` to
say.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import permutations
from typing import Any, Final

from scoring.engine import codes, traits, validation
from scoring.engine.problems import Problem
from scoring.engine.tiles import FIELD, HEADROOM, KIND, NUMBERS, OVER_FOUR, TILES, WEIGHT, pack

CHOW: Final = "chow"
PUNG: Final = "pung"
KONG: Final = "kong"

_set: Final = object.__setattr__
"""How a frozen record sets what it derives from its fields."""


class InvalidHand(ValueError):
    """Raised for tiles or circumstances that cannot be; ``problems`` lists every fault found."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__("; ".join(f"{p.where}: {p.code}" if p.where else p.code for p in problems))
        self.problems = problems


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
        if problems := validation.find_meld_problems(self.to_json()):
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


@dataclass(frozen=True, init=False)
class Hand:
    """A player's 14 tiles (a kong counting as three) and the circumstances of the win.

    A hand that cannot be is refused with `InvalidHand`, which lists everything wrong with it.
    """

    concealed: tuple[str, ...]
    """Every unmelded tile, the winning tile among them."""
    melds: tuple[Meld, ...]
    winning_tile: str
    self_drawn: bool
    seat_wind: str
    prevalent_wind: str
    last_tile_of_wall: bool
    """Won with the last tile of the wall, or with the discard that followed it."""
    last_of_kind: bool
    """The other three were in sight of everybody (Last Tile, 和绝张)."""
    replacement: bool
    """Won on the tile drawn to replace a kong (not a flower)."""
    robbing_kong: bool
    flowers: int
    packed: int = field(repr=False, compare=False)
    """The concealed tiles (`scoring.engine.tiles`)."""
    held: int = field(repr=False, compare=False)
    """All tiles, melded ones too."""
    winning: int = field(repr=False, compare=False)
    """The kind of the winning tile."""
    melded: int = field(repr=False, compare=False)
    """The code of the melds (`scoring.engine.codes`)."""
    traits: int = field(repr=False, compare=False)
    """What the melds have in common (`scoring.engine.traits`)."""

    def __init__(
        self,
        concealed: tuple[str, ...],
        melds: tuple[Meld, ...],
        winning_tile: str,
        self_drawn: bool,
        seat_wind: str,
        prevalent_wind: str,
        last_tile_of_wall: bool = False,
        last_of_kind: bool = False,
        replacement: bool = False,
        robbing_kong: bool = False,
        flowers: int = 0,
    ) -> None:
        melded, common = 0, traits.ALL
        try:
            packed = held = sum(map(_WEIGHT_OF, concealed))
            winning = KIND[winning_tile]
            for meld in melds:
                held += meld.packed
                melded += meld.code
                common &= meld.traits
            known = True
        except (KeyError, TypeError):
            known, packed, held, winning = False, 0, 0, 0
        # A frozen record fills its dictionary at once: one assignment a field would be half the cost of a hand.
        vars(self).update(
            concealed=concealed,
            melds=melds,
            winning_tile=winning_tile,
            self_drawn=self_drawn,
            seat_wind=seat_wind,
            prevalent_wind=prevalent_wind,
            last_tile_of_wall=last_tile_of_wall,
            last_of_kind=last_of_kind,
            replacement=replacement,
            robbing_kong=robbing_kong,
            flowers=flowers,
            packed=packed,
            held=held,
            winning=winning,
            melded=melded,
            traits=common,
        )
        # The quick form of `validation.find_problems`, which is asked only to name the faults.
        possible = (
            known
            and len(concealed) + 3 * len(melds) == 14
            and not held + HEADROOM & OVER_FOUR
            and packed >> FIELD * winning & 31
            and seat_wind in _WINDS
            and prevalent_wind in _WINDS
            and type(flowers) is int
            and 0 <= flowers <= _MAX_FLOWERS
            and type(self_drawn) is type(last_tile_of_wall) is bool
            and (last_of_kind is replacement is robbing_kong is False or self._is_consistent())
        )
        if not possible:
            raise InvalidHand(validation.find_problems(self.to_json()))

    def _is_consistent(self) -> bool:
        """Whether the rarer circumstances fit the tiles and each other; see `validation` for each fault."""
        shift = FIELD * self.winning
        return (
            type(self.last_of_kind) is type(self.replacement) is type(self.robbing_kong) is bool
            and not (self.last_of_kind and self.packed >> shift & 31 > 1)
            and not (self.replacement and not (self.self_drawn and self.melded >= codes.MELDED_KONG))
            and not (
                self.robbing_kong
                and (self.self_drawn or self.last_tile_of_wall or self.held >> shift & 31 > 1)
            )
        )

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> "Hand":
        """The hand of a JSON record; `InvalidHand` with every problem when it is not one.

        Required: ``concealed``, ``melds``, ``winning_tile``, ``self_drawn``, ``seat_wind``,
        ``prevalent_wind``. Optional: ``last_tile_of_wall``, ``last_of_kind``, ``replacement``,
        ``robbing_kong`` (false), ``flowers`` (0).
        """
        try:
            optional = record.get
            return cls(
                _tuple(record["concealed"]),
                _known_melds(record["melds"]),
                record["winning_tile"],
                record["self_drawn"],
                record["seat_wind"],
                record["prevalent_wind"],
                optional("last_tile_of_wall", False),
                optional("last_of_kind", False),
                optional("replacement", False),
                optional("robbing_kong", False),
                optional("flowers", 0),
            )
        except (KeyError, TypeError, AttributeError, InvalidHand):
            problems = validation.find_problems(record)
            if not problems:
                raise
            raise InvalidHand(problems) from None

    def to_json(self) -> dict[str, object]:
        """The JSON record of the hand, every field written out."""
        record: dict[str, object] = {name: getattr(self, name) for name in FACTS}
        return record | {"concealed": list(self.concealed), "melds": [meld.to_json() for meld in self.melds]}


def _tuple(tiles: object) -> tuple[Any, ...]:
    """A JSON list, and nothing else that has members, as a tuple."""
    if type(tiles) is list or isinstance(tiles, (list, tuple)):
        return tuple(tiles)
    raise TypeError


def _known_melds(records: object) -> tuple[Meld, ...]:
    """The melds of a list of JSON records; ``KeyError`` or ``TypeError`` when one is none."""
    melds = []
    for meld in _tuple(records):
        tiles, concealed = meld["tiles"], meld.get("concealed", False)
        if type(concealed) is not bool:
            raise TypeError
        melds.append(MELDS[meld["type"], _tuple(tiles), concealed])
    return tuple(melds)


_MAX_FLOWERS: Final = validation.MAX_FLOWERS
_WEIGHT_OF: Final = WEIGHT.__getitem__
_WINDS: Final = frozenset("ESWN")
FACTS: Final = (
    "concealed",
    "melds",
    "winning_tile",
    "self_drawn",
    "seat_wind",
    "prevalent_wind",
    "last_tile_of_wall",
    "last_of_kind",
    "replacement",
    "robbing_kong",
    "flowers",
)
"""The fields of a record, in order."""
