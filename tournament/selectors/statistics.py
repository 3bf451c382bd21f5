"""The statistics of an event, read once a change of its hands."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from django.db.models import Count, Max, Sum

from tournament.access import Audience
from tournament.engine.statistics import Figures, PlayedHand, added, figures
from tournament.models import Hand, Session, Tournament
from tournament.selectors.embargo import hidden_from


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
    best: tuple[Hand, ...]
    """The dearest hands won, the earliest of equals first."""

    def __bool__(self) -> bool:
        return self.figures.hands > 0


@dataclass(frozen=True)
class _Written:
    """What the figures of a session follow from. Hands are never changed in place: a correction is a new row, with a
    new number, and the row it replaces no longer counts."""

    tournament_made: datetime
    session: int
    hands: int
    ids: int
    newest: int


def event_statistics(
    tournament: Tournament, audience: Audience, session: int | None = None
) -> EventStatistics:
    """Of all hands recorded until now that the audience is told of, or of those of a session by number.

    Kept by session: a hand recorded costs the reading of its own session, and looking again costs a count.
    """
    hidden = hidden_from(audience, tournament)
    written = {number: state for number, state in _written(tournament).items() if number not in hidden}
    wanted = [state for number, state in written.items() if session in (None, number)]
    found = added(_figures(state) for state in wanted)
    return EventStatistics(
        figures=found,
        session=session,
        sessions=tuple(written),
        kept_back=_begun(tournament, hidden),
        best=_hands(found.best_ids),
    )


def _begun(tournament: Tournament, numbers: frozenset[int]) -> tuple[int, ...]:
    """Those of the sessions that have begun."""
    if not numbers:
        return ()
    begun = tournament.sessions.filter(number__in=numbers).exclude(state=Session.State.PLANNED)
    return tuple(begun.values_list("number", flat=True))


def _written(tournament: Tournament) -> dict[int, _Written]:
    """Session number → the state of its hands, of the sessions that have any."""
    rows = (
        Session.objects.filter(tournament=tournament, tables__hands__is_current=True)
        .order_by("number")
        .values_list("number", "pk")
        .annotate(Count("tables__hands"), Sum("tables__hands__id"), Max("tables__hands__id"))
    )
    made = tournament.created_at
    return {number: _Written(made, pk, hands, ids, newest) for number, pk, hands, ids, newest in rows}


@lru_cache(maxsize=256)
def _figures(written: _Written) -> Figures:
    return figures(_played(written.session))


def _played(session: int) -> Iterator[PlayedHand]:
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


def _hands(ids: tuple[int, ...]) -> tuple[Hand, ...]:
    """The hands with their people and places, in this order."""
    found = Hand.objects.filter(pk__in=ids).select_related("table__session", "winner", "discarder").in_bulk()
    return tuple(found[id] for id in ids)
