"""Reads of players: their public data, counts, problems of entrants, and the newest imported list."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Final

from django.db.models import Max, Q, QuerySet
from django.utils import timezone

from scoring.engine.problems import Problem, problem_code
from tournament.base import validation
from tournament.base.engine.names import display_name
from tournament.base.engine.rules import SEATS_PER_TABLE
from tournament.base.models.log import LogEntry
from tournament.base.models.people import EMA_NUMBER_TAKEN, HAS_LEFT, NUMBER_FIXED, NUMBER_TAKEN, Player
from tournament.base.models.play import Seat, Session
from tournament.base.models.registration import RegistrationPlan
from tournament.base.models.tournament import Tournament
from tournament.base.selectors import by_version, seating_version
from tournament.play.selectors.timetable import draw_is_out_of_date, players_of
from tournament.players.texts import PLAYER_LIST_IMPORTED, PLAYER_LIST_UNDONE, PLAYERS_ADDED

PLAYER_HAS_PLAYED = problem_code(
    "player_has_played",
    "{name} has played in a session, so the results stay. A player who stops playing must withdraw.",
)
PLAYER_IN_A_FINAL = problem_code("player_in_a_final", "{name} plays in a final. Undo the final first.")
PLAYER_HAS_SEATS = problem_code(
    "player_has_seats",
    "{name} has seats in later sessions. Withdraw the player and reassign these sessions; without a seat the "
    "player can be deleted.",
)
LIST_PLAYER_GONE = problem_code("list_player_gone", "Number {number}, {name}, no longer belongs to anyone.")
LIST_PLAYER_CHANGED = problem_code(
    "list_player_changed", "Number {number}, {name}, has been changed since and stays as it is."
)

# --- Public data ---


def public_players(players: QuerySet[Player], tournament: Tournament) -> list[Player]:
    """Return players for public pages and files; the instances must not be saved.

    Until the first session begins, those who have not agreed to be named have initials, and no second name, club,
    team and EMA number. From then on seats and results name every player. Once people can register, only they can
    agree: players entered without a registration have not. Otherwise nobody is asked.
    """
    if _named_players(tournament) is not None:
        return list(players)
    people = list(players.select_related("registration"))
    has_opened = Q(is_open=True) & (Q(opens_at=None) | Q(opens_at__lte=timezone.now()))
    is_asked = (
        tournament.registrations.exists()
        or RegistrationPlan.objects.filter(has_opened, tournament=tournament).exists()
    )
    for player in people:
        registration = getattr(player, "registration", None)
        has_agreed = registration.name_shown if registration else not is_asked
        if not has_agreed:
            player.first_name, player.last_name = "", player.initials
            player.second_name = player.club = player.team = player.ema_number = ""
            player.is_by_initials = True
    return people


def public_player(tournament: Tournament, number: int) -> Player | None:
    """Return one player as `public_players` does; None if there is no such player."""
    if (named := _named_players(tournament)) is not None:
        return named.get(number)
    players = public_players(tournament.players.filter(number=number), tournament)
    return players[0] if players else None


@by_version(16, seating_version)
def _named_players(tournament: Tournament) -> dict[int, Player] | None:
    """Return the players by number once play has begun, when everybody is named; None before."""
    if not tournament.sessions.exclude(state=Session.State.PLANNED).exists():
        return None
    return {player.number: player for player in tournament.players.all()}


# --- Counts ---


@dataclass(frozen=True)
class PlayerCounts:
    """How many players a tournament has, for pages and for the draw."""

    entered: int
    """Players without substitutes (`players_of`), including those who left after they had played."""
    players: int
    """Players who have not left, substitutes included: those whom the draw seats."""
    substitutes: int
    left: int
    """Players who withdrew or were excluded after they had played."""
    withdrawn: int
    """Players who withdrew before they had played; not in the other counts."""
    is_out_of_date: bool
    """Whether the seats of a session to come do not match the players."""
    is_open: bool
    """Whether there are still seats to draw: a session is to come, and there are no finals."""

    @property
    def missing(self) -> int:
        """How many players are missing for full tables; 0 if there are no more seats to draw."""
        return -self.players % SEATS_PER_TABLE if self.is_open else 0


@by_version(64)
def player_counts(tournament: Tournament) -> PlayerCounts:
    playing = tournament.players.exclude(HAS_LEFT)
    withdrawn = tournament.players.filter(HAS_LEFT)
    entered, substitutes = players_of(tournament).count(), playing.filter(is_substitute=True).count()
    left = entered - (playing.count() - substitutes)
    states = set(tournament.sessions.values_list("state", flat=True))
    is_open = not tournament.finals.exists() and (not states or Session.State.PLANNED in states)
    return PlayerCounts(
        entered=entered,
        players=playing.count(),
        substitutes=substitutes,
        left=left,
        withdrawn=withdrawn.count() - left,
        is_out_of_date=draw_is_out_of_date(tournament),
        is_open=is_open,
    )


def removal_blocker(player: Player) -> Problem | None:
    """Return why a player cannot be deleted; None if they can."""
    seats = Seat.objects.filter(player=player)
    if seats.exclude(table__session__state=Session.State.PLANNED).exists():
        return PLAYER_HAS_PLAYED(name=player.name)
    if any(player.number in final.numbers for final in player.tournament.finals.all()):
        return PLAYER_IN_A_FINAL(name=player.name)
    if seats.exists():
        return PLAYER_HAS_SEATS(name=player.name)
    return None


# --- Entrants ---


NAME_FIELDS = ("last_name", "first_name")


@dataclass(frozen=True)
class Entrant:
    """The fields of a player to be entered or changed.

    `country`: ISO 3166 alpha-3 or empty. `number`: None for the next free one. `is_substitute`: None to leave it as it
    is, False for new players. `family_name_first`: None for the order of the script.
    """

    last_name: str
    first_name: str = ""
    country: str = ""
    ema_number: str = ""
    team: str = ""
    number: int | None = None
    club: str = ""
    is_substitute: bool | None = None
    second_name: str = ""
    family_name_first: bool | None = None


def problems_of_entrant(entrant: Entrant) -> list[Problem]:
    """Return every problem of one entrant's fields; `where` is the field."""
    values = {name: value for name, value in asdict(entrant).items() if value is not None}
    others = {field.name for field in Player._meta.fields} - values.keys()
    return validation.problems_of(Player(**values), exclude=others)


