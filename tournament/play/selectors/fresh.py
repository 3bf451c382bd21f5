"""A table as it is now, for a write that has locked its tournament: nobody else writes there until it is done."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef, Prefetch, QuerySet

from penalties.models import Penalty
from tournament.base.models.hands import Hand
from tournament.base.models.play import Absence, Seat, Table
from tournament.base.models.prepared import Prepared
from tournament.base.models.tournament import Tournament
from tournament.play.models.signing import Signature


def fresh_table(table: Table, tournament: Tournament) -> Table:
    """The table as it is now, with its session and seats; call with the tournament that `log.write` has locked."""
    return _fresh(Table.objects.all(), table, tournament)


def _fresh(tables: QuerySet[Table], table: Table, tournament: Tournament) -> Table:
    seats = Prefetch("seats", Seat.objects.select_related("player").order_by("id"))
    found = tables.select_related("session").prefetch_related(seats).get(pk=table.pk)
    found.session.tournament = tournament
    return found


_SELDOM: dict[str, QuerySet[Any]] = {
    "absences": Absence.objects.select_related("player").order_by("since", "id"),
    "penalties": Penalty.objects.select_related("player", "victim"),
    "signatures": Signature.objects.select_related("player").order_by("signed_at", "id"),
}
"""What most tables have none of."""


def _at_table(rows: QuerySet[Any], pk: int) -> QuerySet[Any]:
    return rows.filter(table=pk)


_TABLE = Prepared(
    lambda pk: (
        Table.objects.filter(pk=pk)
        .select_related("session")
        .annotate(
            **{f"has_{kind}": Exists(rows.filter(table=OuterRef("pk"))) for kind, rows in _SELDOM.items()}
        )
    ),
    int,
)
_ALWAYS: Mapping[str, Prepared[Any]] = {
    "seats": Prepared(lambda pk: Seat.objects.filter(table=pk).select_related("player").order_by("id"), int),
    "hands": Prepared(lambda pk: Hand.objects.filter(table=pk).order_by("number", "version"), int),
}
_NOW_AND_THEN: Mapping[str, Prepared[Any]] = {
    kind: Prepared(partial(_at_table, rows), int) for kind, rows in _SELDOM.items()
}


def fresh_sheet(table: Table, tournament: Tournament) -> Table:
    """The same with everything that stands on the sheet: all versions of its hands, and what there is of the rest.

    What there is none of is known from the same statement as the table, and costs no further one.
    """
    table = _TABLE.get(table.pk)
    table.session.tournament = tournament
    for kind, asked in _ALWAYS.items():
        _take_as_read(table, kind, asked(table.pk))
    for kind, asked in _NOW_AND_THEN.items():
        _take_as_read(table, kind, asked(table.pk) if getattr(table, f"has_{kind}") else [])
    return table


def _take_as_read(table: Table, kind: str, rows: list[Any]) -> None:
    """As `prefetch_related` would have read them."""
    for row in rows:
        row.table = table
    read = getattr(table, kind).all()
    read._result_cache = rows
    if not hasattr(table, "_prefetched_objects_cache"):
        table._prefetched_objects_cache = {}  # type: ignore[attr-defined]
    table._prefetched_objects_cache[kind] = read  # type: ignore[attr-defined]


def hand_by_uuid(table: Table, uuid: UUID) -> Hand | None:
    """The hand that the same UUID made on this sheet. That of another table's is found out when it is stored."""
    return next((hand for hand in table.hands.all() if hand.uuid == uuid), None)


def hands_that_count(table: Table) -> list[Hand]:
    """The current versions on this sheet, in order."""
    return [hand for hand in table.hands.all() if hand.is_current]


def newest_on_sheet(table: Table, number: int) -> Hand | None:
    """The last version of a hand, although it may have been taken back."""
    versions = [hand for hand in table.hands.all() if hand.number == number]
    return max(versions, key=lambda one: one.version, default=None)


def penalties_that_stand(table: Table) -> list[Penalty]:
    return [penalty for penalty in table.penalties.all() if not penalty.is_cancelled]
