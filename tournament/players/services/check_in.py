"""Checking people in, and withdrawing those who have not come."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any

from django.core import signing
from django.utils import timezone

from scoring.engine.problems import Problem
from tournament.base import access, log
from tournament.base.access import Actor, Right
from tournament.base.errors import Forbidden, Refused, TooMany, refuse
from tournament.base.limits import Limit
from tournament.base.models.people import Player
from tournament.base.models.play import Seat, Session
from tournament.base.models.tournament import Tournament
from tournament.play.services.tables import fresh
from tournament.players.models import CheckIn
from tournament.players.selectors.check_in import check_in_of, is_playing, newest_withdrawal, opens

WRONG_CODES = Limit("door", most=40, within=600)
"""From one address, and only those that were wrong: a hall of four hundred phones behind one router fits."""
OWN = "hule.check-in"
"""What signs a person's own way to take their check-in back."""
OWN_LASTS = timedelta(minutes=10)


def check_in(player: Player, actor: Actor) -> Player:
    """Note that the player is there. Idempotent."""
    access.require(actor, player.tournament, Right.ADMIT)
    return _note_present(player, actor)


def take_check_in_back(player: Player, actor: Actor) -> Player:
    """Take it back: it was somebody else, the player is missing again. Idempotent."""
    access.require(actor, player.tournament, Right.ADMIT)
    return _note_absent(player, actor)


def check_in_several(tournament: Tournament, actor: Actor, numbers: Collection[int]) -> list[Player]:
    """Note that these are there, and return those who were not before."""
    access.require(actor, tournament, Right.ADMIT)
    with log.write(tournament, actor, "checked_in_several") as entry:
        players = list(entry.tournament.players.filter(number__in=numbers, withdrawn_at=None))
        if unknown := sorted(set(numbers) - {player.number for player in players}):
            raise refuse("nobody_to_check_in", "players", player=unknown[0])
        new = [player for player in players if player.checked_in_at is None]
        if not new:
            entry.unchanged()
            return []
        _set_checked_in(entry.tournament, new, timezone.now())
        entry.data = {"players": [player.number for player in new]}
    return new


def check_in_themselves(player: Player, actor: Actor, code: str, *, address: str) -> Player:
    """Somebody before the screen at the door says that they are there. `address`: where they are on the network."""
    if not access.can_see(actor, player.tournament):
        raise Forbidden("this tournament is not public")
    require_code(player.tournament, code, address=address)
    return _note_present(player, actor, by="themselves")


def take_own_check_in_back(tournament: Tournament, actor: Actor, signed: str) -> Player:
    """Who has just checked somebody in by the door's code takes it back: with what they were given then."""
    try:
        number = signing.loads(signed, salt=f"{OWN}.{tournament.pk}", max_age=OWN_LASTS)
    except signing.BadSignature:
        raise refuse("check_in_not_yours") from None
    player = tournament.players.filter(number=number).first()
    if player is None:
        raise refuse("nobody_to_check_in", "players", player=number)
    return _note_absent(player, actor, by="themselves")


def require_code(tournament: Tournament, code: str, *, address: str) -> None:
    """Refuses a wrong code, and a place from which too many wrong ones come."""
    if not check_in_of(tournament).by_themselves:
        raise refuse("check_in_at_the_desk")
    if not opens(tournament, code):
        if WRONG_CODES.is_passed(address):
            raise TooMany(Problem("door_code_guessed"), WRONG_CODES.within)
        raise refuse("door_code_wrong", "code")


def set_check_in(
    tournament: Tournament, actor: Actor, *, ends_at: datetime | None, by_themselves: bool
) -> CheckIn:
    """Until when people have to be there, None for what follows from the timetable, and how they say that they are."""
    access.require(actor, tournament, Right.ORGANISE)
    with log.write(tournament, actor, "check_in_set") as entry:
        plan = check_in_of(entry.tournament)
        if plan.pk and (plan.ends_at, plan.by_themselves) == (ends_at, by_themselves):
            entry.unchanged()
            return plan
        plan.ends_at, plan.by_themselves = ends_at, by_themselves
        plan.save()
        entry.data = {"ends_at": ends_at.isoformat() if ends_at else "", "by_themselves": by_themselves}
    return plan