def assign_numbers(tournament: Tournament, entrants: Sequence[Entrant]) -> list[Entrant]:
    """Return the entrants, those without a number with the next ones after the highest in use."""
    highest = tournament.players.aggregate(top=Max("number"))["top"] or 0
    highest = max([highest, *(entrant.number or 0 for entrant in entrants)])
    numbered = []
    for entrant in entrants:
        if entrant.number is None:
            highest += 1
            numbered.append(Entrant(**(asdict(entrant) | {"number": highest})))
        else:
            numbered.append(entrant)
    return numbered


def problems_of_entrants(
    tournament: Tournament, entrants: Sequence[Entrant], known: Mapping[int, Player] | None = None
) -> list[Problem]:
    """Return every problem of the entrants' fields, among each other and with the players of the tournament.

    `known`: the player whom an entrant changes, by row. `where` is "<row>.<field>", rows from 0.
    """
    known = known or {}
    pks = [player.pk for player in known.values()]
    fixed = set(Player.objects.filter(pk__in=pks).with_fixed_numbers())
    others = tournament.players.exclude(pk__in=pks)
    numbers = set(others.values_list("number", flat=True))
    ema_numbers = set(others.exclude(ema_number="").values_list("ema_number", flat=True))
    problems = []
    for row, entrant in enumerate(entrants):
        row_problems = problems_of_entrant(entrant)
        player = known.get(row)
        if player in fixed and entrant.number != player.number:
            row_problems.append(NUMBER_FIXED("number", number=player.number))
        elif entrant.number is not None and entrant.number in numbers:
            row_problems.append(NUMBER_TAKEN("number", number=entrant.number))
        if entrant.ema_number and entrant.ema_number in ema_numbers:
            row_problems.append(EMA_NUMBER_TAKEN("ema_number", ema_number=entrant.ema_number))
        if entrant.number is not None:
            numbers.add(entrant.number)
        ema_numbers.add(entrant.ema_number)
        problems += [problem.at(f"{row}.{problem.where}") for problem in row_problems]
    return problems


@dataclass(frozen=True)
class FieldChange:
    """The change of one field of a player. `before`: the value that the list was compared with."""

    player: int
    field: str
    before: str | int
    after: str | int


