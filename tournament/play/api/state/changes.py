"""What another device wrote at the table, as sentences for the umpire whose write came too late."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from tournament.web.texts.days import time_of_day

Change = Mapping[str, Any]


def changes_as_json(changes: Iterable[Change]) -> list[dict[str, Any]]:
    """[{"action", "hand", "by", "at", "text"}], in the order they were written; `hand` null where none is meant."""
    return [
        {
            "action": change["action"],
            "hand": change.get("hand") if change["action"].startswith("hand_") else None,
            "by": change["by"],
            "at": time_of_day(datetime.fromisoformat(change["at"])),
            "text": _sentence(change),
        }
        for change in changes
    ]


def _sentence(change: Change) -> str:
    number = change.get("hand")
    match change["action"]:
        case "hand_recorded":
            return _("Hand {number} was recorded.").format(number=number)
        case "hand_corrected":
            return _("Hand {number} was corrected.").format(number=number)
        case "hand_deepened":
            return _("Hand {number} was written down further.").format(number=number)
        case "hand_undone":
            return _("Hand {number} was taken back.").format(number=number)
        case "penalty_given":
            return _("A penalty was given.")
        case "penalty_cancelled":
            return _("A penalty was cancelled.")
        case "table_totals_entered":
            return _("The totals were typed from paper.")
        case "table_totals_corrected" | "table_totals_settled":
            return _("The totals were corrected.")
        case "table_totals_set_aside":
            return _("The totals were set aside.")
        case "table_in":
            return _("The table was handed in.")
        case "table_reopened":
            return _("The table was reopened.")
        case _:
            return _("The table was changed.")
