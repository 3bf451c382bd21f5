"""Absences, arrivals and stand-ins."""

from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Q
from django.utils import timezone

from scoring.engine.problems import problem_code
from tournament.base import log
from tournament.base.access import Actor, Right
from tournament.base.engine.rules import HANDS_PER_SESSION
from tournament.base.errors import Refused
from tournament.base.models.people import Player
from tournament.base.models.play import Absence, Seat, Session, Table
from tournament.base.models.tournament import Tournament
from tournament.base.problems import SESSION_ALREADY_BEGUN, SESSION_NOT_RUNNING
from tournament.play.selectors.absences import (
    is_session_lost,
    lateness_minutes,
    minutes_to_wait,
)
from tournament.play.selectors.hands import exclusion_problem
from tournament.play.selectors.tables import empty_seats, find_by_uuid, fresh_table, log_place, seat_at
from tournament.play.services.tables import check_version, recalculate
from tournament.play.texts import log as actions

NOT_WITHDRAWN = problem_code("not_withdrawn", "Player {player} has not withdrawn.")
ALREADY_ABSENT = problem_code("already_absent", "{name} is already recorded as absent.")
ABSENT_HAS_PLAYED = problem_code(
    "absent_has_played", "{name} has played hand {hand} here and is therefore not missing."
)
BEGUN_REASON_MISSING = problem_code("begun_reason_missing", "Give a reason why the others do not wait.")
STAND_IN_TOO_EARLY = problem_code(
    "stand_in_too_early",
    "The others start without the player after {minutes} minute, or earlier if the umpire lets them.",
    "The others start without the player after {minutes} minutes, or earlier if the umpire lets them.",
    by="minutes",
)
STAND_IN_SEATED = problem_code("stand_in_seated", "Someone is already playing for {name}.")
STILL_MISSING = problem_code("still_missing", "{name} is recorded as missing. Record the arrival first.")
NO_STAND_IN = problem_code("no_stand_in", "Nobody is playing for {name}.")
STAND_IN_NAME_MISSING = problem_code("stand_in_name_missing", "Enter the name of the stand-in.")

UNNAMED_STAND_IN = "–"
"""Stored for a stand-in without a name."""
MAX_NAME_LENGTH = 80


def record_absence(
    table: Table,
    actor: Actor,
    player: int,
    *,
    uuid: UUID,
    expected_version: int | None = None,
    since: datetime | None = None,
) -> Absence:
    """Note that a player is absent since the start of the session. Idempotent by `uuid`.

    `since`: the start of the session where an event is replayed from a file.
    """
    with log.write_at(table, actor, actions.ABSENCE_RECORDED, Right.ENTER) as entry:
        if (known := find_by_uuid(Absence, uuid, table)) is not None:
            return entry.unchanged(known)
        table = fresh_table(table, entry.tournament)
        check_version(table, expected_version)
        seat = _seat_in_play(table, player)
        if table.absences.filter(player=seat.player, cancelled_at=None).exists():
            raise Refused(ALREADY_ABSENT("player", name=seat.player.name))
        _check_has_not_played(table, seat)
        since = since or table.session.started_at
        assert since is not None, "a session being played has begun"
        absence = Absence.objects.create(table=table, player=seat.player, uuid=uuid, since=since)
        entry.data = recalculate(table, player=player)
    return absence


def _seat_in_play(table: Table, player: int) -> Seat:
    """Return the player's seat. Raises Refused unless the session is being played."""
    if table.session.state != Session.State.RUNNING:
        raise Refused(SESSION_NOT_RUNNING(session=table.session.number))
    return seat_at(table, player)


def _check_has_not_played(table: Table, seat: Seat) -> None:
    """Refuse an absence of a player who has won or discarded at this table."""
    played = Q(winner=seat.player) | Q(discarder=seat.player)
    hand = table.hands.filter(played, is_current=True).order_by("number").first()
    if hand is not None:
        raise Refused(ABSENT_HAS_PLAYED("player", name=seat.player.name, hand=hand.number))


