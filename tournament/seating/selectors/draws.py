"""Draws as pages show them, what they achieve, and the changes of seats after them."""

import json
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final, TypedDict

from tournament.base.access import Audience
from tournament.base.engine.finals import Cut
from tournament.base.engine.rules import WINDS
from tournament.base.errors import Refused
from tournament.base.models.log import LogEntry
from tournament.base.models.people import LEFT, Player
from tournament.base.models.play import Seat, Session
from tournament.base.models.tournament import Tournament
from tournament.base.problems import SESSION_ALREADY_BEGUN
from tournament.base.selectors import hidden_from
from tournament.play.selectors.public import SeatingChart, seating_chart
from tournament.ranking.engine.standings import Standing
from tournament.ranking.selectors.standings import current_standings, standings_with, table_results
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
    """What a draw achieves, measured on the seats themselves; whether anybody seated has a team, a club."""

    quality: Quality
    has_teams: bool
    has_clubs: bool


def certificate(tournament: Tournament) -> Certificate | None:
    """Give the certificate of the stored seats; None before the draw.

    The sessions of finals are no part of it: there the same players meet by design.
    """
    last = last_for_everybody(tournament)
    seats = Seat.objects.filter(table__session__tournament=tournament).order_by()
    if last is not None:
        seats = seats.filter(table__session__number__lte=last)
    rows = seats.values_list("table__session__number", "table__number", "wind", "player__number")
    people = tournament.players.values_list("number", "team", "club", "country")
    return _measured(frozenset(rows), frozenset(people)) if rows else None


Sitting = tuple[int, int, str, int]
"""Session, table, wind, player's number."""
Belonging = tuple[int, str, str, str]
"""Player's number, team, club, country."""


@lru_cache(maxsize=32)
def _measured(seats: frozenset[Sitting], people: frozenset[Belonging]) -> Certificate:
    """Cached: the same seats are asked about after every hand."""
    tables: defaultdict[int, defaultdict[int, list[tuple[int, int]]]] = defaultdict(lambda: defaultdict(list))
    for session, table, wind, player in seats:
        tables[session][table].append((WINDS.index(wind), player))
    drawn = tuple(
        tuple(as_table([player for _, player in sorted(at[number])]) for number in sorted(at))
        for _, at in sorted(tables.items())
    )
    seated = {player for _, _, _, player in seats}
    groups = _grouped(sorted(person for person in people if person[0] in seated))
    return Certificate(measure(drawn, **groups), bool(groups["teams"]), bool(groups["clubs"]))


class Groups(TypedDict):
    """Player → name, without the players that have none."""

    teams: dict[int, str]
    clubs: dict[int, str]
    countries: dict[int, str]


def groups_of(people: Iterable[Player]) -> Groups:
    """Who belongs together, as a draw's certificate counts it."""
    return _grouped([(player.number, player.team, player.club, player.country) for player in people])


def _grouped(people: Collection[Belonging]) -> Groups:
    return Groups(
        teams={number: team for number, team, _, _ in people if team},
        clubs={number: club for number, _, club, _ in people if club},
        countries={number: country for number, _, _, country in people if country},
    )


# --- Draws as pages show them ---


@dataclass(frozen=True)
class Moved:
    """Somebody whose seat differs between two plans."""

    player: Player
    change: SeatChange


@dataclass(frozen=True)
class Compared:
    """Who sits elsewhere, by session, and how many seats of how many are taken otherwise."""

    moved: tuple[Moved, ...]
    differing: int
    seats: int

    @property
    def players(self) -> int:
        return len({moved.player.pk for moved in self.moved})


@dataclass(frozen=True)
class Origin:
    """What the seats there are were drawn from, and where they have left it since."""

    inputs: DrawInputs
    fingerprint: str
    """Of the seats as they are."""
    since: Compared | None
    """The seats changed after the draw; None when the inputs give no draw at all any more."""

    @property
    def is_as_drawn(self) -> bool:
        return self.since is not None and not self.since.moved


def draw_inputs(tournament: Tournament, seed: str, wish: DrawOptions) -> DrawInputs:
    """Everything the draw follows from, for the players who have not withdrawn; stores nothing."""
    players = list(tournament.players.exclude(LEFT))
    sizes = Counter(player.team for player in players)
    # A team with more players than tables cannot be kept apart, so it is not asked for unless wished.
    most = len(players) if wish.teams else len(players) // 4
    return DrawInputs(
        players=tuple(player.number for player in players),
        sessions=min(wish.sessions or tournament.sessions_planned, tournament.sessions_planned),
        seed=seed,
        teams={p.number: p.team for p in players if p.team and sizes[p.team] <= most},
        clubs={p.number: p.club for p in players if p.club} if wish.clubs else {},
        countries={p.number: p.country for p in players if p.country} if wish.countries else {},
        forbidden=wish.forbidden,
        stay=dict(wish.stay),
        teams_first=wish.teams,
    )


