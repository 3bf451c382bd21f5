"""Statistics of hands: of an event, its best hands, and the fans of all public tournaments."""

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
from django.db.models import Case, Count, Max, Min, OuterRef, Q, QuerySet, Subquery, Sum, TextField, When
from django.db.models.functions import Cast

from scoring.book.fans import FanFrequency, FanStatistics
from tournament.base.access import Actor, visible_tournaments
from tournament.base.engine.notices import Audience
from tournament.base.models.play import Hand, Session
from tournament.base.models.tournament import Tournament
from tournament.base.selectors import hidden_from
from tournament.play.selectors.organiser import HandsFingerprint, hands_fingerprints
from tournament.play.selectors.totals import (
    ListedHand,
    NotedHand,
    PaperSummary,
    highest_scoring,
    paper_summary,
)
from tournament.ranking.engine.statistics import MAX_BEST, Figures, PlayedHand, figures, sum_figures

# --- Statistics of an event ---


@dataclass(frozen=True)
class EventStatistics:
    """The statistics of one session, or of all of them together."""

    figures: Figures
    session: int | None
    """The number of the session selected; None for all."""
    sessions: tuple[int, ...]
    """The numbers of those with hands, which can be selected."""
    withheld_sessions: tuple[int, ...]
    """Sessions begun whose hands are hidden from this audience."""
    best: tuple[ListedHand, ...]
    """The highest-scoring hands won, the earliest of equals first; with those noted on paper sheets."""
    paper: PaperSummary
    """Tables recorded on paper, whose hands are not in these figures unless somebody entered them."""

    def __bool__(self) -> bool:
        return self.figures.hands > 0


def event_statistics(
    tournament: Tournament, audience: Audience, session: int | None = None
) -> EventStatistics:
    """Return the statistics of all hands that are not hidden from the audience, or of one session by number.

    Cached by session: after a new hand only its own session is read again.
    """
    hidden = hidden_from(audience, tournament)
    states = [state for state in hands_fingerprints(tournament.sessions.all()) if state.number not in hidden]
    selected = [state for state in states if session in (None, state.number)]
    sums = sum_figures(_session_figures(state) for state in selected)
    paper = paper_summary(tournament, hidden, session)
    return EventStatistics(
        figures=sums,
        session=session,
        sessions=tuple(state.number for state in states),
        withheld_sessions=_begun_sessions(tournament, hidden),
        best=tuple(highest_scoring(_hands_in_order(sums.best_ids), paper.noted)[:MAX_BEST]),
        paper=paper,
    )


def _begun_sessions(tournament: Tournament, numbers: frozenset[int]) -> tuple[int, ...]:
    """Return those of the sessions that have begun."""
    if not numbers:
        return ()
    begun = tournament.sessions.filter(number__in=numbers).exclude(state=Session.State.PLANNED)
    return tuple(begun.values_list("number", flat=True))


@lru_cache(maxsize=256)
def _session_figures(state: HandsFingerprint) -> Figures:
    return figures(_played_hands(state.session))


