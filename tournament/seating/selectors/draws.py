"""The stored draw, its certificate and its inputs, and the changes of seats since."""

import json
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypedDict

from tournament.base.engine.notices import Audience
from tournament.base.engine.rules import WINDS
from tournament.base.errors import Refused
from tournament.base.models.log import LogEntry
from tournament.base.models.people import HAS_LEFT, Player
from tournament.base.models.play import Seat, Session
from tournament.base.models.tournament import Tournament
from tournament.base.problems import SESSION_ALREADY_BEGUN
from tournament.base.selectors import hidden_from
from tournament.play.selectors.public import SeatingChart, seating_chart
from tournament.seating import texts as actions
from tournament.seating.engine.draw import Draw, DrawInputs, DrawOptions
from tournament.seating.engine.plans import (
    Plan,
    Quality,
    SeatChange,
    SeatingError,
    Seats,
    as_table,
    certify,
    count_differing_seats,
    find_seat_changes,
    fingerprint,
    measure,
)
from tournament.seating.engine.swiss import SessionInputs

# --- Certificates ---


@dataclass(frozen=True)
class Certificate:
    """The quality of seats, and whether any of their players has a team or a club."""

    quality: Quality
    has_teams: bool
    has_clubs: bool


def draw_certificate(tournament: Tournament) -> Certificate | None:
    """Return the certificate of the stored seats without those of finals, where the same players meet by design.

    None before the draw.
    """
    last = last_session_before_finals(tournament)
    seats = Seat.objects.filter(table__session__tournament=tournament).order_by()
    if last is not None:
        seats = seats.filter(table__session__number__lte=last)
    rows = seats.values_list("table__session__number", "table__number", "wind", "player__number")
    players = tournament.players.values_list("number", "team", "club", "country")
    return _cached_certificate(frozenset(rows), frozenset(players)) if rows else None


SeatKey = tuple[int, int, str, int]
"""Session, table, wind, player's number."""
PlayerGroups = tuple[int, str, str, str]
"""Player's number, team, club, country."""


@lru_cache(maxsize=32)
def _cached_certificate(seats: frozenset[SeatKey], players: frozenset[PlayerGroups]) -> Certificate:
    """Cached, because every page after every hand needs the certificate of the same seats."""
    tables: defaultdict[int, defaultdict[int, list[tuple[int, int]]]] = defaultdict(lambda: defaultdict(list))
    for session, table, wind, player in seats:
        tables[session][table].append((WINDS.index(wind), player))
    sessions = tuple(
        tuple(as_table([player for _, player in sorted(at[number])]) for number in sorted(at))
        for _, at in sorted(tables.items())
    )
    seated = {player for _, _, _, player in seats}
    groups = _groups(sorted(row for row in players if row[0] in seated))
    return Certificate(measure(sessions, **groups), bool(groups["teams"]), bool(groups["clubs"]))


class Groups(TypedDict):
    """Player → name, without the players that have none."""

    teams: dict[int, str]
    clubs: dict[int, str]
    countries: dict[int, str]


def _groups(memberships: Collection[PlayerGroups]) -> Groups:
    return Groups(
        teams={number: team for number, team, _, _ in memberships if team},
        clubs={number: club for number, _, club, _ in memberships if club},
        countries={number: country for number, _, _, country in memberships if country},
    )


# --- Draws and plans ---


@dataclass(frozen=True)
class MovedPlayer:
    """A player whose place differs between two plans."""

    player: Player
    change: SeatChange


@dataclass(frozen=True)
class PlanComparison:
    """The players with another place, by session, and how many of all seats have another player."""

    moved: tuple[MovedPlayer, ...]
    differing: int
    seats: int

    @property
    def players(self) -> int:
        return len({moved.player.pk for moved in self.moved})


@dataclass(frozen=True)
class DrawOrigin:
    """The inputs of the stored seats, and what was changed since."""

    inputs: DrawInputs
    fingerprint: str
    """Of the seats as they are."""
    changes: PlanComparison | None
    """The changes after the draw; None when the inputs no longer give a draw."""

    @property
    def is_as_drawn(self) -> bool:
        return self.changes is not None and not self.changes.moved


