"""Corrections in a session that has begun: two players at each other's seats, and a start by mistake."""

from collections.abc import Sequence
from typing import Any

from django.db.models import F
from django.utils import timezone

from penalties.models import Penalty
from scoring.engine.problems import problem_code
from tournament.base import access, log
from tournament.base.access import Actor, Right
from tournament.base.errors import Refused
from tournament.base.models.log import LogEntry
from tournament.base.models.people import HAS_LEFT, Player
from tournament.base.models.play import Absence, Seat, Session, Table
from tournament.base.models.tournament import Tournament
from tournament.base.problems import SESSION_NOT_RUNNING
from tournament.play.models import Call
from tournament.play.selectors.tables import fresh_table, tables_with_records
from tournament.play.services.absences import UNNAMED_STAND_IN
from tournament.play.services.tables import fresh, recalculate
from tournament.seating.selectors.changes import (
    last_correction,
    require_correctable,
    tables_of_players,
    tables_state,
)
from tournament.seating.texts import SEAT_CORRECTION_UNDONE, SEATS_CORRECTED, SESSION_START_UNDONE

SEATS_CHANGED = problem_code("seats_changed", "The seats have changed in the meantime. Reload the page.")
NO_SEATS_TO_RESTORE = problem_code("no_seats_to_restore", "There is no seat change to undo.")
START_HAS_A_RECORD = problem_code(
    "start_has_a_record",
    "Table {table} already has a hand, a penalty or an appeal, so the start cannot be undone.",
)

PlayerSwap = dict[int, int]
"""The number of each of the two players → that of the other."""


def correct_seats(session: Session, actor: Actor, first: int, second: int, *, seen: str = "") -> None:
    """Correct the record of a session: the two, by number, really sat at each other's seats.

    What an umpire enters is what happened at a seat; who sat there was wrong. So hands, penalties, absences and appeals
    stay with the seats and get the names of those who really sat there, in every version, and the figures follow.

    Only while the session is being played. `seen`: the state of the two tables that was shown; raises `Refused` when
    somebody has written there since.
    """
    tables = _judged_tables(session, actor, first, second)
    with log.write(session.tournament, actor, SEATS_CORRECTED, None) as entry:
        entry.data = _swap_players(entry.tournament, session, first, second, tables, seen)


def undo_correction(session: Session, actor: Actor) -> LogEntry:
    """Undo the newest correction of the session, as long as it is being played."""
    last = last_correction(session)
    if last is None:
        raise Refused(NO_SEATS_TO_RESTORE())
    first, second = last.data["one"], last.data["other"]
    tables = _judged_tables(session, actor, first, second)
    with log.write(session.tournament, actor, SEAT_CORRECTION_UNDONE, None) as entry:
        entry.data = _swap_players(entry.tournament, session, first, second, tables) | {"undoes": last.seq}
    return last


def _judged_tables(session: Session, actor: Actor, first: int, second: int) -> list[Table]:
    """Return the tables of the two; requires an umpire of both."""
    tables = tables_of_players(session, first, second)
    for table in tables:
        access.require_at(actor, table, Right.JUDGE)
    return tables


def _swap_players(
    tournament: Tournament, session: Session, first: int, second: int, tables: Sequence[Table], seen: str = ""
) -> dict[str, Any]:
    """Store the swap; return the log data."""
    require_correctable(tournament, session, first, second, tables)
    tables = [fresh_table(table, tournament) for table in tables]
    if seen and seen != tables_state(tables):
        raise Refused(SEATS_CHANGED())
    players = {player.number: player for player in tournament.players.filter(number__in=(first, second))}
    swap = {first: second, second: first}
    _swap_seats(tables, swap, players)
    for table in tables:
        _swap_records(table, swap, players)
    settled = [recalculate(fresh_table(table, tournament)) for table in tables]
    return {"one": first, "other": second, "session": session.number, "at": settled}


def _swap_seats(tables: Sequence[Table], swap: PlayerSwap, players: dict[int, Player]) -> None:
    """Replace the seats by new rows with the same ids, as a table's seats are ordered by id."""
    seats = [seat for table in tables for seat in table.seats.all() if seat.player.number in swap]
    swapped = [
        Seat(
            pk=seat.pk,
            table=seat.table,
            wind=seat.wind,
            player=players[swap[seat.player.number]],
            stand_in=seat.stand_in,
            stand_in_from=seat.stand_in_from,
        )
        for seat in seats
    ]
    Seat.objects.filter(pk__in=[seat.pk for seat in seats]).delete()
    Seat.objects.bulk_create(swapped)


