"""The statistics of an event: its hands, the best of them, and how often each fan was made."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from functools import lru_cache
from threading import Lock
from time import time as unix_time
from typing import Any, Final

from django.core.cache import cache
from django.db.models import Count, Max, Min, OuterRef, QuerySet, Subquery, Sum, TextField
from django.db.models.functions import Cast

from scoring.book.fans import Made, MadeHere
from tournament.base.access import Actor, Audience, visible_tournaments
from tournament.base.models.play import Hand, Session
from tournament.base.models.tournament import Tournament
from tournament.base.selectors import hidden_from
from tournament.play.selectors.organiser import Written, written
from tournament.play.selectors.totals import Dearest, OnPaper, dearest, on_paper
from tournament.ranking.engine.statistics import BEST, Figures, PlayedHand, added, figures

# --- Statistics of an event ---


@dataclass(frozen=True)
class EventStatistics:
    """Of a session, or of all of them together."""

    figures: Figures
    session: int | None
    """The number of the one asked for; None for all."""
    sessions: tuple[int, ...]
    """Those with hands, by number: what can be asked for."""
    kept_back: tuple[int, ...]
    """Sessions begun whose hands this audience is not told."""
    best: tuple[Dearest, ...]
    """The dearest hands won, the earliest of equals first; with those that sheets kept on paper name."""
    paper: OnPaper
    """Tables whose hands are in these figures only as far as somebody wrote them down."""

    def __bool__(self) -> bool:
        return self.figures.hands > 0


def event_statistics(
    tournament: Tournament, audience: Audience, session: int | None = None
) -> EventStatistics:
    """Of all hands recorded until now that the audience is told of, or of those of a session by number.

    Kept by session: a hand recorded costs the reading of its own session, and looking again costs a count.
    """
    hidden = hidden_from(audience, tournament)
    states = [state for state in written(tournament.sessions.all()) if state.number not in hidden]
    wanted = [state for state in states if session in (None, state.number)]
    sums = added(_session_figures(state) for state in wanted)
    paper = on_paper(tournament, hidden, session)
    return EventStatistics(
        figures=sums,
        session=session,
        sessions=tuple(state.number for state in states),
        kept_back=_begun_sessions(tournament, hidden),
        best=tuple(dearest(_hands_in_order(sums.best_ids), paper.noted)[:BEST]),
        paper=paper,
    )


def _begun_sessions(tournament: Tournament, numbers: frozenset[int]) -> tuple[int, ...]:
    """Those of the sessions that have begun."""
    if not numbers:
        return ()
    begun = tournament.sessions.filter(number__in=numbers).exclude(state=Session.State.PLANNED)
    return tuple(begun.values_list("number", flat=True))


@lru_cache(maxsize=256)
def _session_figures(state: Written) -> Figures:
    return figures(_played_hands(state.session))


def _played_hands(session: int) -> Iterator[PlayedHand]:
    rows = Hand.objects.filter(table__session=session, is_current=True).values_list(
        "pk", "table__session__number", "number", "table__number", "outcome", "discarder", "points", "fans"
    )
    for pk, at, number, table, outcome, discarder, points, fans in rows:
        yield PlayedHand(
            id=pk,
            place=(at, number, table),
            won=outcome == Hand.Outcome.WIN,
            self_drawn=outcome == Hand.Outcome.WIN and discarder is None,
            points=points,
            fans=tuple(fan["key"] for fan in fans),
        )


def _hands_in_order(ids: tuple[int, ...]) -> tuple[Hand, ...]:
    """The hands with their people and places, in this order."""
    hands = Hand.objects.filter(pk__in=ids).select_related("table__session", "winner", "discarder").in_bulk()
    return tuple(hands[id] for id in ids)


# --- The best hand ---


def best_hand(tournament: Tournament, audience: Audience) -> Dearest | None:
    """The dearest hand won on the newest day that any was; of equals one with tiles, then the earliest.

    A hand counts as it stands now, on the day it was first recorded: correcting yesterday's makes it no hand of today.
    One that a sheet kept on paper names is noted on the day the sheet was typed.
    """
    hidden = hidden_from(audience, tournament)
    noted = on_paper(tournament, hidden).noted
    won = Hand.objects.filter(
        table__session__tournament=tournament, is_current=True, outcome=Hand.Outcome.WIN
    ).exclude(table__session__number__in=hidden)
    won = won.annotate(played_at=_first_recorded()).select_related("table__session", "winner", "discarder")
    newest = won.order_by("-played_at").first()
    moments = [hand.played_at for hand in (newest, *noted) if hand is not None]
    if not moments:
        return None
    day = max(moments).astimezone(tournament.zone).date()
    midnight = datetime.combine(day, time.min, tournament.zone)
    over = midnight + timedelta(days=1)
    of_day = won.filter(played_at__gte=midnight, played_at__lt=over)
    most = of_day.aggregate(most=Max("points"))["most"]
    equals = sorted(
        of_day.filter(points=most).order_by("played_at", "pk"), key=lambda hand: hand.tiles is None
    )
    best = dearest(equals[:1], [hand for hand in noted if midnight <= hand.played_at < over])
    return best[0]


def _first_recorded() -> Subquery:
    """When the first version of a hand was recorded."""
    versions = Hand.objects.filter(table=OuterRef("table"), number=OuterRef("number")).order_by()
    return Subquery(versions.values("number").annotate(first=Min("recorded_at")).values("first"))


# --- Fans made ---


PLACE: Final = "ranking.fans-made"
FRESH: Final = 60
"""Seconds in which what was counted serves on, whoever writes."""
AT_ONCE: Final = 500
"""Sessions whose hands are read by one query."""


@dataclass(frozen=True)
class _SessionFans:
    written: Written
    wins: int
    fans: Mapping[str, int]


_counting = Lock()
_read: dict[int, _SessionFans] = {}
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
        return self.told == told and (self.version == version or unix_time() - self.at < FRESH)


def fans_made() -> MadeHere:
    """How often each fan was made at the public tournaments of this installation, as it was a minute ago or later.

    Counted are the hands that the public is told of (`base.selectors`), as they stand: no private tournament, no
    session whose results are hidden, no invented one, no version of a hand that was corrected.

    Looking again costs two sums over tournaments and sessions. Where they say that somebody wrote, and at most once a
    minute, one query tells of every session which hands it has; only those of sessions that changed are read. What is
    hidden is gone at once.
    """
    tournaments = visible_tournaments(Actor.of(None)).filter(is_trial=False)
    scope, version = _current_scope(tournaments)
    if (made_here := _kept_answer(scope, version)) is not None:
        return made_here
    with _counting:  # of several who ask at once one counts, the others wait
        if (made_here := _kept_answer(scope, version)) is None:
            made_here = _count(tournaments)
            cache.set(PLACE, _Kept(scope, version, unix_time(), made_here), timeout=None)
    return made_here


def _kept_answer(scope: tuple[Any, ...], version: int) -> MadeHere | None:
    kept: _Kept | None = cache.get(PLACE)
    return kept.found if kept is not None and kept.serves(scope, version) else None


def _current_scope(tournaments: QuerySet[Tournament]) -> tuple[tuple[Any, ...], int]:
    """What may be told of, and how far it is."""
    sums = tournaments.aggregate(Count("pk"), Sum("pk"), Max("created_at"), version=Sum("public_version"))
    version = sums.pop("version") or 0
    hidden = Session.objects.filter(hidden=True).aggregate(Count("pk"), Sum("pk"))
    return (*sums.values(), *hidden.values()), version


def _count(tournaments: QuerySet[Tournament]) -> MadeHere:
    global _read
    sessions = Session.objects.filter(tournament__in=tournaments, hidden=False)
    states = {state.session: state for state in written(sessions)}
    known = {pk: _read[pk] for pk, state in states.items() if pk in _read and _read[pk].written == state}
    _read = known | _read_sessions({pk: state for pk, state in states.items() if pk not in known})
    return _sum_up(_read.values())


def _read_sessions(states: Mapping[int, Written]) -> dict[int, _SessionFans]:
    wins: Counter[int] = Counter()
    fans: dict[int, Counter[str]] = {pk: Counter() for pk in states}
    for session, fans_json, hands in wins_of_sessions(states):
        wins[session] += hands
        for key in _fan_keys(fans_json):
            fans[session][key] += hands
    return {pk: _SessionFans(state, wins[pk], dict(fans[pk])) for pk, state in states.items()}


@lru_cache(maxsize=2**14)
def _fan_keys(fans: str) -> frozenset[str]:
    return frozenset(fan["key"] for fan in json.loads(fans))


def _sum_up(sessions: Iterable[_SessionFans]) -> MadeHere:
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


def wins_of_sessions(sessions: Iterable[int]) -> Iterator[tuple[int, str, int]]:
    """(session, fans as they are stored, hands with just these) of the hands won whose fans are known."""
    every = sorted(sessions)
    for at in range(0, len(every), AT_ONCE):
        some = every[at : at + AT_ONCE]
        hands = Hand.objects.filter(table__session__in=some, is_current=True, outcome=Hand.Outcome.WIN)
        alike = hands.exclude(fans=[]).order_by().values_list("table__session", Cast("fans", TextField()))
        yield from alike.annotate(Count("pk")).iterator()
