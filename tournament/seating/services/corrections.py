"""Corrections of what was begun wrongly: two players in each other's places, a session begun by mistake."""

from collections.abc import Sequence
from typing import Any

from django.db.models import F
from django.utils import timezone

from penalties.models import Penalty
from scoring.engine.problems import problem_code
from tournament.base import access, log
from tournament.base.access import Actor
from tournament.base.errors import Refused
from tournament.base.models.log import LogEntry
from tournament.base.models.people import LEFT, Player
from tournament.base.models.play import Absence, Seat, Session, Table
from tournament.base.models.tournament import Tournament
from tournament.base.problems import SESSION_NOT_RUNNING
from tournament.play.models import Call
from tournament.play.selectors.tables import fresh_table, tables_with_a_record
from tournament.play.services.absences import STAND_IN
from tournament.play.services.tables import fresh, settle
from tournament.seating.selectors.changes import last_correction, refuse_exchange, state_of, tables_with
from tournament.seating.texts import CORRECTION_UNDONE, SEATS_CORRECTED, SESSION_UNSTARTED

SEATS_CHANGED = problem_code("seats_changed", "The seats have changed since you looked. Look again.")
NO_SEATS_TO_RESTORE = problem_code("no_seats_to_restore", "There is no change of seats to take back.")
START_HAS_A_RECORD = problem_code(
    "start_has_a_record",
    "A hand, a penalty or an appeal is on record at table {table}, so the session stays begun.",
)

Turned = dict[int, int]
"""Each of the two players' numbers → the other's."""


def correct_seats(session: Session, actor: Actor, one: int, other: int, *, seen: str = "") -> None:
    """Correct the session's record: the two, by number, really sat in each other's places, at one table or at two.

    What an umpire enters is what happened at a seat; who sat there was wrong. So hands, penalties, absences, appeals
    stay with the seats and get the names of those who really sat there, in every version, and the figures follow.

    Only while the session is being played. `seen`: the state of the two tables that was shown; refused when somebody
    has written there since.
    """
    tables = _tables_to_judge(session, actor, one, other)
    with log.write(session.tournament, actor, SEATS_CORRECTED) as entry:
        entry.data = _exchange(entry.tournament, session, one, other, tables, seen)


def undo_correction(session: Session, actor: Actor) -> LogEntry:
    """Take the newest such correction of the session back, as long as it is being played."""
    last = last_correction(session)
    if last is None:
        raise Refused(NO_SEATS_TO_RESTORE())
    one, other = last.data["one"], last.data["other"]
    tables = _tables_to_judge(session, actor, one, other)
    with log.write(session.tournament, actor, CORRECTION_UNDONE) as entry:
        entry.data = _exchange(entry.tournament, session, one, other, tables) | {"undoes": last.seq}
    return last


def _tables_to_judge(session: Session, actor: Actor, one: int, other: int) -> list[Table]:
    """The tables of the two, for an umpire of both."""
    tables = tables_with(session, one, other)
    for table in tables:
        access.require_judge(actor, table)
    return tables


def _exchange(
    tournament: Tournament, session: Session, one: int, other: int, tables: Sequence[Table], seen: str = ""
) -> dict[str, Any]:
    """Write the exchange; gives the log's data."""
    refuse_exchange(tournament, session, one, other, tables)
    tables = [fresh_table(table, tournament) for table in tables]
    if seen and seen != state_of(tables):
        raise Refused(SEATS_CHANGED())
    people = {player.number: player for player in tournament.players.filter(number__in=(one, other))}
    turned = {one: other, other: one}
    _turn_seats(tables, turned, people)
    for table in tables:
        _turn_names(table, turned, people)
    settled = [settle(fresh_table(table, tournament)) for table in tables]
    return {"one": one, "other": other, "session": session.number, "at": settled}


def _turn_seats(tables: Sequence[Table], turned: Turned, people: dict[int, Player]) -> None:
    """The seats are written anew with the ids they had: a table's seats stand in the order of their ids."""
    seats = [seat for table in tables for seat in table.seats.all() if seat.player.number in turned]
    anew = [
        Seat(
            pk=seat.pk,
            table=seat.table,
            wind=seat.wind,
            player=people[turned[seat.player.number]],
            stand_in=seat.stand_in,
            stand_in_from=seat.stand_in_from,
        )
        for seat in seats
    ]
    Seat.objects.filter(pk__in=[seat.pk for seat in seats]).delete()
    Seat.objects.bulk_create(anew)


