"""A rulebook compiled for fast counting.

A *tally* is the fans of a hand in one number: three bits a fan hold how often it is claimed, the highest-scoring fan
in the highest bits. Tallies add. Excluding fans is masking, and the highest fan left is the highest bit. Families of
fans are worked out once for each combination of sets and cached.
"""

from collections.abc import Iterable
from typing import Final

from scoring.engine.claims import highest_choice
from scoring.engine.codes import (
    ANY_PAIR,
    CHOWS,
    INNER_CHOWS,
    TERMINAL_PUNGS,
    canonical,
    chows_of,
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
from scoring.engine.tiles import KIND, field_mask

BITS: Final = 3
"""Bits a fan in a tally: none counts more than seven times. Flower Tiles are counted separately."""
Facts = tuple[bool, bool, bool, bool, bool, int, int]
"""The five flags of `Circumstances`, the coded counts of melds and the kinds held four times."""
Counts = tuple[tuple[Fan, int], ...]
"""Fans and how often each counts, highest first."""
NO_FANS: Final[Counts] = ()


class CompiledRulebook:
    """Look-up tables of one rulebook."""

    def __init__(self, rulebook: Rulebook) -> None:
        self.rulebook = rulebook
        ranked = sorted(rulebook.points, key=lambda fan: (rulebook.points[fan], fan.number))
        self.ranked = tuple(ranked)
        self.weight = dict.fromkeys(FANS, 0) | {fan: 1 << BITS * rank for rank, fan in enumerate(ranked)}
        """The tally of a single fan; 0 for a fan this rulebook lacks."""
        effects = [
            (
                BITS * rank,
                _lines(fan),
                rulebook.points[fan],
                self._remaining_mask(fan),
                self._partial_exclusions(fan),
            )
            for rank, fan in enumerate(ranked)
        ]
        self.effects = (effects[0], *(effect for effect in effects for _ in range(BITS)))
        """By the bit length of a tally, for its highest fan: its position, a score line for each number of times, its
        points, the mask of fans that may remain, and its partial exclusions.
        """
        self.flower = rulebook.points.get(Fan.FLOWER_TILES, 0)
        """Points of each flower."""
        self.irreversible = ~field_mask(KIND[tile] for tile in rulebook.reversible)
        self.plain = self.irreversible & NOT_GREEN
        """Meets any tile that is neither reversible nor green. Most hands have one, which saves two checks."""
        self.chows = Memo(self._chows, maximum=1 << 16)
        self.pungs = Memo(self._pungs, maximum=1 << 16)
        self.winds = Memo(self._winds, maximum=1 << 12)
        self.dragons = Memo(self._dragons, maximum=1 << 10)
        self._chow_relations = Memo[int, int](
            lambda code: self._highest(chow_claims(chows_of(code))), maximum=1 << 14
        )
        self._pung_relations = Memo[int, int](
            lambda code: self._highest(number_pung_claims(pungs_of(code))), maximum=1 << 14
        )
        self._terminal_pung = self.weight[Fan.PUNG_OF_TERMINALS_OR_HONORS]
        self.by_traits = Memo(self._by_traits, maximum=1 << 12)
        self.circumstances = Memo(self._circumstances, maximum=1 << 12)
        self.waits = {fan: self.weight[fan] for fan in (Fan.EDGE_WAIT, Fan.CLOSED_WAIT, Fan.SINGLE_WAIT)}
        self.concealed_pungs = tuple(self.tally(concealed_pung_fans(number)) for number in range(5))
        self.scored = Memo(self._score, maximum=1 << 16)

    def tally(self, fans: Iterable[Fan]) -> int:
        weight = self.weight
        return sum([weight[fan] for fan in fans])

    def _remaining_mask(self, fan: Fan) -> int:
        """Return the mask of the fans that may still count once this fan counts."""
        barred = {e.bars for e in self.rulebook.exclusions if e.fan is fan and not e.at_most}
        return ~sum(
            (1 << BITS) - 1 << BITS * self.ranked.index(f) for f in {fan, *barred} if f in self.ranked
        )

    def _partial_exclusions(self, fan: Fan) -> tuple[tuple[int, int], ...]:
        """Return what this fan excludes only a number of times: (the weight of the excluded fan, that number)."""
        limited = (
            e
            for e in self.rulebook.exclusions
            if e.fan is fan and e.at_most and e.bars in self.rulebook.points
        )
        return tuple((self.weight[e.bars], e.at_most) for e in limited)

    def _claims_tally(self, claims: Iterable[Claim]) -> int:
        weight = self.weight
        return sum([weight[claim.fan] for claim in claims])

    def _highest(self, claims: Iterable[Claim]) -> int:
        return self._claims_tally(highest_choice(claims, self.rulebook.points))

    def _chows(self, code: int) -> int:
        """Return the tally of chows, and of a pair of fives with four of them."""
        if code & INNER_CHOWS or not code & ANY_PAIR:
            return self._chow_relations[canonical(code & CHOWS)]
        return self._highest(chow_claims(chows_of(code), pair_of(code)))

    def _pungs(self, code: int) -> int:
        """Return the tally of pungs of suit tiles."""
        terminals = (code & TERMINAL_PUNGS).bit_count()
        return self._pung_relations[canonical(code)] + terminals * self._terminal_pung

    def _winds(self, key: tuple[int, str, str]) -> int:
        """Return the tally of pungs and a pair of winds. `key`: code, seat wind, prevalent wind."""
        code, seat, prevalent = key
        return self._claims_tally(wind_claims(pungs_of(code), pair_of(code), KIND[seat], KIND[prevalent]))

    def _dragons(self, code: int) -> int:
        """Return the tally of pungs and a pair of dragons."""
        return self._claims_tally(dragon_claims(pungs_of(code), pair_of(code)))

    def _circumstances(self, facts: Facts) -> int:
        counts, fours = facts[5:]
        return self.tally(circumstance_fans(Circumstances(*facts[:5], *meld_counts(counts), fours)))

    def _by_traits(self, traits: int) -> int:
        return self.tally(whole_hand_fans(traits))

    def _score(self, tally: int) -> tuple[int, Counts]:
        """Apply exclusions from the highest-scoring fan down. Return points and counted fans."""
        effects, total, counts = self.effects, 0, []
        while tally:
            place, lines, points, remaining, partial = effects[tally.bit_length()]
            count = tally >> place
            total += count * points
            counts.append(lines[count])
            tally &= remaining
            if partial:
                for barred, at_most in partial:
                    tally -= min(tally // barred & 7, at_most) * barred
        return total, tuple(counts)


def _lines(fan: Fan) -> Counts:
    """Return a fan with each number of times it may count, shared by all scores."""
    return tuple((fan, count) for count in range(1 << BITS))


def compile_rulebook(rulebook: Rulebook) -> CompiledRulebook:
    """Return the compiled rulebook, cached for the `MAX_RULEBOOKS` rulebooks used last."""
    compiled = _compiled.get(id(rulebook))
    if compiled is None or compiled.rulebook is not rulebook:
        if len(_compiled) >= MAX_RULEBOOKS:
            _compiled.clear()
        compiled = _compiled[id(rulebook)] = CompiledRulebook(rulebook)
    return compiled


MAX_RULEBOOKS: Final = 16
_compiled: Final[dict[int, CompiledRulebook]] = {}
"""By the rulebook's identity, which is faster to compare. The compiled rulebook keeps its rulebook alive."""
