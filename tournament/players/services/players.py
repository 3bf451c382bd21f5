"""Entering, changing and withdrawing players."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from django.utils import timezone

from scoring.engine.problems import Problem
from tournament.base import access, log
from tournament.base.access import Actor
from tournament.base.errors import Refused, refuse
from tournament.base.models.people import Player
from tournament.base.models.tournament import Tournament
from tournament.people.services.people import link_known
from tournament.play.services.absences import leave_seat, take_seat_again
from tournament.play.services.fresh import fresh
from tournament.players.selectors.entrants import Entrant, problems_of, problems_of_all, with_numbers
from tournament.players.selectors.roll import roll_of, what_keeps
from tournament.players.services.vacancies import forget_stand_ins
from tournament.registration.services.in_step import follow
from tournament.registration.services.registration_moves import fill_up


def add_players(tournament: Tournament, actor: Actor, entrants: Sequence[Entrant]) -> list[Player]:
    """Enter people, all or none. In a refusal `where` is "<row>.<field>", rows from 0."""
    access.require_organiser(actor, tournament)
    with log.write(tournament, actor, "players_added") as entry:
        numbered = with_numbers(entry.tournament, entrants)
        if found := problems_of_all(entry.tournament, numbered):
            raise Refused(found)
        return enter(entry, numbered)


def add_substitutes(tournament: Tournament, actor: Actor, name: str) -> list[Player]:
    """As many as fill the tables, called `name` and a number; none of them is ranked. Refused when none is missing."""
    access.require_organiser(actor, tournament)
    with log.write(tournament, actor, "players_added") as entry:
        missing = roll_of(entry.tournament).missing
        if not missing:
            raise refuse("nobody_missing")
        first = entry.tournament.players.filter(is_substitute=True).count() + 1
        names = [f"{name} {n}" for n in range(first, first + missing)]
        return enter(
            entry, with_numbers(entry.tournament, [Entrant(each, is_substitute=True) for each in names])
        )


def enter(entry: log.Write, entrants: Sequence[Entrant]) -> list[Player]:
    """Store people who have been checked and numbered, and say so in the write under way."""
    players = Player.objects.bulk_create(
        Player(
            tournament=entry.tournament, **asdict(entrant) | {"is_substitute": bool(entrant.is_substitute)}
        )
        for entrant in entrants
    )
    entry.data["players"] = [player.number for player in players]
    if substitutes := [player.number for player in players if player.is_substitute]:
        entry.data["substitutes"] = substitutes
    if linked := link_known(players):
        entry.data["persons"] = [[number, person] for number, person in linked.items()]
    return players


def add_player(tournament: Tournament, actor: Actor, entrant: Entrant) -> Player:
    """Enter one person; in a refusal `where` is the field."""
    try:
        return add_players(tournament, actor, [entrant])[0]
    except Refused as refused:
        raise Refused(
            Problem(p.code, p.where.partition(".")[2], p.params) for p in refused.problems
        ) from None


def edit_player(player: Player, actor: Actor, entrant: Entrant) -> Player:
    """Change what is known of a player; results stay with the player."""
    access.require_organiser(actor, player.tournament)
    with log.write(player.tournament, actor, "player_changed") as entry:
        found = list(problems_of(entrant))
        others = entry.tournament.players.exclude(pk=player.pk)
        if entrant.number is not None and others.filter(number=entrant.number).exists():
            found.append(Problem("number_taken", "number", {"number": entrant.number}))
        if entrant.ema_number and others.filter(ema_number=entrant.ema_number).exists():
            found.append(Problem("ema_number_taken", "ema_number", {"ema_number": entrant.ema_number}))
        if found:
            raise Refused(found)
        was_substitute = player.is_substitute
        for name, value in asdict(entrant).items():
            if value is not None:  # a number, or whether they are a substitute, that stays as it is
                setattr(player, name, value)
        player.save()
        follow([player])
        entry.data = {"player": player.number}
        if player.is_substitute != was_substitute:
            entry.data["substitute"] = player.is_substitute
    return player


def withdraw_player(player: Player, actor: Actor) -> Player:
    """The player takes no further part. Seats and results so far stay; a later draw leaves the player out.

    In the middle of a session a stand-in takes the seat: whose result it then is follows the rulebook.
    """
    access.require_organiser(actor, player.tournament)
    with log.write(player.tournament, actor, "player_withdrawn") as entry:
        if player.is_withdrawn:
            raise refuse("already_withdrawn", player=player.number)
        player.withdrawn_at = timezone.now()
        player.save(update_fields=["withdrawn_at"])
        left = leave_seat(player, entry.tournament)
        entry.data = left | {"player": player.number}
        fill_up(entry)
    return player


def readmit_player(player: Player, actor: Actor) -> Player:
    """Take a withdrawal back."""
    access.require_organiser(actor, player.tournament)
    with log.write(player.tournament, actor, "player_readmitted") as entry:
        if not player.is_withdrawn:
            raise refuse("not_withdrawn", player=player.number)
        player.withdrawn_at = None
        player.save(update_fields=["withdrawn_at"])
        forget_stand_ins(player)
        taken = take_seat_again(player, entry.tournament)
        entry.data = taken | {"player": player.number}
    return player


def delete_player(player: Player, actor: Actor) -> None:
    """Somebody who was entered by mistake is gone. Refused for who has sat in a session, is in a final, or has a seat.

    Who has a seat withdraws first: then the sessions are planned again, and the seat is somebody else's.
    """
    access.require_organiser(actor, player.tournament)
    with log.write(player.tournament, actor, "player_deleted") as entry:
        player = fresh(Player.objects.all(), player)
        if (problem := what_keeps(player)) is not None:
            raise Refused(problem)
        entry.data = {"player": player.number}
        player.delete()
