"""Empty seats, lateness, and what they mean for places at the table and points at stake."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta

from django.db.models import F
from django.utils import timezone

from penalties.engine import Facts
from penalties.engine.rules import minutes_late
from penalties.selectors import fines
from scoring.engine.problems import Problem, problem_code
from tournament.base.engine.entries import HandEntry
from tournament.base.engine.rules import LATE
from tournament.base.models.play import Absence, Hand, Seat, Table
from tournament.base.models.tournament import Tournament
from tournament.play.selectors.tables import SeatNow, empty_seats

SEAT_EMPTY_TOO_EARLY = problem_code(
    "seat_empty_too_early",
    "{name} is missing, and the others wait until minute {minutes}. Let them start, with a reason, or record "
    "that {name} is here.",
)


def minutes_to_wait(absence: Absence, now: datetime) -> int:
    """Return the minute of the session until which the others wait for a missing player; 0 once they may begin."""
    rule = absence.table.session.tournament.rules.lateness
    if rule is None or absence.begun_because or is_left_empty(absence):
        return 0
    minutes = rule.others_start_after
    return minutes if late_by(absence, now) < timedelta(minutes=minutes) else 0


def is_left_empty(absence: Absence) -> bool:
    """Whether the player had left before the session began, so that nobody is late."""
    player = absence.player
    left_at = [moment for moment in (player.withdrawn_at, player.excluded_at) if moment is not None]
    return absence.arrived_at is None and any(moment <= absence.since for moment in left_at)


def late_by(absence: Absence, moment: datetime) -> timedelta:
    """Return how late the player is at a moment; pauses of the hall's clock do not count."""
    clock = absence.table.session.clock
    assert clock is not None, "a session in which somebody is missing has begun"
    return clock.played(moment, absence.since)


def absent_players(hand: Hand) -> tuple[int, ...]:
    """List the players, by number, who were absent in a recorded hand, without absences taken back since."""
    if not hand.absent:
        return ()
    noted = Absence.objects.filter(table=hand.table_id, player__number__in=hand.absent)
    is_standing: dict[int, bool] = {}
    for number, cancelled_at in noted.values_list("player__number", "cancelled_at"):
        is_standing[number] = is_standing.get(number, False) or cancelled_at is None
    return tuple(number for number in hand.absent if is_standing.get(number, True))


def place_flags(table: Table, seats: Iterable[Seat | SeatNow]) -> list[bool]:
    """Return for each seat whether it takes a place at the table, as if the session ended now."""
    attendance, empty = table.session.tournament.rules.attendance, empty_seats(table)
    return [
        seat.player.number not in empty
        and (not seat.stand_in or attendance.stand_in_has_place(seat.stand_in_from))
        for seat in seats
    ]


def all_empty_seats(tournament: Tournament) -> set[tuple[int, int]]:
    """List seats without a player or stand-in in all sessions, as (session number, player number)."""
    missing = Absence.objects.filter(
        table__session__tournament=tournament, arrived_at=None, cancelled_at=None
    ).filter(table__seats__player=F("player"), table__seats__stand_in="")
    return set(missing.values_list("table__session__number", "player__number"))


def points_owed_by_absent(
    tournament: Tournament, stood_in: Mapping[tuple[int, int], int | None]
) -> dict[tuple[int, int], int]:
    """Sum the fines that absent players owe themselves: for lateness, and for fouls before the stand-in sat down.

    `stood_in`: (session, player number) → first hand of the stand-in; the result has the same keys.
    """
    owed = dict.fromkeys(stood_in, 0)
    if not stood_in:
        return owed
    for session, player, foul, hand, points in fines(tournament):
        if (session, player) not in stood_in:
            continue
        first = stood_in[session, player] or 1
        if foul == LATE or hand is None or hand < first:
            owed[session, player] += points
    return owed


def points_held(seat: Seat) -> int | None:
    """Return the points a player can still lose by lateness; None without starting points (seed 000, "Being late")."""
    session = seat.table.session
    attendance = session.tournament.rules.attendance
    if not attendance.starting_points:
        return None
    score = seat.game_points
    if seat.stand_in and not attendance.credits_player:
        place = session.number, seat.player.number
        score = points_owed_by_absent(session.tournament, {place: seat.stand_in_from})[place]
    return attendance.points_held(score)


def lateness_end(absence: Absence) -> datetime:
    """Return when lateness stops growing: at the player's arrival, or at the end of the session for the table."""
    table, session = absence.table, absence.table.session
    time = timedelta(minutes=session.minutes + table.extra_minutes)
    over = session.clock.after(time, absence.since) if session.clock else None
    moments = (absence.arrived_at, table.in_at, session.closed_at, over)
    return min(moment for moment in moments if moment is not None)


def lateness_minutes(absence: Absence) -> int:
    """Return the minute of lateness running at arrival or, for a no-show, at the end of the session."""
    return minutes_late(late_by(absence, lateness_end(absence)).total_seconds())


def is_session_lost(tournament: Tournament, minutes: int) -> bool:
    """Whether the foul book takes the whole session from a player who is so late, so that a stand-in plays on."""
    rule = tournament.rules.lateness
    return rule is not None and rule.outcome(Facts(minutes=minutes), 1)[0].session_forfeited


def with_recorded_absences(recorded: Hand, entry: HandEntry) -> HandEntry:
    """Fill `absent` of a correction from the hand it corrects, unless the entry states it."""
    absent = absent_players(recorded) if entry.absent is None else entry.absent
    return replace(entry, absent=tuple(sorted(set(absent))))


def with_current_absences(table: Table, entry: HandEntry) -> tuple[HandEntry, tuple[Problem, ...]]:
    """Add the seats that are empty now to `absent` of the next hand. Also return a problem for each player for whom
    the others still have to wait."""
    empty, now = empty_seats(table), timezone.now()
    problems = tuple(
        SEAT_EMPTY_TOO_EARLY(name=absence.player.name, minutes=minutes)
        for absence in empty.values()
        if (minutes := minutes_to_wait(absence, now))
    )
    return replace(entry, absent=tuple(sorted({*(entry.absent or ()), *empty}))), problems
