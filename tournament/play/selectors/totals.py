"""Totals from paper: current and differing ones, a session's sheets, checking a reading, best hands noted."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from uuid import UUID

from django.db.models import Min, OuterRef, Prefetch, QuerySet, Subquery
from django.utils import timezone

from penalties.models import Penalty
from penalties.selectors import effects_at_table, penalties_in_force
from scoring.engine.problems import Problem
from tournament.base.access import Actor
from tournament.base.errors import Refused
from tournament.base.models.people import Player
from tournament.base.models.play import Hand, Seat, Session, Table
from tournament.base.models.tournament import Tournament
from tournament.base.selectors import by_version
from tournament.play.engine.statements import TOTALS_SAME_AS_TABLE, TotalsEntry, find_totals_problems
from tournament.play.models import Totals

# --- Totals of a table ---


def standing_totals(table: Table) -> Totals | None:
    """Return the totals that count; None, without a query, where hands count."""
    if not table.counts_totals:
        return None
    return next((totals for totals in table.totals.all() if totals.is_current), None)


def uncounted_tables(tournament: Tournament, figure: str) -> set[tuple[int, int]]:
    """List tables whose totals leave out a figure ("wins", "deal_ins"), as (session number, table number)."""
    standing = Totals.objects.filter(
        table__session__tournament=tournament, table__counts_totals=True, is_current=True, is_second=False
    )
    without = standing.filter(**{f"{figure}__isnull": True})
    return set(without.values_list("table__session__number", "table__number"))


def totals_versions(table: Table) -> list[Totals]:
    """List every version that counts or once did, newest first."""
    rows = table.totals.filter(is_second=False).select_related("recorded_by")
    return list(rows.order_by("-version"))


def open_second_reading(table: Table) -> Totals | None:
    """Return the second reading that differs from the first and is not settled, if any."""
    return table.totals.filter(is_second=True, settled_as="").select_related("recorded_by").first()


def sum_unpaid(effects: Iterable[int]) -> int:
    """Return the penalty points paid to nobody. `effects`: changes of the four scores."""
    return -sum(effects)


def unpaid_points(table: Table) -> int:
    """Return the penalty points at a table that were paid to nobody."""
    return sum_unpaid(effects_at_table(penalties_in_force(table)).values())


@dataclass(frozen=True)
class Difference:
    """A figure that differs. `what`: points, wins, deal_ins, hands or best; `player`: number, 0 for the sheet."""

    what: str
    player: int
    first: int | str | None
    second: int | str | None


def differences(first: TotalsEntry, second: TotalsEntry, seated: Sequence[int]) -> tuple[Difference, ...]:
    """List the figures that differ. A figure missing in one reading only counts as a difference for points."""
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
            compared[-1] = Difference("best", 0, _best_hand_text(first), _best_hand_text(second))
    return tuple(figure for figure in compared if figure.first != figure.second)


def _best_hand_text(entry: TotalsEntry) -> str:
    assert entry.best is not None
    return f"{entry.best.player}: {entry.best.points}"


def compare_with_hands(table: Table, totals: Totals) -> dict[int, int]:
    """Return by how much the recorded hands fall short of the totals, for players (by number) where they differ."""
    hands = Hand.objects.filter(table=table, is_current=True).values_list("payments", flat=True)
    sums = {number: sum(paid.get(number, 0) for paid in hands) for number in totals.payments}
    return {
        int(number): points - sums[number]
        for number, points in totals.payments.items()
        if points != sums[number]
    }


# --- Sheets of a session ---


@dataclass(frozen=True)
class PaperTable:
    """A table of a session with its totals."""

    table: Table
    seats: tuple[Seat, ...]
    """In the order of the starting winds."""
    totals: Totals | None
    second: Totals | None
    """An open second reading."""
    read_twice: bool
    """Whether the current totals were read a second time and the readings agreed or were settled."""
    unpaid: int

    @property
    def right_sum(self) -> int:
        return -self.unpaid

    @property
    def numbers(self) -> tuple[int, ...]:
        return tuple(seat.player.number for seat in self.seats)

    @property
    def has_hands(self) -> bool:
        """Whether the score is the sum of hands, so that totals cannot be typed."""
        return self.table.hands_played > 0 and self.totals is None

    @property
    def is_missing(self) -> bool:
        return not self.table.has_result


def paper_tables(session: Session) -> tuple[PaperTable, ...]:
    """Read the sheets of a session in a fixed number of queries."""
    standing = Penalty.objects.filter(cancelled_at=None)
    tables = session.tables.prefetch_related(
        Prefetch("seats", Seat.objects.select_related("player").order_by("id")),
        Prefetch("totals", Totals.objects.select_related("recorded_by")),
        Prefetch("penalties", standing),
    )
    return tuple(_paper_table(session, table) for table in tables.order_by("number"))


def _paper_table(session: Session, table: Table) -> PaperTable:
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
        unpaid=sum_unpaid(effects_at_table(table.penalties.all()).values()),
    )


def _was_settled(totals: Totals, rows: Sequence[Totals]) -> bool:
    """Whether these totals are the result of settling a second reading."""
    chosen = (Totals.Settled.SECOND, Totals.Settled.TYPED)
    return any(
        row.settled_as in chosen and row.settled_at and row.settled_at >= totals.recorded_at for row in rows
    )


# --- Readings ---


def build_totals(
    table: Table, actor: Actor, entry: TotalsEntry, uuid: UUID, other_problems: tuple[Problem, ...] = ()
) -> tuple[Totals, dict[str, Any]]:
    """Check typed totals. Return an unsaved row and its data for the log.

    Raises Refused with every problem, `other_problems` included.
    """
    seated = [seat.player.number for seat in table.seated]
    effects = effects_at_table(penalties_in_force(table))
    unpaid = sum_unpaid(effects.values())
    if problems := (*find_totals_problems(entry, seated, unpaid), *other_problems):
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


def same_totals_problems(table: Table, points: Mapping[str, int]) -> tuple[Problem, ...]:
    """Warn of another table of the session with the same four totals: one sheet may have been typed twice."""
    others = Totals.objects.filter(table__session=table.session, is_current=True, is_second=False)
    for number, stored in others.exclude(table=table).values_list("table__number", "points"):
        if any(points.values()) and sorted(stored.values()) == sorted(points.values()):
            return (TOTALS_SAME_AS_TABLE("points", table=number),)
    return ()


def _with_text_keys(figures: Mapping[int, Any]) -> dict[str, Any]:
    return {str(player): value for player, value in figures.items()}


# --- Hands noted on paper ---


@dataclass(frozen=True)
class NotedHand:
    """The best hand of a sheet on paper, with the attributes of `Hand` that lists of hands show."""

    winner: Player
    points: int
    table: Table
    played_at: datetime
    """When the totals were first typed."""
    tiles: None = None
    fans: tuple[()] = ()
    number: None = None
    discarder: None = None
    overridden_because: str = ""
    is_noted: bool = True


ListedHand = Hand | NotedHand
"""A hand in a list of best hands: recorded, or noted on paper."""


@dataclass(frozen=True)
class PaperSummary:
    """Tables of which the totals count: how many `tables`, how many recorded `hands` of theirs, and their best hands
    `noted`, most points first, earlier ones first among equals."""

    tables: int = 0
    hands: int = 0
    noted: tuple[NotedHand, ...] = ()

    @property
    def best(self) -> NotedHand | None:
        return self.noted[0] if self.noted else None


@by_version(64)
def paper_summary(
    tournament: Tournament, hidden: Collection[int], session: int | None = None
) -> PaperSummary:
    """Summarise tables on paper, of all sessions but the `hidden`, or of one session by number."""
    tables = Table.objects.filter(session__tournament=tournament, counts_totals=True)
    tables = tables.exclude(session__number__in=hidden)
    if session is not None:
        tables = tables.filter(session__number=session)
    hands = list(tables.values_list("hands_played", flat=True))
    return PaperSummary(
        len(hands), sum(hands), noted_hands(tables, tournament.players.all()) if hands else ()
    )


def highest_scoring(hands: Collection[Hand], noted: Collection[NotedHand]) -> list[ListedHand]:
    """List recorded and noted hands, most points first; a hand that is both is listed once."""
    recorded = {(hand.table_id, hand.winner_id, hand.points) for hand in hands}
    only_noted = [hand for hand in noted if (hand.table.pk, hand.winner.pk, hand.points) not in recorded]
    return sorted([*hands, *only_noted], key=lambda hand: -hand.points)


def noted_hands(tables: QuerySet[Table], players: Iterable[Player]) -> tuple[NotedHand, ...]:
    """List the best hands noted at the tables and won by one of the players, most points first, then earliest."""
    versions = Totals.objects.filter(table=OuterRef("table")).order_by().values("table")
    first = Subquery(versions.annotate(first=Min("recorded_at")).values("first"))
    counting = tables.filter(counts_totals=True)
    rows = Totals.objects.filter(table__in=counting, is_current=True, best__isnull=False)
    rows = rows.select_related("table__session__tournament").annotate(played_at=first)
    player_of = {(player.tournament_id, player.number): player for player in players}
    noted = [
        NotedHand(winner, best.points, row.table, row.played_at)
        for row in rows.defer("table__session__tournament__rules_snapshot")
        if (best := row.entry.best)
        and (winner := player_of.get((row.table.session.tournament_id, best.player)))
    ]
    return tuple(sorted(noted, key=_by_points))


def _by_points(noted: NotedHand) -> tuple[int, date, int, int]:
    session = noted.table.session
    return -noted.points, session.tournament.starts_on, session.number, noted.table.number