def record_arrival(
    absence: Absence, actor: Actor, *, expected_version: int | None = None, at: datetime | None = None
) -> Absence:
    """Note that an absent player has arrived, and end a stand-in's play unless the session is lost. Idempotent.

    `at`: the time of arrival where an event is replayed from a file; else now.
    """
    with log.write_at(absence.table, actor, actions.PLAYER_ARRIVED, Right.ENTER) as entry:
        absence.refresh_from_db()
        if absence.arrived_at is not None or absence.cancelled_at is not None:
            return entry.unchanged(absence)
        table = fresh_table(absence.table, entry.tournament)
        check_version(table, expected_version)
        seat = _seat_in_play(table, absence.player.number)
        absence.arrived_at = at or timezone.now()
        absence.save(update_fields=["arrived_at"])
        minutes = lateness_minutes(absence)
        if not is_session_lost(entry.tournament, minutes):
            _set_stand_in(seat, "")
        entry.data = recalculate(table, player=absence.player.number, minutes=minutes)
    return absence


def _set_stand_in(seat: Seat, stand_in: str) -> None:
    """Set who plays in the seat from the next hand on: a stand-in or ("") the player. Part of a write."""
    if seat.stand_in != stand_in:
        seat.stand_in = stand_in
        seat.stand_in_from = _next_hand(seat) if stand_in else None
        seat.save(update_fields=["stand_in", "stand_in_from"])


def _next_hand(seat: Seat) -> int:
    """Return the first hand of a stand-in. A player who was at the table has begun the first one (MERS, section 4)."""
    table, begun, excluded_at = seat.table, seat.table.session.started_at, seat.player.excluded_at
    was_missing = table.absences.filter(player=seat.player, cancelled_at=None).exists()
    has_begun = begun is not None and (not was_missing or (excluded_at is not None and excluded_at >= begun))
    return min(max(table.hands_played, int(has_begun)) + 1, HANDS_PER_SESSION)


def begin_without(
    absence: Absence, actor: Actor, reason: str, *, expected_version: int | None = None
) -> Absence:
    """Let the others begin earlier than the foul book allows, with a reason. Idempotent."""
    with log.write_at(absence.table, actor, actions.EARLY_START_ALLOWED, Right.JUDGE) as entry:
        absence.refresh_from_db()
        if absence.begun_because or absence.arrived_at is not None or absence.cancelled_at is not None:
            return entry.unchanged(absence)
        table = fresh_table(absence.table, entry.tournament)
        check_version(table, expected_version)
        _seat_in_play(table, absence.player.number)
        if not reason.strip():
            raise Refused(BEGUN_REASON_MISSING("reason"))
        absence.begun_because = reason.strip()
        absence.save(update_fields=["begun_because"])
        entry.data = recalculate(table, player=absence.player.number, reason=absence.begun_because)
    return absence


def cancel_absence(absence: Absence, actor: Actor, *, expected_version: int | None = None) -> Absence:
    """Take an absence back, so that no penalty is due. Idempotent."""
    with log.write_at(absence.table, actor, actions.ABSENCE_CANCELLED, Right.JUDGE) as entry:
        absence.refresh_from_db()
        if absence.cancelled_at is not None:
            return entry.unchanged(absence)
        table = fresh_table(absence.table, entry.tournament)
        check_version(table, expected_version)
        seat = _seat_in_play(table, absence.player.number)
        absence.cancelled_at = timezone.now()
        absence.save(update_fields=["cancelled_at"])
        _set_stand_in(seat, "")
        entry.data = recalculate(table, player=absence.player.number)
    return absence


def seat_stand_in(
    table: Table, actor: Actor, player: int, name: str = "", *, expected_version: int | None = None
) -> Seat:
    """Seat a stand-in for a player who has to leave, or who is late by the foul book's minutes."""
    with log.write_at(table, actor, actions.STAND_IN_SEATED, Right.JUDGE) as entry:
        table = fresh_table(table, entry.tournament)
        check_version(table, expected_version)
        seat = _seat_in_play(table, player)
        if seat.stand_in:
            raise Refused(STAND_IN_SEATED("player", name=seat.player.name))
        _check_may_start(table, seat)
        _set_stand_in(seat, name.strip()[:MAX_NAME_LENGTH] or UNNAMED_STAND_IN)
        entry.data = recalculate(table, player=player, stand_in=seat.stand_in)
    return seat


