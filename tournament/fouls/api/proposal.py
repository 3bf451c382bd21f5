"""What the foul book proposes for a foul, in words: the sanction, why, the rungs of its ladder, who loses what."""

from __future__ import annotations

from typing import Any

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from penalties.engine import Foul as FoulEntry
from penalties.engine import Sanction
from penalties.engine.rules import Ladder
from penalties.engine.sanctions import AT_TABLE
from penalties.texts import foul_source, nth_time, reason_text, sanction_text
from tournament.base.access import Audience
from tournament.base.models.play import Table
from tournament.fouls.selectors.assessments import Assessment
from tournament.play.selectors.tables import table_now
from tournament.web.texts.problems import sentence

LADDER_SHOWN = 5
"""Rungs that fit beside each other on a phone."""


def proposal(table: Table, ruling: Assessment, foul: FoulEntry, player: int) -> dict[str, Any]:
    """The sanction in words, why, the rungs of its ladder, and what it does to the scores.

    "imposed" is the sanction as data, to be changed from there; "open": the foul book leaves it to the umpire;
    "judgement": only an umpire in person may impose it.
    """
    assert ruling.proposal is not None
    assert ruling.proposal.reason is not None
    assert ruling.sanction is not None
    now = table_now(table, Audience.STAFF)
    sanction = ruling.sanction
    at_table = sanction.points is not None and sanction.points.scope in AT_TABLE
    return {
        "sanction": capfirst(sanction_text(sanction)),
        "imposed": sanction.to_json(),
        "changed": ruling.is_override,
        "open": ruling.proposal.reason.code == "discretion",
        "judgement": ruling.is_judgement,
        "reason": reason_text(ruling.proposal, foul),
        "paid": _paid(ruling),
        "warnings": [sentence(problem) for problem in ruling.warnings],
        "source": foul_source(foul),
        "ladder": _ladder(foul, ruling.proposal.occurrence),
        "button": _button(sanction, now.seat_of(player).player.name),
        "effects": [
            {
                "player": number,
                "change": change,
                "before": now.scores[number],
                "after": now.scores[number] + change,
            }
            for number, change in (ruling.effects if at_table else {}).items()
        ],
    }


def _paid(ruling: Assessment) -> str:
    return _("Paid to nobody.") if sum(ruling.effects.values()) < 0 else ""


def _button(sanction: Sanction, name: str) -> str:
    """What the button does, with the figure: "Take 5 points from Håkan Dupont"."""
    if sanction.points:
        lost = sanction.points.total
        return ngettext("Take {n} point from {name}", "Take {n} points from {name}", lost).format(
            n=lost, name=name
        )
    if sanction == Sanction(warning=True):
        return _("Warn {name}").format(name=name)
    return _("Give the penalty to {name}").format(name=name)


def _ladder(foul: FoulEntry, occurrence: int) -> list[dict[str, Any]]:
    """The rungs round the one that is due: [{"label", "time", "state"}]; empty where repeats cost the same."""
    if not isinstance(foul.rule, Ladder):
        return []
    steps = foul.rule.steps
    due = min(occurrence, len(steps))
    first = max(1, min(due - 2, len(steps) - LADDER_SHOWN + 1))
    shown = range(first, min(first + LADDER_SHOWN, len(steps) + 1))
    return [
        {"label": _rung(steps[time - 1]), "time": nth_time(time), "due": time == due, "past": time < due}
        for time in shown
    ]


def _rung(sanction: Sanction) -> str:
    return str(sanction.points.total) if sanction.points else _("Warn")
