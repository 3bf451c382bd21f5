"""The wall from above, as it is drawn: 72 stacks round the floor, East at the bottom, and where it is broken."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tournament.base.engine.rotation import WINDS
from tournament.play.engine.wall import STACKS, Break, Stack

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
    """The wall opened at this break."""
    counted = _counted(broken)
    stacks = (Stack(side, number) for side in WINDS for number in range(1, STACKS + 1))
    drawn = tuple(Drawn(*_place(stack), _kind(stack, broken, counted)) for stack in stacks)
    return WallPicture(drawn, _beside(broken.last), _beside(broken.first.next))


def _counted(broken: Break) -> frozenset[Stack]:
    """The stacks that were counted, back from the last one and round the corner."""
    found, stack = {broken.last}, broken.last
    while len(found) < broken.counted:
        stack = _previous(stack)
        found.add(stack)
    return frozenset(found)


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
    """x, y, width, height: stacks are counted from each player's right-hand end."""
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
    """On the floor, at the stack's middle."""
    x, y, width, height = _place(stack)
    across, down = {"E": (0, -1), "S": (-1, 0), "W": (0, 1), "N": (1, 0)}[stack.side]
    away = DEEP / 2 + _INSIDE
    return Label(x + width / 2 + across * away, y + height / 2 + down * away, _TURNS[stack.side])
