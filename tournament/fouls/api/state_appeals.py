"""What was objected to at a table, and whether more can be: the part of the desk's state about appeals."""

from __future__ import annotations

from typing import Any

from tournament.base.access import name_of
from tournament.base.models.appeals import Appeal
from tournament.base.models.play import Session
from tournament.play.selectors.ends import appeals_until, is_final
from tournament.play.selectors.tables import TableNow
from tournament.web.texts.days import time_of_day


def objections_at(now: TableNow) -> dict[str, Any]:
    """{"appeals": [{"uuid", "name", "hand", "penalty", "text", "state", …}], "may_appeal", "appeals_until", "is_final",
    "appeals_at_once"}
    """
    session = now.table.session
    until, final = appeals_until(session), is_final(session)
    return {
        "appeals": [_appeal(appeal) for appeal in now.appeals],
        "may_appeal": session.state != Session.State.PLANNED and not final,
        "appeals_until": time_of_day(until) if until and not final else "",
        "is_final": final,
        "appeals_at_once": not session.tournament.appeal_minutes,
    }


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
    """open, pending, carried_out, waived or dismissed."""
    if not appeal.is_ruled:
        return "open"
    if not appeal.granted:
        return "dismissed"
    return "pending" if appeal.is_pending else appeal.settled_as
