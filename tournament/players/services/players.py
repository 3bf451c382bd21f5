"""Enter, change and withdraw players, single ones or lists."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace

from django.db import transaction
from django.utils import timezone

from scoring.engine.problems import problem_code
from tournament.base import hooks, log
from tournament.base.access import Actor, Right
from tournament.base.engine.names import repeated_names
from tournament.base.errors import Refused
from tournament.base.models.log import Write
from tournament.base.models.people import Player
from tournament.base.models.play import Seat, Session
from tournament.base.models.tournament import Tournament
from tournament.base.validation import check
from tournament.people.services import link_certain_matches
from tournament.play.services.absences import (
    NOT_WITHDRAWN,
    STAND_IN_NAME_MISSING,
    clear_stand_ins,
    name_stand_in,
    return_to_seat,
    seat_stand_in,
    vacate_seat,
)
from tournament.play.services.tables import fresh
from tournament.players import texts as actions
from tournament.players.selectors.check_in import is_playing
from tournament.players.selectors.doubles import double_problem, probable_doubles
from tournament.players.selectors.players import (
    CHANGES_KEY,
    Entrant,
    FieldChange,
    ListChange,
    apply_changes,
    arrival_data,
    assign_numbers,
    change_data,
    departure_data,
    entrant_of,
    list_step,
    player_counts,
    problems_of_entrants,
    removal_blocker,
)
from tournament.players.services.check_in import MISSING_WHILE_PLAYING, reinstate_players, withdraw_players

ALREADY_WITHDRAWN = problem_code("already_withdrawn", "Player {player} has already withdrawn.")
NOBODY_MISSING = problem_code("nobody_missing", "Nobody is missing: every table is full.")
CHANGED_SINCE = problem_code(
    "changed_since", "Player {player} has been changed in the meantime. Reload the page."
)
LIST_STEP_GONE = problem_code(
    "list_step_gone", "There is no import to undo: there is a later one, or it has already been undone."
)
NOBODY_CHOSEN = problem_code(
    "nobody_chosen", "This would not change anything for anyone you selected. Choose at least one person."
)

# --- Players ---


def add_players(tournament: Tournament, actor: Actor, entrants: Sequence[Entrant]) -> list[Player]:
    """Enter players, all or none. In a refusal `where` is "<row>.<field>", rows from 0."""
    with log.write(tournament, actor, actions.PLAYERS_ADDED, Right.ORGANISE) as entry:
        numbered = assign_numbers(entry.tournament, entrants)
        if problems := problems_of_entrants(entry.tournament, numbered):
            raise Refused(problems)
        return create_players(entry, actor, numbered)


def add_substitutes(tournament: Tournament, actor: Actor, name: str) -> list[Player]:
    """Enter as many substitutes as fill the tables, named `name` and a number. Raises Refused when none is missing."""
    with log.write(tournament, actor, actions.PLAYERS_ADDED, Right.ORGANISE) as entry:
        missing = player_counts(entry.tournament).missing
        if not missing:
            raise Refused(NOBODY_MISSING())
        first = entry.tournament.players.filter(is_substitute=True).count() + 1
        substitutes = [Entrant(f"{name} {n}", is_substitute=True) for n in range(first, first + missing)]
        return create_players(entry, actor, assign_numbers(entry.tournament, substitutes))


def create_players(entry: Write, actor: Actor, entrants: Sequence[Entrant]) -> list[Player]:
    """Store validated and numbered entrants as players. Called within a write."""
    players = Player.objects.bulk_create(
        Player(
            tournament=entry.tournament, **asdict(entrant) | {"is_substitute": bool(entrant.is_substitute)}
        )
        for entrant in entrants
    )
    entry.data["players"] = [player.number for player in players]
    if substitutes := [player.number for player in players if player.is_substitute]:
        entry.data["substitutes"] = substitutes
    if linked := link_certain_matches(players, actor):
        entry.data["persons"] = [[number, person] for number, person in linked.items()]
    mark_namesakes(entry.tournament)
    return players


def mark_namesakes(tournament: Tournament) -> None:
    """Store which players share their name with another one. Called within every write that changes names."""
    players = list(tournament.players.all())
    repeated = repeated_names({player.number: player.full_name for player in players})
    changed = [player for player in players if player.has_namesake != (player.number in repeated)]
    for player in changed:
        player.has_namesake = not player.has_namesake
    Player.objects.bulk_update(changed, ["has_namesake"])


def add_player(player: Player, actor: Actor, *, is_another_person: bool = False) -> Player:
    """Enter one player; without a number they get the next one. In a refusal `where` is the field.

    `is_another_person`: not the player or the registration that is probably the same person.
    """
    with log.write(player.tournament, actor, actions.PLAYERS_ADDED, Right.ORGANISE) as entry:
        entrants = assign_numbers(entry.tournament, [entrant_of(player)])
        problems = [
            problem.at(problem.where.partition(".")[2])
            for problem in problems_of_entrants(entry.tournament, entrants)
        ]
        if not problems and not is_another_person:
            (double,) = probable_doubles(entry.tournament, entrants)
            problems = [double_problem(player, double)] if double else []
        if problems:
            raise Refused(problems)
        return create_players(entry, actor, entrants)[0]


def edit_player(player: Player, actor: Actor) -> Player:
    """Store changed fields of a player. Without a number the old one stays."""
    with log.write(player.tournament, actor, actions.PLAYER_CHANGED, Right.ORGANISE) as entry:
        stored = fresh(entry.tournament.players.all(), player)
        if player.number is None:
            player.number = stored.number
        names = [field.name for field in fields(Entrant)]
        check(player, exclude={field.name for field in Player._meta.fields} - {*names})
        player.save(update_fields=names)
        mark_namesakes(entry.tournament)
        hooks.player_changed([player])
        entry.data = {"player": player.number}
        if player.is_substitute != stored.is_substitute:
            entry.data["substitute"] = player.is_substitute
    return player


def withdraw_player(player: Player, actor: Actor) -> Player:
    """Withdraw a player. Seats and results so far stay.

    During a session a stand-in can take the seat; the rulebook says whose result it is.
    """
    with log.write(player.tournament, actor, actions.PLAYER_WITHDRAWN, Right.ORGANISE) as entry:
        if player.is_withdrawn:
            raise Refused(ALREADY_WITHDRAWN(player=player.number))
        player.withdrawn_at = timezone.now()
        player.save(update_fields=["withdrawn_at"])
        left = vacate_seat(player, entry.tournament)
        entry.data = left | {"player": player.number}
        hooks.player_withdrawn(entry)
    return player


@transaction.atomic
def replace_player(player: Player, actor: Actor, stand_in: str) -> Player:
    """Withdraw a player and put a stand-in on their seats in running sessions and those to come."""
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


def reinstate_player(player: Player, actor: Actor) -> Player:
    with log.write(player.tournament, actor, actions.PLAYER_REINSTATED, Right.ORGANISE) as entry:
        if not player.is_withdrawn:
            raise Refused(NOT_WITHDRAWN(player=player.number))
        player.withdrawn_at = None
        player.save(update_fields=["withdrawn_at"])
        clear_stand_ins(player)
        taken = {} if player.has_left else return_to_seat(player, entry.tournament)
        entry.data = taken | {"player": player.number}
    return player


def delete_player(player: Player, actor: Actor) -> None:
    """Delete a player who was entered by mistake. Raises Refused with the `removal_blocker`."""
    with log.write(player.tournament, actor, actions.PLAYER_DELETED, Right.ORGANISE) as entry:
        player = fresh(Player.objects.all(), player)
        if (problem := removal_blocker(player)) is not None:
            raise Refused(problem)
        entry.data = {"player": player.number}
        player.delete()
        mark_namesakes(entry.tournament)


# --- Lists ---


FIRST_TEMPORARY = 10_000
"""Above every number that a player can have; used while numbers are swapped."""


@dataclass(frozen=True)
class ListResult:
    """Who was added, changed and withdrawn by a list."""

    new: list[Player]
    changed: list[Player]
    left: list[Player]


def enter_list(
    tournament: Tournament,
    actor: Actor,
    entrants: Sequence[Entrant],
    changes: Sequence[FieldChange] = (),
    leaving: Collection[int] = (),
) -> ListResult:
    """Enter players, change others and withdraw those `leaving`, by number, all or none.

    The log entry has values before and after, so that the newest list can be undone. In a refusal `where` is
    "<index>.<field>": first the changed players in the order of `changes`, then `entrants`.
    """
    with log.write(tournament, actor, actions.PLAYERS_ADDED, Right.ORGANISE) as write:
        if not (entrants or changes or leaving):
            return write.unchanged(ListResult([], [], []))
        withdrawn = _players_to_withdraw(write.tournament, leaving)
        by_player = _changes_by_player(changes)
        changed = _players_to_change(write.tournament, changes)
        before = {player: entrant_of(player) for player in changed}
        changed_entrants = [apply_changes(player, by_player[player.number]) for player in changed]
        numbered = assign_numbers(write.tournament, [*changed_entrants, *entrants])
        if problems := problems_of_entrants(write.tournament, numbered, dict(enumerate(changed))):
            raise Refused(problems)
        if changes or withdrawn:
            _update_players(changed, changed_entrants)
            hooks.player_changed(changed)
            write.change_action(actions.PLAYER_LIST_IMPORTED)
            write.data["changed"] = [
                {"player": number, "fields": [change.field for change in player_changes]}
                for number, player_changes in by_player.items()
            ]
        new = create_players(write, actor, numbered[len(changed) :])
        if withdrawn:
            withdraw_players(withdrawn)
            write.data["left"] = [player.number for player in withdrawn]
            hooks.player_withdrawn(write)
        write.data[CHANGES_KEY] = {
            **{player.number: change_data(player, entrant) for player, entrant in before.items()},
            **{player.number: arrival_data(player) for player in new},
            **{player.number: departure_data(player) for player in withdrawn},
        }
        return ListResult(new, changed, withdrawn)


def _players_to_withdraw(tournament: Tournament, numbers: Collection[int]) -> list[Player]:
    """Return the players with these numbers. Raises Refused if one no longer takes part, or a session is running."""
    players = list(tournament.players.filter(number__in=numbers, withdrawn_at=None))
    if missing := sorted(set(numbers) - {player.number for player in players}):
        raise Refused(CHANGED_SINCE("leaving", player=number) for number in missing)
    if players and is_playing(tournament):
        raise Refused(MISSING_WHILE_PLAYING("leaving"))
    return players


def _players_to_change(tournament: Tournament, changes: Sequence[FieldChange]) -> list[Player]:
    """Return the players in the order of the changes. Raises Refused if one was changed since the list was compared."""
    numbers = list(_changes_by_player(changes))
    players = {player.number: player for player in tournament.players.filter(number__in=numbers)}
    stale = [
        CHANGED_SINCE(f"{numbers.index(change.player)}.{change.field}", player=change.player)
        for change in changes
        if change.player not in players or getattr(players[change.player], change.field) != change.before
    ]
    if stale:
        raise Refused(stale)
    return [players[number] for number in numbers]


def _changes_by_player(changes: Sequence[FieldChange]) -> Mapping[int, list[FieldChange]]:
    by_player: dict[int, list[FieldChange]] = {}
    for change in changes:
        by_player.setdefault(change.player, []).append(change)
    return by_player


def _update_players(players: Sequence[Player], entrants: Sequence[Entrant]) -> None:
    """Store the entrants' fields. Numbers are unique, so swapped ones are set to temporary numbers first."""
    moved = [
        player for player, entrant in zip(players, entrants, strict=True) if player.number != entrant.number
    ]
    for temporary, player in enumerate(moved, FIRST_TEMPORARY):
        player.number = temporary
    Player.objects.bulk_update(moved, ["number"])
    for player, entrant in zip(players, entrants, strict=True):
        for name, value in asdict(entrant).items():
            setattr(player, name, value)
    Player.objects.bulk_update(players, [field.name for field in fields(Entrant)])


