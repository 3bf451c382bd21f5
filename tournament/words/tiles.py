"""Tiles and sets in words, and how a set lies on the table.

Codes are those of the rules: 1m…9m Characters, 1p…9p Dots, 1s…9s Bamboos, E S W N, dragons C F P; f1…f8 are the
flowers and `back` is a tile lying face down.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy

BACK = "back"
SUITS = {
    "m": gettext_lazy("%(number)s of Characters"),
    "p": gettext_lazy("%(number)s of Dots"),
    "s": gettext_lazy("%(number)s of Bamboos"),
}
NAMES = {
    "E": gettext_lazy("East wind"),
    "S": gettext_lazy("South wind"),
    "W": gettext_lazy("West wind"),
    "N": gettext_lazy("North wind"),
    "C": gettext_lazy("Red dragon"),
    "F": gettext_lazy("Green dragon"),
    "P": gettext_lazy("White dragon"),
    "f1": gettext_lazy("Plum flower"),
    "f2": gettext_lazy("Orchid flower"),
    "f3": gettext_lazy("Chrysanthemum flower"),
    "f4": gettext_lazy("Bamboo flower"),
    "f5": gettext_lazy("Spring flower"),
    "f6": gettext_lazy("Summer flower"),
    "f7": gettext_lazy("Autumn flower"),
    "f8": gettext_lazy("Winter flower"),
    BACK: gettext_lazy("concealed tile"),
}
CODES = (*(f"{number}{suit}" for suit in SUITS for number in range(1, 10)), *NAMES)
"""Every drawing there is."""


@dataclass(frozen=True)
class Placed:
    """A tile as it lies: sideways when claimed, marked when it won."""

    code: str
    side: bool = False
    win: bool = False


def tile_name(code: str) -> str:
    """What a person calls the tile; raises ValueError for a code no tile has."""
    if code not in CODES:
        raise ValueError(f"no tile has the code {code!r}")
    if code in NAMES:
        return str(NAMES[code])
    return SUITS[code[1]] % {"number": code[0]}


def lay_meld(meld: Mapping[str, Any]) -> tuple[Placed, ...]:
    """A meld {"tiles", "concealed"} as it lies: the claimed tile sideways in front, a concealed kong back, face, face,
    back."""
    tiles: Sequence[str] = meld["tiles"]
    if meld.get("concealed"):
        return Placed(BACK), Placed(tiles[1]), Placed(tiles[2]), Placed(BACK)
    return Placed(tiles[0], side=True), *(Placed(code) for code in tiles[1:])


def lay_hand(record: Mapping[str, Any]) -> tuple[tuple[Placed, ...], ...]:
    """A hand record as groups of tiles: the melds, and the tiles in hand with the winning tile as the last of them.

    `record` is what a recorded hand stores: "concealed" holds every unmelded tile and the winning tile. The winning
    tile is in one group with those in hand so that, however narrow the page, it never stands alone beside four melds.
    """
    held = list(record["concealed"])
    winning = record.get("winning_tile")
    groups = [lay_meld(meld) for meld in record.get("melds", ())]
    if winning:
        held.remove(winning)
    in_hand = [Placed(code) for code in held]
    if winning:
        in_hand.append(Placed(winning, win=True))
    return (*groups, tuple(in_hand)) if in_hand else tuple(groups)
