"""Hands with an empty seat: whose it is, and whether the others may begin."""

from __future__ import annotations

from dataclasses import replace

from django.utils import timezone

from scoring.engine.problems import Problem
from tournament.engine.entry import HandEntry
from tournament.models import Table
from tournament.selectors.absences import absent_in, empty_seats, waits_for
from tournament.services.tables import current_hand


def seated(table: Table, number: int, entry: HandEntry) -> tuple[HandEntry, tuple[Problem, ...]]:
    """The entry with the seats that are empty in its hand, and what is against playing on without their players.

    A correction may say otherwise; in the hand that comes next, a seat noted as empty is.
    """
    recorded = current_hand(table, number)
    if recorded is not None:
        absent = absent_in(recorded) if entry.absent is None else entry.absent
        return replace(entry, absent=tuple(sorted(set(absent)))), ()
    empty = empty_seats(table)
    now = timezone.now()
    too_early = tuple(
        Problem("seat_empty_too_early", "", {"name": one.player.name, "minutes": minutes})
        for one in empty.values()
        if (minutes := waits_for(one, now))
    )
    return replace(entry, absent=tuple(sorted({*(entry.absent or ()), *empty}))), too_early
