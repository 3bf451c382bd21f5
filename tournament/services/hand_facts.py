"""What the log and the live stream say of a hand."""

from __future__ import annotations

from tournament.models import Hand


def about(hand: Hand) -> dict[str, object]:
    """The facts of it, for the log entry of its write."""
    return {
        "hand": hand.number,
        "hand_version": hand.version,
        "uuid": str(hand.uuid),
        "outcome": hand.outcome,
        "winner": hand.winner.number if hand.winner else None,
        "discarder": hand.discarder.number if hand.discarder else None,
        "points": hand.points,
    } | _unusual(hand)


def _unusual(hand: Hand) -> dict[str, object]:
    """Whose seats were empty, and what the umpire decided about it, where there was something to decide."""
    said: dict[str, object] = {"absent": hand.absent} if hand.absent else {}
    if not hand.overridden_because:
        return said
    return said | {"overridden_because": hand.overridden_because, "points_by_tiles": hand.points_by_tiles}
