"""A hand: the sets on the table, the concealed tiles of the player who declared, and how the winning tile came.

A `Hand` that exists is possible at a table; whether it is a *winning* hand is decided by `scoring.engine.score`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import permutations
from operator import itemgetter
from typing import Any, Final

from scoring.engine import codes, traits
from scoring.engine.problems import MAX_FLOWERS, InvalidHand, find_meld_problems, find_problems
from scoring.engine.tiles import FIELD, HEADROOM, KIND, NUMBERS, OVER_FOUR, TILES, WEIGHT, pack

CHOW: Final = "chow"
PUNG: Final = "pung"
KONG: Final = "kong"

_set: Final = object.__setattr__
"""Sets derived fields of a frozen dataclass."""


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


def parse_melds(records: object) -> tuple[Meld, ...]:
    """Return the melds of a list of JSON records. Raises KeyError or TypeError for an invalid one."""
    if not records:
        return as_tuple(records)
    melds = []
    for meld in records if type(records) is list else as_tuple(records):
        tiles, concealed = meld["tiles"], meld.get("concealed", False)
        if type(concealed) is not bool:
            raise TypeError
        # JSON yields a list: the fast path skips `as_tuple`.
        meld_tiles = tuple(tiles) if type(tiles) is list else as_tuple(tiles)
        melds.append(MELDS[meld["type"], meld_tiles, concealed])
    return tuple(melds)


def as_tuple(tiles: object) -> tuple[Any, ...]:
    """Return a JSON list as a tuple. Raises TypeError for anything else."""
    if isinstance(tiles, (list, tuple)):
        return tuple(tiles)
    raise TypeError


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


class _Draft:
    """A hand while its fields are set: plain assignment takes half the time of filling a frozen dataclass."""

    __slots__ = (*FACTS, "all_packed", "melded", "packed", "traits", "winning")


@dataclass(frozen=True, init=False)
class Hand(_Draft):
    """A player's 14 tiles (a kong counts as three) and the circumstances of the win. Raises `InvalidHand`."""

    __slots__ = ()
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
    """The other three were visible to everybody (Last Tile, 和绝张). True whatever is given where these three are in
    the player's own claimed sets.
    """
    replacement: bool
    """Won on the tile drawn to replace a kong (not a flower)."""
    robbing_kong: bool
    flowers: int
    packed: int = field(repr=False, compare=False)
    """The concealed tiles (`scoring.engine.tiles`)."""
    all_packed: int = field(repr=False, compare=False)
    """All tiles, melded ones too."""
    winning: int = field(repr=False, compare=False)
    """The kind of the winning tile."""
    melded: int = field(repr=False, compare=False)
    """The code of the melds (`scoring.engine.codes`)."""
    traits: int = field(repr=False, compare=False)
    """What the melds have in common (`scoring.engine.traits`)."""

    def __new__(
        cls,
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
    ) -> "Hand":
        melded, common = 0, traits.ALL
        try:
            packed = all_packed = sum(itemgetter(*concealed)(WEIGHT))
            winning = KIND[winning_tile]
            for meld in melds:
                all_packed += meld.packed
                melded += meld.code
                common &= meld.traits
            is_known = True
        except (KeyError, TypeError):
            is_known, packed, all_packed, winning = False, 0, 0, 0
        if melds and last_of_kind is False:
            shift = FIELD * winning
            last_of_kind = all_packed >> shift & 31 == 4 and packed >> shift & 31 == 1
        draft: Any = _Draft()
        draft.concealed = concealed
        draft.melds = melds
        draft.winning_tile = winning_tile
        draft.self_drawn = self_drawn
        draft.seat_wind = seat_wind
        draft.prevalent_wind = prevalent_wind
        draft.last_tile_of_wall = last_tile_of_wall
        draft.last_of_kind = last_of_kind
        draft.replacement = replacement
        draft.robbing_kong = robbing_kong
        draft.flowers = flowers
        draft.packed = packed
        draft.all_packed = all_packed
        draft.winning = winning
        draft.melded = melded
        draft.traits = common
        draft.__class__ = cls  # the same slots; from here on the hand is frozen
        hand: Hand = draft
        # The fast form of `find_problems`, which is called only to name the faults.
        possible = (
            is_known
            and len(concealed) + 3 * len(melds) == 14
            and not all_packed + HEADROOM & OVER_FOUR
            and packed >> FIELD * winning & 31
            and seat_wind in _WINDS
            and prevalent_wind in _WINDS
            and type(flowers) is int
            and 0 <= flowers <= MAX_FLOWERS
            and type(self_drawn) is type(last_tile_of_wall) is bool
            and (last_of_kind is replacement is robbing_kong is False or hand._is_consistent())
        )
        if not possible:
            raise InvalidHand(find_problems(hand.to_json()))
        return hand

    def _is_consistent(self) -> bool:
        """Return whether the rarer circumstances fit the tiles and each other; see `problems` for each fault."""
        shift = FIELD * self.winning
        return (
            type(self.last_of_kind) is type(self.replacement) is type(self.robbing_kong) is bool
            and not (self.last_of_kind and self.packed >> shift & 31 > 1)
            and not (self.replacement and not (self.self_drawn and self.melded >= codes.MELDED_KONG))
            and not (
                self.robbing_kong
                and (self.self_drawn or self.last_tile_of_wall or self.all_packed >> shift & 31 > 1)
            )
        )

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> "Hand":
        """Return the hand of a JSON record. Raises `InvalidHand` with every problem.

        Required: ``concealed``, ``melds``, ``winning_tile``, ``self_drawn``, ``seat_wind``, ``prevalent_wind``.
        Optional: ``last_tile_of_wall``, ``last_of_kind``, ``replacement``, ``robbing_kong`` (false), ``flowers`` (0).
        """
        try:
            facts = _facts_of(record)
            tiles, melds, won, drawn, seat, prevalent, last, fourth, replaced, robbed, flowers = facts
            concealed = tuple(tiles) if type(tiles) is list else as_tuple(tiles)
            sets = parse_melds(melds)
            # Not `cls(…)`: `type.__call__` would pack and unpack all arguments.
            return cls.__new__(
                cls, concealed, sets, won, drawn, seat, prevalent, last, fourth, replaced, robbed, flowers
            )
        except (KeyError, TypeError, AttributeError, InvalidHand):
            problems = find_problems(record)
            if not problems:
                raise
            raise InvalidHand(problems) from None

    def __reduce__(self) -> tuple[type["Hand"], tuple[Any, ...]]:
        """Copy and pickle only the facts; everything else is derived."""
        return type(self), tuple(getattr(self, name) for name in FACTS)

    def to_json(self) -> dict[str, object]:
        """Return the JSON record of the hand with every field."""
        record: dict[str, object] = {name: getattr(self, name) for name in FACTS}
        return record | {"concealed": list(self.concealed), "melds": [meld.to_json() for meld in self.melds]}


_WINDS: Final = frozenset("ESWN")
_get_facts: Final[Callable[[Mapping[str, Any]], tuple[Any, ...]]] = itemgetter(*FACTS)
_DEFAULTS: Final = dict.fromkeys(FACTS[-5:-1], False) | {"flowers": 0}


def _facts_of(record: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return the fields of a record in the order of `FACTS`. Raises KeyError when a required one is missing."""
    try:
        return _get_facts(record)
    except KeyError:
        return _get_facts(_DEFAULTS | dict(record))
