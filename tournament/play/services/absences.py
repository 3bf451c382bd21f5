"""Who is not at the table: an empty seat at the gong, the arrival, and stand-ins."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Q
from django.utils import timezone

from tournament.base import access, log
from tournament.base.access import Actor
from tournament.base.engine.rules import HANDS_PER_SESSION
from tournament.base.errors import refuse
from tournament.base.models.people import Player
from tournament.base.models.play import Absence, Seat, Session, Table
from tournament.base.models.tournament import Tournament
from tournament.play.selectors.absences import empty_seats, minutes_of, waits_for
from tournament.play.selectors.tables import fresh_table, place_of, seat_at, written_before
from tournament.play.services.tables import check_version, settle

STAND_IN = "–"
"""A stand-in whose name was not given."""
LONGEST = 80
"""Characters in a stand-in's name."""


def note_absence(
    table: Table,
    actor: Actor,
    player: int,
    *,
    uuid: UUID,
    expected_version: int | None = None,
    since: datetime | None = None,
) -> Absence:
    """Note that a seat is empty: the clock has been running since the gong. The same `uuid` again is the same absence.

    `since`: the gong of an event that is played again, where less time passes than did.
    """
    access.require_umpire(actor, table)
    with log.write(table.session.tournament, actor, "player_absent") as entry:
        if (known := written_before(Absence, uuid, table)) is not None:
            entry.unchanged()
            return known
        table = fresh_table(table, entry.tournament)
        check_version(table, expected_version)
        seat = _seat_in_play(table, player)
        if table.absences.filter(player=seat.player, taken_back_at=None).exists():
            raise refuse("already_absent", "player", name=seat.player.name)
        _check_not_seen(table, seat)
        since = since or table.session.started_at
        assert since is not None, "a session being played has begun"
        absence = Absence.objects.create(table=table, player=seat.player, uuid=uuid, since=since)
        entry.data = settle(table, player=player)
    return absence


def _seat_in_play(table: Table, player: int) -> Seat:
    """Find the player's seat at a table of a session being played."""
    if table.session.state != Session.State.RUNNING:
        raise refuse("session_not_running", session=table.session.number)
    return seat_at(table, player)


def _check_not_seen(table: Table, seat: Seat) -> None:
    """Refuse an absence of who has won or discarded at this table."""
    played = Q(winner=seat.player) | Q(discarder=seat.player)
    hand = table.hands.filter(played, is_current=True).order_by("number").first()
    if hand is not None:
        raise refuse("absent_has_played", "player", name=seat.player.name, hand=hand.number)


def note_arrival(
    absence: Absence, actor: Actor, *, expected_version: int | None = None, at: datetime | None = None
) -> Absence:
    """Note that a missing player has come: the clock stops, and a stand-in gives the seat back. Idempotent.

    `at`: when it was, in an event that is played again; else now.
    """
    access.require_umpire(actor, absence.table)
    with log.write(absence.table.session.tournament, actor, "player_arrived") as entry:
        absence.refresh_from_db()
        if absence.arrived_at is not None or absence.taken_back_at is not None:
            entry.unchanged()
            return absence
        table = fresh_table(absence.table, entry.tournament)
        check_version(table, expected_version)
        seat = _seat_in_play(table, absence.player.number)
        absence.arrived_at = at or timezone.now()
        absence.save(update_fields=["arrived_at"])
        _let_play(seat, "")
        entry.data = settle(table, player=absence.player.number, minutes=minutes_of(absence))
    return absence


def _let_play(seat: Seat, stand_in: str) -> None:
    """Let a stand-in play in the seat from the hand that comes next, or ("") its player again; part of a write."""
    if seat.stand_in != stand_in:
        seat.stand_in = stand_in
        seat.stand_in_from = min(seat.table.hands_played + 1, HANDS_PER_SESSION) if stand_in else None
        seat.save(update_fields=["stand_in", "stand_in_from"])


def begin_without(
    absence: Absence, actor: Actor, reason: str, *, expected_version: int | None = None
) -> Absence:
    """Let the others begin before the foul book does, with the seat empty or a stand-in, for a reason. Idempotent."""
    access.require_judge(actor, absence.table)
    with log.write(absence.table.session.tournament, actor, "begun_without") as entry:
        absence.refresh_from_db()
        if absence.begun_because or absence.arrived_at is not None or absence.taken_back_at is not None:
            entry.unchanged()
            return absence
        table = fresh_table(absence.table, entry.tournament)
        check_version(table, expected_version)
        _seat_in_play(table, absence.player.number)
        if not reason.strip():
            raise refuse("begun_reason_missing", "reason")
        absence.begun_because = reason.strip()
        absence.save(update_fields=["begun_because"])
        entry.data = settle(table, player=absence.player.number, reason=absence.begun_because)
    return absence


