"""Playing one table's session through the services, each thing after as many hands as it was."""

from __future__ import annotations

from functools import partial

from tournament.base.access import Actor
from tournament.base.models.play import Table
from tournament.exchange.transcripts.hearing import (
    appeals_against,
    cancel,
    check_carried_out,
    hear_appeals,
    penalty_uuid,
    versions,
)
from tournament.exchange.transcripts.places import at, place, uuid_of
from tournament.exchange.transcripts.score_sheet import Sheet
from tournament.exchange.transcripts.seat_moves import move_seats
from tournament.exchange.transcripts.sheet_desk import AS_WRITTEN, SheetDesk
from tournament.fouls.services.penalties import give_penalty
from tournament.play.services.hands import record_hand
from tournament.play.services.signing import sign, take_signature_back
from tournament.play.services.timing import set_extra_time
from tournament.play.services.totals import enter_totals


def write_sheet(
    table: Table, sheet: Sheet, umpire: Actor, limit: int | None = None, *, organiser: Actor | None = None
) -> None:
    """Write a table's hands, at most `limit`, and what happened between them.

    Hands, penalties and appeals that are written already stay. Each penalty is given when it was: a dead hand bars the
    win of a hand that is recorded after it. The `organiser` rules on appeals, and sees players leave.
    """
    desk = SheetDesk(table, sheet, umpire, organiser or umpire, limit)
    if sheet.extra_minutes:
        with at(place(table)):
            set_extra_time(table, umpire, sheet.extra_minutes, reason=AS_WRITTEN)
    if sheet.totals is not None and limit is None:
        with at(place(table, "totals")):
            uuid = uuid_of(table, "totals")
            enter_totals(table, umpire, sheet.totals, uuid=uuid, hand_in=False)
    for recorded in range(len(desk.hands) + 1):
        if recorded:
            _record(desk, recorded)
        move_seats(desk, recorded, partial(_give_penalties, desk, recorded))
        _give_penalties(desk, recorded, len(sheet.penalties))
        hear_appeals(desk, recorded)
    if limit is None:
        check_carried_out(desk)
        _sign(desk)


def _record(desk: SheetDesk, number: int) -> None:
    """As the hand stood first, where appeals had it corrected since."""
    entry, uuid = versions(desk, number)[0], uuid_of(desk.table, f"hand/{number}")
    with at(place(desk.table, f"hand {number}")):
        record_hand(desk.table, desk.umpire, entry, number=number, uuid=uuid)


def _give_penalties(desk: SheetDesk, recorded: int, upto: int) -> None:
    """Those given after so many hands, `upto` the n-th of the table; what is given already stays."""
    for n, given in enumerate(desk.sheet.penalties[:upto], 1):
        is_due = desk.count(given.after) == recorded
        if given.after is None and desk.limit is not None:
            is_due = is_due and (given.foul.hand_number or 0) <= desk.limit
        if not is_due:
            continue
        with at(place(desk.table, f"penalty {n}")):
            give_penalty(desk.table, desk.umpire, given.foul, uuid=penalty_uuid(desk, n))
            if given.cancelled and not appeals_against(desk, n):
                cancel(desk, n)


def _sign(desk: SheetDesk) -> None:
    """Whoever took a signature back had given it before."""
    for n, player in enumerate((*desk.sheet.disagreed, *desk.sheet.signed), 1):
        with at(place(desk.table, f"signature {n}")):
            sign(desk.table, desk.umpire, player)
            if n <= len(desk.sheet.disagreed):
                take_signature_back(desk.table, desk.umpire, player)
