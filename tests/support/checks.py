"""Helpers to check refusals, the audit and the log."""

from collections.abc import Callable
from typing import Any

import pytest

from tournament.base.errors import Refused
from tournament.base.models.tournament import Tournament
from tournament.exchange.audit import audit
from tournament.web.selectors import log_words


def refused_problems(action: Callable[..., object], *args: object, **kwargs: object) -> list[tuple[str, str]]:
    """Return (code, field) of every problem for which `action` raises Refused; fail if it does not."""
    with pytest.raises(Refused) as refused:
        action(*args, **kwargs)
    return [(problem.code, problem.where) for problem in refused.value.problems]


def refused_codes(action: Callable[..., object], *args: object, **kwargs: object) -> list[str]:
    """Return the code of every problem for which `action` raises Refused; fail if it does not."""
    return [code for code, _ in refused_problems(action, *args, **kwargs)]


def audit_is_clean() -> bool:
    """Return whether the audit of the only tournament finds nothing."""
    return list(audit(Tournament.objects.get())) == []


def newest_sentence(tournament: Tournament) -> str:
    """Return the sentence of the newest log entry."""
    return log_words(tournament).sentence(tournament.log.latest("seq"))


VALUES: tuple[Any, ...] = (
    *(10**30, -(10**30), 2**63, 1e308, "9" * 6_000, "\ud800", "nul\0nul", "x" * 200_000, "NaN", "Infinity"),
    *(True, None, {}, [[[]]], [{}] * 3, "9999-12-31T23:59:59Z", "0001-01-01T00:00:00+14:00"),
)
"""Invalid values for any field of a request."""
