"""What is known of tables kept on paper beside their totals: how many there are, and the best hand noted."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from django.db.models import QuerySet

from tournament.models import Player, Table, Totals, Tournament
from tournament.selectors.by_version import by_version


@dataclass(frozen=True)
class NotedHand:
    """The dearest hand of a sheet, of which nothing else is written down."""

    player: Player
    points: int
    session: int
    table: int


@dataclass(frozen=True)
class OnPaper:
    """`tables` whose scores are totals; `written` of their hands are written down all the same."""

    tables: int = 0
    written: int = 0
    best: NotedHand | None = None
    """The dearest that was noted, the earliest of equals."""


@by_version(64)
def on_paper(tournament: Tournament, hidden: Collection[int], session: int | None = None) -> OnPaper:
    """Of all sessions but the `hidden`, or of one of them by number."""
    tables = Table.objects.filter(session__tournament=tournament, counts_totals=True)
    tables = tables.exclude(session__number__in=hidden)
    if session is not None:
        tables = tables.filter(session__number=session)
    hands = list(tables.values_list("hands_played", flat=True))
    return OnPaper(len(hands), sum(hands), _best(tournament, tables) if hands else None)


def _best(tournament: Tournament, tables: QuerySet[Table]) -> NotedHand | None:
    noted = Totals.objects.filter(table__in=tables, is_current=True, best__isnull=False)
    rows = [
        (-best["points"], at, table, best["player"])
        for best, at, table in noted.values_list("best", "table__session__number", "table__number")
        if best
    ]
    if not rows:
        return None
    points, at, table, player = min(rows)
    return NotedHand(tournament.players.get(number=player), -points, at, table)
