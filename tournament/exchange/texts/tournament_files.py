"""Faults of a tournament's file, each with its place."""

from __future__ import annotations

from scoring.engine.problems import Problem
from tournament.web.texts.problems import sentence


def placed(problem: Problem) -> str:
    """The place as a JSON pointer, where it is one, and the sentence: "/hands/3/points: …"."""
    said = sentence(problem)
    return f"{problem.where}: {said}" if problem.where.startswith("/") else said
