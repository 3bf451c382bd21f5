"""The penalties of a tournament as a list, and where the points they took have gone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import QuerySet, Sum

from penalties.engine import PointScope, Sanction
from penalties.models import Penalty
from tournament.base.access import Audience
from tournament.base.models.play import Seat, Session
from tournament.base.models.tournament import Tournament
from tournament.base.selectors.embargo import hidden_from


@dataclass(frozen=True)
class PenaltyFilter:
    """Which penalties to list; None or "" for all."""

    player: int | None = None
    foul: str = ""
    session: int | None = None

    def __bool__(self) -> bool:
        return bool(self.player or self.foul or self.session)


@dataclass(frozen=True)
class Balance:
    """One session, or what lies beyond all tables (`session` None): the scores and what accounts for them."""

    session: int | None
    scores: int
    """All players' game points together: hands sum to zero, so only penalties move this."""
    unpaid: int
    """What penalties took and paid to nobody."""

    @property
    def comes_out(self) -> bool:
        return self.scores + self.unpaid == 0


def penalties_of(tournament: Tournament, audience: Audience) -> QuerySet[Penalty]:
    """All that the audience is told of."""
    hidden = hidden_from(audience, tournament)
    return Penalty.objects.filter(tournament=tournament).exclude(table__session__number__in=hidden)


def list_penalties(tournament: Tournament, audience: Audience, wanted: PenaltyFilter) -> QuerySet[Penalty]:
    """Newest first, the cancelled ones too."""
    found = penalties_of(tournament, audience).select_related(
        "player", "victim", "table__session", "tournament", "given_by", "cancelled_by"
    )
    if wanted.player:
        found = found.filter(player__number=wanted.player)
    if wanted.foul:
        found = found.filter(foul=wanted.foul)
    if wanted.session:
        found = found.filter(table__session__number=wanted.session)
    return found.order_by("-given_at", "-id")


def balances(tournament: Tournament, audience: Audience) -> list[Balance]:
    """Every session that has begun, then the game points that penalties took from the final sums alone."""
    standing = list(
        penalties_of(tournament, audience).filter(cancelled_at=None).select_related("table__session")
    )
    at_tables: Counter[int] = Counter()
    for penalty in standing:
        at_tables[penalty.table.session.number] -= sum(penalty.effects_at_table.values())
    scores = dict(
        Seat.objects.filter(table__session__tournament=tournament)
        .exclude(table__session__state=Session.State.PLANNED)
        .exclude(table__session__number__in=hidden_from(audience, tournament))
        .values_list("table__session__number")
        .annotate(Sum("game_points"))
        .order_by("table__session__number")
    )
    found = [Balance(session, total, at_tables[session]) for session, total in scores.items()]
    return [*found, *_beyond(standing)]


def _beyond(standing: Iterable[Penalty]) -> list[Balance]:
    """Points of the whole tournament, if there are any."""
    moved = [
        sum(penalty.effects.values())
        for penalty in standing
        if (points := Sanction.from_json(penalty.sanction).points) and points.scope is PointScope.TOURNAMENT
    ]
    return [Balance(None, sum(moved), -sum(moved))] if moved else []


def fouls_given(tournament: Tournament, audience: Audience) -> list[str]:
    """The keys of the fouls for which there are penalties."""
    keys = penalties_of(tournament, audience).order_by("foul").values_list("foul", flat=True)
    return list(keys.distinct())
