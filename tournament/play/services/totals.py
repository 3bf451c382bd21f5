"""Totals from paper: typed, corrected, set aside, read a second time, and which tables keep sheets on paper."""

from typing import Any
from uuid import UUID

from django.utils import timezone

from scoring.engine.problems import Problem, problem_code
from tournament.base import access, log
from tournament.base.access import Actor
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
    standing_totals,
)
from tournament.play.services.hands import REASON_MISSING
from tournament.play.services.tables import check_open, check_version, insert, opened, settle
from tournament.play.texts import log as actions

TOTALS_THERE_ALREADY = problem_code(
    "totals_there_already", "Table {table} has totals already. Correct them, with a reason."
)
TABLE_HAS_HANDS = problem_code(
    "table_has_hands",
    "At table {table} hands are recorded ({hands}): its totals follow from them. Nothing was changed.",
)
NO_TOTALS = problem_code("no_totals", "Table {table} has no totals yet.")
SET_ASIDE_REASON_MISSING = problem_code("set_aside_reason_missing", "Say why: the table’s score changes.")
TOTALS_NEEDED = problem_code(
    "totals_needed", "Session {session} is closed and no hand is written down: correct the totals instead."
)
SECOND_IS_FIRST = problem_code(
    "second_is_first", "You typed table {table} yourself. Somebody else reads the sheet a second time."
)
SECOND_THERE_ALREADY = problem_code(
    "second_there_already", "The second reading of table {table} waits to be settled."
)
NOTHING_TO_SETTLE = problem_code("nothing_to_settle", "Nothing is left to settle at table {table}.")
CHOICE_MISSING = problem_code("choice_missing", "Which is right? Choose a reading, or type the totals.")

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
    """Type what stands at the foot of a table's sheet. The same `uuid` again returns the totals it made first.

    The paper carries the signatures, so the table is handed in with it unless `hand_in` is False.
    """
    access.require_umpire(actor, table)
    with log.write(table.session.tournament, actor, actions.TABLE_TOTALS_ENTERED) as write:
        if (known := find_by_uuid(Totals, uuid, table)) is not None:
            write.unchanged()
            return known
        table = opened(table, write, actor, expected_version)
        if table.counts_totals:
            raise Refused(TOTALS_THERE_ALREADY("points", table=table.number))
        if table.hands_played:
            raise Refused(TABLE_HAS_HANDS("points", table=table.number, hands=table.hands_played))
        before = table.totals.filter(is_second=False).order_by("-version").first()
        totals, data = store(table, actor, entry, uuid, before)
        if hand_in and not table.is_in:
            table.is_in, table.in_at, table.in_by = True, timezone.now(), actor.user
        write.data = settle(table, **data, handed_in=table.is_in)
    return totals


def store(
    table: Table,
    actor: Actor,
    entry: TotalsEntry,
    uuid: UUID,
    before: Totals | None,
    reason: str = "",
    known: tuple[Problem, ...] = (),
) -> tuple[Totals, dict[str, Any]]:
    """Make these the totals that count. Return them and their data for the log. `before`: the version they replace.

    Raises `Refused` with everything that is wrong, `known` problems included.
    """
    totals, data = build_totals(table, actor, entry, uuid, known)
    if before is not None:
        retire(before)
    totals.version = before.version + 1 if before else 1
    totals.replaces, totals.reason = before, reason
    insert(totals)
    table.counts_totals = True
    return totals, data | {"totals_version": totals.version}


def retire(totals: Totals) -> None:
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
    """Replace the totals by a new version, with a reason; the old one stays in the record.

    What somebody else typed an umpire in person corrects.
    """
    access.require_umpire(actor, table)
    with log.write(table.session.tournament, actor, actions.TABLE_TOTALS_CORRECTED) as write:
        if (known := find_by_uuid(Totals, uuid, table)) is not None:
            write.unchanged()
            return known
        table = opened(table, write, actor, expected_version)
        old = _standing_or_refuse(table)
        if old.recorded_by != actor.user:
            access.require_judge(actor, table)
        missing = () if reason.strip() else (REASON_MISSING("reason"),)
        totals, data = store(table, actor, entry, uuid, old, reason.strip(), missing)
        data |= overtake(table, actor)
        write.data = settle(table, **data, reason=totals.reason)
    return totals


def _standing_or_refuse(table: Table) -> Totals:
    totals = standing_totals(table)
    if totals is None:
        raise Refused(NO_TOTALS("points", table=table.number))
    return totals


def overtake(table: Table, actor: Actor) -> dict[str, str]:
    """Close a waiting second reading of totals that no longer count. Return data for the log."""
    second = open_second_reading(table)
    if second is None:
        return {}
    close_second(second, actor, Totals.Settled.OVERTAKEN)
    return {"overtaken": str(second.uuid)}


def close_second(second: Totals, actor: Actor, settled_as: Totals.Settled) -> None:
    second.settled_as, second.settled_by, second.settled_at = settled_as, actor.user, timezone.now()
    second.save(update_fields=["settled_as", "settled_by", "settled_at"])


