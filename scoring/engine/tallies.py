"""A rulebook made ready for counting.

A *tally* is the fans of a hand in one number: three bits a fan hold how often it is claimed, the dearest fan
highest. Tallies add. Barring fans is masking, and the dearest fan left is the highest bit. Families of fans
are worked out once for each combination of sets and remembered.
"""

from collections.abc import Iterable
from typing import Final

from scoring.engine.claims import highest_choice
from scoring.engine.codes import (
    ANY_PAIR,
    CHOWS,
    INNER_CHOWS,
    TERMINAL_PUNGS,
    chows_of,
    likeness,
    meld_counts,
    pair_of,
    pungs_of,
)
from scoring.engine.detectors import (
    NOT_GREEN,
    Circumstances,
    Claim,
    chow_claims,
    circumstance_fans,
    concealed_pung_fans,
    dragon_claims,
    number_pung_claims,
    whole_hand_fans,
    wind_claims,
)
from scoring.engine.fans import FANS, Fan
from scoring.engine.memo import Memo
from scoring.engine.rulebooks import Rulebook
from scoring.engine.tiles import KIND, every

BITS: Final = 3
"""Bits a fan in a tally: none counts more than seven times (flowers are kept apart)."""
Facts = tuple[bool, bool, bool, bool, bool, int, int]
"""The five flags of `Circumstances`, the coded counts of melds and the kinds held four times."""
Counts = tuple[tuple[Fan, int], ...]
"""Fans and how often each counts, dearest first."""
NOTHING: Final[Counts] = ()


class Tallies:
    """What a rulebook says, ready for look-up."""

    def __init__(self, rulebook: Rulebook) -> None:
        self.rulebook = rulebook
        ranked = sorted(rulebook.points, key=lambda fan: (rulebook.points[fan], fan.number))
        self.ranked = tuple(ranked)
        self.one = dict.fromkeys(FANS, 0) | {fan: 1 << BITS * rank for rank, fan in enumerate(ranked)}
        """A tally of one such fan; nothing for a fan this rulebook lacks."""
        effects = [
            (BITS * rank, _lines(fan), rulebook.points[fan], self._leaves(fan), self._lessens(fan))
            for rank, fan in enumerate(ranked)
        ]
        self.effects = (effects[0], *(effect for effect in effects for _ in range(BITS)))
        """By the length of a tally in bits, its dearest fan: where it stands, a line of a score for each number of
        times, its points, and what it bars.
        """
        self.flower = rulebook.points.get(Fan.FLOWER_TILES, 0)
        """Points of each flower."""
        self.irreversible = ~every(KIND[tile] for tile in rulebook.reversible)
        self.plain = self.irreversible & NOT_GREEN
        """Meets any tile that is neither reversible nor green; a hand seldom has none."""
        self.chows = Memo(self._chows, most=1 << 16)
        self.pungs = Memo(self._pungs, most=1 << 16)
        self.winds = Memo(self._winds, most=1 << 12)
        self.dragons = Memo(self._dragons, most=1 << 10)
        self._chow_relations = Memo[int, int](
            lambda code: self._highest(chow_claims(chows_of(code))), most=1 << 14
        )
        self._pung_relations = Memo[int, int](
            lambda code: self._highest(number_pung_claims(pungs_of(code))), most=1 << 14
        )
        self._terminal_pung = self.one[Fan.PUNG_OF_TERMINALS_OR_HONORS]
        self.whole = Memo(self._whole, most=1 << 12)
        self.circumstances = Memo(self._circumstances, most=1 << 12)
        self.waits = {fan: self.one[fan] for fan in (Fan.EDGE_WAIT, Fan.CLOSED_WAIT, Fan.SINGLE_WAIT)}
        self.concealed_pungs = tuple(self.tally(concealed_pung_fans(number)) for number in range(5))
        self.counted = Memo(self._counted, most=1 << 16)

    def tally(self, fans: Iterable[Fan]) -> int:
        one = self.one
        return sum([one[fan] for fan in fans])

    def _leaves(self, fan: Fan) -> int:
        """The mask of what may still count once this fan counts."""
        barred = {e.bars for e in self.rulebook.exclusions if e.fan is fan and not e.at_most}
        return ~sum(
            (1 << BITS) - 1 << BITS * self.ranked.index(f) for f in {fan, *barred} if f in self.ranked
        )

    def _lessens(self, fan: Fan) -> tuple[tuple[int, int], ...]:
        """What this fan bars only so many times, as a tally of one of it and how many."""
        limited = (
            e
            for e in self.rulebook.exclusions
            if e.fan is fan and e.at_most and e.bars in self.rulebook.points
        )
        return tuple((self.one[e.bars], e.at_most) for e in limited)

    def _tally_of(self, claims: Iterable[Claim]) -> int:
        one = self.one
        return sum([one[claim.fan] for claim in claims])

    def _highest(self, claims: Iterable[Claim]) -> int:
        return self._tally_of(highest_choice(claims, self.rulebook.points))

    def _chows(self, code: int) -> int:
        """The fans of chows, and of a pair of fives with four of them."""
        if code & INNER_CHOWS or not code & ANY_PAIR:
            return self._chow_relations[likeness(code & CHOWS)]
        return self._highest(chow_claims(chows_of(code), pair_of(code)))

    def _pungs(self, code: int) -> int:
        """The fans of pungs of suit tiles."""
        terminals = (code & TERMINAL_PUNGS).bit_count()
        return self._pung_relations[likeness(code)] + terminals * self._terminal_pung

    def _winds(self, key: tuple[int, str, str]) -> int:
        """The fans of pungs and a pair of winds; the key names the seat wind and the prevalent wind too."""
        code, seat, prevalent = key
        return self._tally_of(wind_claims(pungs_of(code), pair_of(code), KIND[seat], KIND[prevalent]))

    def _dragons(self, code: int) -> int:
        """The fans of pungs and a pair of dragons."""
        return self._tally_of(dragon_claims(pungs_of(code), pair_of(code)))

    def _circumstances(self, facts: Facts) -> int:
        counts, fours = facts[5:]
        return self.tally(circumstance_fans(Circumstances(*facts[:5], *meld_counts(counts), fours)))

    def _whole(self, traits: int) -> int:
        return self.tally(whole_hand_fans(traits))

    def _counted(self, tally: int) -> tuple[int, Counts]:
        """What remains of a tally when exclusions are applied from the dearest fan down, and its points."""
        effects, total, counts = self.effects, 0, []
        while tally:
            place, lines, points, leaves, lessens = effects[tally.bit_length()]
            count = tally >> place
            total += count * points
            counts.append(lines[count])
            tally &= leaves
            if lessens:
                for one, at_most in lessens:
                    tally -= min(tally // one & 7, at_most) * one
        return total, tuple(counts)


def _lines(fan: Fan) -> Counts:
    """A fan with each number of times it may count; all combinations of fans share them."""
    return tuple((fan, count) for count in range(1 << BITS))


def tallies_of(rulebook: Rulebook) -> Tallies:
    """The tallies of a rulebook, made once; only the rulebooks in use lately are kept."""
    tallies = _IN_USE.get(id(rulebook))
    if tallies is None or tallies.rulebook is not rulebook:
        if len(_IN_USE) >= MOST_RULEBOOKS:
            _IN_USE.clear()
        tallies = _IN_USE[id(rulebook)] = Tallies(rulebook)
    return tallies


MOST_RULEBOOKS: Final = 16
_IN_USE: Final[dict[int, Tallies]] = {}
"""By identity, which a look-up compares faster than rulebooks; the tallies keep their rulebook alive."""
