"""What is known of tables kept on paper beside their totals: how many there are, and the best hands noted."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import date, datetime

from django.db.models import Min, OuterRef, QuerySet, Subquery

from tournament.base.models.hands import Hand
from tournament.base.models.people import Player
from tournament.base.models.play import Table
from tournament.base.models.tournament import Tournament
from tournament.base.selectors.by_version import by_version
from tournament.play.models.totals import Totals


@dataclass(frozen=True)
class NotedHand:
    """The dearest hand of a sheet, of which nothing else is written down: shown where a hand is."""

    winner: Player
    points: int
    table: Table
    played_at: datetime
    """When the sheet was first typed."""
    tiles: None = None
    fans: tuple[()] = ()
    number: None = None
    discarder: None = None
    overridden_because: str = ""
    is_noted: bool = True


Dearest = Hand | NotedHand
"""A hand to be proud of, written down or only noted."""


@dataclass(frozen=True)
class OnPaper:
    """`tables` whose scores are totals; `written` of their hands are written down all the same. `noted`: the dearest of
    each of their sheets that has one, the dearest first, of equals the earliest."""

    tables: int = 0
    written: int = 0
    noted: tuple[NotedHand, ...] = ()

    @property
    def best(self) -> NotedHand | None:
        return self.noted[0] if self.noted else None


@by_version(64)
def on_paper(tournament: Tournament, hidden: Collection[int], session: int | None = None) -> OnPaper:
    """Of all sessions but the `hidden`, or of one of them by number."""
    tables = Table.objects.filter(session__tournament=tournament, counts_totals=True)
    tables = tables.exclude(session__number__in=hidden)
    if session is not None:
        tables = tables.filter(session__number=session)
    hands = list(tables.values_list("hands_played", flat=True))
    return OnPaper(len(hands), sum(hands), noted_at(tables, tournament.players.all()) if hands else ())


def dearest(hands: Collection[Hand], noted: Collection[NotedHand]) -> list[Dearest]:
    """All of them, the dearest first; one that was noted and is written down as well is there once."""
    known = {(hand.table_id, hand.winner_id, hand.points) for hand in hands}
    more = [one for one in noted if (one.table.pk, one.winner.pk, one.points) not in known]
    return sorted([*hands, *more], key=lambda one: -one.points)


def noted_at(tables: QuerySet[Table], players: Iterable[Player]) -> tuple[NotedHand, ...]:
    """Those that one of the players won at one of the tables, the dearest first, of equals the earliest."""
    typed = Totals.objects.filter(table=OuterRef("table")).order_by().values("table")
    first = Subquery(typed.annotate(first=Min("recorded_at")).values("first"))
    counting = tables.filter(counts_totals=True)
    found = Totals.objects.filter(table__in=counting, is_current=True, best__isnull=False)
    found = found.select_related("table__session__tournament").annotate(played_at=first)
    known = {(player.tournament_id, player.number): player for player in players}
    noted = [
        NotedHand(winner, best.points, one.table, one.played_at)
        for one in found.defer("table__session__tournament__rules_snapshot")
        if (best := one.entry.best) and (winner := known.get((one.table.session.tournament_id, best.player)))
    ]
    return tuple(sorted(noted, key=_dearest_first))


def _dearest_first(noted: NotedHand) -> tuple[int, date, int, int]:
    session = noted.table.session
    return -noted.points, session.tournament.starts_on, session.number, noted.table.number
