"""How tiles lie on the table: a set, and a hand. Codes are those of `scoring.texts.tiles`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scoring.texts.tiles import BACK


@dataclass(frozen=True)
class Placed:
    """A tile as it lies: sideways when claimed, marked when it won."""

    code: str
    side: bool = False
    win: bool = False


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
