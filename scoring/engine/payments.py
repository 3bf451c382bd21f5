"""Who pays what for a hand (MCR, "How to calculate the points after a hand is finished")."""

from scoring.engine.rulebooks import MCR, Rulebook

SEATS = range(4)


def payments(
    points: int, winner: int, discarder: int | None, rulebook: Rulebook = MCR
) -> tuple[int, int, int, int]:
    """What each of seats 0…3 gains (or, negative, pays) for one hand; the four sum to zero.

    ``points`` is the winner's fan total with flowers. ``discarder`` is the seat that discarded the winning
    tile or had its kong robbed, None when the winner drew it. Self-drawn, every loser pays points + extra; by
    discard, the discarder pays points + extra and the other two pay the extra only.

    >>> payments(12, winner=0, discarder=2)
    (36, -8, -20, -8)
    >>> payments(12, winner=3, discarder=None)
    (-20, -20, -20, 60)
    """
    if points < 0:
        raise ValueError(f"points must not be negative, not {points}")
    if winner not in SEATS or discarder not in (None, *SEATS) or winner == discarder:
        raise ValueError(f"winner {winner} and discarder {discarder} must be two different seats of 0…3")
    changes = [
        0 if seat == winner else -rulebook.extra - (points if discarder in (None, seat) else 0)
        for seat in SEATS
    ]
    changes[winner] = -sum(changes)
    east, south, west, north = changes
    return east, south, west, north
