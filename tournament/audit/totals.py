"""Totals from paper against the log: what was typed, and what of it were penalties."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tournament.models import Table


def faults_of_totals(table: Table, said: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """What does not agree at a table. `said`: UUID → the data of the log entry that made it."""
    rows = list(table.totals.filter(is_second=False))
    if table.counts_totals != any(one.is_current for one in rows):
        yield "counts totals and has none" if table.counts_totals else "has totals that it does not count"
    for one in rows:
        data = said.get(str(one.uuid))
        if data is None:
            yield f"totals version {one.version}: the log has nothing of them"
            continue
        # who sat in a wrong seat has changed names since: the figures are the same
        if sorted(data["points"].values()) != sorted(one.points.values()):
            yield f"totals version {one.version}: are not as the log has them"
        included = data["included"]
        played = [points - included.get(player, 0) for player, points in data["points"].items()]
        if sorted(played) != sorted(one.payments.values()):
            yield f"totals version {one.version}: what was played does not follow from what was typed"
