"""Extra time for one table."""

from __future__ import annotations

from scoring.engine.problems import Problem
from tournament.base import access, log
from tournament.base.access import Actor
from tournament.base.errors import Refused, refuse
from tournament.base.models.play import Session, Table
from tournament.play.selectors.fresh import fresh_table
from tournament.play.selectors.records import place_of

MOST = 60
"""Minutes: who waits longer than that needs another session plan."""


def set_extra_time(table: Table, actor: Actor, minutes: int, *, reason: str) -> Table:
    """The table plays so many `minutes` longer than the hall, in all; 0 takes them back. Said twice is said once."""
    access.require_judge(actor, table)
    with log.write(table.session.tournament, actor, "extra_time_set") as entry:
        table = fresh_table(table, entry.tournament)
        if table.extra_minutes == minutes:
            entry.unchanged()
            return table
        if problems := _problems(minutes, reason):
            raise Refused(problems)
        if table.session.state != Session.State.RUNNING:
            raise refuse("session_not_running", session=table.session.number)
        if table.is_in:
            raise refuse("table_is_in", table=table.number)
        table.extra_minutes = minutes
        table.save(update_fields=["extra_minutes"])
        entry.data = place_of(table) | {"minutes": minutes, "reason": reason.strip()}
    return table


def _problems(minutes: int, reason: str) -> list[Problem]:
    found = []
    if not 0 <= minutes <= MOST:
        found.append(Problem("extra_time_out_of_range", "minutes", {"most": MOST}))
    if not reason.strip():
        found.append(Problem("extra_time_reason_missing", "reason"))
    return found