def drawn(inputs: DrawInputs) -> Draw:
    """The draw that follows from the inputs; `Refused` when there is none."""
    try:
        return inputs.draw()
    except SeatingError as error:
        raise Refused(error.problems) from None


def plan_of(drawn: SeatingChart) -> list[list[dict[str, int]]]:
    """The seats that are stored, as the engine knows them, up to the last session that has any."""
    plan = [
        [{seat.wind: seat.player.number for seat in seats} for _table, seats in session.tables]
        for session in drawn.sessions
    ]
    return plan[: max((number for number, tables in enumerate(plan, 1) if tables), default=0)]


def people_of(tournament: Tournament) -> dict[int, Player]:
    """The players by number."""
    return {player.number: player for player in tournament.players.all()}


def certificate_of(plan: Plan, people: Mapping[int, Player]) -> Certificate:
    """The certificate of seats, whether stored or only looked at."""
    seated = [people[number] for number in sorted({n for s in plan for table in s for n in table.values()})]
    groups = groups_of(seated)
    return Certificate(certify(plan, **groups), bool(groups["teams"]), bool(groups["clubs"]))


def named(plan: Plan, people: Mapping[int, Player]) -> list[list[list[tuple[str, Player]]]]:
    """Sessions → tables → (wind, player)."""
    return [
        [[(wind, people[number]) for wind, number in table.items()] for table in session] for session in plan
    ]


def compared(before: Plan, after: Plan, people: Mapping[int, Player]) -> Compared:
    seat_changes = find_seat_changes(before, after)
    moved = tuple(Moved(people[change.player], change) for change in seat_changes if change.player in people)
    return Compared(moved, *count_differing_seats(before, after))


def inputs_behind(tournament: Tournament) -> DrawInputs | None:
    """Give what the seats were drawn from, by the log.

    None when they were seated by hand or from a file, or when part of it was erased.
    """
    entry = tournament.log.of(actions.SEATS_DRAWN).last()
    if entry is None or "inputs" not in entry.said or "inputs" in entry.erased:
        return None
    return DrawInputs.from_json(entry.said["inputs"])


def origin_of(tournament: Tournament, drawn: SeatingChart, alone: Collection[int] = ()) -> Origin | None:
    """Say what the seats follow from and how far, but for the sessions (from 1) seated `alone`; None without a seed."""
    inputs = inputs_behind(tournament)
    if inputs is None or not drawn:
        return None
    plan = plan_of(drawn)
    try:
        first = [
            [] if n in alone else tables for n, tables in enumerate(inputs.draw().sessions[: len(plan)], 1)
        ]
        now = [[] if n in alone else tables for n, tables in enumerate(plan, 1)]
        since = compared(first, now, people_of(tournament))
    except SeatingError:
        since = None
    return Origin(inputs, fingerprint(plan), since)


def quality_rows(*qualities: Quality) -> list[tuple[str, tuple[int, ...]]]:
    """The figures of the certificate, a row each: (name of the figure, its value in each draw)."""
    names = (
        *("repeats", "repeats_minimum", "most_meetings", "wind_spread", "table_most"),
        *("team_meetings", "club_meetings", "country_meetings"),
    )
    return [(name, tuple(getattr(quality, name) for quality in qualities)) for name in names]


# --- Changes after the draw ---


CHANGES: Final = (
    actions.SEATS_SWAPPED,
    actions.SEATS_REPLANNED,
    actions.SESSION_SEATED,
    actions.SEATS_PLANNED,
    actions.STREAM_SEATED,
    actions.FINALS_SET,
)
"""The log's actions that change seats after the draw, each with the `sessions` and what was there `before`."""


def seats_of_all(tournament: Tournament) -> list[list[dict[str, int]]]:
    """The seats that are stored, as the engine knows them, up to the last session that has any."""
    return plan_of(seating_chart(tournament))


def last_reseating(tournament: Tournament) -> LogEntry | None:
    """The newest change of seats since the draw that has not been taken back."""
    return next(_changes_in_force(tournament), None)


def reseating_to_undo(tournament: Tournament) -> LogEntry | None:
    """Give the newest change, as long as none of its sessions has begun.

    Everybody who sat there must still be entered.
    """
    last = last_reseating(tournament)
    if last is None or somebody_is_gone(tournament, last):
        return None
    begun = tournament.sessions.filter(number__in=last.data["sessions"]).exclude(state=Session.State.PLANNED)
    return None if begun.exists() else last


def somebody_is_gone(tournament: Tournament, last: LogEntry) -> bool:
    """Whether a player who had a seat before the change has been deleted since."""
    sat = {player for tables in last.data["before"] for table in tables for player in table.values()}
    return not sat.issubset(tournament.players.values_list("number", flat=True))


@dataclass(frozen=True)
class SeatedAlone:
    """A session that was seated by itself, or read from a file: by the log."""

    session: int
    how: str
    """"standing", "interval", "lot", "hand", "file" or "finals"."""
    inputs: SessionInputs | None
    """None where there are none, and where they would tell the audience the order of the players."""
    is_as_seated: bool
    """Whether the seats are still those that the inputs give; by hand and from a file there is nothing to check."""


