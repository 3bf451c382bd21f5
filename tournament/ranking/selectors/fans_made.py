"""How often each fan was made at the public tournaments of this installation.

Counted are the hands that the public is told of (`base.selectors.embargo`), as they stand: no private tournament, no
session whose results are hidden, no invented one, no version of a hand that was corrected.

Looking again costs two sums over tournaments and sessions. Where they say that somebody wrote, and at most once a
minute, one query tells of every session which hands it has; only those of sessions that changed are read. What is
hidden is gone at once.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from threading import Lock
from time import time
from typing import Any, Final

from django.core.cache import cache
from django.db.models import Count, Max, QuerySet, Sum, TextField
from django.db.models.functions import Cast

from scoring.book.made import Made, MadeHere
from tournament.base.access import Actor, visible_tournaments
from tournament.base.models.hands import Hand
from tournament.base.models.play import Session
from tournament.base.models.tournament import Tournament
from tournament.play.selectors.written import Written, written

PLACE: Final = "fans-made"
FRESH: Final = 60
"""Seconds in which what was counted serves on, whoever writes."""
AT_ONCE: Final = 500
"""Sessions whose hands are read by one query."""


@dataclass(frozen=True)
class _Played:
    written: Written
    wins: int
    fans: Mapping[str, int]


_counting = Lock()
_read: dict[int, _Played] = {}
"""Session → its figures, as this process has read them."""


@dataclass(frozen=True)
class _Kept:
    """An answer. `told`: which tournaments and sessions it may tell of; `version`: another one after each write that
    the public is told of; `at`: when it was found, in seconds."""

    told: tuple[Any, ...]
    version: int
    at: float
    found: MadeHere

    def serves(self, told: tuple[Any, ...], version: int) -> bool:
        return self.told == told and (self.version == version or time() - self.at < FRESH)


def fans_made() -> MadeHere:
    """Of all hands won that anybody may read of, as they were a minute ago or later."""
    tournaments = visible_tournaments(Actor.of(None)).filter(is_trial=False)
    told, version = _state(tournaments)
    if (found := _served(told, version)) is not None:
        return found
    with _counting:  # of several who ask at once one counts, the others wait
        if (found := _served(told, version)) is None:
            found = _counted(tournaments)
            cache.set(PLACE, _Kept(told, version, time(), found), timeout=None)
    return found


def _served(told: tuple[Any, ...], version: int) -> MadeHere | None:
    kept: _Kept | None = cache.get(PLACE)
    return kept.found if kept is not None and kept.serves(told, version) else None


def _state(tournaments: QuerySet[Tournament]) -> tuple[tuple[Any, ...], int]:
    """What may be told of, and how far it is."""
    seen = tournaments.aggregate(Count("pk"), Sum("pk"), Max("created_at"), version=Sum("public_version"))
    version = seen.pop("version") or 0
    hidden = Session.objects.filter(hidden=True).aggregate(Count("pk"), Sum("pk"))
    return (*seen.values(), *hidden.values()), version


def _counted(tournaments: QuerySet[Tournament]) -> MadeHere:
    global _read
    sessions = Session.objects.filter(tournament__in=tournaments, hidden=False)
    states = {state.session: state for state in written(sessions)}
    known = {pk: _read[pk] for pk, state in states.items() if pk in _read and _read[pk].written == state}
    _read = known | _played({pk: state for pk, state in states.items() if pk not in known})
    return _added(_read.values())


def _played(states: Mapping[int, Written]) -> dict[int, _Played]:
    wins: Counter[int] = Counter()
    fans: dict[int, Counter[str]] = {pk: Counter() for pk in states}
    for session, made, hands in _wins(states):
        wins[session] += hands
        for key in _keys(made):
            fans[session][key] += hands
    return {pk: _Played(state, wins[pk], dict(fans[pk])) for pk, state in states.items()}


@lru_cache(maxsize=2**14)
def _keys(fans: str) -> frozenset[str]:
    return frozenset(fan["key"] for fan in json.loads(fans))


def _wins(sessions: Iterable[int]) -> Iterator[tuple[int, str, int]]:
    """(session, fans as they are stored, hands with just these) of the hands won whose fans are known."""
    every = sorted(sessions)
    for at in range(0, len(every), AT_ONCE):
        some = every[at : at + AT_ONCE]
        hands = Hand.objects.filter(table__session__in=some, is_current=True, outcome=Hand.Outcome.WIN)
        alike = hands.exclude(fans=[]).order_by().values_list("table__session", Cast("fans", TextField()))
        yield from alike.annotate(Count("pk")).iterator()


def _added(sessions: Iterable[_Played]) -> MadeHere:
    hands: Counter[str] = Counter()
    places: dict[str, set[int]] = {}
    wins, tournaments = 0, set()
    for played in sessions:
        wins += played.wins
        if played.wins:
            tournaments.add(played.written.tournament)
        for key, times in played.fans.items():
            hands[key] += times
            places.setdefault(key, set()).add(played.written.tournament)
    fans = {key: Made(times, len(places[key])) for key, times in hands.items()}
    return MadeHere(wins, len(tournaments), fans)
