"""A rule that somebody wrote for a foul book of their own: read only when penalties can be given by it."""

from __future__ import annotations

from typing import Any, Final

from penalties.engine.rules import Cases, Choice, Fixed, Ladder, Late, Rule, rule_from_json
from penalties.engine.sanctions import MOST_POINTS, UNREADABLE, PaidTo, Sanction

HOUSE_KINDS: Final = (Fixed.kind, Ladder.kind, Choice.kind)
"""What a foul of no rulebook can cost by; lateness and circumstances are known to rulebooks alone."""
MOST_STEPS, MOST_MINUTES = 50, 999


def rule_written(data: Any, instead_of: Rule | None = None) -> Rule:
    """The rule in the form its ``to_json`` gives; ValueError says why it is none.

    ``instead_of``: the rule it replaces, whose kind it has to have; None for a house foul.
    """
    try:
        rule = rule_from_json(data)
    except UNREADABLE:
        raise ValueError("not a rule of a foul book") from None
    _check_kind(rule, instead_of)
    _check_limits(rule)
    if rule.to_json() != data:
        raise ValueError("not a rule in the form in which the foul book gives one")
    return rule


def _check_kind(rule: Rule, instead_of: Rule | None) -> None:
    kinds = HOUSE_KINDS if instead_of is None else (instead_of.kind,)
    if rule.kind not in kinds:
        raise ValueError(f"the kind has to be one of {kinds}")
    if isinstance(rule, Cases) and isinstance(instead_of, Cases):
        named, before = ([(case.key, case.names) for case in each.cases] for each in (rule, instead_of))
        if (rule.fact, named) != (instead_of.fact, before):
            raise ValueError("the cases stay as they are but for their sanctions")


def _check_limits(rule: Rule) -> None:
    match rule:
        case Choice():
            _check_amounts(rule)
        case Ladder():
            if len(rule.steps) > MOST_STEPS:
                raise ValueError(f"a ladder has at most {MOST_STEPS} steps")
            if rule.if_seen.points and any(step.points for step in rule.steps):
                raise ValueError("points are taken by the steps or by if_seen, not by both")
        case Late():
            _check_lateness(rule)


def _check_amounts(rule: Choice) -> None:
    # the ends alone: nobody walks through a range that has no end
    ends = rule.amounts if isinstance(rule.amounts, tuple) else (rule.amounts[0], rule.amounts[-1])
    if not 0 < len(ends) <= MOST_STEPS or not all(1 <= amount <= MOST_POINTS for amount in ends):
        raise ValueError(f"the points to choose from are 1 to {MOST_POINTS}, at most {MOST_STEPS} figures")


def _check_lateness(rule: Late) -> None:
    if len(rule.bands) > MOST_STEPS or rule.bands[-1][0] > MOST_MINUTES:
        raise ValueError(f"lateness has at most {MOST_STEPS} bands, to minute {MOST_MINUTES}")
    figures = (rule.further_minutes, rule.further_points, rule.others_start_after)
    if not all(1 <= figure <= MOST_POINTS for figure in figures):
        raise ValueError(f"minutes and points are 1 to {MOST_POINTS}")
    sanctions: tuple[Sanction, ...] = tuple(sanction for _limit, sanction in rule.bands)
    sanctions += (rule.beyond,) if rule.beyond else ()
    if any(one.points and one.points.paid_to is PaidTo.VICTIM for one in sanctions):
        raise ValueError("lateness is done to nobody in particular")
