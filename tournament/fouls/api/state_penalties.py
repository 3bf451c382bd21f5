"""The penalties of a table as its state has them, the cancelled ones too."""

from __future__ import annotations

from typing import Any

from penalties.engine import Sanction
from penalties.models import Penalty
from penalties.texts import name_in, sanction_text
from tournament.base.access import Actor, name_of
from tournament.play.api.addresses import url_of
from tournament.play.selectors.records import UNDO_WITHIN, can_undo_penalty
from tournament.play.selectors.tables import TableNow
from tournament.web.texts.days import time_of_day


def penalty_at(penalty: Penalty, now: TableNow, actor: Actor) -> dict[str, Any]:
    """ "undo": where this person may take it back, and until when; None otherwise."""
    paid_to_nobody = -sum(penalty.effects_at_table.values())
    return {
        "url": url_of("api_penalty", now.table, uuid=penalty.uuid),
        "uuid": str(penalty.uuid),
        "player": penalty.player.number,
        "name": penalty.player.name,
        "foul": name_in(now.table.session.tournament.rules.fouls, penalty.foul),
        "sanction": sanction_text(Sanction.from_json(penalty.sanction)),
        "hand": penalty.hand_number,
        "effects": penalty.effects,
        "unpaid": 0 if penalty.is_cancelled else paid_to_nobody,
        "instead_of": sanction_text(Sanction.from_json(penalty.proposed)) if penalty.proposed else "",
        "because": penalty.because,
        "note": penalty.note,
        "by": name_of(penalty.given_by),
        "at": time_of_day(penalty.given_at),
        "undo": _undo(penalty, now) if can_undo_penalty(penalty, actor) else None,
        "cancelled": penalty.is_cancelled,
        "cancelled_by": name_of(penalty.cancelled_by),
        "cancelled_because": penalty.cancelled_because,
    }


def _undo(penalty: Penalty, now: TableNow) -> dict[str, Any]:
    until = penalty.given_at + UNDO_WITHIN
    return {"url": url_of("api_penalty_undo", now.table, uuid=penalty.uuid), "until": until.isoformat()}
