"""Whether some hand counts some fans: it is found, or proved absent.

Hands are many, but what they claim is not. `atlas` sorts all sets and pairs by the fans they make together, `ways` all
ways to hold and win them; a search over both (`search`) is complete. What it finds is laid out in tiles (`layout`) and
scored: the answer is a hand that the engine itself counts so. Nothing here knows a rule; all is asked of `Tallies`.
"""

from collections.abc import Mapping

from scoring.engine.fans import Fan
from scoring.engine.hand import Hand
from scoring.engine.rulebooks import Rulebook


class Undecided(Exception):
    """Raised when the effort allowed was not enough to find a hand, or to prove that there is none."""


def find_exactly(
    fans: Mapping[Fan, int], rulebook: Rulebook, *, self_drawn: bool, effort: int | None = None
) -> Hand | None:
    """A hand that, won like this, counts these fans (times each) and no others but Flower Tiles.

    ``effort``: how much may be looked at before it is `Undecided`; without it the answer is sure.
    """
    return _found(fans, rulebook, self_drawn, True, effort)


def find_within(
    fans: Mapping[Fan, int], rulebook: Rulebook, *, self_drawn: bool, effort: int | None = None
) -> Hand | None:
    """A hand that, won like this, counts these fans (at least so often), and maybe others."""
    return _found(fans, rulebook, self_drawn, False, effort)


def _found(
    fans: Mapping[Fan, int], rulebook: Rulebook, self_drawn: bool, exactly: bool, effort: int | None
) -> Hand | None:
    # Only who asks waits for it: it takes a fifth of the time in which the rest of the engine is imported.
    from scoring.engine.witness.search import find

    found = find(frozenset(fans.items()), rulebook, self_drawn, exactly, effort)
    if isinstance(found, Undecided):
        raise Undecided
    return found
