"""At the deadline: who has not come is withdrawn in one step, and comes back in one."""

from __future__ import annotations

from collections.abc import Collection

from django.utils import timezone

from scoring.engine.problems import Problem
from tournament.base import access, log
from tournament.base.access import Actor
from tournament.base.access.rights import Right
from tournament.base.errors import Refused, refuse
from tournament.base.models.people import Player
from tournament.base.models.tournament import Tournament
from tournament.players.selectors.check_in import is_playing, newest_withdrawal
from tournament.players.services.vacancies import forget_stand_ins


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
        if come := [player for player in players if player.checked_in_at or player.is_withdrawn]:
            raise Refused(Problem("came_meanwhile", "players", {"name": player.name}) for player in come)
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
