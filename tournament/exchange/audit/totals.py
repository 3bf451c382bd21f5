"""Totals from paper against the log: what was typed, and what of it were penalties."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from scoring.engine.problems import Problem
from tournament.base.models.play import Table


def faults_of_totals(table: Table, said: Mapping[str, Mapping[str, Any]]) -> Iterator[Problem]:
    """What does not agree at a table. `said`: UUID → the data of the log entry that made it."""
    rows = list(table.totals.filter(is_second=False))
    if table.counts_totals != any(one.is_current for one in rows):
        yield Problem("audit_totals_missing" if table.counts_totals else "audit_totals_uncounted")
    for one in rows:
        data, which = said.get(str(one.uuid)), {"version": one.version}
        if data is None:
            yield Problem("audit_totals_not_logged", "", which)
            continue
        # who sat in a wrong seat has changed names since: the figures are the same
        if sorted(data["points"].values()) != sorted(one.points.values()):
            yield Problem("audit_totals_not_as_logged", "", which)
        included = data["included"]
        played = [points - included.get(player, 0) for player, points in data["points"].items()]
        if sorted(played) != sorted(one.payments.values()):
            yield Problem("audit_totals_played", "", which)
