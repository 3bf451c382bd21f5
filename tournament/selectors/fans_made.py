"""How often each fan was made at the public tournaments of this installation.

Counted are the hands that the public is told of (`selectors.embargo`), as they stand: no private tournament, no session
whose results are hidden, no invented one, no version of a hand that was corrected.

Looking again costs two sums over tournaments and sessions. After a write anywhere, one query says of every session
which hands it has, and only those of sessions that changed are read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.core.cache import cache
from django.db.models import Count, Max, QuerySet, Sum

from scoring.book.made import Made, MadeHere
from tournament.access import Actor, visible_tournaments
from tournament.models import Hand, Session, Tournament

PLACE: Final = "fans-made"
AT_ONCE: Final = 500
"""Sessions whose hands are read by one query."""


@dataclass(frozen=True)
class _Written:
    """What a session's figures follow from, as in `selectors.statistics`."""

    tournament: int
    made: datetime
    hands: int
    ids: int
    newest: int


@dataclass(frozen=True)
class _Played:
    written: _Written
    wins: int
    fans: Mapping[str, int]


_read: dict[int, _Played] = {}
"""Session → its figures, as this process has read them."""


def fans_made() -> MadeHere:
    """Of all hands won until now that anybody may read of."""
    tournaments = visible_tournaments(Actor.of(None)).filter(is_trial=False)
    state = _state(tournaments)
    kept, found = cache.get(PLACE, (None, None))
    if kept != state or found is None:
        found = _counted(tournaments)
        cache.set(PLACE, (state, found), timeout=None)
    return MadeHere(found.wins, found.tournaments, found.fans)


def _state(tournaments: QuerySet[Tournament]) -> tuple[Any, ...]:
    """Another one after each write that the public is told of, and whenever a tournament or a session is hidden."""
    seen = tournaments.aggregate(Count("pk"), Sum("pk"), Max("created_at"), Sum("public_version"))
    hidden = Session.objects.filter(hidden=True).aggregate(Count("pk"), Sum("pk"))
    return (*seen.values(), *hidden.values())


def _counted(tournaments: QuerySet[Tournament]) -> MadeHere:
    global _read
    written = _written(tournaments)
    known = {pk: _read[pk] for pk, state in written.items() if pk in _read and _read[pk].written == state}
    _read = known | _played({pk: state for pk, state in written.items() if pk not in known})
    return _added(_read.values())


def _written(tournaments: QuerySet[Tournament]) -> dict[int, _Written]:
    rows = (
        Session.objects.filter(tournament__in=tournaments, hidden=False, tables__hands__is_current=True)
        .order_by()
        .values_list("pk", "tournament", "tournament__created_at")
        .annotate(Count("tables__hands"), Sum("tables__hands__id"), Max("tables__hands__id"))
    )
    return {pk: _Written(*state) for pk, *state in rows}


def _played(written: Mapping[int, _Written]) -> dict[int, _Played]:
    wins: Counter[int] = Counter()
    fans: dict[int, Counter[str]] = {pk: Counter() for pk in written}
    for session, made in _wins(written):
        wins[session] += 1
        fans[session].update({fan["key"] for fan in made})
    return {pk: _Played(state, wins[pk], dict(fans[pk])) for pk, state in written.items()}


def _wins(sessions: Iterable[int]) -> Iterator[tuple[int, list[dict[str, Any]]]]:
    """(session, fans) of the hands won whose fans are known."""
    every = sorted(sessions)
    for at in range(0, len(every), AT_ONCE):
        some = every[at : at + AT_ONCE]
        hands = Hand.objects.filter(table__session__in=some, is_current=True, outcome=Hand.Outcome.WIN)
        yield from hands.exclude(fans=[]).values_list("table__session", "fans").iterator()


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
