"""The ways a write is turned down. What a person can mend carries problems; nothing has been changed."""

from collections.abc import Iterable
from typing import Any

from django.core.exceptions import PermissionDenied, ValidationError
from django.utils.functional import lazy

from scoring.engine.problems import Problem, problem_code
from tournament.base.problems import sentence

STALE = problem_code("stale", "Somebody else has written at this table in the meantime.", also=("version",))


class Refused(Exception):
    """The rules or the state of the tournament do not allow it. `problems` names every fault at once."""

    def __init__(self, problems: Problem | Iterable[Problem]) -> None:
        self.problems = (problems,) if isinstance(problems, Problem) else tuple(problems)
        super().__init__("; ".join(f"{p.where}: {p.code}" if p.where else p.code for p in self.problems))


class Invalid(ValidationError):
    """A problem for Django's validation, in the `clean` of models and forms: `Invalid(ENDS_BEFORE_IT_STARTS())`."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(lazy(sentence, str)(problem), code=problem.code)
        self.problem = problem


class Stale(Refused):
    """Somebody else wrote at the table since: answered with 409, the table's version now and what changed."""

    def __init__(self, version: int, changes: list[dict[str, Any]]) -> None:
        super().__init__(STALE("table_version", version=version))
        self.version = version
        self.changes = changes


class UuidTaken(Refused):
    """The same UUID was saved before with other content: answered with 409."""


class Unsettled(Refused):
    """Something is still open before a step that can be taken all the same, with a reason. A problem for each."""


class TooMany(Refused):
    """More from one place in a short while than people do there: answered with 429, and when to come back."""

    def __init__(self, problems: Problem | Iterable[Problem], wait: int = 60) -> None:
        super().__init__(problems)
        self.wait = wait
        """Seconds."""


class Forbidden(PermissionDenied):
    """The actor's role does not cover this."""


class TokenFallsShort(Forbidden):
    """The account may, but the token by which it was asked is for less."""
