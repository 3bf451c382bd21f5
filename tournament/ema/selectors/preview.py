"""What an event would bring to each player in the European ranking."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tournament.ema.engine.mers import Change, Result, change, first_counted
from tournament.ema.selectors.results import EmaLine, EmaResults


@dataclass(frozen=True)
class PreviewLine:
    """A player with a base and an EMA number, and the change of the score."""

    line: EmaLine
    change: Change


@dataclass(frozen=True)
class Preview:
    """`on`: the Monday from which the event counts, for which both scores are computed."""

    on: int
    lines: tuple[PreviewLine, ...]
    without_number: int
    """Players with a base, but without an EMA number."""


def preview_of(results: EmaResults, history: Mapping[str, Sequence[Result]]) -> Preview:
    """Add each player's base in this event to their earlier results. `history`: EMA number → results."""
    ended = results.tournament.ends_on.toordinal()
    on, weight = first_counted(ended), results.participation.weight.total
    lines = [
        PreviewLine(
            line,
            change(history.get(line.player.ema_number, ()), Result(line.base, weight, ended), on),
        )
        for line in results.lines
        if line.base is not None and line.is_member
    ]
    placed = sum(line.base is not None for line in results.lines)
    return Preview(on, tuple(lines), placed - len(lines))