def undo_list(
    tournament: Tournament, actor: Actor, seq: int, without: Collection[int] = ()
) -> list[ListChange]:
    """Undo the newest list, except for the players `without`. `seq`: the number of its log entry.

    Raises Refused with a problem for each other player who has changed since.
    """
    with log.write(tournament, actor, actions.PLAYER_LIST_UNDONE, Right.ORGANISE) as write:
        step = list_step(write.tournament)
        if step is None or step.seq != seq:
            raise Refused(LIST_STEP_GONE())
        changes = [change for change in step.changes if change.number not in without]
        if problems := [change.problem for change in changes if change.problem]:
            raise Refused(problems)
        if not changes:
            raise Refused(NOBODY_CHOSEN())
        by_player = {change.player: change for change in changes if change.player}
        newcomers = [player.pk for player, change in by_player.items() if change.is_new]
        Player.objects.filter(pk__in=newcomers).delete()
        changed = {player: change for player, change in by_player.items() if change.before}
        _restore(write.tournament, changed)
        reinstated = [player for player, change in by_player.items() if change.has_left]
        reinstate_players(reinstated)
        mark_namesakes(write.tournament)
        write.data = {
            "step": seq,
            "restored": sorted(player.number for player in changed),
            "removed": [change.number for change in changes if change.is_new],
            "back": [player.number for player in reinstated],
        }
    return changes


def _restore(tournament: Tournament, changed: Mapping[Player, ListChange]) -> None:
    before = [replace(entrant_of(player), **change.before) for player, change in changed.items()]
    if problems := problems_of_entrants(tournament, before, dict(enumerate(changed))):
        numbers = [change.number for change in changed.values()]
        raise Refused(problem.at(str(numbers[int(problem.where.partition(".")[0])])) for problem in problems)
    _update_players(list(changed), before)
    hooks.player_changed(list(changed))
