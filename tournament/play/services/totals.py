"""Totals from paper: typed, corrected, read a second time, and which tables keep them."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.db import IntegrityError
from django.utils import timezone

from scoring.engine.problems import Problem
from tournament.base import access, log
from tournament.base.access import Actor
from tournament.base.errors import refuse
from tournament.base.models.play import Session, Table
from tournament.base.models.tournament import Tournament
from tournament.play.engine.statements import TotalsEntry
from tournament.play.models import Totals
from tournament.play.selectors.tables import fresh_table, place_of, written_before
from tournament.play.selectors.totals import beside_hands, differences, open_second, reading, standing_totals
from tournament.play.services.tables import check_open, check_version, opened, settle

# --- Totals from paper: typed for a table, corrected, and set aside for the hands ---


def enter_totals(
    table: Table,
    actor: Actor,
    entry: TotalsEntry,
    *,
    uuid: UUID,
    expected_version: int | None = None,
    hand_in: bool = True,
) -> Totals:
    """Type what stands at the foot of a table's sheet. The same `uuid` again gives the totals it made the first time.

    The paper carries the signatures, so the table is handed in with it unless `hand_in` is False.
    """
    access.require_umpire(actor, table)
    with log.write(table.session.tournament, actor, "table_totals_entered") as write:
        if (known := written_before(Totals, uuid, table)) is not None:
            write.unchanged()
            return known
        table = opened(table, write, actor, expected_version)
        if table.counts_totals:
            raise refuse("totals_there_already", "points", table=table.number)
        if table.hands_played:
            raise refuse("table_has_hands", "points", table=table.number, hands=table.hands_played)
        before = table.totals.filter(is_second=False).order_by("-version").first()
        totals, about = store(table, actor, entry, uuid, before)
        if hand_in and not table.is_in:
            table.is_in, table.in_at, table.in_by = True, timezone.now(), actor.user
        write.data = settle(table, **about, handed_in=table.is_in)
    return totals


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
    with log.write(table.session.tournament, actor, "table_totals_corrected") as write:
        if (known := written_before(Totals, uuid, table)) is not None:
            write.unchanged()
            return known
        table = opened(table, write, actor, expected_version)
        old = _standing(table)
        if old.recorded_by != actor.user:
            access.require_judge(actor, table)
        missing = () if reason.strip() else (Problem("reason_missing", "reason"),)
        totals, about = store(table, actor, entry, uuid, old, reason.strip(), missing)
        about |= overtake(table, actor)
        write.data = settle(table, **about, reason=totals.reason)
    return totals


def set_totals_aside(
    table: Table, actor: Actor, *, reason: str = "", expected_version: int | None = None
) -> Table:
    """Let the hands count instead, if some were written down since; without any the table is as if never typed.

    Needs a reason, except where the hands come to the very same. For an umpire in person.
    """
    access.require_judge(actor, table)
    with log.write(table.session.tournament, actor, "table_totals_set_aside") as write:
        table = fresh_table(table, write.tournament)
        write.session = table.session
        if not table.counts_totals:
            write.unchanged()
            return table
        check_version(table, expected_version)
        check_open(table, actor)
        old = _standing(table)
        differ = beside_hands(table, old)
        if (differ or not table.hands_played) and not reason.strip():
            raise refuse("set_aside_reason_missing", "reason")
        if not table.hands_played:
            if table.session.state == Session.State.CLOSED:
                raise refuse("totals_needed", "reason", session=table.session.number)
            table.is_in, table.in_at, table.in_by = False, None, None
        retire(old)
        table.counts_totals = False
        about: dict[str, Any] = {"hands": table.hands_played, "totals_version": old.version}
        about |= overtake(table, actor)
        if differ:
            about["differ"] = {str(player): by for player, by in differ.items()}
        write.data = settle(table, **about, reason=reason.strip())
    return table


def store(
    table: Table,
    actor: Actor,
    entry: TotalsEntry,
    uuid: UUID,
    before: Totals | None,
    reason: str = "",
    found: tuple[Problem, ...] = (),
) -> tuple[Totals, dict[str, Any]]:
    """Make these the totals that count; gives them and what the log has of them. `before`: the version they replace.

    Raises `Refused` with everything that is wrong, what was `found` already included.
    """
    totals, about = reading(table, actor, entry, uuid, found)
    if before is not None:
        retire(before)
    totals.version = before.version + 1 if before else 1
    totals.replaces, totals.reason = before, reason
    keep(totals)
    table.counts_totals = True
    return totals, about | {"totals_version": totals.version}


def keep(totals: Totals) -> None:
    try:
        totals.save(force_insert=True)
    except IntegrityError as fault:
        if "uuid" in str(fault):
            raise refuse("uuid_of_another_table", "uuid") from None
        raise


def retire(totals: Totals) -> None:
    totals.is_current = False
    totals.save(update_fields=["is_current"])


def overtake(table: Table, actor: Actor) -> dict[str, str]:
    """A second reading that waited was held against what counts no more. For the log."""
    second = open_second(table)
    if second is None:
        return {}
    close_second(second, actor, Totals.Settled.OVERTAKEN)
    return {"overtaken": str(second.uuid)}


def close_second(second: Totals, actor: Actor, settled_as: Totals.Settled) -> None:
    second.settled_as, second.settled_by, second.settled_at = settled_as, actor.user, timezone.now()
    second.save(update_fields=["settled_as", "settled_by", "settled_at"])


def _standing(table: Table) -> Totals:
    totals = standing_totals(table)
    if totals is None:
        raise refuse("no_totals", "points", table=table.number)
    return totals


# --- Second readings ---
# Double entry: a sheet read a second time by somebody who does not see the first figures, and a difference settled.


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


# --- Which tables keep their sheets on paper: all of an event, those of a session, or one ---


def keep_on_paper(
    tournament: Tournament,
    actor: Actor,
    on_paper: bool | None,
    *,
    session: int | None = None,
    table: int | None = None,
) -> None:
    """Say it of the whole event, of a `session`, or of one `table` of it; None for as the wider one does.

    Nothing that is recorded changes: it decides what the desk is asked for at tables where nothing is.
    """
    access.require_organiser(actor, tournament)
    with log.write(tournament, actor, "kept_on_paper") as write:
        one = _place(write.tournament, session, table)
        wanted = bool(on_paper) if isinstance(one, Tournament) else on_paper
        if one.on_paper == wanted:
            write.unchanged()
            return
        one.on_paper = wanted
        one.save(update_fields=["on_paper"])
        write.data = {"on_paper": wanted}
        if session is not None:
            write.data |= {"session": session} | ({} if table is None else {"table": table})
    tournament.on_paper = write.tournament.on_paper


def _place(tournament: Tournament, session: int | None, table: int | None) -> Tournament | Session | Table:
    if session is None:
        return tournament
    found = tournament.sessions.filter(number=session).first()
    if found is None:
        raise refuse("no_such_session", "session", session=session)
    if table is None:
        return found
    seated = found.tables.filter(number=table).first()
    if seated is None:
        raise refuse("no_such_table", "table", table=table, session=session)
    return seated
