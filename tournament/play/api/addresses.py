"""The addresses of a table and of what is written at it, as answers carry them: no program builds one."""

from __future__ import annotations

from typing import Any

from django.urls import reverse

from tournament.base.models.play import Table

STEPS = {"hand_in": "hand-in", "reopen": "reopen"}
WRITES = {
    "desk": "api_desk",
    "hands": "api_hands",
    "preview": "api_preview",
    "penalties": "api_penalties",
    "penalty_preview": "api_penalty_preview",
    "absences": "api_absences",
    "appeals": "api_appeals",
    "calls": "api_table_calls",
    "extra_time": "api_extra_time",
}


def url_of(name: str, table: Table, **more: Any) -> str:
    """The address called `name` at this table."""
    session = table.session
    where = {"slug": session.tournament.slug, "session": session.number, "number": table.number}
    return reverse(name, kwargs=where | more)


def urls_of(table: Table) -> dict[str, str]:
    """What can be done at the table → where."""
    steps = {key: url_of("api_table_step", table, step=step) for key, step in STEPS.items()}
    return {key: url_of(name, table) for key, name in WRITES.items()} | steps