def restart_check_in(tournament: Tournament, actor: Actor) -> list[Player]:
    """Nobody is there yet, on a second morning for instance. Gives who was: `check_in_several` takes it back."""
    access.require(actor, tournament, Right.ORGANISE)
    with log.write(tournament, actor, "check_in_restarted") as entry:
        players = list(entry.tournament.players.exclude(checked_in_at=None))
        if not players:
            entry.unchanged()
            return []
        _set_checked_in(entry.tournament, players, None)
        entry.data = {"players": [player.number for player in players]}
    return players


def _note_present(player: Player, actor: Actor, **more: Any) -> Player:
    with log.write(player.tournament, actor, "checked_in") as entry:
        player = _fresh(entry, player)
        if player.is_withdrawn:
            raise refuse("withdrawn_not_checked_in", "player", name=player.name)
        if player.checked_in_at is not None:
            entry.unchanged()
            return player
        _set_checked_in(entry.tournament, [player], timezone.now())
        entry.data = {"player": player.number, **more}
    return player


def _note_absent(player: Player, actor: Actor, **more: Any) -> Player:
    with log.write(player.tournament, actor, "check_in_taken_back") as entry:
        player = _fresh(entry, player)
        if player.checked_in_at is None:
            entry.unchanged()
            return player
        _set_checked_in(entry.tournament, [player], None)
        entry.data = {"player": player.number, **more}
    return player


def _fresh(entry: log.Write, player: Player) -> Player:
    current = fresh(Player.objects.all(), player)
    current.tournament = entry.tournament
    return current


def _set_checked_in(tournament: Tournament, players: Collection[Player], at: datetime | None) -> None:
    for player in players:
        player.checked_in_at = at
    tournament.players.filter(pk__in=[player.pk for player in players]).update(checked_in_at=at)


def withdraw_missing(tournament: Tournament, actor: Actor, numbers: Collection[int]) -> list[Player]:
    """These have not come, and take no further part. Refused where one has come meanwhile, with everybody who has.

    Between sessions alone: whose seat is empty at a table that plays, an umpire says there.
    """
    access.require(actor, tournament, Right.ORGANISE)
    with log.write(tournament, actor, "missing_withdrawn") as entry:
        players = list(entry.tournament.players.filter(number__in=numbers))
        if not players:
            raise refuse("no_player_chosen", "players")
        if is_playing(entry.tournament):
            raise refuse("missing_while_playing")
        if arrived := [player for player in players if player.checked_in_at or player.is_withdrawn]:
            raise Refused(Problem("came_meanwhile", "players", {"name": player.name}) for player in arrived)
        leave_together(players)
        entry.data = {"players": [player.number for player in players]}
    return players


def readmit_missing(tournament: Tournament, actor: Actor) -> list[Player]:
    """Those of the newest such step who have not come back play after all; refused when there is nobody."""
    access.require(actor, tournament, Right.ORGANISE)
    with log.write(tournament, actor, "missing_readmitted") as entry:
        players = list(newest_withdrawal(entry.tournament))
        if not players:
            raise refuse("nobody_to_readmit")
        play_again(players)
        entry.data = {"players": [player.number for player in players]}
    return players


def leave_together(players: Collection[Player]) -> None:
    """Within a write, between sessions: they take no further part."""
    now = timezone.now()
    for player in players:
        player.withdrawn_at = now
    Player.objects.filter(pk__in=[player.pk for player in players]).update(withdrawn_at=now)


def play_again(players: Collection[Player]) -> None:
    """Within a write, between sessions: they take part after all."""
    for player in players:
        player.withdrawn_at = None
        player.save(update_fields=["withdrawn_at"])
        forget_stand_ins(player)


def forget_stand_ins(player: Player) -> None:
    """The player plays after all: who was named for their seats before the session starts does not."""
    Seat.objects.filter(player=player, table__session__state=Session.State.PLANNED).update(
        stand_in="", stand_in_from=None
    )