def take_absence_back(absence: Absence, actor: Actor, *, expected_version: int | None = None) -> Absence:
    """Take an absence back: the player had been there, or is excused, and nothing is due. Idempotent."""
    access.require_judge(actor, absence.table)
    with log.write(absence.table.session.tournament, actor, "absence_taken_back") as entry:
        absence.refresh_from_db()
        if absence.taken_back_at is not None:
            entry.unchanged()
            return absence
        table = fresh_table(absence.table, entry.tournament)
        check_version(table, expected_version)
        seat = _seat_in_play(table, absence.player.number)
        absence.taken_back_at = timezone.now()
        absence.save(update_fields=["taken_back_at"])
        _let_play(seat, "")
        entry.data = settle(table, player=absence.player.number)
    return absence


def seat_stand_in(
    table: Table, actor: Actor, player: int, name: str = "", *, expected_version: int | None = None
) -> Seat:
    """Seat somebody in a player's place: after so many minutes of lateness, or when the player has to leave."""
    access.require_judge(actor, table)
    with log.write(table.session.tournament, actor, "stand_in_seated") as entry:
        table = fresh_table(table, entry.tournament)
        check_version(table, expected_version)
        seat = _seat_in_play(table, player)
        if seat.stand_in:
            raise refuse("stand_in_seated", "player", name=seat.player.name)
        _check_long_enough(table, seat)
        _let_play(seat, name.strip()[:LONGEST] or STAND_IN)
        entry.data = settle(table, player=player, stand_in=seat.stand_in)
    return seat


def _check_long_enough(table: Table, seat: Seat) -> None:
    """Refuse a stand-in for a late player before the foul book or the umpire lets the others begin."""
    waiting = empty_seats(table).get(seat.player.number)
    if waiting is not None and (minutes := waits_for(waiting, timezone.now())):
        raise refuse("stand_in_too_early", "player", minutes=minutes)


def seat_player_again(
    table: Table, actor: Actor, player: int, *, expected_version: int | None = None
) -> Seat:
    """Give a player the seat back from a stand-in."""
    access.require_umpire(actor, table)
    with log.write(table.session.tournament, actor, "player_seated_again") as entry:
        table = fresh_table(table, entry.tournament)
        check_version(table, expected_version)
        seat = _seat_in_play(table, player)
        if not seat.stand_in:
            raise refuse("no_stand_in", "player", name=seat.player.name)
        if table.absences.filter(player=seat.player, arrived_at=None, taken_back_at=None).exists():
            raise refuse("still_missing", "player", name=seat.player.name)
        stood_in = seat.stand_in
        _let_play(seat, "")
        entry.data = settle(table, player=player, stand_in=stood_in)
    return seat


def name_stand_in(table: Table, actor: Actor, player: int, name: str) -> Seat:
    """Name who plays in the seat of a player who has withdrawn, before the session. Another name replaces the first.

    While a session is played the umpire does this (`seat_stand_in`); whose the result is follows from the rulebook.
    """
    access.require_organiser(actor, table.session.tournament)
    with log.write(table.session.tournament, actor, "stand_in_named") as entry:
        seat = _vacated_seat(fresh_table(table, entry.tournament), player)
        if not name.strip():
            raise refuse("stand_in_name_missing", "name")
        stand_in = name.strip()[:LONGEST]
        if seat.stand_in == stand_in:
            entry.unchanged()
            return seat
        _let_play(seat, stand_in)
        entry.data = place_of(seat.table) | {"player": player, "stand_in": stand_in}
    return seat


def _vacated_seat(table: Table, player: int) -> Seat:
    """Find the seat of a player who has withdrawn, at a table that has not begun."""
    if table.session.state != Session.State.PLANNED:
        raise refuse("session_already_begun", session=table.session.number)
    seat = seat_at(table, player)
    if not seat.player.is_withdrawn:
        raise refuse("not_withdrawn", "player", player=player)
    seat.table = table
    return seat


def leave_seat(player: Player, tournament: Tournament) -> dict[str, Any]:
    """Leave the seat of who withdraws in the middle of a session to a stand-in. Return data for the log, if any."""
    return _change_stand_in(player, tournament, "", STAND_IN)


def take_seat_again(player: Player, tournament: Tournament) -> dict[str, Any]:
    """Give who plays again the seat back that a stand-in has for the withdrawal. Return data for the log, if any."""
    return _change_stand_in(player, tournament, STAND_IN, "")


def _change_stand_in(player: Player, tournament: Tournament, before: str, after: str) -> dict[str, Any]:
    running = Table.objects.filter(
        session__tournament=tournament,
        session__state=Session.State.RUNNING,
        is_in=False,
        seats__player=player,
    ).first()
    if running is None:
        return {}
    table = fresh_table(running, tournament)
    seat = _seat_in_play(table, player.number)
    if seat.stand_in != before:
        return {}
    _let_play(seat, after)
    return settle(table)
