"""The seats of a final: groups that play by themselves, drawn from a seed."""

from __future__ import annotations

from collections.abc import Sequence

from tournament.seating.engine.draw import draw
from tournament.seating.engine.plans import Plan, Seats, as_plan, as_sessions
from tournament.seating.engine.requests import SEATS
from tournament.seating.engine.shapes import Session, as_table
from tournament.seating.engine.turns import next_winds


def final_sessions(
    groups: Sequence[Sequence[int]], sessions: int, *, seed: str, played: Plan
) -> tuple[tuple[Seats, ...], ...]:
    """So many sessions: the first group at the first tables, and everybody at the winds started at least so far.

    A group of four stays together; a larger one is drawn as an event of its own, whoever met before.
    """
    drawn = [_group(group, sessions, f"{seed}/{number}") for number, group in enumerate(groups, 1)]
    before = list(as_sessions(played))
    seated: list[Session] = []
    for at in range(sessions):
        tables = tuple(table for session in drawn for table in session[at])
        seated.append(next_winds(tables, [*before, *seated]))
    return as_plan(tuple(seated))


def _group(group: Sequence[int], sessions: int, seed: str) -> Sequence[Session]:
    if len(group) == SEATS:
        return [(as_table(list(group)),)] * sessions
    return as_sessions(draw(tuple(group), sessions, seed=seed).sessions)
