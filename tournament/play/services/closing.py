"""Going on although something is still open: only with a reason, which the step's log entry keeps."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from tournament.base.errors import Unsettled
from tournament.base.models.play import Session
from tournament.base.models.tournament import Tournament
from tournament.play.selectors.closing import closing_check


def go_past(
    tournament: Tournament,
    sessions: Sequence[Session],
    reason: str,
    seen: Collection[str] | None = None,
) -> dict[str, Any]:
    """Nothing where nothing is open; else the reason and what was left open, for the log of the step.

    Raises `Unsettled` with everything open where no reason is given, or where something is open that the one who gave
    it had not `seen` (keys of findings; None: whoever asks has seen them all).
    """
    findings = closing_check(tournament, sessions)
    if not findings:
        return {}
    unseen = seen is not None and any(finding.key not in seen for finding in findings)
    if unseen or not reason.strip():
        raise Unsettled(finding.problem for finding in findings)
    return {"reason": reason.strip(), "left_open": [finding.key for finding in findings]}
