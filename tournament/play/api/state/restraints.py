"""What penalties forbid at the table for the rest of a hand, as the seats show it."""

from __future__ import annotations

from typing import Any

from django.utils.text import capfirst

from penalties.engine import FoulBook, Sanction
from penalties.engine.sanctions import HAND_LONG
from penalties.models import Penalty
from penalties.texts import flag_text
from tournament.play.selectors.restraints import dead_hand
from tournament.play.selectors.tables import TableNow
from tournament.web.texts.problems import said, sentence


def restraints(now: TableNow) -> list[dict[str, Any]]:
    """[{"hand", "player", "marks", "barred", "params"}]: `barred` says why this player may not win it, or nothing.

    `params` are what that sentence says, for a desk that judges a hand by itself.
    """
    lasting = [
        penalty
        for penalty in now.penalties
        if penalty.hand_number is not None
        and not penalty.is_cancelled
        and Sanction.from_json(penalty.sanction).lasts_the_hand
    ]
    return [_restraint(penalty, now.table.session.tournament.rules.fouls) for penalty in lasting]


def _restraint(penalty: Penalty, book: FoulBook) -> dict[str, Any]:
    barred = dead_hand(penalty, book) if penalty.sanction.get("dead_hand") else None
    return {
        "hand": penalty.hand_number,
        "player": penalty.player.number,
        "marks": [str(capfirst(flag_text(flag))) for flag in HAND_LONG if penalty.sanction.get(flag)],
        "barred": sentence(barred) if barred else "",
        "params": said(barred) if barred else {},
    }
