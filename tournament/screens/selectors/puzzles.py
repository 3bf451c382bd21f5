"""The puzzles of an event."""

from __future__ import annotations

from scoring.quiz.daily import shown_to_all
from scoring.quiz.own import question_of
from scoring.quiz.questions import Question
from tournament.base.models.tournament import Tournament
from tournament.play.selectors.public import overview
from tournament.screens.models.puzzles import Puzzle


def puzzles_of(tournament: Tournament) -> list[Puzzle]:
    """All of them, the first one first."""
    return list(tournament.puzzles.all())


def asked_in(puzzle: Puzzle) -> Question:
    return question_of(puzzle.record, str(puzzle.uuid))


def puzzle_in_hall(tournament: Tournament) -> tuple[Question, Puzzle | None]:
    """What the hall is asked before the next session: the event's own puzzles in turn, else one by seed."""
    coming = overview(tournament).next
    number = coming.number if coming else 0
    if own := puzzles_of(tournament):
        chosen = own[number % len(own)]
        return asked_in(chosen), chosen
    return shown_to_all(f"hall-{tournament.pk}-{number}").question, None
