"""What a hand still being entered can become with its last one or two tiles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import Any

from scoring.engine import TILES, Hand, InvalidHand, Rulebook, Score, score
from scoring.engine.validation import TILES_IN_HAND
from tournament.base.engine.entry import WIN, HandEntry
from tournament.base.engine.rotation import HANDS_PER_SESSION
from tournament.base.engine.rules import Rules

MOST_MISSING = 2
"""With three tiles to go there are thousands of ways on, and none of them says much."""


@dataclass(frozen=True)
class Outlook:
    """The dearest way to complete a hand: the tiles it lacks, the winning one last, and the score it then has."""

    tiles: tuple[str, ...]
    score: Score


def outlook_at(rules: Rules, seats: Mapping[str, int], hand_number: int, entry: HandEntry) -> Outlook | None:
    """The dearest completion of a hand entered at a table; `seats`: starting wind → player number."""
    start = next((wind for wind, player in seats.items() if player == entry.winner), None)
    if entry.outcome != WIN or start is None or not 1 <= hand_number <= HANDS_PER_SESSION:
        return None
    return outlook(
        {**(entry.tiles or {}), **entry.worked_out(start, hand_number, rules.chart)}, rules.scoring
    )


def outlook(record: Mapping[str, Any], rulebook: Rulebook) -> Outlook | None:
    """The dearest completion of a hand record that lacks one or two tiles; None when there is none.

    `record` has its winds and `self_drawn`; its circumstances count when they are possible with the tiles.
    """
    best: Outlook | None = None
    for tiles in _completions(record):
        for found in _both_ways(record, tiles, rulebook):
            if best is None or found.score.points > best.score.points:
                best = found
    return best


def _completions(record: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    missing = TILES_IN_HAND - len(record["concealed"]) - 3 * len(record["melds"])
    if not 1 <= missing <= MOST_MISSING:
        return
    held = Counter(record["concealed"])
    held.update(tile for meld in record["melds"] for tile in meld["tiles"])
    yield from combinations_with_replacement([tile for tile in TILES if held[tile] < 4], missing)


def _both_ways(record: Mapping[str, Any], tiles: tuple[str, ...], rulebook: Rulebook) -> Iterator[Outlook]:
    """The tiles in either order. Tiles that do not win in one don't in the other, which spares half the work."""
    for order in dict.fromkeys((tiles, tiles[::-1])):
        whole = {**record, "concealed": [*record["concealed"], *order], "winning_tile": order[-1]}
        try:
            found = score(Hand.from_json(whole), rulebook)
        except InvalidHand:
            continue  # a fifth tile, or a circumstance that this winning tile contradicts
        if not found.win:
            return
        yield Outlook(order, found)