def draw_inputs(tournament: Tournament, seed: str, options: DrawOptions) -> DrawInputs:
    """Return the inputs of a draw with these options, for the players who have not withdrawn."""
    players = list(tournament.players.exclude(HAS_LEFT))
    team_sizes = Counter(player.team for player in players)
    # A team with more players than tables cannot be kept apart: left out unless teams were chosen, refused then.
    max_team_size = len(players) if options.teams else len(players) // 4
    return DrawInputs(
        players=tuple(player.number for player in players),
        sessions=min(options.sessions or tournament.sessions_planned, tournament.sessions_planned),
        seed=seed,
        teams={p.number: p.team for p in players if p.team and team_sizes[p.team] <= max_team_size},
        clubs={p.number: p.club for p in players if p.club} if options.clubs else {},
        countries={p.number: p.country for p in players if p.country} if options.countries else {},
        forbidden=options.forbidden,
        stay=dict(options.stay),
        teams_first=options.teams,
    )


def run_draw(inputs: DrawInputs) -> Draw:
    """Return the draw that follows from the inputs; raises `Refused` when there is none."""
    try:
        return inputs.draw()
    except SeatingError as error:
        raise Refused(error.problems) from None


def plan_from_chart(chart: SeatingChart) -> list[list[dict[str, int]]]:
    """Return the stored seats as a plan, up to the last session that has any."""
    plan = [
        [{seat.wind: seat.player.number for seat in seats} for _table, seats in session.tables]
        for session in chart.sessions
    ]
    return plan[: max((number for number, tables in enumerate(plan, 1) if tables), default=0)]


def players_by_number(tournament: Tournament) -> dict[int, Player]:
    return {player.number: player for player in tournament.players.all()}


def plan_certificate(plan: Plan, players: Mapping[int, Player]) -> Certificate:
    """Return the certificate of a plan, stored or not."""
    seated = [players[number] for number in sorted({n for s in plan for table in s for n in table.values()})]
    groups = _groups([(player.number, player.team, player.club, player.country) for player in seated])
    return Certificate(certify(plan, **groups), bool(groups["teams"]), bool(groups["clubs"]))


def with_players(plan: Plan, players: Mapping[int, Player]) -> list[list[list[tuple[str, Player]]]]:
    """Return sessions → tables → (wind, player)."""
    return [
        [[(wind, players[number]) for wind, number in table.items()] for table in session] for session in plan
    ]


def compare_plans(before: Plan, after: Plan, players: Mapping[int, Player]) -> PlanComparison:
    changes = find_seat_changes(before, after)
    moved = [MovedPlayer(players[change.player], change) for change in changes if change.player in players]
    return PlanComparison(tuple(moved), *count_differing_seats(before, after))


def last_draw_inputs(tournament: Tournament) -> DrawInputs | None:
    """Return the inputs of the last draw from the log.

    None when the seats were set by hand or read from a file, or when part of the inputs was erased.
    """
    entry = tournament.log.of(actions.SEATS_DRAWN).last()
    if entry is None or "inputs" not in entry.full_data or "inputs" in entry.erased:
        return None
    return DrawInputs.from_json(entry.full_data["inputs"])


def draw_origin(tournament: Tournament, chart: SeatingChart, skip: Collection[int] = ()) -> DrawOrigin | None:
    """Return the origin of the seats except those of the ``single`` sessions (from 1); None without inputs."""
    inputs = last_draw_inputs(tournament)
    if inputs is None or not chart:
        return None
    plan = plan_from_chart(chart)
    try:
        drawn = [
            [] if n in skip else tables for n, tables in enumerate(inputs.draw().sessions[: len(plan)], 1)
        ]
        current = [[] if n in skip else tables for n, tables in enumerate(plan, 1)]
        changes = compare_plans(drawn, current, players_by_number(tournament))
    except SeatingError:
        changes = None
    return DrawOrigin(inputs, fingerprint(plan), changes)


def quality_rows(*qualities: Quality) -> list[tuple[str, tuple[int, ...]]]:
    """Return (name of a figure, its value in each of the qualities) for the figures of the certificate."""
    names = (
        *("repeats", "repeats_minimum", "most_meetings", "wind_spread", "table_most"),
        *("team_meetings", "club_meetings", "country_meetings"),
    )
    return [(name, tuple(getattr(quality, name) for quality in qualities)) for name in names]


# --- Changes after the draw ---


PLAN_CHANGES: Final = (
    actions.SEATS_SWAPPED,
    actions.SEATS_REPLANNED,
    actions.SESSION_SEATS_SET,
    actions.SEATS_IMPORTED,
    actions.STREAM_SEATS_SET,
    actions.FINALS_SET,
)
"""Log actions that change seats after the draw; their data holds `sessions`, and their seats `before`."""


def stored_plan(tournament: Tournament) -> list[list[dict[str, int]]]:
    """Return the stored seats as a plan, up to the last session that has any."""
    return plan_from_chart(seating_chart(tournament))