def set_totals_aside(
    table: Table, actor: Actor, *, reason: str = "", expected_version: int | None = None
) -> Table:
    """Let the hands count instead, if some were written down since; without any the table is as if never typed.

    Needs a reason, except where the hands come to the very same. For an umpire in person.
    """
    access.require_judge(actor, table)
    with log.write(table.session.tournament, actor, actions.TABLE_TOTALS_SET_ASIDE) as write:
        table = fresh_table(table, write.tournament)
        write.session = table.session
        if not table.counts_totals:
            write.unchanged()
            return table
        check_version(table, expected_version)
        check_open(table, actor)
        old = _standing_or_refuse(table)
        differ = compare_with_hands(table, old)
        if (differ or not table.hands_played) and not reason.strip():
            raise Refused(SET_ASIDE_REASON_MISSING("reason"))
        if not table.hands_played:
            if table.session.state == Session.State.CLOSED:
                raise Refused(TOTALS_NEEDED("reason", session=table.session.number))
            table.is_in, table.in_at, table.in_by = False, None, None
        retire(old)
        table.counts_totals = False
        data: dict[str, Any] = {"hands": table.hands_played, "totals_version": old.version}
        data |= overtake(table, actor)
        if differ:
            data["differ"] = {str(player): by for player, by in differ.items()}
        write.data = settle(table, **data, reason=reason.strip())
    return table


# --- Second readings ---


def read_again(table: Table, actor: Actor, entry: TotalsEntry, *, uuid: UUID) -> Totals:
    """Type the same sheet once more. Where it says the same it is settled; else it waits, and the first counts on.

    Double entry: not by who typed it first, and without seeing the first figures. The table's sheet does not change.
    """
    access.require_umpire(actor, table)
    with log.write(table.session.tournament, actor, actions.TOTALS_READ_AGAIN) as write:
        if (known := find_by_uuid(Totals, uuid, table)) is not None:
            write.unchanged()
            return known
        table = opened(table, write, actor)
        first = _standing_or_refuse(table)
        if first.recorded_by is not None and first.recorded_by == actor.user:
            raise Refused(SECOND_IS_FIRST("points", table=table.number))
        if open_second_reading(table) is not None:
            raise Refused(SECOND_THERE_ALREADY("points", table=table.number))
        second, _data = build_totals(table, actor, entry, uuid)
        second.is_second, second.is_current, second.version = True, False, first.version
        insert(second)
        seated = [seat.player.number for seat in table.seats.all()]
        differ = differences(first.entry, second.entry, seated)
        if not differ:
            close_second(second, actor, Totals.Settled.AGREED)
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
    """Say which of two readings the sheet has: the FIRST, the SECOND, or neither, TYPED anew as `entry`.

    Return the totals that count then. For an umpire in person; the `reason` may be empty: the two readings are one.
    """
    access.require_judge(actor, table)
    with log.write(table.session.tournament, actor, actions.TABLE_TOTALS_SETTLED) as write:
        if (known := find_by_uuid(Totals, uuid, table)) is not None:
            write.unchanged()
            return known
        table = opened(table, write, actor, expected_version)
        first, second = standing_totals(table), open_second_reading(table)
        if first is None or second is None:
            raise Refused(NOTHING_TO_SETTLE("choice", table=table.number))
        ways = {
            Totals.Settled.FIRST: first.entry,
            Totals.Settled.SECOND: second.entry,
            Totals.Settled.TYPED: entry,
        }
        if (chosen := ways.get(choice)) is None:
            raise Refused(CHOICE_MISSING("choice"))
        settled = {
            "choice": choice.value,
            "was": first.points,
            "read": second.points,
            "reason": reason.strip(),
        }
        if choice is Totals.Settled.FIRST:
            close_second(second, actor, choice)
            write.data = log_place(table) | {"points": first.points, "uuid": str(first.uuid)} | settled
            return first
        totals, data = store(table, actor, chosen, uuid, first, reason.strip())
        close_second(second, actor, choice)
        write.data = settle(table, **data | settled)
    return totals


# --- What is on paper ---


def keep_on_paper(
    tournament: Tournament,
    actor: Actor,
    on_paper: bool | None,
    *,
    session: int | None = None,
    table: int | None = None,
) -> None:
    """Set whether the whole event, a `session`, or one `table` of it is on paper; None: as the wider one is.

    Nothing that is recorded changes: it decides what the desk is asked for at tables where nothing is.
    """
    access.require_organiser(actor, tournament)
    with log.write(tournament, actor, actions.KEPT_ON_PAPER) as write:
        place = _place(write.tournament, session, table)
        new = bool(on_paper) if isinstance(place, Tournament) else on_paper
        if place.on_paper == new:
            write.unchanged()
            return
        place.on_paper = new
        place.save(update_fields=["on_paper"])
        write.data = {"on_paper": new}
        if session is not None:
            write.data |= {"session": session} | ({} if table is None else {"table": table})
    tournament.on_paper = write.tournament.on_paper


def _place(tournament: Tournament, session: int | None, table: int | None) -> Tournament | Session | Table:
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
