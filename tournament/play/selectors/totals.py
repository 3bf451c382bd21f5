"""Totals from paper: those that count, a session's sheets, a reading before it is kept, hands noted on paper."""

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
from tournament.play.engine.statements import TotalsEntry, find_totals_problems
from tournament.play.models import Totals

# --- Totals of a table ---


def standing_totals(table: Table) -> Totals | None:
    """Find the totals that count; without a query where none do."""
    if not table.counts_totals:
        return None
    return next((totals for totals in table.totals.all() if totals.is_current), None)


def versions_of_totals(table: Table) -> list[Totals]:
    """List every version that counts or once did, the newest first."""
    rows = table.totals.filter(is_second=False).select_related("recorded_by")
    return list(rows.order_by("-version"))


def open_second(table: Table) -> Totals | None:
    """Find a second reading that differs from what counts, and waits to be settled."""
    return table.totals.filter(is_second=True, settled_as="").select_related("recorded_by").first()


def unpaid_by(effects: Iterable[int]) -> int:
    """Sum up what penalties took from the four and gave to nobody."""
    return -sum(effects)


def unpaid_at(table: Table) -> int:
    """Sum up what the penalties that stand at a table took and gave to nobody."""
    return unpaid_by(effects_at_table(standing_at(table)).values())


@dataclass(frozen=True)
class Difference:
    """One figure of two readings. `what`: points, wins, deal_ins, hands, best; `player` by number, 0 for the sheet."""

    what: str
    player: int
    first: int | str | None
    second: int | str | None


def differences(first: TotalsEntry, second: TotalsEntry, seated: Sequence[int]) -> tuple[Difference, ...]:
    """List what the second reading has otherwise. Only of the points does it count when one of the two says nothing."""
    compared = [
        Difference("points", player, first.points.get(player), second.points.get(player)) for player in seated
    ]
    for what in ("wins", "deal_ins"):
        before, after = getattr(first, what), getattr(second, what)
        if before is not None and after is not None:
            compared += [Difference(what, player, before.get(player), after.get(player)) for player in seated]
    if first.hands is not None and second.hands is not None:
        compared.append(Difference("hands", 0, first.hands, second.hands))
    if first.best is not None and second.best is not None:
        compared.append(Difference("best", first.best.player, first.best.points, second.best.points))
        if first.best.player != second.best.player:
            compared[-1] = Difference("best", 0, _best_text(first), _best_text(second))
    return tuple(figure for figure in compared if figure.first != figure.second)


def _best_text(entry: TotalsEntry) -> str:
    """Say whose the best hand is, and how dear."""
    assert entry.best is not None
    return f"{entry.best.player}: {entry.best.points}"


def beside_hands(table: Table, totals: Totals) -> dict[int, int]:
    """Compare the hands written down since with the totals: player number → how much they fall short, where they do."""
    hands = Hand.objects.filter(table=table, is_current=True).values_list("payments", flat=True)
    came_to = {number: sum(paid.get(number, 0) for paid in hands) for number in totals.payments}
    return {
        int(number): points - came_to[number]
        for number, points in totals.payments.items()
        if points != came_to[number]
    }


# --- Sheets of a session ---


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
    """Read the sheets of a session, in as many queries however many tables there are."""
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
    seconds = [row for row in rows if row.is_second and totals and row.recorded_at >= totals.recorded_at]
    return PaperTable(
        table=table,
        seats=tuple(table.seats.all()),
        totals=totals,
        second=next((row for row in rows if row.is_second and not row.settled_as), None),
        read_twice=any(second.settled_as for second in seconds)
        or (totals is not None and _was_settled(totals, rows)),
        unpaid=unpaid_by(effects_at_table(table.penalties.all()).values()),
    )


def _was_settled(totals: Totals, rows: Sequence[Totals]) -> bool:
    """Whether a second reading made these totals what they are."""
    chosen = (Totals.Settled.SECOND, Totals.Settled.TYPED)
    return any(
        row.settled_as in chosen and row.settled_at and row.settled_at >= totals.recorded_at for row in rows
    )


