"""The players as the draw sees them, people to be entered, and what the newest list changed."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Final

from django.db.models import Max, QuerySet

from scoring.engine.problems import Problem, problem_code
from tournament.base import validation
from tournament.base.engine.rules import SEATS_PER_TABLE
from tournament.base.engine.text import display_name, initials
from tournament.base.models.log import LogEntry
from tournament.base.models.people import EMA_NUMBER_TAKEN, LEFT, NUMBER_TAKEN, Player
from tournament.base.models.play import Seat, Session
from tournament.base.models.tournament import Tournament
from tournament.base.selectors import by_version
from tournament.play.selectors.timetable import draw_is_out_of_date, players_of
from tournament.players.texts import LIST_ENTERED, LIST_UNDONE, PLAYERS_ADDED

PLAYER_HAS_PLAYED = problem_code(
    "player_has_played",
    "{name} has sat at a table in a session that began, so the results stay. Who stops playing withdraws.",
)
PLAYER_IN_A_FINAL = problem_code("player_in_a_final", "{name} plays in a final. Take the final back first.")
PLAYER_HAS_SEATS = problem_code(
    "player_has_seats",
    "{name} has seats in sessions still to come. Withdraw the player and plan these sessions again; without "
    "a seat the player can be deleted.",
)
LIST_PLAYER_GONE = problem_code("list_player_gone", "Number {number}, {name}, is nobody’s any more.")
LIST_PLAYER_CHANGED = problem_code(
    "list_player_changed", "Number {number}, {name}, was changed since, and stays as it is now."
)

# --- Who they are, as everybody may see them ---


def as_everybody_sees(players: QuerySet[Player], tournament: Tournament) -> list[Player]:
    """List players of a tournament for pages and files; never to be saved.

    Until the first session begins, who registered and has not agreed to stand among those who are coming is there by
    initials, without club, team and EMA number. From then on seats and results name whoever plays.
    """
    if tournament.sessions.exclude(state=Session.State.PLANNED).exists():
        return list(players)
    people = list(players.select_related("registration"))
    for player in people:
        registration = getattr(player, "registration", None)
        if registration is not None and not registration.name_shown:
            player.first_name, player.last_name = "", initials(player.first_name, player.last_name)
            player.club = player.team = player.ema_number = ""
    return people


def player_as_everybody_sees(tournament: Tournament, number: int) -> Player | None:
    """Find one of them by number; None when there is no such player."""
    players = as_everybody_sees(tournament.players.filter(number=number), tournament)
    return players[0] if players else None


# --- How many play ---


@dataclass(frozen=True)
class Roll:
    """The players, as everybody counts them and as the draw sees them."""

    entered: int
    """Players who take part (`participants.taking_part`), those who have left since they played among them."""
    players: int
    """Who plays on, the `substitutes` included: the draw seats these."""
    substitutes: int
    left: int
    """Players who withdrew or were excluded after they had played."""
    withdrawn: int
    """Who withdrew before that: counted nowhere else."""
    is_out_of_date: bool
    """Whether those seated in a session still to play are not exactly those who are to play it."""
    is_open: bool
    """Whether anything is still to be drawn or seated for everybody: a session is to be played, and it is no final."""

    @property
    def missing(self) -> int:
        """How many more would fill the last table; 0 when there is nothing left to fill it for."""
        return -self.players % SEATS_PER_TABLE if self.is_open else 0


@by_version(64)
def roll_of(tournament: Tournament) -> Roll:
    playing = tournament.players.exclude(LEFT)
    withdrawn = tournament.players.filter(LEFT)
    entered, substitutes = players_of(tournament).count(), playing.filter(is_substitute=True).count()
    left = entered - (playing.count() - substitutes)
    states = set(tournament.sessions.values_list("state", flat=True))
    is_open = not tournament.finals.exists() and (not states or Session.State.PLANNED in states)
    return Roll(
        entered=entered,
        players=playing.count(),
        substitutes=substitutes,
        left=left,
        withdrawn=withdrawn.count() - left,
        is_out_of_date=draw_is_out_of_date(tournament),
        is_open=is_open,
    )


def what_keeps(player: Player) -> Problem | None:
    """Why this player cannot be deleted; None for who was entered and nothing more."""
    seats = Seat.objects.filter(player=player)
    if seats.exclude(table__session__state=Session.State.PLANNED).exists():
        return PLAYER_HAS_PLAYED(name=player.name)
    if any(player.number in final.numbers for final in player.tournament.finals.all()):
        return PLAYER_IN_A_FINAL(name=player.name)
    if seats.exists():
        return PLAYER_HAS_SEATS(name=player.name)
    return None


# --- People to be entered ---


NAMES = ("last_name", "first_name")


@dataclass(frozen=True)
class Entrant:
    """What is known of a person. `number` None asks for the next free one; `country` is ISO 3166 alpha-3 or empty.

    `is_substitute` None leaves it as it is; a newcomer is ranked then.
    """

    last_name: str
    first_name: str = ""
    country: str = ""
    ema_number: str = ""
    team: str = ""
    number: int | None = None
    club: str = ""
    is_substitute: bool | None = None


def problems_of(entrant: Entrant) -> list[Problem]:
    """Return every fault of an entrant by itself; `where` is the field."""
    values = {name: value for name, value in asdict(entrant).items() if value is not None}
    others = {field.name for field in Player._meta.fields} - values.keys()
    return validation.problems_of(Player(**values), exclude=others)


def with_numbers(tournament: Tournament, entrants: Sequence[Entrant]) -> list[Entrant]:
    """Give those without a number the next ones after the highest in use."""
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


def problems_of_all(
    tournament: Tournament, entrants: Sequence[Entrant], known: Collection[Player] = ()
) -> list[Problem]:
    """Every fault of the entrants, by themselves, beside each other and beside those already entered.

    `known`: players whom some of the entrants are, changed. `where` is "<row>.<field>", rows from 0. Stores nothing.
    """
    others = tournament.players.exclude(pk__in=[player.pk for player in known])
    numbers = set(others.values_list("number", flat=True))
    ema_numbers = set(others.exclude(ema_number="").values_list("ema_number", flat=True))
    problems = []
    for row, entrant in enumerate(entrants):
        faults = problems_of(entrant)
        if entrant.number is not None and entrant.number in numbers:
            faults.append(NUMBER_TAKEN("number", number=entrant.number))
        if entrant.ema_number and entrant.ema_number in ema_numbers:
            faults.append(EMA_NUMBER_TAKEN("ema_number", ema_number=entrant.ema_number))
        if entrant.number is not None:
            numbers.add(entrant.number)
        ema_numbers.add(entrant.ema_number)
        problems += [fault.at(f"{row}.{fault.where}") for fault in faults]
    return problems


@dataclass(frozen=True)
class FieldChange:
    """One field of somebody entered, as it was when the list was held against it, and as the list has it."""

    player: int
    field: str
    before: str | int
    after: str | int


def entrant_of(player: Player) -> Entrant:
    """What is known of somebody entered."""
    return Entrant(**{field.name: getattr(player, field.name) for field in fields(Entrant)})


def changed(player: Player, changes: Sequence[FieldChange]) -> Entrant:
    """The player as the changes would have it."""
    return replace(entrant_of(player), **{change.field: change.after for change in changes})  # type: ignore[arg-type]


# --- The newest list ---


KEY: Final = "was"
"""Of the entry's data: number → what was written. It names people, so it is kept beside the hashed body."""


