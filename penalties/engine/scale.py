"""The sanctions that most fouls share, and the scale that repeats climb (seed 000, "Rules Violation")."""

from __future__ import annotations

from typing import Final

from penalties.engine.sanctions import PaidTo, Points, PointScope, Sanction


def points(amount: int, paid_to: PaidTo = PaidTo.NOBODY) -> Points:
    """Points off the session, or off the hand when other players at the table receive them."""
    scope = PointScope.SESSION if paid_to is PaidTo.NOBODY else PointScope.HAND
    return Points(amount, scope, paid_to)


def fine(amount: int, paid_to: PaidTo = PaidTo.NOBODY) -> Sanction:
    """A loss of points and nothing else."""
    return Sanction(points=points(amount, paid_to))


WARNING: Final = Sanction(warning=True)
DEAD_HAND: Final = Sanction(dead_hand=True)
SCALE: Final = (5, 10, 20, 30, 40, 50, 60)
STEPS: Final = (WARNING, *(fine(amount) for amount in SCALE))
"""Warning, 5, 10, 20 "and so on": along the scale of a rules violation."""
