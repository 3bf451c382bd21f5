"""A hand as it is entered: the fact that everything else about it is derived from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from scoring.engine.validation import TILES_IN_HAND
from tournament.base.engine.rotation import Chart, prevalent_wind, seat_wind

WIN: Final = "win"
DRAW: Final = "draw"


@dataclass(frozen=True)
class HandEntry:
    """What the umpire enters. Players by number; `discarder` None when self-drawn; `tiles` a corpus record.

    A win has its tiles, or what was announced: its `fans` (key → times) or its `points`, flowers included. It may have
    both; then the tiles count, unless the umpire says in `override` why the announcement does.

    In `tiles` the seat wind, the prevalent wind and `self_drawn` may be left out: they are worked out. When they
    stand there they must be right.
    """

    outcome: str
    winner: int | None = None
    discarder: int | None = None
    tiles: Mapping[str, Any] | None = None
    points: int | None = None
    fans: Mapping[str, int] | None = None
    override: str = ""
    """Why the announcement counts although the tiles, or the minimum, say otherwise."""
    claimants: tuple[int, ...] = ()
    """Who else claimed the winning discard."""
    absent: tuple[int, ...] | None = None
    """Whose seats were empty, with nobody standing in; None where that is not said."""

    @property
    def depth(self) -> int:
        """How much of the win is written down: 1 its points, 2 its fans, 3 its tiles; 0 for a wash-out."""
        if self.outcome != WIN:
            return 0
        return 3 if self.tiles is not None else 2 if self.fans is not None else 1

    @property
    def is_unfinished(self) -> bool:
        """Whether some of the tiles are entered, and some still to come."""
        return self.outcome != DRAW and self.tiles is not None and 0 < _entered(self.tiles) < TILES_IN_HAND

    def worked_out(self, start: str, hand_number: int, chart: Chart) -> dict[str, Any]:
        """What nobody is asked about a winner who started at wind `start`: both winds, and the way of winning."""
        return {
            "seat_wind": seat_wind(start, hand_number, chart),
            "prevalent_wind": prevalent_wind(hand_number),
            "self_drawn": self.discarder is None,
        }


def _entered(tiles: Mapping[str, Any]) -> int:
    """How many tiles, a meld counting as three; 0 where that cannot be told."""
    concealed, melds = tiles.get("concealed"), tiles.get("melds")
    if not isinstance(concealed, list) or not isinstance(melds, list):
        return 0
    return len(concealed) + 3 * len(melds)
