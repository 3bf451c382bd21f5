"""Double entry: a sheet read a second time by somebody who does not see the first figures, and a difference settled."""

from __future__ import annotations

from uuid import UUID

from tournament.base import access, log
from tournament.base.access import Actor
from tournament.base.errors import refuse
from tournament.base.models.play import Table
from tournament.play.engine.totals import TotalsEntry
from tournament.play.models.totals import Totals
from tournament.play.selectors.readings import reading
from tournament.play.selectors.records import place_of, written_before
from tournament.play.selectors.totals import differences, open_second, standing_totals
from tournament.play.services.tables import opened, settle
from tournament.play.services.totals import close_second, keep, store


def read_again(table: Table, actor: Actor, entry: TotalsEntry, *, uuid: UUID) -> Totals:
    """Type the same sheet once more. Where it says the same it is settled; else it waits, and the first counts on.

    Not by who typed it first: nobody checks themselves. The table's sheet does not change.
    """
    access.require_umpire(actor, table)
    with log.write(table.session.tournament, actor, "totals_read_again") as write:
        if (known := written_before(Totals, uuid, table)) is not None:
            write.unchanged()
            return known
        table = opened(table, write, actor)
        first = standing_totals(table)
        if first is None:
            raise refuse("no_totals", "points", table=table.number)
        if first.recorded_by is not None and first.recorded_by == actor.user:
            raise refuse("second_is_first", "points", table=table.number)
        if open_second(table) is not None:
            raise refuse("second_there_already", "points", table=table.number)
        second, _about = reading(table, actor, entry, uuid)
        second.is_second, second.is_current, second.version = True, False, first.version
        keep(second)
        seated = [seat.player.number for seat in table.seats.all()]
        differ = differences(first.entry, second.entry, seated)
        if not differ:
            close_second(second, actor, Totals.Settled.AGREED)
        write.data = place_of(table) | {"uuid": str(uuid), "differences": len(differ)}
    return second


def settle_totals(
    table: Table,
    actor: Actor,
    choice: Totals.Settled,
    *,
    uuid: UUID,
    entry: TotalsEntry | None = None,
    reason: str = "",
    expected_version: int | None = None,
) -> Totals:
    """Say which of two readings the sheet has: the FIRST, the SECOND, or neither, TYPED anew as `entry`.

    Gives the totals that count then. For an umpire in person; the `reason` may be empty: the two readings are one.
    """
    access.require_judge(actor, table)
    with log.write(table.session.tournament, actor, "table_totals_settled") as write:
        if (known := written_before(Totals, uuid, table)) is not None:
            write.unchanged()
            return known
        table = opened(table, write, actor, expected_version)
        first, second = standing_totals(table), open_second(table)
        if first is None or second is None:
            raise refuse("nothing_to_settle", "choice", table=table.number)
        ways = {
            Totals.Settled.FIRST: first.entry,
            Totals.Settled.SECOND: second.entry,
            Totals.Settled.TYPED: entry,
        }
        if (wanted := ways.get(choice)) is None:
            raise refuse("choice_missing", "choice")
        said = {"choice": choice.value, "was": first.points, "read": second.points, "reason": reason.strip()}
        if choice is Totals.Settled.FIRST:
            close_second(second, actor, choice)
            write.data = place_of(table) | {"points": first.points, "uuid": str(first.uuid)} | said
            return first
        totals, about = store(table, actor, wanted, uuid, first, reason.strip())
        close_second(second, actor, choice)
        write.data = settle(table, **about | said)
    return totals
