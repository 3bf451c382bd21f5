"""Totals from paper: entering, correcting, setting aside, second readings; and which tables are on paper."""

from typing import Any
from uuid import UUID

from django.utils import timezone

from scoring.engine.problems import Problem, problem_code
from tournament.base import access, log
from tournament.base.access import Actor, Right
from tournament.base.errors import Refused
from tournament.base.models.play import Session, Table
from tournament.base.models.tournament import Tournament
from tournament.base.problems import NO_SUCH_SESSION, NO_SUCH_TABLE
from tournament.play.engine.statements import TotalsEntry
from tournament.play.models import Totals
from tournament.play.selectors.tables import find_by_uuid, fresh_table, log_place
from tournament.play.selectors.totals import (
    build_totals,
    compare_with_hands,
    differences,
    open_second_reading,
    same_totals_problems,
    standing_totals,
)
from tournament.play.services.hands import REASON_MISSING
from tournament.play.services.tables import check_open, check_version, fresh_open_table, insert, recalculate
from tournament.play.texts import log as actions

TOTALS_THERE_ALREADY = problem_code(
    "totals_there_already", "Table {table} already has totals. Correct them, with a reason."
)
TABLE_HAS_HANDS = problem_code(
    "table_has_hands",
    "Hands are recorded at table {table} ({hands}): its totals are calculated from them. Nothing was changed.",
)
NO_TOTALS = problem_code("no_totals", "Table {table} has no totals yet.")
SET_ASIDE_REASON_MISSING = problem_code(
    "set_aside_reason_missing", "Give a reason: the table’s score changes."
)
TOTALS_NEEDED = problem_code(
    "totals_needed", "Session {session} is closed and no hands are recorded: correct the totals instead."
)
SECOND_IS_FIRST = problem_code(
    "second_is_first", "You entered table {table} yourself. Someone else must do the second reading."
)
SECOND_THERE_ALREADY = problem_code(
    "second_there_already", "The second reading of table {table} has not been resolved yet."
)
NOTHING_TO_SETTLE = problem_code("nothing_to_settle", "There is nothing left to resolve at table {table}.")
CHOICE_MISSING = problem_code("choice_missing", "Which is right? Choose a reading, or enter the totals.")

# --- Totals of a table ---


def enter_totals(
    table: Table,
    actor: Actor,
    entry: TotalsEntry,
    *,
    uuid: UUID,
    expected_version: int | None = None,
    hand_in: bool = True,
) -> Totals:
    """Store the totals of a table's sheet. Idempotent by `uuid`.

    The signatures are on paper, so the table is handed in as well unless `hand_in` is False.
    """
    with log.write_at(table, actor, actions.TABLE_TOTALS_ENTERED, Right.ENTER) as write:
        if (known := find_by_uuid(Totals, uuid, table)) is not None:
            return write.unchanged(known)
        table = fresh_open_table(table, write, actor, expected_version)
        if table.counts_totals:
            raise Refused(TOTALS_THERE_ALREADY("points", table=table.number))
        if table.hands_played:
            raise Refused(TABLE_HAS_HANDS("points", table=table.number, hands=table.hands_played))
        before = table.totals.filter(is_second=False).order_by("-version").first()
        totals, data = _store(table, actor, entry, uuid, before)
        if hand_in and not table.is_in:
            table.is_in, table.in_at, table.in_by = True, timezone.now(), actor.user
        write.data = recalculate(table, **data, handed_in=table.is_in)
    return totals


def _store(
    table: Table,
    actor: Actor,
    entry: TotalsEntry,
    uuid: UUID,
    before: Totals | None,
    reason: str = "",
    other_problems: tuple[Problem, ...] = (),
) -> tuple[Totals, dict[str, Any]]:
    """Store totals as the current version in place of `before`. Return them and their data for the log.

    Raises Refused with every problem, `other_problems` included.
    """
    totals, data = build_totals(table, actor, entry, uuid, other_problems)
    if not entry.sure and (problems := same_totals_problems(table, totals.points)):
        raise Refused(problems)
    if before is not None:
        _retire(before)
    totals.version = before.version + 1 if before else 1
    totals.replaces, totals.reason = before, reason
    insert(totals)
    table.counts_totals = True
    return totals, data | {"totals_version": totals.version}


