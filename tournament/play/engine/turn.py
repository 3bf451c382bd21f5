"""Several players claim the same discard: the one next in turn after the discarder has it (one winner only)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from tournament.base.engine.rotation import WINDS

_TURN: Final = {wind: place for place, wind in enumerate(WINDS)}


def nearest_in_turn(winds: Mapping[int, str], discarder: int, claimants: Iterable[int]) -> int:
    """Of the claimants, the one who comes first after the discarder. `winds`: player → seat wind in this hand."""
    start = _TURN[winds[discarder]]
    return min(claimants, key=lambda player: (_TURN[winds[player]] - start) % len(WINDS))
