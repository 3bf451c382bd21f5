"""Entering, changing and withdrawing players: one, or a list of them."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace

from django.db import transaction
from django.utils import timezone

from scoring.engine.problems import problem_code
from tournament.base import access, hooks, log
from tournament.base.access import Actor
from tournament.base.errors import Refused
from tournament.base.models.people import Player
from tournament.base.models.play import Seat, Session
from tournament.base.models.tournament import Tournament
from tournament.base.validation import check
from tournament.people.services import link_known
from tournament.play.services.absences import (
    NOT_WITHDRAWN,
    STAND_IN_NAME_MISSING,
    forget_stand_ins,
    leave_seat,
    name_stand_in,
    seat_stand_in,
    take_seat_again,
)
from tournament.play.services.tables import fresh
from tournament.players import texts as actions
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
    problems_of_all,
    roll_of,
    what_keeps,
    with_numbers,
)
from tournament.players.services.check_in import MISSING_WHILE_PLAYING, leave_together, play_again

ALREADY_WITHDRAWN = problem_code("already_withdrawn", "Player {player} has already withdrawn.")
NOBODY_MISSING = problem_code("nobody_missing", "Nobody is missing: every table is full.")
CHANGED_SINCE = problem_code("changed_since", "Player {player} was changed since you looked. Look again.")
LIST_STEP_GONE = problem_code(
    "list_step_gone", "There is no list to undo any more: another came after it, or it is undone already."
)
NOBODY_CHOSEN = problem_code(
    "nobody_chosen", "Nobody is left for whom that would change anything. Choose at least one."
)

# --- Players ---


def add_players(tournament: Tournament, actor: Actor, entrants: Sequence[Entrant]) -> list[Player]:
    """Enter people, all or none. In a refusal `where` is "<row>.<field>", rows from 0."""
    access.require_organiser(actor, tournament)
    with log.write(tournament, actor, actions.PLAYERS_ADDED) as entry:
        numbered = with_numbers(entry.tournament, entrants)
        if problems := problems_of_all(entry.tournament, numbered):
            raise Refused(problems)
        return enter(entry, actor, numbered)


def add_substitutes(tournament: Tournament, actor: Actor, name: str) -> list[Player]:
    """As many as fill the tables, called `name` and a number; none of them is ranked. Refused when none is missing."""
    access.require_organiser(actor, tournament)
    with log.write(tournament, actor, actions.PLAYERS_ADDED) as entry:
        missing = roll_of(entry.tournament).missing
        if not missing:
            raise Refused(NOBODY_MISSING())
        first = entry.tournament.players.filter(is_substitute=True).count() + 1
        names = [f"{name} {n}" for n in range(first, first + missing)]
        return enter(
            entry,
            actor,
            with_numbers(entry.tournament, [Entrant(own_name, is_substitute=True) for own_name in names]),
        )


def enter(entry: log.Write, actor: Actor, entrants: Sequence[Entrant]) -> list[Player]:
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
    if linked := link_known(players, actor):
        entry.data["persons"] = [[number, person] for number, person in linked.items()]
    return players


def add_player(player: Player, actor: Actor) -> Player:
    """Enter one person, without a number under the next; in a refusal `where` is the field."""
    try:
        return add_players(player.tournament, actor, [entrant_of(player)])[0]
    except Refused as refused:
        raise Refused(p.at(p.where.partition(".")[2]) for p in refused.problems) from None


def edit_player(player: Player, actor: Actor) -> Player:
    """Store what was changed of a player; results stay with the player. Without a number it stays, too."""
    access.require_organiser(actor, player.tournament)
    with log.write(player.tournament, actor, actions.PLAYER_CHANGED) as entry:
        stored = fresh(entry.tournament.players.all(), player)
        if player.number is None:
            player.number = stored.number
        names = [field.name for field in fields(Entrant)]
        check(player, exclude={field.name for field in Player._meta.fields} - {*names})
        player.save(update_fields=names)
        hooks.player_changed([player])
        entry.data = {"player": player.number}
        if player.is_substitute != stored.is_substitute:
            entry.data["substitute"] = player.is_substitute
    return player


def withdraw_player(player: Player, actor: Actor) -> Player:
    """The player takes no further part. Seats and results so far stay; a later draw leaves the player out.

    In the middle of a session a stand-in takes the seat: whose result it then is follows the rulebook.
    """
    access.require_organiser(actor, player.tournament)
    with log.write(player.tournament, actor, actions.PLAYER_WITHDRAWN) as entry:
        if player.is_withdrawn:
            raise Refused(ALREADY_WITHDRAWN(player=player.number))
        player.withdrawn_at = timezone.now()
        player.save(update_fields=["withdrawn_at"])
        left = leave_seat(player, entry.tournament)
        entry.data = left | {"player": player.number}
        hooks.player_withdrawn(entry)
    return player


@transaction.atomic
def replace_player(player: Player, actor: Actor, stand_in: str) -> Player:
    """Withdraw a player and let a stand-in play in every seat that is theirs in a session being played or to come."""
    if not stand_in.strip():
        raise Refused(STAND_IN_NAME_MISSING("stand_in"))
    seats = Seat.objects.filter(player=player).select_related("table__session__tournament")
    for seat in seats.filter(table__session__state=Session.State.RUNNING, table__is_in=False, stand_in=""):
        seat_stand_in(seat.table, actor, player.number, stand_in)
    if not player.is_withdrawn:
        withdraw_player(player, actor)
    for seat in seats.filter(table__session__state=Session.State.PLANNED):
        name_stand_in(seat.table, actor, player.number, stand_in)
    return player


def readmit_player(player: Player, actor: Actor) -> Player:
    """Take a withdrawal back."""
    access.require_organiser(actor, player.tournament)
    with log.write(player.tournament, actor, actions.PLAYER_READMITTED) as entry:
        if not player.is_withdrawn:
            raise Refused(NOT_WITHDRAWN(player=player.number))
        player.withdrawn_at = None
        player.save(update_fields=["withdrawn_at"])
        forget_stand_ins(player)
        taken = {} if player.has_left else take_seat_again(player, entry.tournament)
        entry.data = taken | {"player": player.number}
    return player


def delete_player(player: Player, actor: Actor) -> None:
    """Somebody who was entered by mistake is gone. Refused for who has sat in a session, is in a final, or has a seat.

    Who has a seat withdraws first: then the sessions are planned again, and the seat is somebody else's.
    """
    access.require_organiser(actor, player.tournament)
    with log.write(player.tournament, actor, actions.PLAYER_DELETED) as entry:
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
    with log.write(tournament, actor, actions.PLAYERS_ADDED) as write:
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
            write.becomes(actions.LIST_ENTERED)
            write.data["changed"] = [
                {"player": number, "fields": [change.field for change in of_player]}
                for number, of_player in _changes_by_player(changes).items()
            ]
        new = enter(write, actor, numbered[len(wanted) :])
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
        raise Refused(CHANGED_SINCE("leaving", player=number) for number in missing)
    if players and is_playing(tournament):
        raise Refused(MISSING_WHILE_PLAYING("leaving"))
    return players


def _players_to_change(tournament: Tournament, changes: Sequence[FieldChange]) -> dict[int, Player]:
    """Number → player, in the order of the changes; refused when somebody is not as the list was held against."""
    numbers = list(_changes_by_player(changes))
    players = {player.number: player for player in tournament.players.filter(number__in=numbers)}
    stale = [
        CHANGED_SINCE(f"{numbers.index(change.player)}.{change.field}", player=change.player)
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
    with log.write(tournament, actor, actions.LIST_UNDONE) as write:
        step = list_step(write.tournament)
        if step is None or step.seq != seq:
            raise Refused(LIST_STEP_GONE())
        people = [written for written in step.people if written.number not in without]
        if problems := [written.problem for written in people if written.problem]:
            raise Refused(problems)
        if not people:
            raise Refused(NOBODY_CHOSEN())
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
        raise Refused(problem.at(str(numbers[int(problem.where.partition(".")[0])])) for problem in problems)
    _rewrite(list(back), before)
    hooks.player_changed(list(back))
