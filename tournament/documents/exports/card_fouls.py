"""The foul book as an umpire's card has it: each foul with what it costs, in as few words as can be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final, TypeVar

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from penalties.engine import Foul, FoulBook, Origin, PaidTo, Sanction
from penalties.engine.rules import Cases, Choice, Fixed, Ladder, Late
from penalties.engine.sanctions import NO_SANCTION, SANCTION_FLAGS
from penalties.texts import (
    amounts_named,
    flag_text,
    foul_description,
    foul_name,
    foul_source,
    points_text,
    sanction_text,
)
from penalties.views import Cost, costs, counted
from scoring.texts import joined_clauses

T = TypeVar("T")

FALSE_HU: Final = "false_hu"
MOST_STEPS: Final = 8
"""Of a longer ladder the last one stands after a dash."""
ROOM_FOR_AMOUNTS: Final = 60


@dataclass(frozen=True)
class CardFoul:
    """A line of the card. `mark`: that it is this tournament's own; empty for the rulebook's."""

    name: str
    mark: str
    costs: str
    description: str
    counted: str
    source: str


@dataclass(frozen=True)
class FalseHu:
    """What a false hu moves: the case ("" for the only one), the offender's change, each other's."""

    case: str
    offender: int
    others: int


def card_fouls(book: FoulBook) -> list[CardFoul]:
    """Every foul but lateness, which the card has by the minute."""
    return [_line(foul) for foul in book.fouls if not isinstance(foul.rule, Late)]


def lateness(book: FoulBook) -> list[tuple[str, list[Cost], int]]:
    """(foul, [{"when", "what"}], minutes after which the others start) of each foul that is counted by the minute."""
    late = ((foul, foul.rule) for foul in book.fouls if isinstance(foul.rule, Late))
    return [(foul_name(foul), _bands(costs(foul)), rule.others_start_after) for foul, rule in late]


def false_hu(book: FoulBook) -> list[FalseHu]:
    """The payments of a false hu, case by case; none where the book takes no points for it."""
    foul = book.find(FALSE_HU)
    match foul.rule if foul else None:
        case Fixed(sanction=sanction):
            rows = [_paid("", sanction)]
        case Cases(cases=cases):
            rows = [_paid(case.names.in_language(get_language() or "en"), case.sanction) for case in cases]
        case _:
            rows = []
    return [row for row in rows if row is not None]


def _bands(every: list[Cost]) -> list[Cost]:
    return [cost or {"when": "…", "what": ""} for cost in _ends(every)]


def _paid(case: str, sanction: Sanction) -> FalseHu | None:
    points = sanction.points
    if points is None:
        return None
    return FalseHu(case, -points.total, points.amount if points.paid_to is PaidTo.EACH_OPPONENT else 0)


def _line(foul: Foul) -> CardFoul:
    marks = {Origin.CHANGED: _("changed here"), Origin.HOUSE: _("house foul")}
    return CardFoul(
        name=foul_name(foul),
        mark=marks.get(foul.origin, ""),
        costs=_costs(foul),
        description=foul_description(foul),
        counted=counted(foul.repeats),
        source="" if foul.origin is Origin.HOUSE else foul_source(foul),
    )


def _costs(foul: Foul) -> str:
    match foul.rule:
        case Ladder() as ladder:
            return _ladder(ladder)
        case Choice() as choice:
            return _("{amounts} points, as the umpire decides").format(
                amounts=_short(amounts_named(choice.amounts))
            )
        case _:
            return joined_clauses(_cost(cost) for cost in costs(foul))


def _short(amounts: str) -> str:
    """What does not go into a line says only where it ends."""
    return (
        amounts if len(amounts) <= ROOM_FOR_AMOUNTS else f"{amounts[:ROOM_FOR_AMOUNTS].rpartition(' ')[0]} …"
    )


def _cost(cost: Cost) -> str:
    return _(": ").join(part for part in (cost["when"], cost["what"]) if part)


def _ladder(ladder: Ladder) -> str:
    """ "warning → 5 → 10 points": what goes with every step is said once."""
    steps = " → ".join(map(_step, _ends(ladder.steps)))
    always = [flag_text(flag) for flag in _of_every(ladder.steps)]
    seen = ladder.if_seen
    if seen != NO_SANCTION:
        as_well = _("{sanction} as well").format(sanction=sanction_text(seen))
        always.append(_(": ").join((_("the tile was seen"), as_well)))
    return joined_clauses(chain([steps], always))


def _ends(steps: Sequence[T]) -> list[T | None]:
    """The steps; of many the first ones and the last, None between."""
    if len(steps) <= MOST_STEPS:
        return list(steps)
    return [*steps[: MOST_STEPS - 2], None, steps[-1]]


def _step(step: Sanction | None) -> str:
    if step is None:
        return "…"
    if step.points is None:
        return flag_text("warning") if step.warning else sanction_text(step)
    return str(step.points.amount) if step.points.paid_to is PaidTo.NOBODY else points_text(step.points)


def _of_every(steps: Sequence[Sanction]) -> list[str]:
    flags = (flag for flag in SANCTION_FLAGS if flag != "warning")
    return [flag for flag in flags if all(getattr(step, flag) for step in steps)]