def _retire(totals: Totals) -> None:
    totals.is_current = False
    totals.save(update_fields=["is_current"])


def correct_totals(
    table: Table,
    actor: Actor,
    entry: TotalsEntry,
    *,
    reason: str,
    uuid: UUID,
    expected_version: int | None = None,
) -> Totals:
    """Replace the totals by a new version, with a reason; the old version is kept.

    Correcting what somebody else typed needs the right to judge.
    """
    with log.write_at(table, actor, actions.TABLE_TOTALS_CORRECTED, Right.ENTER) as write:
        if (known := find_by_uuid(Totals, uuid, table)) is not None:
            return write.unchanged(known)
        table = fresh_open_table(table, write, actor, expected_version)
        old = _require_totals(table)
        if old.recorded_by != actor.user:
            access.require_at(actor, table, Right.JUDGE)
        missing = () if reason.strip() else (REASON_MISSING("reason"),)
        totals, data = _store(table, actor, entry, uuid, old, reason.strip(), missing)
        data |= _close_overtaken(table, actor)
        write.data = recalculate(table, **data, reason=totals.reason)
    return totals


def _require_totals(table: Table) -> Totals:
    totals = standing_totals(table)
    if totals is None:
        raise Refused(NO_TOTALS("points", table=table.number))
    return totals


def _close_overtaken(table: Table, actor: Actor) -> dict[str, str]:
    """Close the open second reading of replaced totals, if any. Return data for the log."""
    second = open_second_reading(table)
    if second is None:
        return {}
    _close_second(second, actor, Totals.Settled.OVERTAKEN)
    return {"overtaken": str(second.uuid)}


def _close_second(second: Totals, actor: Actor, settled_as: Totals.Settled) -> None:
    second.settled_as, second.settled_by, second.settled_at = settled_as, actor.user, timezone.now()
    second.save(update_fields=["settled_as", "settled_by", "settled_at"])


def set_totals_aside(
    table: Table, actor: Actor, *, reason: str = "", expected_version: int | None = None
) -> Table:
    """Let the recorded hands count in place of the totals; without hands the table has no result again.

    A reason is required unless the hands come to the same. Needs the right to judge. Idempotent.
    """
    with log.write_at(table, actor, actions.TABLE_TOTALS_SET_ASIDE, Right.JUDGE) as write:
        table = fresh_table(table, write.tournament)
        write.session = table.session
        if not table.counts_totals:
            return write.unchanged(table)
        check_version(table, expected_version)
        check_open(table, actor)
        old = _require_totals(table)
        shortfalls = compare_with_hands(table, old)
        if (shortfalls or not table.hands_played) and not reason.strip():
            raise Refused(SET_ASIDE_REASON_MISSING("reason"))
        if not table.hands_played:
            if table.session.state == Session.State.CLOSED:
                raise Refused(TOTALS_NEEDED("reason", session=table.session.number))
            table.is_in, table.in_at, table.in_by = False, None, None
        _retire(old)
        table.counts_totals = False
        data: dict[str, Any] = {"hands": table.hands_played, "totals_version": old.version}
        data |= _close_overtaken(table, actor)
        if shortfalls:
            data["differ"] = {str(player): by for player, by in shortfalls.items()}
        write.data = recalculate(table, **data, reason=reason.strip())
    return table


# --- Second readings ---


