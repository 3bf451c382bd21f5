"""Who plays from the first hand on in the seat of a player who has withdrawn: named before the session starts."""

from __future__ import annotations

from tournament.base import access, log
from tournament.base.access import Actor
from tournament.base.errors import refuse
from tournament.base.models.people import Player
from tournament.base.models.play import Seat, Session, Table
from tournament.play.selectors.fresh import fresh_table
from tournament.play.selectors.records import place_of
from tournament.play.services.absences import LONGEST, let_play


def name_stand_in(table: Table, actor: Actor, player: int, name: str) -> Seat:
    """Somebody plays in the seat of a player who has withdrawn. Named again, it is somebody else.

    While a session is played this is the umpire's (`absences.seat_stand_in`); whose the result is follows the rulebook.
    """
    access.require_organiser(actor, table.session.tournament)
    with log.write(table.session.tournament, actor, "stand_in_named") as entry:
        seat = _seat(fresh_table(table, entry.tournament), player)
        if not name.strip():
            raise refuse("stand_in_name_missing", "name")
        stand_in = name.strip()[:LONGEST]
        if seat.stand_in == stand_in:
            entry.unchanged()
            return seat
        let_play(seat, stand_in)
        entry.data = place_of(seat.table) | {"player": player, "stand_in": stand_in}
    return seat


def forget_stand_ins(player: Player) -> None:
    """The player plays after all: nobody else does in the seats of sessions still to come."""
    Seat.objects.filter(player=player, table__session__state=Session.State.PLANNED).update(
        stand_in="", stand_in_from=None
    )


def _seat(table: Table, player: int) -> Seat:
    """The seat of a player who has withdrawn, at a table that has not begun."""
    if table.session.state != Session.State.PLANNED:
        raise refuse("session_already_begun", session=table.session.number)
    seat = next((seat for seat in table.seats.all() if seat.player.number == player), None)
    if seat is None:
        raise refuse("not_at_this_table", "player", player=player)
    if not seat.player.is_withdrawn:
        raise refuse("not_withdrawn", "player", player=player)
    seat.table = table
    return seat
