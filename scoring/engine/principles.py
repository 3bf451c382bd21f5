"""The five principles for counting the basic points (MCR, "Principles for counting the basic points")."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from scoring.engine.detectors import Claim
from scoring.engine.fans import Fan

Choice = tuple[Claim, ...]
Groups = tuple[int, ...]
"""Sets that fans already tie together, a bit mask a group; a set on its own is in none."""


def account_once(groups: Groups, sets: int) -> Groups | None:
    """Principle 5: a fan may tie sets together only where no two of them are tied already.

    Returns the groups after counting a fan of these sets, None when it may not be counted. So a fan of four
    sets stands alone, a fan of three leaves one tie to the fourth, and fans of two sets never close a circle.
    """
    joined, apart = sets, []
    for group in groups:
        shared = group & sets
        if shared.bit_count() > 1:
            return None
        if shared:
            joined |= group
        else:
            apart.append(group)
    return (*apart, joined)


def non_identical(chosen: Iterable[Claim], claim: Claim) -> bool:
    """Principle 3: a set counted in a fan may not make the same fan again with other sets."""
    return not any(other.fan is claim.fan and other.sets & claim.sets for other in chosen)


def highest_choice(claims: Iterable[Claim], points: Mapping[Fan, int]) -> Choice:
    """Principle 4: of all the choices that principles 3 and 5 allow, the one worth most, dearest fans first.

    Of choices worth the same, the one whose fans stand first in the rule book.
    """
    ranked = [claim for claim in claims if claim.fan in points]
    if len(ranked) < 2:
        return tuple(ranked)
    ranked.sort(key=lambda claim: (-points[claim.fan], claim.fan.number))

    def rank(choice: Choice) -> tuple[int, list[int]]:
        return sum(points[claim.fan] for claim in choice), [-claim.fan.number for claim in choice]

    return max(_legal_choices(ranked, (), ()), key=rank)


def _legal_choices(claims: Sequence[Claim], chosen: Choice, groups: Groups) -> Iterator[Choice]:
    """Every way to go on choosing until nothing more is allowed, dearest fans first."""
    complete = True
    for place, claim in enumerate(claims):
        joined = account_once(groups, claim.sets)
        if joined is not None and non_identical(chosen, claim):
            complete = False
            yield from _legal_choices(claims[place + 1 :], (*chosen, claim), joined)
    if complete:
        yield chosen


NON_REPEAT: Final = "non_repeat"
NON_SEPARATION: Final = "non_separation"
NON_IDENTICAL: Final = "non_identical"
HIGHEST: Final = "highest"
ACCOUNT_ONCE: Final = "account_once"
