"""What the row of a hand says, and the log entry and the live stream of its write."""

from __future__ import annotations

from tournament.engine.entry import HandEntry
from tournament.engine.judge import Verdict
from tournament.models import Hand, Player


def write_win(hand: Hand, entry: HandEntry, people: dict[int, Player]) -> None:
    """Who won from whom, and what was announced."""
    assert entry.winner is not None
    hand.winner = people[entry.winner]
    hand.discarder = None if entry.discarder is None else people[entry.discarder]
    hand.claimants = list(entry.claimants)
    given = {"points": entry.points, "fans": dict(entry.fans) if entry.fans else None}
    hand.announced = {name: value for name, value in given.items() if value is not None} or None
    hand.overridden_because = entry.override.strip()


def write_score(hand: Hand, verdict: Verdict, rulebook: str) -> None:
    """What it counts for: by its tiles or by the fans named, computed by the rulebook; or as many points as said."""
    hand.tiles = verdict.tiles
    hand.points = verdict.points
    hand.points_without_flowers = verdict.points_without_flowers
    hand.fans = [{"key": fan.key, "points": worth, "count": times} for fan, times, worth in verdict.fans]
    hand.scored_by = rulebook if hand.fans else ""
    if not verdict.overridden:
        hand.overridden_because = ""
    elif verdict.score is not None:
        hand.points_by_tiles = verdict.score.counted_points


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
