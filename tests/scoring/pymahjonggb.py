"""The public scorer PyMahjongGB, where it is installed (`bin/setup --bench`), behind a tight adapter."""

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any, Final

from scoring.engine import TILES
from scoring.engine.notation import ALPHABETS

Record = dict[str, Any]
Answer = tuple[dict[str, int], int]
"""Fan name to how often it counts, and the points, flowers among both."""

_TILE: Final = dict(zip(TILES, ALPHABETS["botzone"], strict=True))
_TYPE: Final = {"chow": "CHI", "pung": "PENG", "kong": "GANG"}
_WIND: Final = {wind: place for place, wind in enumerate("ESWN")}

NAMES: Final = {
    "Two Dragons": "Two Dragons Pungs",
    "Robbing the Kong": "Robbing The Kong",
    "Melded Kong and Concealed Kong": "Concealed Kong and Melded Kong",
    "All Fives": "All Five",
    "All Even": "All Even Pungs",
    "Four Shifted Chows": "Four Pure Shifted Chows",
    "Shifted Seven Pairs": "Seven Shifted Pairs",
}
"""Our name of a fan to PyMahjongGB's, where they differ."""


def is_installed() -> bool:
    return find_spec("MahjongGB") is not None


def scorer() -> Callable[[Record], Answer]:
    """From the JSON record of a hand to its fans and points.

    It raises ``ImportError`` where PyMahjongGB is missing, what it returns ``TypeError`` for a hand that does not win.
    """
    from MahjongGB import MahjongFanCalculator

    def answer(record: Record) -> Answer:
        concealed = list(map(_TILE.__getitem__, record["concealed"]))
        winning = _TILE[record["winning_tile"]]
        concealed.remove(winning)
        fans = MahjongFanCalculator(
            tuple(
                (_TYPE[meld["type"]], _TILE[meld["tiles"][1]], 0 if meld["concealed"] else 1)
                for meld in record["melds"]
            ),
            tuple(concealed),
            winning,
            record["flowers"],
            record["self_drawn"],
            record["last_of_kind"],
            record["replacement"] or record["robbing_kong"],
            record["last_tile_of_wall"],
            _WIND[record["seat_wind"]],
            _WIND[record["prevalent_wind"]],
            True,
        )
        return {name: count for _, count, _, name in fans}, sum(
            points * count for points, count, _, _ in fans
        )

    return answer
