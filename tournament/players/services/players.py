"""Entering, changing and withdrawing players: one, or a list of them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace

from django.utils import timezone

from scoring.engine.problems import Problem
from tournament.base import access, hooks, log
from tournament.base.access import Actor
from tournament.base.errors import Refused, refuse
from tournament.base.models.people import Player
from tournament.base.models.tournament import Tournament
from tournament.people.services import link_known
from tournament.play.services.absences import leave_seat, take_seat_again
from tournament.play.services.tables import fresh
from tournament.players.selectors.check_in import is_playing
from tournament.players.selectors.players import (
    KEY,
    Entrant,
    FieldChange,
    Written,
    change_of,
    changed,
    coming_of,
    entrant_of,
    leaving_of,
    list_step,
    problems_of,
    problems_of_all,
    roll_of,
    what_keeps,
    with_numbers,
)
from tournament.players.services.check_in import forget_stand_ins, leave_together, play_again

# --- Players ---


def add_players(tournament: Tournament, actor: Actor, entrants: Sequence[Entrant]) -> list[Player]:
    """Enter people, all or none. In a refusal `where` is "<row>.<field>", rows from 0."""
    access.require_organiser(actor, tournament)
    with log.write(tournament, actor, "players_added") as entry:
        numbered = with_numbers(entry.tournament, entrants)
        if problems := problems_of_all(entry.tournament, numbered):
            raise Refused(problems)
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
            entry,
            with_numbers(entry.tournament, [Entrant(own_name, is_substitute=True) for own_name in names]),
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
        problems = list(problems_of(entrant))
        others = entry.tournament.players.exclude(pk=player.pk)
        if entrant.number is not None and others.filter(number=entrant.number).exists():
            problems.append(Problem("number_taken", "number", {"number": entrant.number}))
        if entrant.ema_number and others.filter(ema_number=entrant.ema_number).exists():
            problems.append(Problem("ema_number_taken", "ema_number", {"ema_number": entrant.ema_number}))
        if problems:
            raise Refused(problems)
        was_substitute = player.is_substitute
        for name, value in asdict(entrant).items():
            if value is not None:  # a number, or whether they are a substitute, that stays as it is
                setattr(player, name, value)
        player.save()
        hooks.player_changed([player])
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
        hooks.player_withdrawn(entry)
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


# --- Lists ---


FIRST_SPARE = 10_000
"""Above every number a player can have: where numbers wait that change hands."""


@dataclass(frozen=True)
class Entered:
    """Who came in, whose particulars changed, and who was withdrawn."""

    new: list[Player]
    changed: list[Player]
    left: list[Player]


def enter_list(
    tournament: Tournament,
    actor: Actor,
    entrants: Sequence[Entrant],
    changes: Sequence[FieldChange] = (),
    leaving: Collection[int] = (),
) -> Entered:
    """Enter people, change others and withdraw those `leaving`, by number, all or none. Nothing asked is no write.

    What was written stands in the entry beside what was there before, so that the newest list can be undone.
    In a refusal `where` is "<index>.<field>", first those changed in the order of `changes`, then `entrants`.
    """
    access.require_organiser(actor, tournament)
    with log.write(tournament, actor, "players_added") as write:
        if not (entrants or changes or leaving):
            write.unchanged()
            return Entered([], [], [])
        gone = _players_leaving(write.tournament, leaving)
        known = _players_to_change(write.tournament, changes)
        was = {player: entrant_of(player) for player in known.values()}
        wanted = [
            changed(known[number], of_player) for number, of_player in _changes_by_player(changes).items()
        ]
        numbered = with_numbers(write.tournament, [*wanted, *entrants])
        if problems := problems_of_all(write.tournament, numbered, list(known.values())):
            raise Refused(problems)
        if changes or gone:
            _rewrite(list(known.values()), wanted)
            hooks.player_changed(list(known.values()))
            write.becomes("list_entered")
            write.data["changed"] = [
                {"player": number, "fields": [change.field for change in of_player]}
                for number, of_player in _changes_by_player(changes).items()
            ]
        new = enter(write, numbered[len(wanted) :])
        if gone:
            leave_together(gone)
            write.data["left"] = [player.number for player in gone]
            hooks.player_withdrawn(write)
        write.data[KEY] = {
            **{player.number: change_of(player, before) for player, before in was.items()},
            **{player.number: coming_of(player) for player in new},
            **{player.number: leaving_of(player) for player in gone},
        }
        return Entered(new, list(known.values()), gone)


def _players_leaving(tournament: Tournament, numbers: Collection[int]) -> list[Player]:
    """Who is to be withdrawn; refused when one of them is not there any more, or plays at this moment."""
    players = list(tournament.players.filter(number__in=numbers, withdrawn_at=None))
    if missing := sorted(set(numbers) - {player.number for player in players}):
        raise Refused(Problem("changed_since", "leaving", {"player": number}) for number in missing)
    if players and is_playing(tournament):
        raise refuse("missing_while_playing", "leaving")
    return players


def _players_to_change(tournament: Tournament, changes: Sequence[FieldChange]) -> dict[int, Player]:
    """Number → player, in the order of the changes; refused when somebody is not as the list was held against."""
    numbers = list(_changes_by_player(changes))
    players = {player.number: player for player in tournament.players.filter(number__in=numbers)}
    stale = [
        Problem("changed_since", f"{numbers.index(change.player)}.{change.field}", {"player": change.player})
        for change in changes
        if change.player not in players or getattr(players[change.player], change.field) != change.before
    ]
    if stale:
        raise Refused(stale)
    return {number: players[number] for number in numbers}


def _changes_by_player(changes: Sequence[FieldChange]) -> Mapping[int, list[FieldChange]]:
    by_player: dict[int, list[FieldChange]] = {}
    for change in changes:
        by_player.setdefault(change.player, []).append(change)
    return by_player


def _rewrite(players: Sequence[Player], entrants: Sequence[Entrant]) -> None:
    """Numbers may change hands, and no two players may have one at any moment: they are put aside first."""
    moved = [
        player for player, entrant in zip(players, entrants, strict=True) if player.number != entrant.number
    ]
    for spare, player in enumerate(moved, FIRST_SPARE):
        player.number = spare
    Player.objects.bulk_update(moved, ["number"])
    for player, entrant in zip(players, entrants, strict=True):
        for name, value in asdict(entrant).items():
            setattr(player, name, value)
    Player.objects.bulk_update(players, [field.name for field in fields(Entrant)])


def undo_list(tournament: Tournament, actor: Actor, seq: int, without: Collection[int] = ()) -> list[Written]:
    """Take the newest list back (`seq`: its entry in the log): who is as it left them is as they were before.

    Refused for everybody who is not, by number; who is in `without` stays as they are.
    """
    access.require_organiser(actor, tournament)
    with log.write(tournament, actor, "list_undone") as write:
        step = list_step(write.tournament)
        if step is None or step.seq != seq:
            raise refuse("list_step_gone")
        people = [written for written in step.people if written.number not in without]
        if problems := [written.problem for written in people if written.problem]:
            raise Refused(problems)
        if not people:
            raise refuse("nobody_chosen")
        there = {written.player: written for written in people if written.player}
        newcomers = [player.pk for player, written in there.items() if written.is_new]
        Player.objects.filter(pk__in=newcomers).delete()
        _put_back(write.tournament, {player: written for player, written in there.items() if written.before})
        back = [player for player, written in there.items() if written.has_left]
        play_again(back)
        write.data = {
            "step": seq,
            "restored": sorted(player.number for player, written in there.items() if written.before),
            "removed": [written.number for written in people if written.is_new],
            "back": [player.number for player in back],
        }
    return people


def _put_back(tournament: Tournament, back: Mapping[Player, Written]) -> None:
    before = [replace(entrant_of(player), **written.before) for player, written in back.items()]
    if problems := problems_of_all(tournament, before, list(back)):
        numbers = [written.number for written in back.values()]
        raise Refused(
            Problem(problem.code, str(numbers[int(problem.where.partition(".")[0])]), problem.params)
            for problem in problems
        )
    _rewrite(list(back), before)
    hooks.player_changed(list(back))
