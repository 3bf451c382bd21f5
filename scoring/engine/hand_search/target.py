"""The fans that a search is to find in one hand, and the conditions they set for winning it."""

from collections import Counter
from collections.abc import Mapping
from typing import Final, NamedTuple

from scoring.engine.compiled import BITS, Counts, compile_rulebook
from scoring.engine.fans import Fan
from scoring.engine.rulebooks import Rulebook

ANY_NUMBER: Final = (1 << BITS) - 1

WIN_FANS: Final = frozenset(
    {
        *(Fan.SELF_DRAWN, Fan.LAST_TILE_DRAW, Fan.LAST_TILE_CLAIM, Fan.LAST_TILE, Fan.ROBBING_THE_KONG),
        *(Fan.OUT_WITH_REPLACEMENT_TILE, Fan.FULLY_CONCEALED_HAND, Fan.CONCEALED_HAND, Fan.MELDED_HAND),
        *(Fan.MELDED_KONG, Fan.CONCEALED_KONG, Fan.TWO_MELDED_KONGS, Fan.MELDED_KONG_AND_CONCEALED_KONG),
        *(Fan.TWO_CONCEALED_KONGS, Fan.THREE_KONGS, Fan.FOUR_KONGS, Fan.TWO_CONCEALED_PUNGS),
        *(Fan.THREE_CONCEALED_PUNGS, Fan.FOUR_CONCEALED_PUNGS, Fan.TILE_HOG),
        *(Fan.EDGE_WAIT, Fan.CLOSED_WAIT, Fan.SINGLE_WAIT),
    }
)
"""Fans of melding and winning, and Tile Hog, which does not follow from the classes of sets."""


class Undecided(Exception):
    """Raised when the effort limit was reached before a hand was found or proved impossible."""


class WinConditions(NamedTuple):
    """How a hand was won: the last fields of a `Hand`."""

    self_drawn: bool
    seat_wind: str = "E"
    prevalent_wind: str = "E"
    last_tile_of_wall: bool = False
    last_of_kind: bool = False
    replacement: bool = False
    robbing_kong: bool = False

    @property
    def is_possible(self) -> bool:
        """Whether these circumstances go together."""
        robbed = self.robbing_kong and (self.self_drawn or self.last_tile_of_wall)
        return not robbed and (self.self_drawn or not self.replacement)


class Target:
    """Fans that a hand must count, exactly or among others, self-drawn or by discard; Flower Tiles are ignored."""

    def __init__(
        self,
        fans: Mapping[Fan, int],
        rulebook: Rulebook,
        *,
        self_drawn: bool,
        exactly: bool,
        effort: int | None = None,
    ) -> None:
        self.fans: dict[Fan, int] = {fan: times for fan, times in fans.items() if fan is not Fan.FLOWER_TILES}
        self.rulebook, self.compiled = rulebook, compile_rulebook(rulebook)
        self.exactly = exactly or Fan.CHICKEN_HAND in fans
        self.barred = {rule.bars for rule in rulebook.exclusions if rule.fan in self.fans}
        """Fans that these exclude, wholly or in part: a hand may claim them more often than it counts them."""
        self.hogs = self.fans.get(Fan.TILE_HOG, 0)
        self.conditions = WinConditions(
            self_drawn,
            last_tile_of_wall=Fan.LAST_TILE_DRAW in fans or Fan.LAST_TILE_CLAIM in fans,
            last_of_kind=Fan.LAST_TILE in fans,
            replacement=Fan.OUT_WITH_REPLACEMENT_TILE in fans,
            robbing_kong=Fan.ROBBING_THE_KONG in fans,
        )
        self._effort = effort

    def spend(self, effort: int) -> None:
        """Use up some of the effort limit. Raises `Undecided` when it is exceeded."""
        if self._effort is not None:
            self._effort -= effort
            if self._effort < 0:
                raise Undecided

    @property
    def is_possible(self) -> bool:
        """Whether none of the fans bars another, and the way of winning allows them."""
        if not self.conditions.is_possible:
            return False
        claimed = Counter(self.fans)
        for rule in self.rulebook.exclusions:
            if rule.at_most and rule.fan in self.fans and rule.bars in self.fans:
                claimed[rule.bars] += rule.at_most
        weight, scored = self.compiled.weight, self.compiled.scored
        return dict(scored[sum(weight[fan] * times for fan, times in claimed.items())][1]) == self.fans

    @property
    def needs_single_tile(self) -> bool:
        """Whether the winning tile must be the only one of its kind in hand, so that it ends a chow."""
        return self.conditions.last_of_kind or self.conditions.robbing_kong

    def max_claims(self, fan: Fan) -> int:
        """Return how often a hand may claim a fan, counted or not."""
        return ANY_NUMBER if not self.exactly or fan in self.barred else self.fans.get(fan, 0)

    def allows_hogs(self, hogs: int) -> bool:
        """Return whether this many kinds may be held four times."""
        return self.hogs <= hogs <= self.max_claims(Fan.TILE_HOG)

    def circumstances(self, melds: int, kongs: int, hogs: int) -> int:
        """Return the tally of the win conditions. `melds` is coded as above `codes.COUNT_SHIFT`."""
        conditions = self.conditions
        flags = (
            conditions.last_tile_of_wall,
            conditions.last_of_kind,
            conditions.replacement,
            conditions.robbing_kong,
        )
        return self.compiled.circumstances[conditions.self_drawn, *flags, melds, kongs + hogs]

    def is_met_by(self, points: int, counts: Counts) -> bool:
        """Return whether a hand that counts this meets the target."""
        counted = dict(counts) if points else {Fan.CHICKEN_HAND: 1}
        if self.exactly:
            return counted == self.fans
        return all(counted.get(fan, 0) >= times for fan, times in self.fans.items())

    def is_met_by_tally(self, tally: int) -> bool:
        """Return whether a hand whose best reading claims this meets the target."""
        return self.is_met_by(*self.compiled.scored[tally])