def _swap_records(table: Table, swap: PlayerSwap, players: dict[int, Player]) -> None:
    """Rename the two players in everything recorded at the table."""

    def swapped(player: Player | None) -> Player | None:
        return players[swap[player.number]] if player and player.number in swap else player

    for hand in table.hands.select_related("winner", "discarder"):
        hand.winner, hand.discarder = swapped(hand.winner), swapped(hand.discarder)
        hand.payments = _swap_keys(hand.payments, swap)
        hand.claimants = [swap.get(number, number) for number in hand.claimants]
        hand.absent = [swap.get(number, number) for number in hand.absent]
        hand.save(update_fields=["winner", "discarder", "payments", "claimants", "absent"])
    _swap_totals(table, swap)
    for penalty in Penalty.objects.filter(table=table).select_related("player", "victim"):
        penalty.player, penalty.victim = swapped(penalty.player) or penalty.player, swapped(penalty.victim)
        penalty.effects = _swap_keys(penalty.effects, swap)
        penalty.save(update_fields=["player", "victim", "effects"])
    for appeal in table.appeals.select_related("player"):
        appeal.player = swapped(appeal.player) or appeal.player
        appeal.save(update_fields=["player"])
    _swap_absences(table, swap, players)


def _swap_totals(table: Table, swap: PlayerSwap) -> None:
    """Rename the two players in all totals that were typed, second readings too."""
    for totals in table.totals.all():
        totals.points = _swap_keys(totals.points, swap)
        totals.payments = _swap_keys(totals.payments, swap)
        totals.wins = totals.wins and _swap_keys(totals.wins, swap)
        totals.deal_ins = totals.deal_ins and _swap_keys(totals.deal_ins, swap)
        if totals.best:
            player = totals.best["player"]
            totals.best = totals.best | {"player": swap.get(player, player)}
        totals.save(update_fields=["points", "payments", "wins", "deal_ins", "best"])


def _swap_absences(table: Table, swap: PlayerSwap, players: dict[int, Player]) -> None:
    """Replace all absences at once, as a seat has at most one."""
    absences = list(table.absences.filter(player__number__in=swap).select_related("player"))
    for absence in absences:
        absence.player = players[swap[absence.player.number]]
    table.absences.filter(pk__in=[absence.pk for absence in absences]).delete()
    Absence.objects.bulk_create(absences)


def _swap_keys(figures: dict[str, int], swap: PlayerSwap) -> dict[str, int]:
    return {str(swap.get(int(number), int(number))): value for number, value in figures.items()}


def unstart_session(session: Session, actor: Actor) -> Session:
    """Undo the start of a session that was begun by mistake: it is planned again.

    Raises `Refused` once a hand, a penalty or an appeal is on record, with a problem for each such table. What depends
    on the start is reset too: the clock, extra time, who was missing, calls for the umpire.
    """
    with log.write(session.tournament, actor, SESSION_START_UNDONE, Right.ORGANISE) as entry:
        session = fresh(Session.objects.select_related("tournament"), session)
        if session.state != Session.State.RUNNING:
            raise Refused(SESSION_NOT_RUNNING(session=session.number))
        if problems := [
            START_HAS_A_RECORD("table", table=table.number) for table in tables_with_records(session)
        ]:
            raise Refused(problems)
        _reset_start(session)
        session.state, session.started_at = Session.State.PLANNED, None
        session.extra_minutes, session.pauses = 0, []
        session.save(update_fields=["state", "started_at", "extra_minutes", "pauses"])
        entry.data = {"session": session.number}
    return session


def _reset_start(session: Session) -> None:
    now = timezone.now()
    Absence.objects.filter(table__session=session, cancelled_at=None).update(cancelled_at=now)
    Call.objects.filter(table__session=session, done_at=None).update(done_at=now)
    # A stand-in who was named stays only where the player has left: nobody is late for what has not begun.
    stand_in_seats = Seat.objects.filter(table__session=session).exclude(stand_in="")
    stand_in_seats.exclude(player__in=Player.objects.filter(HAS_LEFT)).update(stand_in="")
    stand_in_seats.filter(stand_in=UNNAMED_STAND_IN).update(stand_in="")
    session.tables.update(is_in=False, in_at=None, in_by=None, extra_minutes=0, version=F("version") + 1)
