"""Plans as they are stored: session → tables in the order of their numbers → starting wind → player number."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TypeAlias

from scoring.engine.problems import Problem
from tournament.base.engine.rotation import WINDS
from tournament.seating.engine.quality import Quality, measure
from tournament.seating.engine.shapes import Session, Sessions, as_table

Seats: TypeAlias = dict[str, int]
"""Starting wind → player number, in the order E, S, W, N."""
Plan: TypeAlias = Sequence[Sequence[Mapping[str, int]]]


def as_plan(sessions: Sessions) -> tuple[tuple[Seats, ...], ...]:
    """Tables in the order E, S, W, N as seats by wind."""
    return tuple(tuple(dict(zip(WINDS, table, strict=True)) for table in session) for session in sessions)


def as_sessions(plan: Plan) -> Sessions:
    """Seats by wind as tables in the order E, S, W, N; KeyError when a wind is missing."""
    return tuple(_session(session) for session in plan)


def _session(tables: Sequence[Mapping[str, int]]) -> Session:
    return tuple(as_table([table[wind] for wind in WINDS]) for table in tables)


def certify(
    plan: Plan,
    *,
    teams: Mapping[int, str] | None = None,
    clubs: Mapping[int, str] | None = None,
    countries: Mapping[int, str] | None = None,
    forbidden: Collection[tuple[int, int]] = (),
) -> Quality:
    """The certificate of any plan: imported, made by hand, or changed after the draw."""
    return measure(
        as_sessions(plan),
        teams=teams,
        clubs=clubs,
        countries=countries,
        forbidden=[frozenset(pair) for pair in forbidden],
    )


def plan_problems(plan: Plan, known: set[int], first: int = 1) -> list[Problem]:
    """Everything that keeps a plan from being stored; `first` is the number of its first session."""
    if not plan or not all(plan):
        return [Problem("no_seats")]
    return [fault for number, seating in enumerate(plan, first) for fault in _faults(number, seating, known)]


def _faults(session: int, seating: Sequence[Mapping[str, int]], known: set[int]) -> Iterator[Problem]:
    seen: set[int] = set()
    for table, seats in enumerate(seating, 1):
        where = f"session {session}, table {table}"
        if set(seats) != set(WINDS):
            yield Problem("seats_not_four_winds", where)
        for player in seats.values():
            if player not in known:
                yield Problem("unknown_player", where, {"player": player})
            elif player in seen:
                yield Problem("seated_twice", where, {"player": player})
            seen.add(player)
