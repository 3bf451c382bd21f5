"""Sessions and tables by number, as bodies name where somebody may write."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from scoring.engine.problems import Problem
from tournament.base.errors import Refused
from tournament.base.models.tournament import Tournament


def require_known(
    tournament: Tournament, sessions: Iterable[int], tables: Iterable[int], known: Collection[int]
) -> None:
    """Refused with every session and table that there is not."""
    there = set(tournament.sessions.values_list("number", flat=True))
    problems = [Problem("no_such_session", "sessions", {"session": n}) for n in sorted(set(sessions) - there)]
    problems += [Problem("no_such_table", "tables", {"table": n}) for n in sorted(set(tables) - set(known))]
    if problems:
        raise Refused(problems)
