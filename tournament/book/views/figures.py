"""What stands beside a step of the rules: worked out by the engines, drawn by `templates/book/drawings/`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeVar

from django.http import QueryDict

from penalties.engine import find_foul_book
from penalties.views import costs, entries
from scoring.engine import find_fan, payments
from scoring.texts import fan_name
from tournament.base.engine.rotation import APPENDIX_2, WINDS
from tournament.base.engine.table_points import STANDARD_SCALE, table_points
from tournament.book.forms.rules import OwnSeatForm, ThrowsForm
from tournament.play.display.wall_picture import wall_picture
from tournament.play.engine.deal import JUMPED, STACKED, STEPS, Taken
from tournament.play.engine.wall import Break, break_by_both, break_by_second, broken_side
from tournament.seating.engine.own_seat import own_hands

Figure = dict[str, Any]
T = TypeVar("T")

WORTH: Final = (8, 12, 24, 88)
"""Hands whose payments are shown; 12 is the Guide's example of 10 points and 2 flowers (003:1049-1053)."""
SCORES: Final = (
    (60, 20, -10, -70),
    (40, 40, -30, -50),
    (40, 0, 0, -40),
    (30, 10, -20, -20),
    (20, 20, 20, -60),
)
"""Of a table: all four apart, then level in first, second and third place, and three level."""
SHAPES: Final[Mapping[str, tuple[str, ...]]] = {
    "": ("123m", "456p", "777s", "EEE", "99p"),
    "seven_pairs": ("11m", "44m", "22p", "77p", "9999s", "CC"),
    "thirteen_orphans": ("19m", "19p", "19s", "ESWN", "CFPP"),
    "lesser_honors_and_knitted_tiles": ("147m", "258p", "69s", "ESWN", "CF"),
    "greater_honors_and_knitted_tiles": ("147m", "25p", "69s", "ESWN", "CFP"),
    "knitted_straight": ("147m", "258p", "369s", "789m", "EE"),
}
"""A hand of four sets and a pair, and those that are built otherwise, by fan."""


def figure(name: str, asked: QueryDict) -> Figure:
    """What the drawing of this name needs; most need nothing."""
    return FIGURES[name](asked)


def _wall_break(asked: QueryDict) -> Figure:
    form = ThrowsForm(asked)
    first, second = form.throws
    both, alone = break_by_both(first, second), break_by_second(first, second)
    return {
        "form": form,
        "first": first,
        "second": second,
        "side": broken_side(first),
        "readings": [_reading("both", both), _reading("second", alone)],
        "winds": SIDES,
    }


SIDES: Final = (("E", 180, 352), ("S", 347, 186), ("W", 180, 20), ("N", 13, 186))
"""Where the winds are written round the wall."""


def _reading(key: str, broken: Break) -> Figure:
    return {"key": key, "break": broken, "picture": wall_picture(broken)}


def _deal_steps(_asked: QueryDict) -> Figure:
    return {"rounds": _by_four(STEPS)}


def _by_four(items: Sequence[T]) -> list[Sequence[T]]:
    """Once round the table each."""
    return [items[at : at + len(WINDS)] for at in range(0, len(items), len(WINDS))]


def _deal_last(_asked: QueryDict) -> Figure:
    return {"ways": [("stacked", _strip(STACKED)), ("jumped", _strip(JUMPED))]}


def _strip(taken: tuple[Taken, ...]) -> list[Figure]:
    """Three stacks from the side, the next one to be taken at the right; what is taken at the deal has its wind."""
    winds = {(one.stack, one.level): one.wind for one in taken}
    return [
        {"x": 110 - 50 * stack, "y": 10 + 40 * level, "wind": winds.get((stack, level), "")}
        for stack in range(3)
        for level in range(2)
    ]


def _payments(_asked: QueryDict) -> Figure:
    return {"rows": [(points, payments(points, 0, None), payments(points, 0, 1)) for points in WORTH]}


def _own_seat(asked: QueryDict) -> Figure:
    form = OwnSeatForm(asked)
    return {
        "form": form,
        "start": form.wind,
        "chart": form.rotation,
        "rounds": _by_four(own_hands(form.wind, form.rotation)),
    }


def _rotation_chart(_asked: QueryDict) -> Figure:
    return {"winds": WINDS, "rounds": list(zip(WINDS, APPENDIX_2.rounds, strict=True))}


def _late(_asked: QueryDict) -> Figure:
    foul = find_foul_book("mcr").find("late")
    return {"costs": costs(foul) if foul else []}


def _fouls(_asked: QueryDict) -> Figure:
    return {"fouls": entries(find_foul_book("mcr"))}


def _table_points(_asked: QueryDict) -> Figure:
    rows = [list(zip(scores, table_points(scores), strict=True)) for scores in SCORES]
    return {"rows": rows, "scale": STANDARD_SCALE}


def _forms(_asked: QueryDict) -> Figure:
    return {
        "shapes": [(fan_name(find_fan(key)) if key else "", _tiles(groups)) for key, groups in SHAPES.items()]
    }


def _tiles(groups: tuple[str, ...]) -> list[list[str]]:
    """ "123m" → 1m, 2m, 3m; honours are their own letters."""
    return [
        [one + group[-1] for one in group[:-1]] if group[0].isdigit() else list(group) for group in groups
    ]


def _nothing(_asked: QueryDict) -> Figure:
    return {}


FIGURES: Final[Mapping[str, Callable[[QueryDict], Figure]]] = {
    "table": _nothing,
    "wall_break": _wall_break,
    "deal_steps": _deal_steps,
    "deal_last": _deal_last,
    "claimed_set": _nothing,
    "priority": _nothing,
    "kongs": _nothing,
    "forms": _forms,
    "payments": _payments,
    "rotation_chart": _rotation_chart,
    "own_seat": _own_seat,
    "late": _late,
    "fouls": _fouls,
    "table_points": _table_points,
}
"""The name in the data → what its template needs."""
