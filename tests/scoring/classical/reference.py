"""The best reading of a winner's hand found the slow way: every tile tried in every set, nothing of the engine's."""

from collections.abc import Iterator

from scoring.engine import Hand

Sets = list[tuple[str, ...]]


def splits(tiles: list[str], paired: bool = False) -> Iterator[Sets]:
    """Every way to use up tiles as chows, pungs and one pair."""
    if not tiles:
        yield []
        return
    first, rest = tiles[0], tiles[1:]
    candidates: list[tuple[tuple[str, ...], bool]] = [((first,) * 3, paired), *_chow(first, paired)]
    candidates += [] if paired else [((first,) * 2, True)]
    for group, has_pair in candidates:
        left = list(rest)
        if all(left.count(tile) >= group[1:].count(tile) for tile in group[1:]):
            for tile in group[1:]:
                left.remove(tile)
            yield from ([group, *others] for others in splits(left, has_pair))


def _chow(first: str, paired: bool) -> list[tuple[tuple[str, ...], bool]]:
    number = int(first[0]) if len(first) == 2 else 9
    return [] if number > 7 else [(tuple(f"{number + step}{first[1]}" for step in range(3)), paired)]


def worths(hand: Hand) -> Iterator[tuple[int, int, bool]]:
    """What sets and pair add, what sets multiply by, and whether there is a chow: for every reading."""
    melded = [(meld.tiles, meld.concealed) for meld in hand.melds]
    for groups in splits(sorted(hand.concealed)):
        if sum(len(group) == 2 for group in groups) == 1:
            for at, group in enumerate(groups):
                if hand.winning_tile in group:
                    own = [(tiles, hand.self_drawn or place != at) for place, tiles in enumerate(groups)]
                    yield _worth([*melded, *own], hand)


def _worth(sets: list[tuple[tuple[str, ...], bool]], hand: Hand) -> tuple[int, int, bool]:
    winds = [hand.seat_wind, hand.prevalent_wind]
    added, factor, chows = 0, 1, False
    for tiles, concealed in sets:
        tile, size = tiles[0], len(tiles)
        dear = winds.count(tile) + (tile in "CFP")
        if size == 2:
            added += 2 * dear
        elif len(set(tiles)) > 1:
            chows = True
        else:
            major = len(tile) == 1 or tile[0] in "19"
            added += 2 * (2 if major else 1) * (2 if concealed else 1) * (4 if size == 4 else 1)
            factor *= 2**dear
    return added, factor, chows
