"""Whose seat is empty, and what follows for a table's places and for what a player can lose."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta

from django.db.models import F
from django.utils import timezone

from penalties.engine.rules import minutes_late
from penalties.selectors import fines
from scoring.engine.problems import Problem, problem_code
from tournament.base.engine.entries import HandEntry
from tournament.base.engine.rules import LATE
from tournament.base.models.play import Absence, Hand, Seat, Table
from tournament.base.models.tournament import Tournament
from tournament.play.selectors.tables import SeatNow

SEAT_EMPTY_TOO_EARLY = problem_code(
    "seat_empty_too_early",
    "{name} is missing, and the others wait until minute {minutes}. Let them begin, and say why; or note "
    "that {name} is here.",
)


def empty_seats(table: Table) -> dict[int, Absence]:
    """Find the seats in which nobody sits at the moment, no stand-in either: player number → the absence."""
    missing = [
        absence
        for absence in table.absences.all()
        if absence.arrived_at is None and absence.taken_back_at is None
    ]
    if not missing:
        return {}
    stood_in = {seat.player_id for seat in table.seats.all() if seat.stand_in}
    return {absence.player.number: absence for absence in missing if absence.player_id not in stood_in}


def waits_for(absence: Absence, now: datetime) -> int:
    """Return the minute until which the others wait for a missing player; 0 once they may begin."""
    rule = absence.table.session.tournament.rules.lateness
    if rule is None or absence.begun_because or is_left_empty(absence):
        return 0
    wait = rule.others_start_after
    return wait if late_by(absence, now) < timedelta(minutes=wait) else 0


def is_left_empty(absence: Absence) -> bool:
    """Whether the session began with the seat empty, because its player plays no further: nobody is late."""
    player = absence.player
    left = [moment for moment in (player.withdrawn_at, player.excluded_at) if moment is not None]
    return absence.arrived_at is None and any(moment <= absence.since for moment in left)


def late_by(absence: Absence, moment: datetime) -> timedelta:
    """Measure how late the player is at a moment: nobody is late while the clock of the hall is paused."""
    clock = absence.table.session.clock
    assert clock is not None, "a session in which somebody is missing has begun"
    return clock.played(moment, absence.since)


def absent_in(hand: Hand) -> tuple[int, ...]:
    """List whose seats were empty in a recorded hand, without absences that were taken back since."""
    if not hand.absent:
        return ()
    noted = Absence.objects.filter(table=hand.table_id, player__number__in=hand.absent)
    stands: dict[int, bool] = {}
    for number, taken_back_at in noted.values_list("player__number", "taken_back_at"):
        stands[number] = stands.get(number, False) or taken_back_at is None
    return tuple(number for number in hand.absent if stands.get(number, True))


def placed(table: Table, seats: Iterable[Seat | SeatNow]) -> list[bool]:
    """Say which of these seats of the table take one of its places, as if the session ended now."""
    attendance, empty = table.session.tournament.rules.attendance, empty_seats(table)
    return [
        attendance.has_place(stand_in=bool(seat.stand_in), empty=seat.player.number in empty)
        for seat in seats
    ]


def all_empty_seats(tournament: Tournament) -> set[tuple[int, int]]:
    """List every seat whose player has not come and for whom nobody plays, by session and player number."""
    missing = Absence.objects.filter(
        table__session__tournament=tournament, arrived_at=None, taken_back_at=None
    ).filter(table__seats__player=F("player"), table__seats__stand_in="")
    return set(missing.values_list("table__session__number", "player__number"))


def owed(
    tournament: Tournament, stood_in: Mapping[tuple[int, int], int | None]
) -> dict[tuple[int, int], int]:
    """Sum up what absent players owe of a session in which a stand-in plays: the fines for lateness, and for their own
    fouls before the stand-in sat down. `stood_in`: session and player number → the first hand of the stand-in."""
    points_owed = dict.fromkeys(stood_in, 0)
    if not stood_in:
        return points_owed
    for session, player, foul, hand, points in fines(tournament):
        if (session, player) not in stood_in:
            continue
        first = stood_in[session, player] or 1
        if foul == LATE or hand is None or hand < first:
            points_owed[session, player] += points
    return points_owed


def points_held(seat: Seat) -> int | None:
    """Find what a player can still lose by lateness; None where nobody starts with points (seed 000, "Being late")."""
    session = seat.table.session
    attendance = session.tournament.rules.attendance
    if not attendance.starting_points:
        return None
    score = seat.game_points
    if seat.stand_in and not attendance.has_place(stand_in=True, empty=False):
        place = session.number, seat.player.number
        score = owed(session.tournament, {place: seat.stand_in_from})[place]
    return attendance.points_held(score)


def lateness_ends(absence: Absence) -> datetime:
    """Find when lateness grows no more: the player came, or the table's session is over without them."""
    table, session = absence.table, absence.table.session
    time = timedelta(minutes=session.minutes + table.extra_minutes)
    over = session.clock.after(time, absence.since) if session.clock else None
    moments = (absence.arrived_at, table.in_at, session.closed_at, over)
    return min(moment for moment in moments if moment is not None)


def minutes_of(absence: Absence) -> int:
    """Return the minute of lateness that was running on arrival, or, for who does not come, at the session's end."""
    return minutes_late(late_by(absence, lateness_ends(absence)).total_seconds())


def seated_then(recorded: Hand, entry: HandEntry) -> HandEntry:
    """Complete a correction with the seats that were empty in the hand it corrects, unless it says otherwise."""
    absent = absent_in(recorded) if entry.absent is None else entry.absent
    return replace(entry, absent=tuple(sorted(set(absent))))


def seated_now(table: Table, entry: HandEntry) -> tuple[HandEntry, tuple[Problem, ...]]:
    """Complete the next hand with every seat that is noted as empty; and list what is against playing on without these
    players."""
    empty, now = empty_seats(table), timezone.now()
    too_early = tuple(
        SEAT_EMPTY_TOO_EARLY(name=absence.player.name, minutes=minutes)
        for absence in empty.values()
        if (minutes := waits_for(absence, now))
    )
    return replace(entry, absent=tuple(sorted({*(entry.absent or ()), *empty}))), too_early