def _turn_names(table: Table, turned: Turned, people: dict[int, Player]) -> None:
    """What is recorded at the table, under the other's name wherever one of the two is named."""

    def of(player: Player | None) -> Player | None:
        return people[turned[player.number]] if player and player.number in turned else player

    for hand in table.hands.select_related("winner", "discarder"):
        hand.winner, hand.discarder = of(hand.winner), of(hand.discarder)
        hand.payments = _with_turned_keys(hand.payments, turned)
        hand.claimants = [turned.get(number, number) for number in hand.claimants]
        hand.absent = [turned.get(number, number) for number in hand.absent]
        hand.save(update_fields=["winner", "discarder", "payments", "claimants", "absent"])
    _turn_totals(table, turned)
    for penalty in Penalty.objects.filter(table=table).select_related("player", "victim"):
        penalty.player, penalty.victim = of(penalty.player) or penalty.player, of(penalty.victim)
        penalty.effects = _with_turned_keys(penalty.effects, turned)
        penalty.save(update_fields=["player", "victim", "effects"])
    for appeal in table.appeals.select_related("player"):
        appeal.player = of(appeal.player) or appeal.player
        appeal.save(update_fields=["player"])
    _turn_absences(table, turned, people)


def _turn_totals(table: Table, turned: Turned) -> None:
    """All that were typed of it, second readings too."""
    for totals in table.totals.all():
        totals.points = _with_turned_keys(totals.points, turned)
        totals.payments = _with_turned_keys(totals.payments, turned)
        totals.wins = totals.wins and _with_turned_keys(totals.wins, turned)
        totals.deal_ins = totals.deal_ins and _with_turned_keys(totals.deal_ins, turned)
        if totals.best:
            player = totals.best["player"]
            totals.best = totals.best | {"player": turned.get(player, player)}
        totals.save(update_fields=["points", "payments", "wins", "deal_ins", "best"])


def _turn_absences(table: Table, turned: Turned, people: dict[int, Player]) -> None:
    """Written anew at once: a seat has one absence at most."""
    absences = list(table.absences.filter(player__number__in=turned).select_related("player"))
    for absence in absences:
        absence.player = people[turned[absence.player.number]]
    table.absences.filter(pk__in=[absence.pk for absence in absences]).delete()
    Absence.objects.bulk_create(absences)


def _with_turned_keys(figures: dict[str, int], turned: Turned) -> dict[str, int]:
    return {str(turned.get(int(number), int(number))): value for number, value in figures.items()}


def unstart_session(session: Session, actor: Actor) -> Session:
    """Take the start of a session that was begun by mistake back: it is planned again.

    Refused once a hand, a penalty or an appeal is on record; each such table is a problem. What hung on the gong goes
    with it: the clock, extra time, who was missing since then, calls for the umpire.
    """
    access.require_organiser(actor, session.tournament)
    with log.write(session.tournament, actor, SESSION_UNSTARTED) as entry:
        session = fresh(Session.objects.select_related("tournament"), session)
        if session.state != Session.State.RUNNING:
            raise Refused(SESSION_NOT_RUNNING(session=session.number))
        if problems := [
            START_HAS_A_RECORD("table", table=table.number) for table in tables_with_a_record(session)
        ]:
            raise Refused(problems)
        _forget_gong(session)
        session.state, session.started_at = Session.State.PLANNED, None
        session.extra_minutes, session.pauses = 0, []
        session.save(update_fields=["state", "started_at", "extra_minutes", "pauses"])
        entry.data = {"session": session.number}
    return session


def _forget_gong(session: Session) -> None:
    now = timezone.now()
    Absence.objects.filter(table__session=session, taken_back_at=None).update(taken_back_at=now)
    Call.objects.filter(table__session=session, done_at=None).update(done_at=now)
    # A stand-in who was named stays only where the player has left: nobody is late for what has not begun.
    sat_in = Seat.objects.filter(table__session=session).exclude(stand_in="")
    sat_in.exclude(player__in=Player.objects.filter(LEFT)).update(stand_in="")
    sat_in.filter(stand_in=STAND_IN).update(stand_in="")
    session.tables.update(is_in=False, in_at=None, in_by=None, extra_minutes=0, version=F("version") + 1)
