"""Adding a puzzle to an event, and removing it."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.utils import timezone

from scoring.engine import InvalidHand
from scoring.engine.problems import Problem
from scoring.quiz.own import LONGEST, has_answer, question_of, record_in
from scoring.quiz.questions import Kind
from tournament.base import access, log
from tournament.base.access import Actor
from tournament.base.errors import Refused
from tournament.base.models.tournament import Tournament
from tournament.screens.models.puzzles import Puzzle

MOST = 100
"""Puzzles of an event."""


def add_puzzle(tournament: Tournament, actor: Actor, text: str, *, uuid: UUID) -> Puzzle:
    """Store the hand in a text, which the engine judges. The same UUID is the same puzzle."""
    access.require_organiser(actor, tournament)
    with log.write(tournament, actor, "screen_puzzle_added") as entry:
        if (known := entry.tournament.puzzles.filter(uuid=uuid).first()) is not None:
            entry.unchanged()
            return known
        record = _judged(text)
        if entry.tournament.puzzles.count() >= MOST:
            raise Refused([Problem("too_many_puzzles", "", {"most": MOST})])
        puzzle = Puzzle.objects.create(
            tournament=entry.tournament,
            uuid=uuid,
            record=record,
            made_at=timezone.now(),
            made_by=actor.user,
        )
        entry.data = _about(puzzle)
    return puzzle


def remove_puzzle(puzzle: Puzzle, actor: Actor) -> None:
    """It is asked nowhere any more."""
    access.require_organiser(actor, puzzle.tournament)
    with log.write(puzzle.tournament, actor, "screen_puzzle_removed") as entry:
        entry.data = _about(puzzle)
        deleted, _ = Puzzle.objects.filter(pk=puzzle.pk).delete()
        if not deleted:
            entry.unchanged()


def _judged(text: str) -> dict[str, Any]:
    if len(text) > LONGEST:
        raise Refused([Problem("text_too_long", "hand", {"length": len(text), "most": LONGEST})])
    try:
        record = record_in(text)
    except InvalidHand as refused:
        raise Refused(refused.problems) from refused
    asked = question_of(record, "")
    if not has_answer(asked):
        waits = asked.kind is Kind.WAITS
        raise Refused([Problem("puzzle_waits_for_nothing" if waits else "puzzle_is_no_win", "hand")])
    return record


def _about(puzzle: Puzzle) -> dict[str, Any]:
    return {"uuid": str(puzzle.uuid), "record": puzzle.record}
