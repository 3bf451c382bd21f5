"""The clock of a table: the part of the desk's state about time."""

from __future__ import annotations

from typing import Any

from tournament.base.models.play import Table
from tournament.play.selectors.clock import clock_of


def clock_at(table: Table) -> dict[str, Any] | None:
    """{"ends", "warns", "paused", "minutes", "extra", "warning", "counts_last_hand"}; None while the session is not
    being played. `paused`: since when the clock of the hall stands still, else None; `ends` as if it did not."""
    clock = clock_of(table.session, table)
    if clock is None:
        return None
    return {
        "ends": clock.ends_at.isoformat(),
        "warns": clock.warns_at.isoformat(),
        "paused": clock.pause.since.isoformat() if clock.pause else None,
        "minutes": clock.minutes,
        "extra": clock.extra,
        "warning": clock.warning,
        "counts_last_hand": clock.counts_last_hand,
    }
