"""Who is not at the table: an empty seat at the gong, the arrival, and somebody who plays in a player's place."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from django.utils import timezone

from penalties.engine.rules import Late, minutes_late
from tournament import access, log
from tournament.access import Actor
from tournament.engine.rules import Rules
from tournament.errors import refuse
from tournament.models import Absence, Player, Seat, Session, Table, Tournament
from tournament.services.tables import check_version, locked, settle, written_before

STAND_IN = "–"
"""A stand-in whose name was not given."""
LONGEST = 80
"""Characters in a stand-in's name."""
LATE = "late"
"""The foul whose rule says what lateness costs."""


def lateness_rule(rules: Rules) -> Late | None:
    """What lateness costs by minutes; None where the foul book has no such rule."""
    foul = rules.fouls.find(LATE)
    return foul.rule if foul and isinstance(foul.rule, Late) else None


def minutes_of(absence: Absence, now: datetime | None = None) -> int:
    """The minute of lateness that was running on arrival, or is running now."""
    until = absence.arrived_at or now or timezone.now()
    return minutes_late((until - absence.since).total_seconds())


def note_absence(
    table: Table, actor: Actor, player: int, *, uuid: UUID, expected_version: int | None = None
) -> Absence:
    """The seat is empty: the clock has been running since the gong. The same `uuid` again is the same absence."""
    access.require_umpire(actor, table)
    with log.write(table.session.tournament, actor, "player_absent") as entry:
        if (known := written_before(Absence, uuid, table)) is not None:
            entry.unchanged()
            return known
        table = locked(table, entry.tournament)
        check_version(table, expected_version)
        seat = _seat(table, player)
        if table.absences.filter(player=seat.player, taken_back_at=None).exists():
            raise refuse("already_absent", "player", name=seat.player.name)
        since = table.session.started_at
        assert since is not None, "a session being played has begun"
        absence = Absence.objects.create(table=table, player=seat.player, uuid=uuid, since=since)
        entry.data = settle(table, player=player)
    return absence


def note_arrival(absence: Absence, actor: Actor, *, expected_version: int | None = None) -> Absence:
    """The clock stops; whoever played in the place gives it back. Arriving twice is arriving once."""
    access.require_umpire(actor, absence.table)
    with log.write(absence.table.session.tournament, actor, "player_arrived") as entry:
        absence.refresh_from_db()
        if absence.arrived_at is not None or absence.taken_back_at is not None:
            entry.unchanged()
            return absence
        table = locked(absence.table, entry.tournament)
        check_version(table, expected_version)
        seat = _seat(table, absence.player.number)
        absence.arrived_at = timezone.now()
        absence.save(update_fields=["arrived_at"])
        _let_play(seat, "")
        entry.data = settle(table, player=absence.player.number, minutes=minutes_of(absence))
    return absence


def take_absence_back(absence: Absence, actor: Actor, *, expected_version: int | None = None) -> Absence:
    """The player had been there, or is excused: no clock, nothing due."""
    access.require_umpire(actor, absence.table)
    with log.write(absence.table.session.tournament, actor, "absence_taken_back") as entry:
        absence.refresh_from_db()
        if absence.taken_back_at is not None:
            entry.unchanged()
            return absence
        table = locked(absence.table, entry.tournament)
        check_version(table, expected_version)
        seat = _seat(table, absence.player.number)
        absence.taken_back_at = timezone.now()
        absence.save(update_fields=["taken_back_at"])
        _let_play(seat, "")
        entry.data = settle(table, player=absence.player.number)
    return absence


def seat_stand_in(
    table: Table, actor: Actor, player: int, name: str = "", *, expected_version: int | None = None
) -> Seat:
    """Somebody plays in a player's place: after so many minutes of lateness, or when the player has to leave."""
    access.require_umpire(actor, table)
    with log.write(table.session.tournament, actor, "stand_in_seated") as entry:
        table = locked(table, entry.tournament)
        check_version(table, expected_version)
        seat = _seat(table, player)
        if seat.stand_in:
            raise refuse("stand_in_seated", "player", name=seat.player.name)
        _check_long_enough(table, seat, entry.tournament.rules)
        _let_play(seat, name.strip()[:LONGEST] or STAND_IN)
        entry.data = settle(table, player=player, stand_in=seat.stand_in)
    return seat


def seat_player_again(
    table: Table, actor: Actor, player: int, *, expected_version: int | None = None
) -> Seat:
    """The player takes the seat back."""
    access.require_umpire(actor, table)
    with log.write(table.session.tournament, actor, "player_seated_again") as entry:
        table = locked(table, entry.tournament)
        check_version(table, expected_version)
        seat = _seat(table, player)
        if not seat.stand_in:
            raise refuse("no_stand_in", "player", name=seat.player.name)
        stood_in = seat.stand_in
        _let_play(seat, "")
        entry.data = settle(table, player=player, stand_in=stood_in)
    return seat


def leave_seat(player: Player, tournament: Tournament) -> dict[str, Any]:
    """Who withdraws in the middle of a session leaves the seat to a stand-in. For the log; nothing between sessions."""
    return _in_open_seat(player, tournament, "", STAND_IN)


def take_seat_again(player: Player, tournament: Tournament) -> dict[str, Any]:
    """Who plays again takes the seat back from a stand-in whom the withdrawal called."""
    return _in_open_seat(player, tournament, STAND_IN, "")


def _in_open_seat(player: Player, tournament: Tournament, before: str, after: str) -> dict[str, Any]:
    found = Table.objects.filter(
        session__tournament=tournament,
        session__state=Session.State.RUNNING,
        is_in=False,
        seats__player=player,
    ).first()
    if found is None:
        return {}
    table = locked(found, tournament)
    seat = _seat(table, player.number)
    if seat.stand_in != before:
        return {}
    _let_play(seat, after)
    return settle(table)


def _seat(table: Table, player: int) -> Seat:
    """The player's seat at a table of a session being played."""
    if table.session.state != Session.State.RUNNING:
        raise refuse("session_not_running", session=table.session.number)
    seat = next((seat for seat in table.seats.all() if seat.player.number == player), None)
    if seat is None:
        raise refuse("not_at_this_table", "player", player=player)
    return seat


def _check_long_enough(table: Table, seat: Seat, rules: Rules) -> None:
    """The others wait for somebody who is late, as long as the foul book says."""
    rule = lateness_rule(rules)
    waiting = table.absences.filter(player=seat.player, taken_back_at=None, arrived_at=None).first()
    if rule is None or waiting is None:
        return
    if (timezone.now() - waiting.since).total_seconds() < rule.others_start_after * 60:
        raise refuse("stand_in_too_early", "player", minutes=rule.others_start_after)


def _let_play(seat: Seat, stand_in: str) -> None:
    if seat.stand_in != stand_in:
        seat.stand_in = stand_in
        seat.save(update_fields=["stand_in"])
