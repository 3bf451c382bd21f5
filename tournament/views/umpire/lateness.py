"""Lateness as the desk's clock shows it: who is missing, and what each minute costs."""

from __future__ import annotations

from typing import Any

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from penalties.engine.rules import Step
from penalties.texts import sanction_text
from tournament.engine.rules import Rules
from tournament.selectors.tables import TableNow
from tournament.services.absences import LATE, lateness_rule, minutes_of


def absences(now: TableNow) -> list[dict[str, Any]]:
    """[{"uuid", "player", "since", "minutes"}]: who is missing (`minutes` None), or came and is still to be fined."""
    fined = {penalty.player_id for penalty in now.penalties if penalty.foul == LATE}
    standing = now.table.absences.filter(taken_back_at=None).select_related("player")
    return [
        {
            "uuid": str(absence.uuid),
            "player": absence.player.number,
            "since": absence.since.isoformat(),
            "minutes": minutes_of(absence) if absence.arrived_at else None,
        }
        for absence in standing
        if absence.arrived_at is None or absence.player_id not in fined
    ]


def lateness(rules: Rules, minutes: int) -> dict[str, Any] | None:
    """What lateness costs, for a clock that runs on the desk; None where the foul book does not say."""
    rule = lateness_rule(rules)
    if rule is None:
        return None
    return {"steps": [_step(step) for step in rule.steps(minutes)], "stand_in_after": rule.others_start_after}


def _step(step: Step) -> dict[str, Any]:
    points = step.sanction.points
    label = str(points.total) if points else capfirst(sanction_text(step.sanction))
    until = _("to {n}").format(n=step.high) if step.high else _("later")
    return {
        "from": step.low,
        "to": step.high,
        "label": label,
        "until": until,
        "text": capfirst(sanction_text(step.sanction)),
    }
