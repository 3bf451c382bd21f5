"""What is read once for each version of a tournament: every write raises the version, so an answer never grows old."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from tournament.base.models.tournament import Tournament

P = ParamSpec("P")
R = TypeVar("R")
Selector = Callable[Concatenate[Tournament, P], R]


def by_version(most: int) -> Callable[[Selector[P, R]], Selector[P, R]]:
    """Keep the newest `most` answers, by tournament, version and what else the selector is asked."""

    def decorate(select: Selector[P, R]) -> Selector[P, R]:
        kept: OrderedDict[Any, R] = OrderedDict()

        @wraps(select)
        def answer(tournament: Tournament, /, *args: P.args, **kwargs: P.kwargs) -> R:
            # A row that was deleted may leave its number to another tournament.
            key = (tournament.pk, tournament.created_at, tournament.version, args, tuple(kwargs.items()))
            with suppress(KeyError):  # another thread may drop it between two looks
                return kept[key]
            found = kept[key] = select(tournament, *args, **kwargs)
            with suppress(KeyError):
                while len(kept) > most:
                    kept.popitem(last=False)
            return found

        return answer

    return decorate
