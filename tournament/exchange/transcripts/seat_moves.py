"""Playing what happened to a table's seats: who was missing, came, left, or played for somebody."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from django.utils import timezone

from tournament.base.access import Actor
from tournament.base.errors import refuse
from tournament.base.models.people import Player
from tournament.base.models.play import Absence, Table
from tournament.exchange.transcripts.places import at, place, uuid_of
from tournament.exchange.transcripts.score_sheet import Move, Sheet, What
from tournament.exchange.transcripts.sheet_desk import SheetDesk
from tournament.play.services.absences import (
    begin_without,
    note_absence,
    note_arrival,
    seat_player_again,
    seat_stand_in,
)
from tournament.players.services.players import readmit_player, withdraw_player
from tournament.players.services.vacancies import name_stand_in


def name_stand_ins(table: Table, sheet: Sheet, organiser: Actor) -> None:
    """Before the session: who plays in the seats of those who have withdrawn."""
    for n, move in enumerate(sheet.moves, 1):
        player = _player(table, move.player)
        if player is not None and _is_named_before(move, sheet, player):
            with at(place(table, f"presence {n}")):
                name_stand_in(table, organiser, move.player, move.name)


def _is_named_before(move: Move, sheet: Sheet, player: Player) -> bool:
    from_the_gong = move.after == 0 or not sheet.hands
    is_first = move is next(one for one in sheet.moves if one.player == move.player)
    return player.is_withdrawn and move.what is What.STAND_IN and from_the_gong and is_first


def move_seats(desk: SheetDesk, recorded: int, give_penalties: Callable[[int], None]) -> None:
    """What happened after so many hands, in its order; `give_penalties` up to the n-th gives what came before."""
    for n, move in enumerate(desk.sheet.moves):
        if desk.is_due(move.after, recorded):
            give_penalties(move.after_penalties)
            with at(place(desk.table, f"presence {n + 1}")):
                _move(desk, n, move)


def _move(desk: SheetDesk, n: int, move: Move) -> None:
    table, umpire, number = desk.table, desk.umpire, move.player
    player = _player(table, number)
    if player is None:
        raise refuse("not_at_this_table", "player", player=number)
    match move.what:
        case What.ABSENT:
            since = timezone.now() - _late(desk, move)
            note_absence(table, umpire, number, uuid=uuid_of(table, f"presence/{n + 1}"), since=since)
        case What.OTHERS_BEGIN:
            begin_without(_absence(table, number), umpire, move.because)
        case What.ARRIVED:
            # In the minute that is written, however few seconds a replay takes.
            absence = _absence(table, number)
            noted = [one for one in desk.sheet.moves[:n] if (one.what, one.player) == (What.ABSENT, number)]
            note_arrival(absence, umpire, at=absence.since + _late(desk, noted[-1]))
        case What.STAND_IN:
            if not _is_named_before(move, desk.sheet, player):
                seat_stand_in(table, umpire, number, move.name)
        case What.BACK:
            seat_player_again(table, umpire, number)
        case What.WITHDRAWN:
            withdraw_player(player, desk.organiser)
        case What.READMITTED:
            readmit_player(player, desk.organiser)


def _late(desk: SheetDesk, absent: Move) -> timedelta:
    """How late who is absent came; who did not, for the table's whole session."""
    session = desk.table.session.minutes + desk.sheet.extra_minutes
    return timedelta(minutes=session if absent.minutes is None else absent.minutes)


def _absence(table: Table, player: int) -> Absence:
    found = table.absences.filter(player__number=player, taken_back_at=None).first()
    if found is None:
        raise refuse("not_missing", "player", player=player)
    return found


def _player(table: Table, number: int) -> Player | None:
    return Player.objects.filter(seats__table=table, number=number).first()
