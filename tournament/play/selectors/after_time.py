"""Hands saved when the session's time was over."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import timedelta
from math import ceil

from django.db.models import Min

from tournament.base.engine.timing import LastHand
from tournament.base.models.hands import Hand
from tournament.base.models.play import Session, Table

WRITING = timedelta(minutes=2)
"""Writing a hand down takes so long: what is saved that soon after the end was finished before it."""


def saved_after_time(session: Session, tables: Iterable[Table]) -> dict[int, dict[int, int]]:
    """Table id → hand → the minute of the session in which it was first saved, for the hands that came too late.

    At time the hand under way does not count (Overview of the rules), or where the rulebook says so is finished: then
    the first one after it is none of these. A table's extra time is not over, and a pause is no playing time.
    """
    clock = session.clock
    times = {table.pk: timedelta(minutes=session.minutes + table.extra_minutes) for table in tables}
    if not times or clock is None:
        return {}
    finished = session.tournament.rules.timing.last_hand is LastHand.FINISHED
    found: defaultdict[int, dict[int, int]] = defaultdict(dict)
    rows = Hand.objects.filter(table__in=times).values_list("table", "number", "table__hands_played")
    under_way: set[int] = set()
    for table, number, played, first in rows.annotate(first=Min("recorded_at")).order_by("table", "number"):
        minute = clock.played(first)
        if number > played or minute <= times[table] + WRITING:
            continue
        if finished and table not in under_way:
            under_way.add(table)
            continue
        found[table][number] = ceil(minute.total_seconds() / 60)
    return dict(found)


def saved_in_minutes(table: Table) -> Mapping[int, int]:
    """The same for one table: hand → minute."""
    return saved_after_time(table.session, [table]).get(table.pk, {})