def enter_second_reading(table: Table, actor: Actor, entry: TotalsEntry, *, uuid: UUID) -> Totals:
    """Store a second reading of the same sheet by somebody else (double entry). Idempotent by `uuid`.

    If it agrees with the first it is closed; else it stays open, while the first keeps counting.
    """
    with log.write_at(table, actor, actions.SECOND_READING_RECORDED, Right.ENTER) as write:
        if (known := find_by_uuid(Totals, uuid, table)) is not None:
            return write.unchanged(known)
        table = fresh_open_table(table, write, actor)
        first = _require_totals(table)
        if first.recorded_by is not None and first.recorded_by == actor.user:
            raise Refused(SECOND_IS_FIRST("points", table=table.number))
        if open_second_reading(table) is not None:
            raise Refused(SECOND_THERE_ALREADY("points", table=table.number))
        second, _data = build_totals(table, actor, entry, uuid)
        second.is_second, second.is_current, second.version = True, False, first.version
        insert(second)
        seated = [seat.player.number for seat in table.seated]
        differ = differences(first.entry, second.entry, seated)
        if not differ:
            _close_second(second, actor, Totals.Settled.AGREED)
        write.data = log_place(table) | {"uuid": str(uuid), "differences": len(differ)}
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
    """Settle two readings that differ: the FIRST is right, the SECOND, or neither (TYPED: `entry`).

    Return the totals that count then. Needs the right to judge; the `reason` may be empty. Idempotent by `uuid`.
    """
    with log.write_at(table, actor, actions.TABLE_TOTALS_SETTLED, Right.JUDGE) as write:
        if (known := find_by_uuid(Totals, uuid, table)) is not None:
            return write.unchanged(known)
        table = fresh_open_table(table, write, actor, expected_version)
        first, second = standing_totals(table), open_second_reading(table)
        if first is None or second is None:
            raise Refused(NOTHING_TO_SETTLE("choice", table=table.number))
        entries = {
            Totals.Settled.FIRST: first.entry,
            Totals.Settled.SECOND: second.entry,
            Totals.Settled.TYPED: entry,
        }
        if (chosen := entries.get(choice)) is None:
            raise Refused(CHOICE_MISSING("choice"))
        settled = {
            "choice": choice.value,
            "was": first.points,
            "read": second.points,
            "reason": reason.strip(),
        }
        if choice is Totals.Settled.FIRST:
            _close_second(second, actor, choice)
            write.data = log_place(table) | {"points": first.points, "uuid": str(first.uuid)} | settled
            return first
        totals, data = _store(table, actor, chosen, uuid, first, reason.strip())
        _close_second(second, actor, choice)
        write.data = recalculate(table, **data | settled)
    return totals


# --- What is on paper ---


def set_on_paper(
    tournament: Tournament,
    actor: Actor,
    on_paper: bool | None,
    *,
    session: int | None = None,
    table: int | None = None,
) -> None:
    """Set whether the event, a `session`, or a `table` of it is on paper; None inherits from the wider scope.

    Recorded data does not change. Idempotent.
    """
    with log.write(tournament, actor, actions.PAPER_TABLES_SET, Right.ORGANISE) as write:
        scope = _scope(write.tournament, session, table)
        new = bool(on_paper) if isinstance(scope, Tournament) else on_paper
        if scope.on_paper == new:
            write.mark_unchanged()
            return
        scope.on_paper = new
        scope.save(update_fields=["on_paper"])
        write.data = {"on_paper": new}
        if session is not None:
            write.data |= {"session": session} | ({} if table is None else {"table": table})
    tournament.on_paper = write.tournament.on_paper


def _scope(tournament: Tournament, session: int | None, table: int | None) -> Tournament | Session | Table:
    if session is None:
        return tournament
    session_row = tournament.sessions.filter(number=session).first()
    if session_row is None:
        raise Refused(NO_SUCH_SESSION("session", session=session))
    if table is None:
        return session_row
    table_row = session_row.tables.filter(number=table).first()
    if table_row is None:
        raise Refused(NO_SUCH_TABLE("table", table=table, session=session))
    return table_row
