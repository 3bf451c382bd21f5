"""What every write at a table shares: the version check and the figures derived afterwards."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from penalties.models import Penalty
from penalties.selectors import standing_at
from tournament import access, log
from tournament.access import Actor
from tournament.errors import Stale, refuse
from tournament.models import Call, Session, Signature, Table
from tournament.selectors.ends import is_final
from tournament.selectors.records import fresh_table, place_of
from tournament.selectors.seat_figures import FIGURES, figures_at


def check_version(table: Table, expected: int | None) -> None:
    """Raise `Stale`, with what was written since, when the client had not seen the table's newest state."""
    if expected is None or expected == table.version:
        return
    session = table.session
    since = session.tournament.log.filter(
        data__session=session.number, data__table=table.number, data__table_version__gt=expected
    ).order_by("seq")
    changes = [
        {"action": entry.action, "by": entry.actor_name, "at": entry.at.isoformat()} | entry.data
        for entry in since
    ]
    raise Stale(table.version, changes)


def check_open(table: Table, actor: Actor, reason: str | None = None, where: str = "reason") -> None:
    """Hands and penalties belong to a session being played; afterwards only the organiser still changes them.

    Once the result is final the `reason` may not be empty; None for a write that never reaches a final result.
    """
    session = table.session
    if session.state == Session.State.PLANNED:
        raise refuse("session_not_started", session=session.number)
    if session.state == Session.State.CLOSED and not access.can_organise(actor, session.tournament):
        raise refuse("session_closed", session=session.number)
    if reason is not None and not reason.strip() and is_final(session):
        raise refuse("result_is_final", where, session=session.number)


def settle(table: Table, standing: Iterable[Penalty] | None = None, /, **about: Any) -> dict[str, Any]:
    """The sheet has changed: derive its figures anew, void the signatures under it, and give the log's data.

    `standing`: the table's penalties, where the write has read them already.
    """
    seats = list(table.seats.all())
    hands = list(
        table.hands.filter(is_current=True)
        .only("table", "winner", "discarder", "payments")
        .order_by("number")
    )
    figures = figures_at(table, hands, standing_at(table) if standing is None else standing)
    for seat in seats:
        for name, value in figures[seat.player.number].items():
            setattr(seat, name, value)
        seat.save(update_fields=FIGURES)
    table.hands_played = len(hands)
    if void := void_signatures(table):
        about |= {"signatures_void": void}
    return about | _noted(table)


def void_signatures(table: Table) -> list[int]:
    """The numbers of the players who had signed what is no longer the sheet."""
    standing = Signature.objects.filter(table=table, void_at=None)
    numbers = sorted(standing.values_list("player__number", flat=True))
    if numbers:
        standing.update(void_at=timezone.now(), void_because=Signature.Void.CHANGED)
    return numbers


def _noted(table: Table) -> dict[str, Any]:
    """Raise the table's version; where it is and how it stands, for the log."""
    table.version += 1
    table.save(update_fields=["version", "hands_played", "is_in", "in_at", "in_by"])
    return place_of(table) | {
        "table_version": table.version,
        "scores": {str(seat.player.number): seat.game_points for seat in table.seats.all()},
    }


def hand_in(table: Table, actor: Actor, *, expected_version: int | None = None) -> Table:
    """The sheet is complete: sixteen hands, or as many as there was time for. No hand follows.

    This is the umpire's own signature, and an umpire in person has answered the table's call. Players who have not
    signed do not hold it up; the log names them.
    """
    access.require_umpire(actor, table)
    with log.write(table.session.tournament, actor, "table_in") as entry:
        table = fresh_table(table, entry.tournament)
        if table.is_in:
            entry.unchanged()
            return table
        check_version(table, expected_version)
        if table.session.state != Session.State.RUNNING:
            raise refuse("session_not_running", session=table.session.number)
        if not table.hands_played:
            raise refuse("no_hand_recorded", table=table.number)
        table.is_in, table.in_at, table.in_by = True, timezone.now(), actor.user
        entry.data = {"hands": table.hands_played, "unsigned": _unsigned(table)} | _noted(table)
        if access.can_judge(actor, table):
            entry.data |= end_calls(Call.objects.filter(table=table))
    return table


def end_calls(calls: QuerySet[Call]) -> dict[str, list[int]]:
    """Nobody waits there any more. The tables whose call this ends, for the log of the write that ends it."""
    waiting = calls.filter(done_at=None)
    numbers = sorted(waiting.values_list("table__number", flat=True))
    waiting.update(done_at=timezone.now())
    return {"calls_ended": numbers} if numbers else {}


def reopen(table: Table, actor: Actor, *, expected_version: int | None = None) -> Table:
    """Take the sheet back, as long as the session is being played; what an umpire handed in, as an umpire."""
    access.require_umpire(actor, table)
    with log.write(table.session.tournament, actor, "table_reopened") as entry:
        table = fresh_table(table, entry.tournament)
        if not table.is_in:
            entry.unchanged()
            return table
        if table.in_by != actor.user:
            access.require_judge(actor, table)
        check_version(table, expected_version)
        if table.session.state != Session.State.RUNNING:
            raise refuse("session_not_running", session=table.session.number)
        table.is_in, table.in_at, table.in_by = False, None, None
        entry.data = _noted(table)
    return table


def _unsigned(table: Table) -> list[int]:
    """The numbers of the players whose signature the sheet lacks."""
    signed = set(table.signatures.filter(void_at=None).values_list("player__number", flat=True))
    return [seat.player.number for seat in table.seats.all() if seat.player.number not in signed]
