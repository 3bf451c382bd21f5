"""What penalties forbid at the table for the rest of a hand, as the seats show it."""

from __future__ import annotations

from typing import Any

from django.utils.text import capfirst

from penalties.models import Penalty
from penalties.texts import flag_text, name_in
from tournament.selectors.tables import TableNow
from tournament.services.restraints import dead_hand
from tournament.texts import sentence

SHOWN = ("dead_hand", "no_claims")
"""What lasts as long as the hand; the rest of a sanction is over at once."""


def restraints(now: TableNow) -> list[dict[str, Any]]:
    """[{"hand", "player", "marks", "barred"}]: `barred` says why this player may not win the hand, or nothing."""
    return [
        {
            "hand": penalty.hand_number,
            "player": penalty.player.number,
            "marks": [str(capfirst(flag_text(flag))) for flag in SHOWN if penalty.sanction.get(flag)],
            "barred": _barred(penalty, now) if penalty.sanction.get("dead_hand") else "",
        }
        for penalty in now.penalties
        if penalty.hand_number is not None
        and not penalty.is_cancelled
        and any(penalty.sanction.get(flag) for flag in SHOWN)
    ]


def _barred(penalty: Penalty, now: TableNow) -> str:
    assert penalty.hand_number is not None
    foul = name_in(now.table.session.tournament.rules.fouls, penalty.foul)
    return sentence(dead_hand(penalty.player.name, penalty.hand_number, foul))
