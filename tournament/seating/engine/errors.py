"""Requests for a draw that cannot be met."""

from __future__ import annotations

from collections.abc import Sequence

from scoring.engine.problems import Problem


class SeatingError(ValueError):
    """A draw that cannot be made; ``problems`` holds everything that stands in its way."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__(", ".join(problem.code for problem in problems))
        self.problems = tuple(problems)
