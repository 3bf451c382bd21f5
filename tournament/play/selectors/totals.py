"""Totals from paper: those that count at a table, what they are held against, and a session's sheets at a glance."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Prefetch

from penalties.models import Penalty
from penalties.selectors import effects_at_table, standing_at
from tournament.base.models.hands import Hand
from tournament.base.models.play import Seat, Session, Table
from tournament.play.engine.totals import TotalsEntry
from tournament.play.models.totals import Totals


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
