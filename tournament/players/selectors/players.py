"""The players as the draw sees them, people to be entered, and what the newest list changed."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Final

from django.db.models import Max

from scoring.engine.problems import Problem
from tournament.base.engine.rules import SEATS_PER_TABLE
from tournament.base.engine.text import display_name
from tournament.base.models.log import LogEntry
from tournament.base.models.people import Player
from tournament.base.models.play import Seat, Session
from tournament.base.models.tournament import Tournament
from tournament.base.selectors import by_version
from tournament.play.selectors.timetable import draw_is_out_of_date, players_of
from tournament.web.texts.words import is_country

# --- How many play ---


@dataclass(frozen=True)
class Roll:
    """The players, as everybody counts them and as the draw sees them."""

    entered: int
    """Players who take part (`participants.taking_part`), those who have left since they played among them."""
    players: int
    """Who has not withdrawn, the `substitutes` included: the draw seats these."""
    substitutes: int
    left: int
    """Players who withdrew after they had played."""
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
    playing = tournament.players.filter(withdrawn_at=None)
    withdrawn = tournament.players.exclude(withdrawn_at=None)
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
    params = {"name": player.name}
    if seats.exclude(table__session__state=Session.State.PLANNED).exists():
        return Problem("player_has_played", "", params)
    if any(player.number in final.numbers for final in player.tournament.finals.all()):
        return Problem("player_in_a_final", "", params)
    if seats.exists():
        return Problem("player_has_seats", "", params)
    return None


# --- People to be entered ---


NAMES = ("last_name", "first_name")
LONGEST = 80
"""Characters in a name, a team or a club, as the table of players has room for."""


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


def problems_of(entrant: Entrant) -> tuple[Problem, ...]:
    """Every fault of an entrant by itself; `where` is the field."""
    problems = []
    if not entrant.last_name.strip():
        problems.append(Problem("name_missing", "last_name"))
    for name in ("last_name", "first_name", "team", "club"):
        if (length := len(getattr(entrant, name))) > LONGEST:
            problems.append(Problem("text_too_long", name, {"length": length, "most": LONGEST}))
    if entrant.number is not None and not 1 <= entrant.number <= 9999:
        problems.append(Problem("number_out_of_range", "number", {"number": entrant.number}))
    if entrant.country and not is_country(entrant.country):
        problems.append(Problem("unknown_country", "country", {"country": entrant.country}))
    if entrant.ema_number and not (entrant.ema_number.isascii() and entrant.ema_number.isdigit()):
        problems.append(Problem("ema_number_not_digits", "ema_number", {"ema_number": entrant.ema_number}))
    elif entrant.ema_number and len(entrant.ema_number) != 8:
        problems.append(Problem("ema_number_length", "ema_number", {"digits": len(entrant.ema_number)}))
    return tuple(problems)


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
        faults = list(problems_of(entrant))
        if entrant.number is not None and entrant.number in numbers:
            faults.append(Problem("number_taken", "number", {"number": entrant.number}))
        if entrant.ema_number and entrant.ema_number in ema_numbers:
            faults.append(Problem("ema_number_taken", "ema_number", {"ema_number": entrant.ema_number}))
        if entrant.number is not None:
            numbers.add(entrant.number)
        ema_numbers.add(entrant.ema_number)
        problems += [Problem(fault.code, f"{row}.{fault.where}", fault.params) for fault in faults]
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


ENTERED: Final = frozenset({"players_added", "list_entered"})
UNDONE: Final = "list_undone"
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
    entries = tournament.log.filter(action__in=[*ENTERED, UNDONE])
    newest = entries.order_by("-seq").first()
    if newest is None or newest.action == UNDONE or KEY in newest.erased or not newest.said.get(KEY):
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
    params: dict[str, str | int] = {"number": written.number, "name": written.name}
    if written.player is None:
        return Problem("list_player_gone", str(written.number), params)
    stands = all(getattr(written.player, name) == value for name, value in written.after.items())
    has_moved = not written.before and written.has_left != written.player.is_withdrawn
    if not stands or has_moved:
        return Problem("list_player_changed", str(written.number), params)
    if (
        written.is_new
        and (any_final or written.player.pk in seated)
        and (reason := what_keeps(written.player))
    ):
        return Problem(reason.code, str(written.number), reason.params)
    return None