# --- Readings ---


def reading(
    table: Table, actor: Actor, entry: TotalsEntry, uuid: UUID, known: tuple[Problem, ...] = ()
) -> tuple[Totals, dict[str, Any]]:
    """Check what somebody typed of a sheet on paper. Return it as a row not yet stored, and its data for the log.

    Raises `Refused` with everything that is wrong, `known` problems included.
    """
    seated = [seat.player.number for seat in table.seats.all()]
    effects = effects_at_table(standing_at(table))
    unpaid = unpaid_by(effects.values())
    if problems := (*find_totals_problems(entry, seated, unpaid), *known):
        raise Refused(problems)
    points = entry.complete_points(seated, unpaid)
    totals = Totals(
        table=table,
        uuid=uuid,
        points=_with_text_keys(points),
        payments=_with_text_keys(
            {player: value - effects.get(player, 0) for player, value in points.items()}
        ),
        wins=None if entry.wins is None else _with_text_keys(entry.wins),
        deal_ins=None if entry.deal_ins is None else _with_text_keys(entry.deal_ins),
        hands=entry.hands,
        best=None if entry.best is None else {"player": entry.best.player, "points": entry.best.points},
        recorded_by=actor.user,
        recorded_at=timezone.now(),
    )
    data = {
        "uuid": str(uuid),
        "points": totals.points,
        "included": {str(player): effect for player, effect in effects.items() if effect},
    }
    data |= {name: getattr(totals, name) for name in ("wins", "deal_ins", "best") if getattr(totals, name)}
    if totals.hands:
        data["of_hands"] = totals.hands
    return totals, data


def _with_text_keys(figures: Mapping[int, Any]) -> dict[str, Any]:
    return {str(player): value for player, value in figures.items()}


# --- Hands noted on paper ---


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
    """Find what is on paper of all sessions but the `hidden`, or of one of them by number."""
    tables = Table.objects.filter(session__tournament=tournament, counts_totals=True)
    tables = tables.exclude(session__number__in=hidden)
    if session is not None:
        tables = tables.filter(session__number=session)
    hands = list(tables.values_list("hands_played", flat=True))
    return OnPaper(len(hands), sum(hands), noted_at(tables, tournament.players.all()) if hands else ())


def dearest(hands: Collection[Hand], noted: Collection[NotedHand]) -> list[Dearest]:
    """List hands written down and noted, the dearest first; one that is both is there once."""
    known = {(hand.table_id, hand.winner_id, hand.points) for hand in hands}
    only_noted = [hand for hand in noted if (hand.table.pk, hand.winner.pk, hand.points) not in known]
    return sorted([*hands, *only_noted], key=lambda hand: -hand.points)


def noted_at(tables: QuerySet[Table], players: Iterable[Player]) -> tuple[NotedHand, ...]:
    """List the hands noted at the tables that one of the players won, the dearest first, of equals the earliest."""
    typed = Totals.objects.filter(table=OuterRef("table")).order_by().values("table")
    first = Subquery(typed.annotate(first=Min("recorded_at")).values("first"))
    counting = tables.filter(counts_totals=True)
    rows = Totals.objects.filter(table__in=counting, is_current=True, best__isnull=False)
    rows = rows.select_related("table__session__tournament").annotate(played_at=first)
    known = {(player.tournament_id, player.number): player for player in players}
    noted = [
        NotedHand(winner, best.points, row.table, row.played_at)
        for row in rows.defer("table__session__tournament__rules_snapshot")
        if (best := row.entry.best) and (winner := known.get((row.table.session.tournament_id, best.player)))
    ]
    return tuple(sorted(noted, key=_dearest_first))


def _dearest_first(noted: NotedHand) -> tuple[int, date, int, int]:
    session = noted.table.session
    return -noted.points, session.tournament.starts_on, session.number, noted.table.number
