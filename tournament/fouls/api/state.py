"""The penalties and appeals of a table, as parts of the desk's state."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from penalties.engine import Sanction
from penalties.models import Penalty
from penalties.texts import name_in, sanction_text
from tournament.base.access import Actor
from tournament.base.models.log import name_of
from tournament.base.models.play import Appeal, Session, Table
from tournament.play.api.fields import url_of
from tournament.play.selectors.clock import appeals_until, is_final
from tournament.play.selectors.tables import UNDO_WITHIN, can_undo_penalty
from tournament.web.texts.words import time_of_day


def fouls_at(
    table: Table, penalties: Sequence[Penalty], appeals: Sequence[Appeal], actor: Actor
) -> dict[str, Any]:
    """Return {"penalties", "appeals": [{"uuid", "name", "hand", "penalty", "text", "state", …}], "may_appeal",
    "appeals_until", "is_final", "appeals_at_once"}; the cancelled penalties are among them.
    """
    session = table.session
    until, final = appeals_until(session), is_final(session)
    return {
        "penalties": [_penalty(penalty, table, actor) for penalty in penalties],
        "appeals": [_appeal(appeal) for appeal in appeals],
        "may_appeal": session.state != Session.State.PLANNED and not final,
        "appeals_until": time_of_day(until) if until and not final else "",
        "is_final": final,
        "appeals_at_once": not session.tournament.appeal_minutes,
    }


def _penalty(penalty: Penalty, table: Table, actor: Actor) -> dict[str, Any]:
    """Describe a penalty. "undo": where this person may take it back, and until when; None otherwise."""
    paid_to_nobody = -sum(penalty.effects_at_table.values())
    return {
        "url": url_of("api_penalty", table, uuid=penalty.uuid),
        "uuid": str(penalty.uuid),
        "player": penalty.player.number,
        "name": penalty.player.name,
        "foul": name_in(table.session.tournament.rules.fouls, penalty.foul),
        "sanction": sanction_text(Sanction.from_json(penalty.sanction)),
        "hand": penalty.hand_number,
        "effects": penalty.effects,
        "unpaid": 0 if penalty.is_cancelled else paid_to_nobody,
        "instead_of": sanction_text(Sanction.from_json(penalty.proposed)) if penalty.proposed else "",
        "because": penalty.because,
        "note": penalty.note,
        "by": name_of(penalty.given_by),
        "at": time_of_day(penalty.given_at),
        "undo": _undo(penalty, table) if can_undo_penalty(penalty, actor) else None,
        "cancelled": penalty.is_cancelled,
        "cancelled_by": name_of(penalty.cancelled_by),
        "cancelled_because": penalty.cancelled_because,
    }


def _undo(penalty: Penalty, table: Table) -> dict[str, Any]:
    until = penalty.given_at + UNDO_WITHIN
    return {"url": url_of("api_penalty_undo", table, uuid=penalty.uuid), "until": until.isoformat()}


def _appeal(appeal: Appeal) -> dict[str, Any]:
    return {
        "uuid": str(appeal.uuid),
        "name": appeal.player.name,
        "hand": appeal.hand_number,
        "penalty": str(appeal.penalty.uuid) if appeal.penalty else None,
        "text": appeal.text,
        "at": time_of_day(appeal.opened_at),
        "by": name_of(appeal.opened_by),
        "open": appeal.is_open,
        "state": _state(appeal),
        "ruling": appeal.ruling,
        "settled_because": appeal.settled_because,
    }


def _state(appeal: Appeal) -> str:
    """Say how it stands: open, pending, carried_out, waived or dismissed."""
    if not appeal.is_ruled:
        return "open"
    if not appeal.granted:
        return "dismissed"
    return "pending" if appeal.is_pending else appeal.settled_as
