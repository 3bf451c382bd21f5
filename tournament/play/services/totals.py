"""Totals from paper: typed for a table, corrected, and set aside for the hands."""

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
from tournament.play.engine.totals import TotalsEntry
from tournament.play.models.totals import Totals
from tournament.play.selectors.fresh import fresh_table
from tournament.play.selectors.readings import reading
from tournament.play.selectors.records import written_before
from tournament.play.selectors.totals import beside_hands, open_second, standing_totals
from tournament.play.services.tables import check_open, check_version, opened, settle


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