def last_plan_change(tournament: Tournament) -> LogEntry | None:
    """Return the newest change of seats since the draw that has not been undone."""
    return next(_changes_in_force(tournament), None)


def undoable_plan_change(tournament: Tournament) -> LogEntry | None:
    """Return the newest change if none of its sessions has begun and nobody who sat there has been deleted."""
    last = last_plan_change(tournament)
    if last is None or has_deleted_players(tournament, last):
        return None
    begun = tournament.sessions.filter(number__in=last.data["sessions"]).exclude(state=Session.State.PLANNED)
    return None if begun.exists() else last


def has_deleted_players(tournament: Tournament, entry: LogEntry) -> bool:
    """Return whether a player who had a seat before the change has been deleted since."""
    seated = {player for tables in entry.data["before"] for table in tables for player in table.values()}
    return not seated.issubset(tournament.players.values_list("number", flat=True))


@dataclass(frozen=True)
class SingleSession:
    """A session that was not seated by the draw, from the log."""

    number: int
    method: str
    """"standing", "interval", "lot", "hand", "file" or "finals"."""
    inputs: SessionInputs | None
    """None by hand and from a file, and where they would show the audience hidden standings."""
    is_as_seated: bool
    """Whether the seats are still those of the inputs; True without inputs."""


def single_sessions(tournament: Tournament, audience: Audience, plan: Plan) -> list[SingleSession]:
    """Return the sessions whose seats did not come with the draw, in order."""
    first_hidden = min(hidden_from(audience, tournament), default=len(plan))
    single: dict[int, SingleSession] = {}
    codes = [
        action.code for action in (actions.SESSION_SEATS_SET, actions.SEATS_IMPORTED, actions.FINALS_SET)
    ]
    for entry in _changes_in_force(tournament):
        for number in entry.data["sessions"] if entry.action in codes else ():
            if number not in single and number <= len(plan):
                single[number] = _single_session(number, entry, plan[number - 1], number > first_hidden)
    return [single[number] for number in sorted(single)]


def _single_session(
    number: int, entry: LogEntry, tables: Sequence[Mapping[str, int]], is_after_hidden: bool
) -> SingleSession:
    data = {key: value for key, value in entry.full_data.items() if key not in entry.erased}
    if "inputs" not in data:
        return SingleSession(number, data.get("how", "file"), None, True)
    inputs = SessionInputs.from_json(data["inputs"])
    is_as_seated = _seats_of_inputs(json.dumps(data["inputs"])) == list(tables)
    shows_hidden_standings = is_after_hidden and inputs.method.needs_standings
    return SingleSession(
        number, inputs.method.value, None if shows_hidden_standings else inputs, is_as_seated
    )


@lru_cache(maxsize=64)
def _seats_of_inputs(inputs: str) -> list[Seats] | None:
    """Return the seats that the inputs give. Cached: by standing they take up to a second."""
    try:
        return list(SessionInputs.from_json(json.loads(inputs)).seats())
    except SeatingError:
        return None


def sessions_seated_by_standing(session: Session) -> tuple[int, ...]:
    """Return the numbers of the sessions after this one whose seats follow from the standings."""
    tournament = session.tournament
    return tuple(
        single.number
        for single in single_sessions(tournament, Audience.STAFF, stored_plan(tournament))
        if single.number > session.number
        and (single.method == "finals" or (single.inputs and single.inputs.method.needs_standings))
    )


def _changes_in_force(tournament: Tournament) -> Iterator[LogEntry]:
    """Yield the changes since the draw that have not been undone, newest first."""
    undone = set()
    for entry in tournament.log.of(*PLAN_CHANGES, actions.SEATS_DRAWN, actions.SEATS_RESTORED).reverse():
        if entry.action == actions.SEATS_DRAWN.code:
            return
        if entry.action == actions.SEATS_RESTORED.code:
            undone.add(entry.data["undoes"])
        elif entry.seq not in undone:
            yield entry


@dataclass(frozen=True)
class PlanChange:
    """A change of seats: the plan before and after, and the numbers of the sessions with new seats."""

    before: Plan
    after: Plan
    sessions: tuple[int, ...]


def require_not_begun(tournament: Tournament, sessions: Sequence[int]) -> None:
    """Raise `Refused` if any of the sessions has begun."""
    begun = tournament.sessions.filter(number__in=sessions).exclude(state=Session.State.PLANNED)
    if (first := begun.first()) is not None:
        raise Refused(SESSION_ALREADY_BEGUN(session=first.number))


def last_session_before_finals(tournament: Tournament) -> int | None:
    """Return the number of the last session before the first final; None when there is no final."""
    first = tournament.finals.first()
    return first.after_session if first else None
