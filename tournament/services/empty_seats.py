"""Hands with an empty seat: whose it is, and whether the others may begin."""

from __future__ import annotations

from dataclasses import replace

from django.utils import timezone

from scoring.engine.problems import Problem
from tournament.engine.entry import HandEntry
from tournament.models import Hand, Table
from tournament.selectors.absences import absent_in, empty_seats, waits_for


def seated_then(recorded: Hand, entry: HandEntry) -> HandEntry:
    """The entry with the seats that were empty in the hand it corrects, unless it says otherwise."""
    absent = absent_in(recorded) if entry.absent is None else entry.absent
    return replace(entry, absent=tuple(sorted(set(absent))))


def seated_now(table: Table, entry: HandEntry) -> tuple[HandEntry, tuple[Problem, ...]]:
    """The entry as the hand that comes next, in which every seat noted as empty is, and what is against playing on
    without their players."""
    empty, now = empty_seats(table), timezone.now()
    too_early = tuple(
        Problem("seat_empty_too_early", "", {"name": one.player.name, "minutes": minutes})
        for one in empty.values()
        if (minutes := waits_for(one, now))
    )
    return replace(entry, absent=tuple(sorted({*(entry.absent or ()), *empty}))), too_early
