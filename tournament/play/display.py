"""What tags and papers draw alike: fans in a sentence, the pace of a session as a line, the wall from above."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from scoring.book.terms import fan_link
from scoring.engine import Fan, find_fan
from scoring.texts import fan_name, joined
from tournament.base.engine.rules import WINDS
from tournament.play.engine.wall import STACKS, Break, Stack
from tournament.play.selectors.organiser import Pace

COMPONENT = "components/fan.html"
Fact = Mapping[str, Any]


def fans_counted(lines: Iterable[Fact]) -> SafeString:
    """Name fans by their keys, each with all it is worth: "Quadruple Chow 48, Half Flush 6"."""
    return _joined((find_fan(line["key"]), {"worth": line["points"] * line["count"]}) for line in lines)


def fans_made(times: Iterable[tuple[str, int]]) -> SafeString:
    """Name fans by their keys, each with how often it was made: "All Chows ×3, Half Flush"."""
    return _joined((find_fan(key), {"times": n}) for key, n in times)


def fans_named(fans: Iterable[Fan]) -> SafeString:
    """Name fans: "All Chows, Half Flush"."""
    return _joined((fan, {}) for fan in fans)


def _joined(fans: Iterable[tuple[Fan, dict[str, Any]]]) -> SafeString:
    """Join fans in a sentence, each a link to its own page."""
    return SafeString(joined(_inline(fan, extra) for fan, extra in fans))


def _inline(fan: Fan, extra: dict[str, Any]) -> str:
    context = {"name": fan_name(fan), "url": fan_link(fan), "inline": True} | extra
    # Nothing may stand between a name and the comma after it.
    return render_to_string(COMPONENT, context).strip()


LEFT, RIGHT, TOP, BOTTOM = 4.0, 296.0, 8.0, 96.0


@dataclass(frozen=True)
class PacePlot:
    """Where things lie in a picture of 300 by 116. `line`: the points of the hands recorded."""

    pace: Pace
    line: str
    x: str
    y: str


def pace_plot(pace: Pace) -> PacePlot:
    """Draw the hands recorded against the clock: a step each minute in which hands were saved, up to now."""
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


SIZE: Final = 360
"""Width and height of the picture."""
LONG: Final = 14
"""Of a stack, along the wall."""
DEEP: Final = 22
_NEAR: Final = 30
_START: Final = (SIZE - STACKS * LONG) // 2
_FAR: Final = SIZE - _NEAR - DEEP
_INSIDE: Final = 20
"""From the wall to a number that stands on the floor beside it."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """A stack as a rectangle; `kind`: counted, last, first, or nothing."""

    x: int
    y: int
    width: int
    height: int
    kind: str


@dataclass(frozen=True, slots=True)
class Label:
    """A word or number on the picture; `turn`: degrees clockwise for a sign that points along the wall."""

    x: float
    y: float
    turn: int = 0


@dataclass(frozen=True, slots=True)
class WallPicture:
    stacks: tuple[Drawn, ...]
    number: Label
    """Beside the last stack counted."""
    arrow: Label
    """Beyond the first stack dealt, in the direction in which the wall is taken."""


def wall_picture(broken: Break) -> WallPicture:
    """Draw the wall opened at this break: 72 stacks round the floor, East at the bottom."""
    counted = _counted(broken)
    stacks = (Stack(side, number) for side in WINDS for number in range(1, STACKS + 1))
    drawn = tuple(Drawn(*_place(stack), _kind(stack, broken, counted)) for stack in stacks)
    return WallPicture(drawn, _beside(broken.last), _beside(broken.first.next))


def _counted(broken: Break) -> frozenset[Stack]:
    """Find the stacks that were counted, back from the last one and round the corner."""
    counted, stack = {broken.last}, broken.last
    while len(counted) < broken.counted:
        stack = _previous(stack)
        counted.add(stack)
    return frozenset(counted)


def _previous(stack: Stack) -> Stack:
    if stack.number > 1:
        return Stack(stack.side, stack.number - 1)
    return Stack(WINDS[(WINDS.index(stack.side) + 1) % len(WINDS)], STACKS)


def _kind(stack: Stack, broken: Break, counted: frozenset[Stack]) -> str:
    if stack == broken.last:
        return "last"
    if stack == broken.first:
        return "first"
    return "counted" if stack in counted else ""


def _place(stack: Stack) -> tuple[int, int, int, int]:
    """Return x, y, width and height: stacks are counted from each player's right-hand end."""
    before, upto = _START + LONG * (stack.number - 1), SIZE - _START - LONG * stack.number
    match stack.side:
        case "E":
            return upto, _FAR, LONG, DEEP
        case "S":
            return _FAR, before, DEEP, LONG
        case "W":
            return before, _NEAR, LONG, DEEP
        case _:
            return _NEAR, upto, DEEP, LONG


_TURNS: Final = {"E": 180, "N": 270, "W": 0, "S": 90}
"""The wall is taken clockwise: to the left at the bottom, upwards on the left."""


def _beside(stack: Stack) -> Label:
    """Place a label on the floor, at the stack's middle."""
    x, y, width, height = _place(stack)
    across, down = {"E": (0, -1), "S": (-1, 0), "W": (0, 1), "N": (1, 0)}[stack.side]
    away = DEEP / 2 + _INSIDE
    return Label(x + width / 2 + across * away, y + height / 2 + down * away, _TURNS[stack.side])