def _check_may_start(table: Table, seat: Seat) -> None:
    """Refuse a stand-in for a late player while the others have to wait."""
    absence = empty_seats(table).get(seat.player.number)
    if absence is not None and (minutes := minutes_to_wait(absence, timezone.now())):
        raise Refused(STAND_IN_TOO_EARLY("player", minutes=minutes))


def seat_player_again(
    table: Table, actor: Actor, player: int, *, expected_version: int | None = None
) -> Seat:
    """End a stand-in's play: the player has the seat again."""
    with log.write_at(table, actor, actions.STAND_IN_ENDED, Right.ENTER) as entry:
        table = fresh_table(table, entry.tournament)
        check_version(table, expected_version)
        seat = _seat_in_play(table, player)
        if not seat.stand_in:
            raise Refused(NO_STAND_IN("player", name=seat.player.name))
        if seat.player.excluded_as:
            raise Refused(exclusion_problem(seat.player, "player"))
        if table.absences.filter(player=seat.player, arrived_at=None, cancelled_at=None).exists():
            raise Refused(STILL_MISSING("player", name=seat.player.name))
        stand_in = seat.stand_in
        _set_stand_in(seat, "")
        entry.data = recalculate(table, player=player, stand_in=stand_in)
    return seat


def name_stand_in(table: Table, actor: Actor, player: int, name: str) -> Seat:
    """Name the stand-in for a withdrawn or excluded player before the session starts, replacing an earlier name.

    During a session use `seat_stand_in`. Idempotent.
    """
    with log.write(table.session.tournament, actor, actions.STAND_IN_NAMED, Right.ORGANISE) as entry:
        seat = _vacated_seat(fresh_table(table, entry.tournament), player)
        if not name.strip():
            raise Refused(STAND_IN_NAME_MISSING("name"))
        stand_in = name.strip()[:MAX_NAME_LENGTH]
        if seat.stand_in == stand_in:
            return entry.unchanged(seat)
        _set_stand_in(seat, stand_in)
        entry.data = log_place(seat.table) | {"player": player, "stand_in": stand_in}
    return seat


def _vacated_seat(table: Table, player: int) -> Seat:
    """Return the seat of a withdrawn or excluded player. Raises Refused unless the session is planned."""
    if table.session.state != Session.State.PLANNED:
        raise Refused(SESSION_ALREADY_BEGUN(session=table.session.number))
    seat = seat_at(table, player)
    if not seat.player.has_left:
        raise Refused(NOT_WITHDRAWN("player", player=player))
    seat.table = table
    return seat


def clear_stand_ins(player: Player) -> None:
    """Remove the stand-ins of a player who plays again from seats in planned sessions. Part of a write."""
    if player.has_left:
        return
    Seat.objects.filter(player=player, table__session__state=Session.State.PLANNED).update(
        stand_in="", stand_in_from=None
    )


def vacate_seat(player: Player, tournament: Tournament) -> dict[str, Any]:
    """Seat an unnamed stand-in for a player who withdraws during a session. Return data for the log, {} if unseated."""
    return _replace_stand_in(player, tournament, "", UNNAMED_STAND_IN)


def return_to_seat(player: Player, tournament: Tournament) -> dict[str, Any]:
    """Undo `vacate_seat` for a player who plays again. Return data for the log, {} if nothing changes."""
    return _replace_stand_in(player, tournament, UNNAMED_STAND_IN, "")


def _replace_stand_in(player: Player, tournament: Tournament, old: str, new: str) -> dict[str, Any]:
    table_row = Table.objects.filter(
        session__tournament=tournament,
        session__state=Session.State.RUNNING,
        is_in=False,
        seats__player=player,
    ).first()
    if table_row is None:
        return {}
    table = fresh_table(table_row, tournament)
    seat = _seat_in_play(table, player.number)
    if seat.stand_in != old:
        return {}
    _set_stand_in(seat, new)
    return recalculate(table)
