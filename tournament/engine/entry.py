"""A hand as it is entered: the fact that everything else about it is derived from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

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

    @property
    def depth(self) -> int:
        """How much of the win is written down: 1 its points, 2 its fans, 3 its tiles; 0 for a wash-out."""
        if self.outcome != WIN:
            return 0
        return 3 if self.tiles is not None else 2 if self.fans is not None else 1
