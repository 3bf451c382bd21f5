"""A reading as people see it: the groups of tiles that make up the hand."""

from dataclasses import dataclass
from enum import Enum
from typing import Final

from scoring.engine.arrangements import Arrangement, Shape, knitted_straight_in
from scoring.engine.codes import chows_of, pair_of, pungs_of
from scoring.engine.hand import Hand
from scoring.engine.tiles import KIND, TILES, unpack


class Form(Enum):
    """What a group of tiles in a reading is."""

    CHOW = "chow"
    PUNG = "pung"
    KONG = "kong"
    PAIR = "pair"
    KNITTED = "knitted"
    """Three tiles of a knitted straight."""
    SINGLES = "singles"
    """The unpaired tiles of Thirteen Orphans or of honors and knitted tiles."""


@dataclass(frozen=True, slots=True)
class Group:
    """Some tiles of a reading that belong together."""

    form: Form
    tiles: tuple[str, ...]
    concealed: bool
    """False for a claimed set; a concealed kong is concealed."""

    @property
    def kind(self) -> int:
        return KIND[self.tiles[0]]

    def to_json(self) -> dict[str, object]:
        return {"form": self.form.value, "tiles": list(self.tiles), "concealed": self.concealed}


@dataclass(frozen=True, slots=True)
class Reading:
    """A way to read all tiles of a hand."""

    shape: Shape
    groups: tuple[Group, ...]
    """Concealed sets, then melds in the order given, then the pair."""

    def places(self, *forms: Form) -> list[int]:
        """The places of groups of some forms, by the kind of their first tile."""
        found = [place for place, group in enumerate(self.groups) if group.form in forms]
        return sorted(found, key=lambda place: self.groups[place].kind)

    def pair(self) -> int:
        """The kind of the pair that goes with the sets."""
        return self.groups[-1].kind

    def to_json(self) -> dict[str, object]:
        return {"shape": self.shape.value, "groups": [group.to_json() for group in self.groups]}


_MELD_FORMS: Final = {"chow": Form.CHOW, "pung": Form.PUNG, "kong": Form.KONG}


def reading_of(hand: Hand, arrangement: Arrangement) -> Reading:
    """The groups that an arrangement stands for."""
    shape, _ = arrangement
    match shape:
        case Shape.SEVEN_PAIRS:
            tiles = unpack(hand.packed)
            groups = [Group(Form.PAIR, tiles[at : at + 2], True) for at in range(0, 14, 2)]
        case Shape.KNITTED_TILES | Shape.THIRTEEN_ORPHANS:
            tiles = unpack(hand.packed)
            pair = tuple(tile for tile in tiles if tiles.count(tile) == 2)
            groups = [Group(Form.SINGLES, tuple(tile for tile in tiles if tile not in pair), True)]
            groups += [Group(Form.PAIR, pair, True)] if pair else []
        case _:
            groups = _sets_and_pair(hand, arrangement)
    return Reading(shape, tuple(groups))


def _sets_and_pair(hand: Hand, arrangement: Arrangement) -> list[Group]:
    groups = []
    shape, code = arrangement
    if shape is Shape.KNITTED_STRAIGHT:
        knitted = unpack(knitted_straight_in(hand.packed))
        groups = [Group(Form.KNITTED, knitted[at : at + 3], True) for at in (0, 3, 6)]
    groups += [Group(Form.CHOW, TILES[low : low + 3], True) for low in chows_of(code)]
    groups += [Group(Form.PUNG, (TILES[kind],) * 3, True) for kind in pungs_of(code)]
    groups += [Group(_MELD_FORMS[meld.type], meld.tiles, meld.concealed) for meld in hand.melds]
    pair = pair_of(code)
    groups += [Group(Form.PAIR, (TILES[pair],) * 2, True)] if pair is not None else []
    return groups
