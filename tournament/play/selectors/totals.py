"""Totals from paper: those that count, what is typed, and what is known of such tables."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from uuid import UUID

from django.db.models import Min, OuterRef, Prefetch, QuerySet, Subquery
from django.utils import timezone

from penalties.models import Penalty
from penalties.selectors import effects_at_table, standing_at
from scoring.engine.problems import Problem
from tournament.base.access import Actor
from tournament.base.errors import Refused
from tournament.base.models.people import Player
from tournament.base.models.play import Hand, Seat, Session, Table
from tournament.base.models.tournament import Tournament
from tournament.base.selectors import by_version
from tournament.play.engine.statements import TotalsEntry, faults
from tournament.play.models import Totals

# --- Totals ---
# Totals from paper: those that count at a table, what they are held against, and a session's sheets at a glance.


def standing_totals(table: Table) -> Totals | None:
    """Those that count; without a query where none do."""
    if not table.counts_totals:
        return None
    return next((one for one in table.totals.all() if one.is_current), None)


def versions_of_totals(table: Table) -> list[Totals]:
    """Every version that counted once or does, the newest first."""
    rows = table.totals.filter(is_second=False).select_related("recorded_by")
    return list(rows.order_by("-version"))


def totals_by_uuid(table: Table, uuid: UUID) -> Totals | None:
    """What the same UUID made at this table."""
    return table.totals.filter(uuid=uuid).first()


def open_second(table: Table) -> Totals | None:
    """A second reading that differs from what counts, and waits to be settled."""
    rows = table.totals.filter(is_second=True, settled_as="").select_related("recorded_by")
    return rows.first()


def unpaid_by(effects: Iterable[int]) -> int:
    """What penalties took from the four and gave to nobody."""
    return -sum(effects)


def unpaid_at(table: Table) -> int:
    """The same of the penalties that stand at a table."""
    return unpaid_by(effects_at_table(standing_at(table)).values())


@dataclass(frozen=True)
class Difference:
    """One figure of two readings. `what`: points, wins, deal_ins, hands, best; `player` by number, 0 for the sheet."""

    what: str
    player: int
    first: int | str | None
    second: int | str | None


def differences(first: TotalsEntry, second: TotalsEntry, seated: Sequence[int]) -> tuple[Difference, ...]:
    """What the second reading has otherwise. What only one of the two says is no difference but for the points."""
    found = [
        Difference("points", player, first.points.get(player), second.points.get(player)) for player in seated
    ]
    for what in ("wins", "deal_ins"):
        one, other = getattr(first, what), getattr(second, what)
        if one is not None and other is not None:
            found += [Difference(what, player, one.get(player), other.get(player)) for player in seated]
    if first.hands is not None and second.hands is not None:
        found.append(Difference("hands", 0, first.hands, second.hands))
    if first.best is not None and second.best is not None:
        found.append(Difference("best", first.best.player, first.best.points, second.best.points))
        if first.best.player != second.best.player:
            found[-1] = Difference("best", 0, _said(first), _said(second))
    return tuple(one for one in found if one.first != one.second)


def _said(entry: TotalsEntry) -> str:
    """Whose best hand, and how dear."""
    assert entry.best is not None
    return f"{entry.best.player}: {entry.best.points}"


def beside_hands(table: Table, totals: Totals) -> dict[int, int]:
    """Player number → how much the hands written down since fall short of the totals; only where they differ."""
    hands = Hand.objects.filter(table=table, is_current=True).values_list("payments", flat=True)
    came_to = {number: sum(paid.get(number, 0) for paid in hands) for number in totals.payments}
    return {
        int(number): points - came_to[number]
        for number, points in totals.payments.items()
        if points != came_to[number]
    }


@dataclass(frozen=True)
class PaperTable:
    """A table on the page of a session's sheets."""

    table: Table
    seats: tuple[Seat, ...]
    """In the order of the starting winds."""
    totals: Totals | None
    second: Totals | None
    """A second reading that waits to be settled."""
    read_twice: bool
    """Whether somebody has read the standing sheet a second time, and it agreed or was settled."""
    unpaid: int

    @property
    def numbers(self) -> tuple[int, ...]:
        return tuple(seat.player.number for seat in self.seats)

    @property
    def has_hands(self) -> bool:
        """Whether its score is the sum of hands: no totals are asked for."""
        return self.table.hands_played > 0 and self.totals is None

    @property
    def is_missing(self) -> bool:
        return not self.table.has_result


