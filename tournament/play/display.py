"""Drawings for tags and documents: fans in a sentence, the pace of a session, the wall from above."""

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
    """Return "Quadruple Chow 48, Half Flush 6" with links. `lines`: those of a score's JSON."""
    return _join_linked((find_fan(line["key"]), {"worth": line["points"] * line["count"]}) for line in lines)


def fans_named(fans: Iterable[Fan]) -> SafeString:
    """Return "All Chows, Half Flush" with links."""
    return _join_linked((fan, {}) for fan in fans)


def _join_linked(fans: Iterable[tuple[Fan, dict[str, Any]]]) -> SafeString:
    return SafeString(joined(_inline_fan(fan, extra) for fan, extra in fans))


def _inline_fan(fan: Fan, extra: dict[str, Any]) -> str:
    context = {"name": fan_name(fan), "url": fan_link(fan), "inline": True} | extra
    # No white space may come between a name and the comma after it.
    return render_to_string(COMPONENT, context).strip()


LEFT, RIGHT, TOP, BOTTOM = 4.0, 296.0, 8.0, 96.0


@dataclass(frozen=True)
class PacePlot:
    """Coordinates in a picture of 300 by 116. `line`: points of the polyline; `x`, `y`: its end."""

    pace: Pace
    line: str
    x: str
    y: str


def pace_plot(pace: Pace) -> PacePlot:
    """Plot hands recorded over minutes, as a step function up to now."""
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


PICTURE_SIZE: Final = 360
STACK_LENGTH: Final = 14
"""Along the wall."""
STACK_DEPTH: Final = 22
_NEAR_EDGE: Final = 30
_WALL_START: Final = (PICTURE_SIZE - STACKS * STACK_LENGTH) // 2
_FAR_EDGE: Final = PICTURE_SIZE - _NEAR_EDGE - STACK_DEPTH
_LABEL_DISTANCE: Final = 20
"""From the wall to a label beside it."""


@dataclass(frozen=True, slots=True)
class DrawnStack:
    """A stack as a rectangle; `kind`: "counted", "last", "first" or ""."""

    x: int
    y: int
    width: int
    height: int
    kind: str


@dataclass(frozen=True, slots=True)
class Label:
    """Position of a label; `turn`: degrees clockwise."""

    x: float
    y: float
    turn: int = 0


@dataclass(frozen=True, slots=True)
class WallPicture:
    stacks: tuple[DrawnStack, ...]
    number: Label
    """Beside the last stack counted."""
    arrow: Label
    """After the first stack dealt, pointing in the direction of the deal."""


def wall_picture(wall_break: Break) -> WallPicture:
    """Lay out the 72 stacks of a wall with this break, East at the bottom."""
    counted = _counted(wall_break)
    stacks = (Stack(side, number) for side in WINDS for number in range(1, STACKS + 1))
    drawn = tuple(DrawnStack(*_place(stack), _kind(stack, wall_break, counted)) for stack in stacks)
    return WallPicture(drawn, _beside(wall_break.last), _beside(wall_break.first.next))


def _counted(wall_break: Break) -> frozenset[Stack]:
    """Return the stacks counted: the last one and those before it."""
    counted, stack = {wall_break.last}, wall_break.last
    while len(counted) < wall_break.counted:
        stack = _previous(stack)
        counted.add(stack)
    return frozenset(counted)


def _previous(stack: Stack) -> Stack:
    if stack.number > 1:
        return Stack(stack.side, stack.number - 1)
    return Stack(WINDS[(WINDS.index(stack.side) + 1) % len(WINDS)], STACKS)


def _kind(stack: Stack, wall_break: Break, counted: frozenset[Stack]) -> str:
    if stack == wall_break.last:
        return "last"
    if stack == wall_break.first:
        return "first"
    return "counted" if stack in counted else ""


def _place(stack: Stack) -> tuple[int, int, int, int]:
    """Return x, y, width and height: stacks are counted from each player's right-hand end."""
    forwards = _WALL_START + STACK_LENGTH * (stack.number - 1)
    backwards = PICTURE_SIZE - _WALL_START - STACK_LENGTH * stack.number
    match stack.side:
        case "E":
            return backwards, _FAR_EDGE, STACK_LENGTH, STACK_DEPTH
        case "S":
            return _FAR_EDGE, forwards, STACK_DEPTH, STACK_LENGTH
        case "W":
            return forwards, _NEAR_EDGE, STACK_LENGTH, STACK_DEPTH
        case _:
            return _NEAR_EDGE, backwards, STACK_DEPTH, STACK_LENGTH


_TURNS: Final = {"E": 180, "N": 270, "W": 0, "S": 90}
"""Tiles are taken clockwise: to the left at the bottom, upwards on the left."""


def _beside(stack: Stack) -> Label:
    """Place a label inside the wall, at the middle of a stack."""
    x, y, width, height = _place(stack)
    across, down = {"E": (0, -1), "S": (-1, 0), "W": (0, 1), "N": (1, 0)}[stack.side]
    away = STACK_DEPTH / 2 + _LABEL_DISTANCE
    return Label(x + width / 2 + across * away, y + height / 2 + down * away, _TURNS[stack.side])
