"""Players who sat in each other's places: where they sit by the record, and what can be taken back."""

from __future__ import annotations

from collections.abc import Sequence

from tournament.base.errors import refuse
from tournament.base.models.log_entry import LogEntry
from tournament.base.models.play import Seat, Session, Table
from tournament.base.models.tournament import Tournament


def tables_with(session: Session, one: int, other: int) -> list[Table]:
    """The table or tables of the session at which the two players, by number, sit."""
    seated = Table.objects.filter(session=session, seats__player__number__in=(one, other))
    return list(seated.select_related("session__tournament").order_by("number").distinct())


def seats_with(session: Session, one: int, other: int) -> tuple[Seat, Seat] | None:
    """Their seats in this order; None where one of them has none."""
    seats = Seat.objects.filter(table__session=session, player__number__in=(one, other))
    found = {seat.player.number: seat for seat in seats.select_related("player", "table")}
    return (found[one], found[other]) if len(found) == 2 else None


def last_correction(session: Session) -> LogEntry | None:
    """The newest correction of this session's seats that has not been taken back.

    Where the session's start was, only what came since: another start may find other people in the seats.
    """
    undone = set()
    entries = session.tournament.log.filter(
        action__in=("seats_corrected", "correction_undone", "session_unstarted"), data__session=session.number
    )
    for entry in entries.reverse():
        if entry.action == "session_unstarted":
            return None
        if entry.action == "correction_undone":
            undone.add(entry.data["undoes"])
        elif entry.seq not in undone:
            return entry
    return None


def looked_at(session: Session, one: int, other: int) -> tuple[Seat, Seat]:
    """The seats of the two by the record, in this order; stores nothing. Refused as `correct_seats`."""
    refuse_exchange(session.tournament, session, one, other, tables_with(session, one, other))
    seats = seats_with(session, one, other)
    assert seats is not None
    return seats


def state_of(tables: Sequence[Table]) -> str:
    """By which to know whether somebody has written at these tables."""
    return " ".join(f"{table.number}:{table.version}" for table in tables)


def refuse_exchange(
    tournament: Tournament, session: Session, one: int, other: int, tables: Sequence[Table]
) -> None:
    """Only in a session being played, and only two who sit there."""
    if not tournament.sessions.filter(pk=session.pk, state=Session.State.RUNNING).exists():
        raise refuse("session_not_running", session=session.number)
    if one == other:
        raise refuse("swap_with_self", "other")
    seated = Seat.objects.filter(table__in=tables).values_list("player__number", flat=True)
    for name, player in (("one", one), ("other", other)):
        if player not in seated:
            raise refuse("no_seat_in_session", name, player=player, session=session.number)