def paper_tables(session: Session) -> tuple[PaperTable, ...]:
    """Every table of the session, in as many queries however many there are."""
    standing = Penalty.objects.filter(cancelled_at=None)
    tables = session.tables.prefetch_related(
        Prefetch("seats", Seat.objects.select_related("player").order_by("id")),
        Prefetch("totals", Totals.objects.select_related("recorded_by")),
        Prefetch("penalties", standing),
    )
    return tuple(_paper(session, table) for table in tables.order_by("number"))


def _paper(session: Session, table: Table) -> PaperTable:
    table.session = session
    rows = list(table.totals.all())
    totals = standing_totals(table)
    seconds = [one for one in rows if one.is_second and totals and one.recorded_at >= totals.recorded_at]
    return PaperTable(
        table=table,
        seats=tuple(table.seats.all()),
        totals=totals,
        second=next((one for one in rows if one.is_second and not one.settled_as), None),
        read_twice=any(one.settled_as for one in seconds)
        or (totals is not None and _was_settled(totals, rows)),
        unpaid=unpaid_by(effects_at_table(table.penalties.all()).values()),
    )


def _was_settled(totals: Totals, rows: Sequence[Totals]) -> bool:
    """Whether a second reading made these totals what they are."""
    chosen = (Totals.Settled.SECOND, Totals.Settled.TYPED)
    return any(
        one.settled_as in chosen and one.settled_at and one.settled_at >= totals.recorded_at for one in rows
    )


# --- What somebody typed of a sheet on paper, complete and checked, before it is kept ---


def reading(
    table: Table, actor: Actor, entry: TotalsEntry, uuid: UUID, found: tuple[Problem, ...] = ()
) -> tuple[Totals, dict[str, Any]]:
    """What was typed as a row not yet kept, complete and checked; and what the log has of it."""
    seated = [seat.player.number for seat in table.seats.all()]
    effects = effects_at_table(standing_at(table))
    unpaid = unpaid_by(effects.values())
    if problems := (*faults(entry, seated, unpaid), *found):
        raise Refused(problems)
    points = entry.filled(seated, unpaid)
    totals = Totals(
        table=table,
        uuid=uuid,
        points=_by_text(points),
        payments=_by_text({player: value - effects.get(player, 0) for player, value in points.items()}),
        wins=None if entry.wins is None else _by_text(entry.wins),
        deal_ins=None if entry.deal_ins is None else _by_text(entry.deal_ins),
        hands=entry.hands,
        best=None if entry.best is None else {"player": entry.best.player, "points": entry.best.points},
        recorded_by=actor.user,
        recorded_at=timezone.now(),
    )
    return totals, {
        "uuid": str(uuid),
        "points": totals.points,
        "included": {str(player): effect for player, effect in effects.items() if effect},
    } | {name: getattr(totals, name) for name in ("wins", "deal_ins", "best") if getattr(totals, name)} | (
        {"of_hands": totals.hands} if totals.hands else {}
    )


def _by_text(figures: Mapping[int, Any]) -> dict[str, Any]:
    return {str(player): value for player, value in figures.items()}


# --- Paper figures ---
# What is known of tables kept on paper beside their totals: how many there are, and the best hands noted.


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


@dataclass(frozen=True)
class Statistics:
    """Counts over the hands a player has sat through."""

    hands: int
    won: int
    self_drawn: int
    dealt_in: int
    won_points: int
    """The fan totals of the hands won, summed."""
    dealt_in_points: int

    @property
    def neither(self) -> int:
        return self.hands - self.won - self.dealt_in

    @property
    def average_won(self) -> int | None:
        return round(self.won_points / self.won) if self.won else None

    @property
    def average_dealt_in(self) -> int | None:
        return round(self.dealt_in_points / self.dealt_in) if self.dealt_in else None
