"""Hands against the clock as a line, drawn on the server."""

from __future__ import annotations

from dataclasses import dataclass

from tournament.play.selectors.pace import Pace

LEFT, RIGHT, TOP, BOTTOM = 4.0, 296.0, 8.0, 96.0


@dataclass(frozen=True)
class PacePlot:
    """Where things lie in a picture of 300 by 116. `line`: the points of the hands recorded."""

    pace: Pace
    line: str
    x: str
    y: str


def pace_plot(pace: Pace) -> PacePlot:
    """A step each minute in which hands were saved, up to now."""
    points, count = [(0, 0)], 0
    for minute in sorted(set(pace.recorded)):
        points.append((minute, count))
        count += pace.recorded.count(minute)
        points.append((minute, count))
    points.append((max(pace.now, points[-1][0]), count))
    drawn = [(_x(pace, minute), _y(pace, hands)) for minute, hands in points]
    return PacePlot(
        pace, " ".join(f"{x:.1f},{y:.1f}" for x, y in drawn), f"{drawn[-1][0]:.1f}", f"{drawn[-1][1]:.1f}"
    )


def _x(pace: Pace, minute: int) -> float:
    return LEFT + (RIGHT - LEFT) * minute / pace.minutes


def _y(pace: Pace, hands: int) -> float:
    return BOTTOM - (BOTTOM - TOP) * hands / pace.of