@dataclass(frozen=True)
class Written:
    """What a list wrote of one player, who has `number` since. No `before`: they came in, or (`has_left`) left."""

    number: int
    before: Mapping[str, Any]
    after: Mapping[str, Any]
    has_left: bool = False
    player: Player | None = None
    problem: Problem | None = None
    """Why it cannot be put back."""

    @property
    def is_new(self) -> bool:
        return not (self.before or self.has_left)

    @property
    def name(self) -> str:
        """What they are called by that list."""
        return display_name(self.after["first_name"], self.after["last_name"])


@dataclass(frozen=True)
class ListStep:
    """The newest list, by the number of its entry in the log: whom it changed, and what still stands as written."""

    seq: int
    people: Sequence[Written]

    @property
    def standing(self) -> list[Written]:
        """Who is as it left them, and can be put back."""
        return [written for written in self.people if written.problem is None]

    @property
    def moved_on(self) -> list[Written]:
        return [written for written in self.people if written.problem is not None]


def change_of(player: Player, before: Entrant) -> dict[str, dict[str, Any]]:
    """For the log: the fields that changed, as they were and are. The names are always there: they say who it is."""
    now, was = asdict(entrant_of(player)), asdict(before)
    fields = [name for name in now if now[name] != was[name]]
    return {
        "before": {name: was[name] for name in fields},
        "after": {name: now[name] for name in now if name in fields or name in NAMES},
    }


def coming_of(player: Player) -> dict[str, dict[str, Any]]:
    return {"after": asdict(entrant_of(player))}


def leaving_of(player: Player) -> dict[str, Any]:
    return {"after": {name: getattr(player, name) for name in NAMES}, "left": True}


def newest_list(tournament: Tournament) -> LogEntry | None:
    """The entry of what can be undone; None where nothing was entered, it was undone, or its names are gone."""
    entries = tournament.log.of(PLAYERS_ADDED, LIST_ENTERED, LIST_UNDONE)
    newest = entries.order_by("-seq").first()
    if (
        newest is None
        or newest.action == LIST_UNDONE.code
        or KEY in newest.erased
        or not newest.said.get(KEY)
    ):
        return None
    return newest


def list_step(tournament: Tournament) -> ListStep | None:
    """Return the newest list that can be undone, with everybody it is about as they are now."""
    entry = newest_list(tournament)
    if entry is None:
        return None
    written = {int(number): data for number, data in entry.said[KEY].items()}
    players = {player.number: player for player in tournament.players.filter(number__in=written)}
    seated = set(Seat.objects.filter(player__in=players.values()).values_list("player", flat=True))
    return ListStep(
        entry.seq,
        [
            _written(number, data, players.get(number), seated, any_final=tournament.finals.exists())
            for number, data in sorted(written.items())
        ],
    )


def _written(
    number: int, data: Mapping[str, Any], player: Player | None, seated: Collection[int], *, any_final: bool
) -> Written:
    written = Written(number, data.get("before", {}), data["after"], data.get("left", False), player)
    return replace(written, problem=_undo_problem(written, seated, any_final=any_final))


def _undo_problem(written: Written, seated: Collection[int], *, any_final: bool) -> Problem | None:
    """Return why this cannot be put back."""
    if written.player is None:
        return LIST_PLAYER_GONE(str(written.number), number=written.number, name=written.name)
    stands = all(getattr(written.player, name) == value for name, value in written.after.items())
    has_moved = not written.before and written.has_left != written.player.is_withdrawn
    if not stands or has_moved:
        return LIST_PLAYER_CHANGED(str(written.number), number=written.number, name=written.name)
    if (
        written.is_new
        and (any_final or written.player.pk in seated)
        and (reason := what_keeps(written.player))
    ):
        return reason.at(str(written.number))
    return None
