"""Exceptions of refused writes: nothing has been changed. What a person can correct carries problems."""

from collections.abc import Iterable
from typing import Any

from django.core.exceptions import PermissionDenied, ValidationError
from django.utils.functional import lazy

from scoring.engine.problems import Problem, problem_code
from tournament.base.problems import sentence

STALE = problem_code("stale", "Someone else has changed this table in the meantime.", also=("version",))


class Refused(Exception):
    """Rules or the tournament's state forbid the write. `problems` lists every problem at once."""

    def __init__(self, problems: Problem | Iterable[Problem]) -> None:
        self.problems = (problems,) if isinstance(problems, Problem) else tuple(problems)
        super().__init__("; ".join(f"{p.where}: {p.code}" if p.where else p.code for p in self.problems))


class Invalid(ValidationError):
    """A problem as a ValidationError, for `clean` of models and forms: `Invalid(ENDS_BEFORE_IT_STARTS())`."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(lazy(sentence, str)(problem), code=problem.code)
        self.problem = problem


class Stale(Refused):
    """Somebody else has written at the table since. Answered with 409, the current version and the changes."""

    def __init__(self, version: int, changes: list[dict[str, Any]]) -> None:
        super().__init__(STALE("table_version", version=version))
        self.version = version
        self.changes = changes


class UuidTaken(Refused):
    """The UUID belongs to a write with other content. Answered with 409."""


class ReasonRequired(Refused):
    """Something is still open, and the step needs a reason to go on. One problem for each open thing."""


class TooMany(Refused):
    """A rate limit is exceeded. Answered with 429 and Retry-After."""

    def __init__(self, problems: Problem | Iterable[Problem], wait: int = 60) -> None:
        super().__init__(problems)
        self.wait = wait
        """Seconds."""


class Forbidden(PermissionDenied):
    """The actor does not have the right."""


class InsufficientTokenScope(Forbidden):
    """The account has the right, the token has not."""