def entrant_of(player: Player) -> Entrant:
    return Entrant(**{field.name: getattr(player, field.name) for field in fields(Entrant)})


def apply_changes(player: Player, changes: Sequence[FieldChange]) -> Entrant:
    return replace(entrant_of(player), **{change.field: change.after for change in changes})  # type: ignore[arg-type]


# --- The newest list ---


CHANGES_KEY: Final = "was"
"""The key of a log entry with number → change. It has names, so it is stored outside the hashed data."""


@dataclass(frozen=True)
class ListChange:
    """The change of one player by a list. Without `before` they were added, or withdrawn (`has_left`)."""

    number: int
    before: Mapping[str, Any]
    after: Mapping[str, Any]
    has_left: bool = False
    player: Player | None = None
    problem: Problem | None = None
    """Why it cannot be undone."""

    @property
    def is_new(self) -> bool:
        return not (self.before or self.has_left)

    @property
    def name(self) -> str:
        return display_name(
            self.after["first_name"], self.after["last_name"], self.after.get("family_name_first")
        )


@dataclass(frozen=True)
class ListStep:
    """The newest list: the number of its log entry, and its changes."""

    seq: int
    changes: Sequence[ListChange]

    @property
    def undoable(self) -> list[ListChange]:
        return [change for change in self.changes if change.problem is None]

    @property
    def blocked(self) -> list[ListChange]:
        """The changes that cannot be undone."""
        return [change for change in self.changes if change.problem is not None]


def change_data(player: Player, before: Entrant) -> dict[str, dict[str, Any]]:
    """Return a change for the log: the changed fields before and after, and the name in any case."""
    new, old = asdict(entrant_of(player)), asdict(before)
    fields = [name for name in new if new[name] != old[name]]
    return {
        "before": {name: old[name] for name in fields},
        "after": {name: new[name] for name in new if name in fields or name in NAME_FIELDS},
    }


def arrival_data(player: Player) -> dict[str, dict[str, Any]]:
    return {"after": asdict(entrant_of(player))}


def departure_data(player: Player) -> dict[str, Any]:
    return {"after": {name: getattr(player, name) for name in NAME_FIELDS}, "left": True}


def newest_list_entry(tournament: Tournament) -> LogEntry | None:
    """Return the log entry of the newest list; None if there is none, it was undone, or its names were erased."""
    entries = tournament.log.of(PLAYERS_ADDED, PLAYER_LIST_IMPORTED, PLAYER_LIST_UNDONE)
    newest = entries.order_by("-seq").first()
    if (
        newest is None
        or newest.action == PLAYER_LIST_UNDONE.code
        or CHANGES_KEY in newest.erased
        or not newest.full_data.get(CHANGES_KEY)
    ):
        return None
    return newest


def list_step(tournament: Tournament) -> ListStep | None:
    """Return the newest list that can be undone, with its players as they are now."""
    entry = newest_list_entry(tournament)
    if entry is None:
        return None
    data_by_number = {int(number): data for number, data in entry.full_data[CHANGES_KEY].items()}
    players = {player.number: player for player in tournament.players.filter(number__in=data_by_number)}
    seated = set(Seat.objects.filter(player__in=players.values()).values_list("player", flat=True))
    has_finals = tournament.finals.exists()
    changes = [
        ListChange(
            number, data.get("before", {}), data["after"], data.get("left", False), players.get(number)
        )
        for number, data in sorted(data_by_number.items())
    ]
    return ListStep(
        entry.seq,
        [replace(change, problem=_undo_problem(change, seated, has_finals=has_finals)) for change in changes],
    )


def _undo_problem(change: ListChange, seated: Collection[int], *, has_finals: bool) -> Problem | None:
    """Return why a change cannot be undone; None if it can."""
    if change.player is None:
        return LIST_PLAYER_GONE(str(change.number), number=change.number, name=change.name)
    is_unchanged = all(getattr(change.player, name) == value for name, value in change.after.items())
    has_moved = not change.before and change.has_left != change.player.is_withdrawn
    if not is_unchanged or has_moved:
        return LIST_PLAYER_CHANGED(str(change.number), number=change.number, name=change.name)
    if (
        change.is_new
        and (has_finals or change.player.pk in seated)
        and (blocker := removal_blocker(change.player))
    ):
        return blocker.at(str(change.number))
    return None
