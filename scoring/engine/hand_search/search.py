"""Search for a hand that meets a target, over every way to meld its sets and to win it."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from itertools import combinations
from typing import Final, NamedTuple

from scoring.engine.codes import (
    CHOW,
    CHOWS_WITH,
    CLAIMED,
    CONCEALED_KONG,
    COUNT_SHIFT,
    MELDED_KONG,
    PAIR,
    PUNG,
    WAITED_FOR,
)
from scoring.engine.detectors import wait_fan
from scoring.engine.fans import Fan
from scoring.engine.hand import MELDS, Hand, Meld
from scoring.engine.hand_search.sets import SPECIAL_HANDS
from scoring.engine.hand_search.structures import STRAIGHT, Atlas, Frame, Layout, Structure, atlas_of
from scoring.engine.hand_search.target import ANY_NUMBER, WIN_FANS, Target, Undecided, WinConditions
from scoring.engine.rulebooks import Rulebook
from scoring.engine.score import Score, score
from scoring.engine.tiles import FOUR, ODD, ONE, TILES, count, has_five, unpack


class MeldSplit(NamedTuple):
    """How many chows and pungs stay concealed, are claimed or become kongs."""

    concealed_chows: int
    claimed_chows: int
    concealed_pungs: int
    claimed_pungs: int
    melded_kongs: int
    concealed_kongs: int

    @property
    def kongs(self) -> int:
        return self.melded_kongs + self.concealed_kongs

    @property
    def melds(self) -> int:
        """As they are coded above `codes.COUNT_SHIFT`."""
        claimed = self.claimed_chows + self.claimed_pungs
        counts = claimed * CLAIMED + self.melded_kongs * (CLAIMED + MELDED_KONG)
        return counts + self.concealed_kongs * CONCEALED_KONG >> COUNT_SHIFT


class Completion(NamedTuple):
    """A meld split, and what the winning tile completes."""

    split: MeldSplit
    concealed: int
    """Concealed pungs and kongs."""
    wait: Fan | None


def completions_by_tally(frame: Frame, target: Target) -> dict[int, list[Completion]]:
    """Return the completions that make the win fans of the target, grouped by the tally of what they make."""
    compiled, by_tally = target.compiled, dict[int, list[Completion]]()
    needed = [(compiled.weight[fan], times) for fan, times in target.fans.items() if fan in WIN_FANS]
    for completion in _completions(frame, target.conditions.self_drawn):
        if (target.conditions.replacement and not completion.split.kongs) or (
            target.needs_single_tile and not _completes_chow(frame, completion)
        ):
            continue
        tally = target.circumstances(completion.split.melds, completion.split.kongs, target.hogs)
        tally += compiled.concealed_pungs[completion.concealed] + (
            compiled.weight[completion.wait] if completion.wait else 0
        )
        by_tally.setdefault(tally, []).append(completion)
    return {
        tally: completions
        for tally, completions in by_tally.items()
        if all(tally // weight & 7 >= n for weight, n in needed)
    }


def _completes_chow(frame: Frame, completion: Completion) -> bool:
    split = completion.split
    all_concealed = completion.concealed == split.concealed_pungs + split.concealed_kongs
    return (
        bool(split.concealed_chows or frame.knitted)
        and all_concealed
        and completion.wait is not Fan.SINGLE_WAIT
    )


@cache
def _completions(frame: Frame, self_drawn: bool) -> tuple[Completion, ...]:
    return tuple(
        completion
        for split in _meld_splits(frame)
        for completion in _completions_of(frame, split, self_drawn)
    )


def _meld_splits(frame: Frame) -> Iterator[MeldSplit]:
    for concealed_chows in range(frame.chows + 1):
        for concealed_pungs in range(frame.pungs + 1):
            for melded_kongs in range(frame.pungs - concealed_pungs + 1):
                for concealed_kongs in range(frame.pungs - concealed_pungs - melded_kongs + 1):
                    claimed_pungs = frame.pungs - concealed_pungs - melded_kongs - concealed_kongs
                    yield MeldSplit(
                        concealed_chows,
                        frame.chows - concealed_chows,
                        concealed_pungs,
                        claimed_pungs,
                        melded_kongs,
                        concealed_kongs,
                    )


def _completions_of(frame: Frame, split: MeldSplit, self_drawn: bool) -> Iterator[Completion]:
    """Yield what the winning tile may complete: the pair, a chow, part of a knitted straight, or a pung."""
    concealed = split.concealed_pungs + split.concealed_kongs
    yield Completion(split, concealed, Fan.SINGLE_WAIT)
    if split.concealed_chows:
        yield Completion(split, concealed, Fan.EDGE_WAIT)
        yield Completion(split, concealed, Fan.CLOSED_WAIT)
    if split.concealed_chows or split.concealed_pungs or frame.knitted:
        yield Completion(split, concealed, None)
    if split.concealed_pungs and not self_drawn:
        yield Completion(split, concealed - 1, None)


Outcomes = set[tuple[int, Fan | None]]
"""Pairs of (number of concealed pungs, wait fan) that the winning tile can result in."""
Kinds = tuple[int, ...]


class _DividedSets(NamedTuple):
    """The sets of a layout, divided into melds and concealed sets."""

    melds: tuple[Meld, ...]
    chows: Kinds
    pungs: Kinds


def hands_of_layout(
    layout: Layout, knitted: bool, split: MeldSplit, outcomes: Outcomes, target: Target
) -> Iterator[Hand]:
    """Yield every hand of this layout and split whose winning tile has one of the outcomes."""
    rest, pungs_of_three = layout.rest, 0
    for kind in layout.pungs + rest.pungs:
        pungs_of_three += count(layout.packed, kind) == 3
    if pungs_of_three < split.kongs:
        return
    for melds, chows, pungs in _divide(layout, split):
        packed = 2 * ONE[rest.pair] + (STRAIGHT if knitted else 0)
        packed += sum([ONE[low] + ONE[low + 1] + ONE[low + 2] for low in chows])
        packed += sum([3 * ONE[kind] for kind in pungs])
        all_packed = packed + sum([meld.packed for meld in melds])
        if has_five(all_packed):
            continue
        code = PAIR[rest.pair] + sum([CHOW[low] for low in chows]) + sum([PUNG[kind] for kind in pungs])
        tiles, concealed = unpack(packed), split.concealed_pungs + split.concealed_kongs
        for winning in _winning_kinds(packed, all_packed, target):
            claimed = (
                not target.conditions.self_drawn and code & PUNG[winning] and not code & CHOWS_WITH[winning]
            )
            wait = wait_fan(code, winning) if code & WAITED_FOR[winning] else None
            if outcomes & {(concealed - bool(claimed), wait), (concealed - bool(claimed), None)}:
                conditions = target.conditions._replace(seat_wind=rest.seat, prevalent_wind=rest.prevalent)
                yield Hand(tiles, melds, TILES[winning], *conditions)


def _winning_kinds(packed: int, all_packed: int, target: Target) -> Iterator[int]:
    """Yield the kinds that can be the winning tile."""
    for kind in range(len(TILES)):
        if (
            (concealed := count(packed, kind))
            and not (concealed > 1 and target.conditions.last_of_kind)
            and not (target.conditions.robbing_kong and count(all_packed, kind) > 1)
        ):
            yield kind


def _divide(layout: Layout, split: MeldSplit) -> Iterator[_DividedSets]:
    for chows, claimed_chows in _partitions(layout.chows, split.concealed_chows):
        for pungs, claimed_sets in _partitions(layout.pungs + layout.rest.pungs, split.concealed_pungs):
            for melded, remaining in _partitions(claimed_sets, split.melded_kongs):
                for concealed, claimed in _partitions(remaining, split.concealed_kongs):
                    melds = (
                        *(MELDS["chow", TILES[low : low + 3], False] for low in claimed_chows),
                        *(MELDS["pung", 3 * (TILES[kind],), False] for kind in claimed),
                        *(MELDS["kong", 4 * (TILES[kind],), False] for kind in melded),
                        *(MELDS["kong", 4 * (TILES[kind],), True] for kind in concealed),
                    )
                    yield _DividedSets(melds, chows, pungs)


def _partitions(sets: Kinds, size: int) -> Iterable[tuple[Kinds, Kinds]]:
    """Return every way to choose `size` of the sets, as (chosen, others)."""
    parts = {}
    for places in combinations(range(len(sets)), size):
        chosen = tuple([sets[place] for place in places])
        parts[chosen] = tuple([kind for place, kind in enumerate(sets) if place not in places])
    return parts.items()


Match = tuple[Structure, dict[MeldSplit, Outcomes]]
"""A structure, and the splits and outcomes with which it claims the target."""
TERMINAL_CHOWS: Final = (0, 6)
"""Chows 1-2-3 and 7-8-9, by their lowest kind in a suit."""
SAMPLE_SIZES: Final = (3, 60)
"""How many layouts of each source are tried before all: nearly always one of them is enough."""


@lru_cache(maxsize=1 << 14)
def find(
    fans: frozenset[tuple[Fan, int]], rulebook: Rulebook, self_drawn: bool, exactly: bool, effort: int | None
) -> Hand | Undecided | None:
    """Return a hand that meets the target, None when there is none, `Undecided` when `effort` ran out."""
    target = Target(dict(fans), rulebook, self_drawn=self_drawn, exactly=exactly, effort=effort)
    if not target.is_possible:
        return None
    try:
        for hand in _candidates(target):
            result = score(hand, rulebook)
            if result.win and target.is_met_by(result.points, result.counts):
                return hand
    except Undecided:
        return Undecided()
    return None


def _candidates(target: Target) -> Iterator[Hand]:
    """Yield hands among which is one that meets the target, if there is any."""
    atlas = atlas_of(
        target.rulebook,
        green=Fan.ALL_GREEN in target.fans,
        reversible=Fan.REVERSIBLE_TILES in target.fans,
    )
    matches: list[Match] = []
    for match in _matches(atlas, target):
        matches.append(match)
        yield from _hands_of_match(match, match[0].sample(SAMPLE_SIZES[0]), target)
    yield from _special_candidates(atlas, target)
    for match in matches:
        yield from _hands_of_match(match, match[0].sample(SAMPLE_SIZES[1]), target)
    for match in matches:
        yield from _hands_of_match(match, match[0].layouts(), target)


def _hands_of_match(match: Match, layouts: Iterable[Layout], target: Target) -> Iterator[Hand]:
    structure, splits = match
    needs_edge_wait = all(
        wait is Fan.EDGE_WAIT for outcomes in splits.values() for _concealed, wait in outcomes
    )
    for layout in layouts:
        target.spend(1)
        packed = layout.packed
        if not target.allows_hogs((packed & FOUR).bit_count()):
            continue
        if needs_edge_wait and not any(low % 9 in TERMINAL_CHOWS for low in layout.chows):
            continue
        has_single_tile = packed & ODD & ~(packed >> 1)
        for split, outcomes in splits.items():
            if (
                has_single_tile
                or not target.needs_single_tile
                or (split.melds and not target.conditions.robbing_kong)
            ):
                yield from hands_of_layout(layout, structure.frame.knitted, split, outcomes, target)


def _matches(atlas: Atlas, target: Target) -> Iterator[Match]:
    """Yield every structure whose best reading can claim the target, with its splits and outcomes."""
    completions = dict[Frame, dict[int, list[Completion]]]()
    for structure in atlas.matching(_bounds(target)):
        frame = structure.frame
        if frame not in completions:
            completions[frame] = completions_by_tally(frame, target)
        if not completions[frame] or (target.hogs and not (frame.chows or frame.knitted)):
            continue
        target.spend(1)
        splits = defaultdict[MeldSplit, Outcomes](set)
        for tally, ways in completions[frame].items():
            if target.is_met_by_tally(structure.tally + tally):
                for completion in ways:
                    splits[completion.split].add((completion.concealed, completion.wait))
        if splits:
            yield structure, splits


def _bounds(target: Target) -> Iterator[tuple[Fan, int, int]]:
    """Yield (fan, least, most): how often a structure may claim each fan that structures claim."""
    for fan in target.compiled.rulebook.points:
        minimum, maximum = target.fans.get(fan, 0), target.max_claims(fan)
        if (minimum or maximum < ANY_NUMBER) and fan not in WIN_FANS and fan is not Fan.CHICKEN_HAND:
            yield fan, minimum, maximum


def _special_candidates(atlas: Atlas, target: Target) -> Iterator[Hand]:
    if target.conditions.replacement:
        return
    for pairs in atlas.pairs if not target.needs_single_tile else ():
        tally = pairs.tally + target.circumstances(0, 0, pairs.hogs)
        if target.allows_hogs(pairs.hogs) and target.is_met_by_tally(tally):
            yield Hand(pairs.tiles, (), pairs.tiles[0], *target.conditions)
    for special in _special_scores(target.rulebook, target.conditions):
        if target.is_met_by(special.points, special.counts):
            yield special.hand


@lru_cache(maxsize=64)
def _special_scores(rulebook: Rulebook, conditions: WinConditions) -> tuple[Score, ...]:
    """Return the scores of hands of special shapes, seven pairs apart, won under these conditions."""
    needs_single_tile = conditions.last_of_kind or conditions.robbing_kong
    return tuple(
        score(Hand(tiles, (), winning, *conditions), rulebook)
        for tiles, winning in SPECIAL_HANDS
        if not needs_single_tile or tiles.count(winning) == 1
    )
