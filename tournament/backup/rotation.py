"""Which of the backups that were made by themselves are kept: dense for the last hours, thin for the last weeks."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from datetime import datetime, timedelta
from typing import Final

LAST: Final = 12
A_DAY: Final = timedelta(days=1)
TWO_WEEKS: Final = timedelta(days=14)


def gone(made: Iterable[datetime], now: datetime) -> set[datetime]:
    """Those that go: kept are the last twelve, the newest of each hour for a day and of each day for two weeks."""
    newest_first = sorted(made, reverse=True)
    kept, hours, days = set(newest_first[:LAST]), set[Hashable](), set[Hashable]()
    for moment in newest_first:
        hour, day = (moment.date(), moment.hour), moment.date()
        if (now - moment < A_DAY and hour not in hours) or (now - moment < TWO_WEEKS and day not in days):
            kept.add(moment)
        hours.add(hour)
        days.add(day)
    return set(newest_first) - kept