def seated_alone(tournament: Tournament, audience: Audience, plan: Plan) -> list[SeatedAlone]:
    """The sessions whose seats did not come with the draw, in order."""
    first_hidden = min(hidden_from(audience, tournament), default=len(plan))
    alone: dict[int, SeatedAlone] = {}
    for entry in _changes_in_force(tournament):
        if entry.action not in (
            actions.SESSION_SEATED.code,
            actions.SEATS_PLANNED.code,
            actions.FINALS_SET.code,
        ):
            continue
        for session in entry.data["sessions"]:
            if session not in alone and session <= len(plan):
                seated = _session_alone(session, _readable(entry), plan[session - 1])
                alone[session] = _without_order(seated) if session > first_hidden else seated
    return [alone[session] for session in sorted(alone)]


def _session_alone(session: int, data: Mapping[str, Any], tables: Sequence[Mapping[str, int]]) -> SeatedAlone:
    if "inputs" not in data:
        return SeatedAlone(session, data.get("how", "file"), None, True)
    inputs = SessionInputs.from_json(data["inputs"])
    return SeatedAlone(
        session, inputs.method.value, inputs, _seats_from(json.dumps(data["inputs"])) == list(tables)
    )


def _readable(entry: LogEntry) -> Mapping[str, Any]:
    """What the entry says; without what the seats follow from, where part of that was erased."""
    return {key: value for key, value in entry.said.items() if key not in entry.erased}


@lru_cache(maxsize=64)
def _seats_from(inputs: str) -> list[Seats] | None:
    """The seats that the inputs give: the same each time, and by standing they take up to a second."""
    try:
        return list(SessionInputs.from_json(json.loads(inputs)).seats())
    except SeatingError:
        return None


def _without_order(seated: SeatedAlone) -> SeatedAlone:
    """The same, silent on the standings it was seated by."""
    by_standing = seated.inputs is not None and seated.inputs.method.needs_standings
    return replace(seated, inputs=None) if by_standing else seated


def seated_by_standing(session: Session) -> tuple[int, ...]:
    """The numbers of the sessions after this one whose seats follow from the standings."""
    tournament = session.tournament
    alone = seated_alone(tournament, Audience.STAFF, seats_of_all(tournament))
    return tuple(
        seated.session
        for seated in alone
        if seated.session > session.number
        and (seated.how == "finals" or (seated.inputs is not None and seated.inputs.method.needs_standings))
    )


def _changes_in_force(tournament: Tournament) -> Iterator[LogEntry]:
    """The changes since the draw that stand, newest first."""
    undone = set()
    for entry in tournament.log.of(*CHANGES, actions.SEATS_DRAWN, actions.SEATS_RESTORED).reverse():
        if entry.action == actions.SEATS_DRAWN.code:
            return
        if entry.action == actions.SEATS_RESTORED.code:
            undone.add(entry.data["undoes"])
        elif entry.seq not in undone:
            yield entry


@dataclass(frozen=True)
class Reseating:
    """The whole event before and after, and the numbers of the sessions that are seated anew."""

    before: Plan
    after: Plan
    sessions: tuple[int, ...]


def refuse_begun(tournament: Tournament, sessions: Sequence[int]) -> None:
    """Seats of a session that has begun stay."""
    begun = tournament.sessions.filter(number__in=sessions).exclude(state=Session.State.PLANNED)
    if (first := begun.first()) is not None:
        raise Refused(SESSION_ALREADY_BEGUN(session=first.number))


# --- Finals ---


@dataclass(frozen=True)
class Place:
    """Where a player goes from here when a final is set up."""

    now: Standing
    group: int | None
    """In the final, from 1."""
    then: Standing
    """Before the final's first hand: the rank that who is not in it keeps, and the points that count."""
    above_the_cut: bool


def places_with(tournament: Tournament, cut: Cut) -> list[Place]:
    """Everybody's place with this final: the finalists, group by group, then all others."""
    now = {row.number: row for row in current_standings(tournament, Audience.STAFF, closed_only=True).rows}
    results = table_results(tournament, Audience.STAFF, closed_only=True)
    rows = standings_with(tournament, Audience.STAFF, results, proposed=[cut]).rows
    group = {number: at for at, members in enumerate(cut.groups, 1) for number in members}
    last = [row.number for row in rows if row.number in group][-1]
    return [Place(now[row.number], group.get(row.number), row, row.number == last) for row in rows]


def may_have_finals(tournament: Tournament) -> bool:
    """Whether a final can be set up now: after the newest session closed, none being played."""
    newest = tournament.sessions.exclude(state=Session.State.PLANNED).last()
    if newest is None or newest.state != Session.State.CLOSED:
        return False
    return not tournament.finals.filter(after_session=newest.number).exists()


def last_for_everybody(tournament: Tournament) -> int | None:
    """The last session before the first final; None when there is no final."""
    first = tournament.finals.first()
    return first.after_session if first else None
