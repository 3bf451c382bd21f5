"""The statistics of an event, read once a change of its hands."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from tournament.base.access import Audience
from tournament.base.models.hands import Hand
from tournament.base.models.play import Session
from tournament.base.models.tournament import Tournament
from tournament.base.selectors.embargo import hidden_from
from tournament.play.selectors.paper_figures import Dearest, OnPaper, dearest, on_paper
from tournament.play.selectors.written import Written, written
from tournament.ranking.engine.statistics import BEST, Figures, PlayedHand, added, figures


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
    found = added(_figures(state) for state in wanted)
    paper = on_paper(tournament, hidden, session)
    return EventStatistics(
        figures=found,
        session=session,
        sessions=tuple(state.number for state in states),
        kept_back=_begun(tournament, hidden),
        best=tuple(dearest(_hands(found.best_ids), paper.noted)[:BEST]),
        paper=paper,
    )


def _begun(tournament: Tournament, numbers: frozenset[int]) -> tuple[int, ...]:
    """Those of the sessions that have begun."""
    if not numbers:
        return ()
    begun = tournament.sessions.filter(number__in=numbers).exclude(state=Session.State.PLANNED)
    return tuple(begun.values_list("number", flat=True))


@lru_cache(maxsize=256)
def _figures(state: Written) -> Figures:
    return figures(_played(state.session))


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