def _played_hands(session: int) -> Iterator[PlayedHand]:
    hands = Hand.objects.filter(table__session=session, is_current=True)
    rows = hands.exclude(outcome=Hand.Outcome.PENDING).values_list(
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
    """Return the hands with their players and tables, in this order."""
    hands = Hand.objects.filter(pk__in=ids).select_related("table__session", "winner", "discarder").in_bulk()
    return tuple(hands[id] for id in ids)


# --- The best hand ---


def best_hand_of_day(tournament: Tournament, audience: Audience) -> ListedHand | None:
    """Return the hand that screens show: the highest-scoring with tiles, else with fans, else by points alone.

    Of the newest day with a win; the earliest of equals.
    """
    hands, _noted = _hands_of_day(tournament, audience)
    by_detail = Case(When(tiles__isnull=False, then=2), When(~Q(fans=[]), then=1), default=0)
    best = hands.order_by(by_detail.desc(), "-points", "played_at", "pk").first()
    return best if best and (best.tiles or best.fans) else highest_hand_of_day(tournament, audience)


def highest_hand_of_day(tournament: Tournament, audience: Audience) -> ListedHand | None:
    """Return the highest-scoring hand of the newest day with a win, the earliest of equals."""
    hands, noted = _hands_of_day(tournament, audience)
    return next(iter(highest_scoring(hands.order_by("-points", "played_at", "pk")[:1], noted)), None)


def _hands_of_day(tournament: Tournament, audience: Audience) -> tuple[QuerySet[Any], list[NotedHand]]:
    """Return the hands won on the newest day with a win, recorded and noted on paper sheets.

    A hand counts as it is now, on the day it was first recorded: correcting yesterday's hand does not move it to today.
    A hand noted on a paper sheet counts on the day the sheet was typed.
    """
    hidden = hidden_from(audience, tournament)
    noted = paper_summary(tournament, hidden).noted
    won = Hand.objects.filter(
        table__session__tournament=tournament, is_current=True, outcome=Hand.Outcome.WIN
    ).exclude(table__session__number__in=hidden)
    won = won.annotate(played_at=_first_recorded()).select_related("table__session", "winner", "discarder")
    newest = won.order_by("-played_at").first()
    moments = [hand.played_at for hand in (newest, *noted) if hand is not None]
    if not moments:
        return won.none(), []
    day = max(moments).astimezone(tournament.zone).date()
    midnight = datetime.combine(day, time.min, tournament.zone)
    next_midnight = midnight + timedelta(days=1)
    of_day = won.filter(played_at__gte=midnight, played_at__lt=next_midnight)
    return of_day, [hand for hand in noted if midnight <= hand.played_at < next_midnight]


def _first_recorded() -> Subquery:
    """Return when the first version of a hand was recorded."""
    versions = Hand.objects.filter(table=OuterRef("table"), number=OuterRef("number")).order_by()
    return Subquery(versions.values("number").annotate(first=Min("recorded_at")).values("first"))


# --- Fans of all public tournaments ---


CACHE_KEY: Final = "ranking.fan-counts"
MAX_AGE: Final = 60
"""Seconds for which counts are used although somebody has written since."""
BATCH_SIZE: Final = 500
"""Sessions whose hands are read by one query."""


@dataclass(frozen=True)
class _SessionFans:
    written: HandsFingerprint
    wins: int
    fans: Mapping[str, int]


_count_lock = Lock()
_session_fans: dict[int, _SessionFans] = {}
"""Session → its fans, as this process has read them."""


@dataclass(frozen=True)
class _CachedCounts:
    """Counts in the cache, with the scope and version for which they were made, and when (in Unix seconds)."""

    scope: tuple[Any, ...]
    version: int
    counted_at: float
    counts: FanStatistics

    def is_fresh(self, scope: tuple[Any, ...], version: int) -> bool:
        return self.scope == scope and (self.version == version or unix_time() - self.counted_at < MAX_AGE)


def fan_counts() -> FanStatistics:
    """Return how often each fan was made at the public tournaments of this installation, at most a minute old.

    Counts hands that are public (`base.selectors`), in their current version: not those of private tournaments, hidden
    sessions or trial tournaments. What becomes hidden is gone at once.

    Costs two sums over tournaments and sessions. When these show a write, and at most once a minute, one query lists
    the hands of every session, and only sessions that changed are read.
    """
    tournaments = visible_tournaments(Actor.of(None)).filter(is_trial=False)
    scope, version = _current_scope(tournaments)
    if (counts := _cached_counts(scope, version)) is not None:
        return counts
    with _count_lock:  # of several requests at once only one counts
        if (counts := _cached_counts(scope, version)) is None:
            counts = _count(tournaments)
            cache.set(CACHE_KEY, _CachedCounts(scope, version, unix_time(), counts), timeout=None)
    return counts


def _cached_counts(scope: tuple[Any, ...], version: int) -> FanStatistics | None:
    cached: _CachedCounts | None = cache.get(CACHE_KEY)
    return cached.counts if cached is not None and cached.is_fresh(scope, version) else None


def _current_scope(tournaments: QuerySet[Tournament]) -> tuple[tuple[Any, ...], int]:
    """Return which tournaments and sessions are counted, and a version that changes with every public write."""
    sums = tournaments.aggregate(Count("pk"), Sum("pk"), Max("created_at"), version=Sum("public_version"))
    version = sums.pop("version") or 0
    hidden = Session.objects.filter(hidden=True).aggregate(Count("pk"), Sum("pk"))
    return (*sums.values(), *hidden.values()), version


def _count(tournaments: QuerySet[Tournament]) -> FanStatistics:
    global _session_fans
    sessions = Session.objects.filter(tournament__in=tournaments, hidden=False)
    states = {state.session: state for state in hands_fingerprints(sessions)}
    known = {pk: fans for pk, fans in _session_fans.items() if fans.written == states.get(pk)}
    _session_fans = known | _read_sessions({pk: state for pk, state in states.items() if pk not in known})
    return _sum_sessions(_session_fans.values())


def _read_sessions(states: Mapping[int, HandsFingerprint]) -> dict[int, _SessionFans]:
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


def _sum_sessions(sessions: Iterable[_SessionFans]) -> FanStatistics:
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
    fans = {key: FanFrequency(times, len(places[key])) for key, times in hands.items()}
    return FanStatistics(wins, len(tournaments), fans)


def wins_of_sessions(sessions: Iterable[int]) -> Iterator[tuple[int, str, int]]:
    """Yield (session, fans as they are stored, number of hands with these) of the hands won whose fans are known."""
    numbers = sorted(sessions)
    for start in range(0, len(numbers), BATCH_SIZE):
        batch = numbers[start : start + BATCH_SIZE]
        hands = Hand.objects.filter(table__session__in=batch, is_current=True, outcome=Hand.Outcome.WIN)
        wins = hands.exclude(fans=[]).order_by().values_list("table__session", Cast("fans", TextField()))
        yield from wins.annotate(Count("pk")).iterator()
