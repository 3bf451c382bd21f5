"""How a foul leads to a sanction: a few kinds of rule, each plain data with a JSON form.

A rule says which facts it needs, what is wrong with the facts it was given, and what it proposes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from penalties.engine.facts import Need, RepeatScope
from penalties.engine.rules.amounts import (
    Amounts,
    amounts,
    amounts_from_json,
    amounts_text,
    amounts_to_json,
)
from penalties.engine.rules.base import Outcome, Rule
from penalties.engine.rules.cases import Case, Cases
from penalties.engine.rules.late import Late, Step, minutes_late
from penalties.engine.rules.simple import Choice, Fixed, Ladder
from penalties.engine.sanctions import PaidTo, PointScope, Sanction
from scoring.engine.names import Names

__all__ = [
    "Amounts",
    "Case",
    "Cases",
    "Choice",
    "Fixed",
    "Ladder",
    "Late",
    "Outcome",
    "Rule",
    "Step",
    "amounts",
    "amounts_text",
    "amounts_to_json",
    "minutes_late",
    "rule_from_json",
]


def rule_from_json(data: Mapping[str, Any]) -> Rule:
    """The rule written by its ``to_json``; KeyError or ValueError for anything else."""
    match data["kind"]:
        case Fixed.kind:
            return Fixed(Sanction.from_json(data["sanction"]))
        case Ladder.kind:
            return _ladder(data)
        case Late.kind:
            return _late(data)
        case Choice.kind:
            return Choice(
                amounts_from_json(data["amounts"]), PointScope(data["scope"]), PaidTo(data["paid_to"])
            )
        case Cases.kind:
            return _cases(data)
        case kind:
            raise ValueError(f"no kind of rule: {kind!r}")


def _ladder(data: Mapping[str, Any]) -> Ladder:
    steps = tuple(Sanction.from_json(step) for step in data["steps"])
    return Ladder(steps, RepeatScope(data["repeats"]), Sanction.from_json(data["if_seen"]))


def _late(data: Mapping[str, Any]) -> Late:
    return Late(
        bands=tuple((int(limit), Sanction.from_json(sanction)) for limit, sanction in data["bands"]),
        further_minutes=int(data["further_minutes"]),
        further_points=int(data["further_points"]),
        beyond=Sanction.from_json(data["beyond"]) if data["beyond"] else None,
        others_start_after=int(data["others_start_after"]),
    )


def _cases(data: Mapping[str, Any]) -> Cases:
    cases = (
        Case(case["key"], Names.from_json(case["names"]), Sanction.from_json(case["sanction"]))
        for case in data["cases"]
    )
    return Cases(tuple(cases), Need(data["fact"]))
