"""What a hand is wanted for: its fans, the way of winning, and how near a tally comes."""

from collections import Counter
from collections.abc import Mapping
from typing import Final, NamedTuple

from scoring.engine.fans import Fan
from scoring.engine.rulebooks import Rulebook
from scoring.engine.tallies import BITS, Counts, tallies_of

ANY_NUMBER: Final = (1 << BITS) - 1

OF_THE_WAY: Final = frozenset(
    {
        *(Fan.SELF_DRAWN, Fan.LAST_TILE_DRAW, Fan.LAST_TILE_CLAIM, Fan.LAST_TILE, Fan.ROBBING_THE_KONG),
        *(Fan.OUT_WITH_REPLACEMENT_TILE, Fan.FULLY_CONCEALED_HAND, Fan.CONCEALED_HAND, Fan.MELDED_HAND),
        *(Fan.MELDED_KONG, Fan.CONCEALED_KONG, Fan.TWO_MELDED_KONGS, Fan.MELDED_KONG_AND_CONCEALED_KONG),
        *(Fan.TWO_CONCEALED_KONGS, Fan.THREE_KONGS, Fan.FOUR_KONGS, Fan.TWO_CONCEALED_PUNGS),
        *(Fan.THREE_CONCEALED_PUNGS, Fan.FOUR_CONCEALED_PUNGS, Fan.TILE_HOG),
        *(Fan.EDGE_WAIT, Fan.CLOSED_WAIT, Fan.SINGLE_WAIT),
    }
)
"""Fans made by how sets are held and won, and (Tile Hog) by tiles that no class of sets tells."""


class Undecided(Exception):
    """Raised when the effort allowed was not enough to find a hand, or to prove that there is none."""


class Won(NamedTuple):
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


class Wanted:
    """Fans that a hand shall count, ``exactly`` these or these among others, self-drawn or not.

    Flower Tiles go with every hand and are left aside.
    """

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
        self.rulebook, self.tallies = rulebook, tallies_of(rulebook)
        self.exactly = exactly or Fan.CHICKEN_HAND in fans
        self.barred = {rule.bars for rule in rulebook.exclusions if rule.fan in self.fans}
        """Fans that these bar, all or some: how often a hand claims them is not told by what it counts."""
        self.hogs = self.fans.get(Fan.TILE_HOG, 0)
        self.won = Won(
            self_drawn,
            last_tile_of_wall=Fan.LAST_TILE_DRAW in fans or Fan.LAST_TILE_CLAIM in fans,
            last_of_kind=Fan.LAST_TILE in fans,
            replacement=Fan.OUT_WITH_REPLACEMENT_TILE in fans,
            robbing_kong=Fan.ROBBING_THE_KONG in fans,
        )
        self._effort = effort

    def spend(self, effort: int) -> None:
        """Count what was looked at."""
        if self._effort is not None:
            self._effort -= effort
            if self._effort < 0:
                raise Undecided

    @property
    def is_possible(self) -> bool:
        """Whether none of the fans bars another, and the way of winning allows them."""
        if not self.won.is_possible:
            return False
        claimed = Counter(self.fans)
        for rule in self.rulebook.exclusions:
            if rule.at_most and rule.fan in self.fans and rule.bars in self.fans:
                claimed[rule.bars] += rule.at_most
        one, counted = self.tallies.one, self.tallies.counted
        return dict(counted[sum(one[fan] * times for fan, times in claimed.items())][1]) == self.fans

    @property
    def lone_tile(self) -> bool:
        """Whether the winning tile must be the only one of its kind in hand, so that it ends a chow."""
        return self.won.last_of_kind or self.won.robbing_kong

    def most(self, fan: Fan) -> int:
        """How often a hand may claim a fan, counted or not."""
        return ANY_NUMBER if not self.exactly or fan in self.barred else self.fans.get(fan, 0)

    def may_hog(self, hogs: int) -> bool:
        """Whether so many kinds may be held four times."""
        return self.hogs <= hogs <= self.most(Fan.TILE_HOG)

    def circumstances(self, melds: int, kongs: int, hogs: int) -> int:
        """The tally of this way of winning; ``melds`` as coded above `codes.COUNT_SHIFT`."""
        won = self.won
        flags = won.last_tile_of_wall, won.last_of_kind, won.replacement, won.robbing_kong
        return self.tallies.circumstances[won.self_drawn, *flags, melds, kongs + hogs]

    def met_by(self, points: int, counts: Counts) -> bool:
        """Whether a hand that counts this is wanted."""
        counted = dict(counts) if points else {Fan.CHICKEN_HAND: 1}
        if self.exactly:
            return counted == self.fans
        return all(counted.get(fan, 0) >= times for fan, times in self.fans.items())

    def met_by_tally(self, tally: int) -> bool:
        """Whether a hand whose best reading claims this is wanted."""
        return self.met_by(*self.tallies.counted[tally])
