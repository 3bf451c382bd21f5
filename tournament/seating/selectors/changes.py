"""Previews of changed seats: of a session, a swap, a plan; corrections; and a player's next seat."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from scoring.engine.problems import Problem, problem_code
from tournament.base.engine.notices import Audience
from tournament.base.errors import Refused
from tournament.base.models.log import LogEntry
from tournament.base.models.people import HAS_LEFT, Player
from tournament.base.models.play import Seat, Session, Table
from tournament.base.models.tournament import Tournament
from tournament.base.problems import (
    EARLIER_SESSION_OPEN,
    SESSION_ALREADY_BEGUN,
    SESSION_NOT_RUNNING,
)
from tournament.play.selectors.public import PlayerSeats
from tournament.play.selectors.timetable import Entry, final_of, players_in, timetable
from tournament.ranking.selectors.standings import current_standings
from tournament.seating.engine.draw import DrawInputs
from tournament.seating.engine.plans import (
    NO_SEAT_IN_SESSION,
    NO_SEATS,
    SWAP_WITH_SELF,
    Plan,
    SeatingError,
    Sessions,
    as_plan,
    as_sessions,
    plan_problems,
    swap_seats,
)
from tournament.seating.engine.replan import replan, seat_at_stream_table
from tournament.seating.engine.swiss import SeatingMethod, SessionInputs
from tournament.seating.selectors.draws import PlanChange, last_draw_inputs, require_not_begun, stored_plan
from tournament.seating.texts import SEAT_CORRECTION_UNDONE, SEATS_CORRECTED, SESSION_START_UNDONE

NOTHING_LEFT_TO_PLAY = problem_code("nothing_left_to_play", "No session is left to play.")
EARLIER_SESSION_UNSEATED = problem_code(
    "earlier_session_unseated", "Assign seats for session {session} first."
)
FINALS_IN_GROUPS = problem_code(
    "finals_in_groups", "This final is played in groups: assign the seats by hand, or set up the final again."
)
FINALS_NOT_REPLANNED = problem_code(
    "finals_not_replanned",
    "A final has been set up, so the remaining sessions cannot be reassigned. Remove the "
    "final and set it up again, or assign the seats by hand.",
)
NOTHING_TO_SEAT_BY = problem_code(
    "nothing_to_seat_by", "No session is finished yet, so there are no standings: draw the seats by lot."
)
PLAN_CHANGES_NOTHING = problem_code("plan_changes_nothing", "These are already the current seats.")
NOT_SEATED_BY_HAND = problem_code("not_seated_by_hand", "Player {player} has no seat.")

# --- One session ---


Tables = Sequence[Mapping[str, int]]
"""The tables of one session in order: starting wind → player number."""


@dataclass(frozen=True)
class SessionOptions:
    """How to seat a session: by `method` and `seed`, or with the `tables` given."""

    method: SeatingMethod | None = None
    seed: str = ""
    tables: Tables = ()


def preview_session(
    tournament: Tournament, number: int, options: SessionOptions
) -> tuple[PlanChange, SessionInputs | None]:
    """Return the change of seats, with the inputs they follow from; stores nothing.

    Raises `Refused` for a session that has begun or comes after one without seats; by standing and at intervals also
    until every session before it is closed. For given tables the problems' `where` is "session <n>, table <m>".
    """
    require_not_begun(tournament, [number])
    before = stored_plan(tournament)
    if len(before) < number - 1:
        raise Refused(EARLIER_SESSION_UNSEATED(session=len(before) + 1))
    inputs: SessionInputs | None = None
    if options.method is None:
        tables = _check_tables(tournament, number, options.tables)
    else:
        inputs = _session_inputs(tournament, number, options.method, options.seed, before)
        try:
            tables = inputs.seats()
        except SeatingError as error:
            raise Refused(error.problems) from None
    after = [*before[: number - 1], tables, *before[number:]]
    return PlanChange(before, after, (number,)), inputs


def _session_inputs(
    tournament: Tournament, number: int, method: SeatingMethod, seed: str, plan: Plan
) -> SessionInputs:
    """Return the inputs for a session: its players in order, and the draw's constraints that still apply."""
    final = final_of(tournament, number)
    if final is not None and len(final.groups) > 1:
        raise Refused(FINALS_IN_GROUPS())
    players = list(players_in(tournament, number))
    numbers = [player.number for player in players]
    order = _players_by_standing(tournament, number) if method.needs_standings else numbers
    draw_inputs = (last_draw_inputs(tournament) or DrawInputs((), 0, "")).for_players(numbers)
    return SessionInputs(
        method=method,
        players=tuple(order),
        others=tuple(
            tuple(map(dict, tables)) for at, tables in enumerate(plan, 1) if at != number and tables
        ),
        seed=seed,
        teams={player.number: player.team for player in players if player.team},
        clubs={player.number: player.club for player in players if player.club} if draw_inputs.clubs else {},
        countries={player.number: player.country for player in players if player.country}
        if draw_inputs.countries
        else {},
        teams_first=draw_inputs.teams_first,
        forbidden=draw_inputs.forbidden,
        stay=draw_inputs.stay,
        left=max(0, tournament.sessions_planned - max(number, len(plan))),
    )


def _players_by_standing(tournament: Tournament, number: int) -> list[int]:
    """Return the players by standing, unranked ones last; raises `Refused` unless all sessions before are closed."""
    earlier = tournament.sessions.filter(number__lt=number)
    if (first_open := earlier.exclude(state=Session.State.CLOSED).first()) is not None:
        raise Refused(EARLIER_SESSION_OPEN(session=first_open.number))
    if number == 1:
        raise Refused(NOTHING_TO_SEAT_BY())
    rows = current_standings(tournament, Audience.STAFF, closed_only=True).rows
    playing = set(players_in(tournament, number).values_list("number", flat=True))
    order = [row.number for row in rows if row.number in playing]
    return order + sorted(playing.difference(order))


def _check_tables(tournament: Tournament, number: int, tables: Tables) -> Tables:
    """Return the tables; raises `Refused` unless there are four at each, and everybody who plays at one of them."""
    playing = set(players_in(tournament, number).values_list("number", flat=True))
    problems = plan_problems([tables], playing, number)
    missing = playing - {player for table in tables for player in table.values()}
    problems += [NOT_SEATED_BY_HAND(player=player) for player in sorted(missing)]
    if problems:
        raise Refused(problems)
    return tables


# --- Swaps, the filmed table, plans ---


PlannedSessions = Mapping[int, Tables]
"""Session number → its tables in order."""


def preview_stream_table(
    tournament: Tournament, players: Sequence[int], table: int, sessions: Sequence[int]
) -> PlanChange:
    """Return the change of seats; stores nothing. Raises `Refused` as `seat_at_stream` does."""
    if not sessions:
        raise Refused(NOTHING_LEFT_TO_PLAY("sessions"))
    require_not_begun(tournament, sessions)
    before = stored_plan(tournament)
    begun = tournament.sessions.exclude(state=Session.State.PLANNED).count()
    try:
        after = seat_at_stream_table(before, players, table, sessions, begun=begun)
    except SeatingError as error:
        raise Refused(error.problems) from None
    changed = tuple(n for n, (old, new) in enumerate(zip(before, after, strict=True), 1) if old != list(new))
    if not changed:
        raise Refused(PLAN_CHANGES_NOTHING())
    return PlanChange(before, after, changed)


def preview_swap(tournament: Tournament, first: int, second: int, sessions: Sequence[int]) -> PlanChange:
    """Return the change of seats; stores nothing. Raises `Refused` as `swap_players` does."""
    if not sessions:
        raise Refused(NOTHING_LEFT_TO_PLAY())
    require_not_begun(tournament, sessions)
    before = stored_plan(tournament)
    try:
        return PlanChange(before, swap_seats(before, first, second, set(sessions)), tuple(sorted(sessions)))
    except SeatingError as error:
        raise Refused(error.problems) from None


def preview_plan(tournament: Tournament, sessions: PlannedSessions) -> PlanChange:
    """Return the change of seats; stores nothing. Sessions that have begun may be in the plan unchanged.

    Raises `Refused` with every problem: `where` is "session <n>, table <m>" where it is about one table.
    """
    before = stored_plan(tournament)
    if not sessions:
        raise Refused(NO_SEATS())
    if problems := [*_plan_problems(tournament, before, sessions)]:
        raise Refused(problems)
    last = max(len(before), *sessions)
    current = {number: before[number - 1] if number <= len(before) else [] for number in range(1, last + 1)}
    after = [sessions.get(number, current[number]) for number in range(1, last + 1)]
    changed = tuple(number for number in sorted(sessions) if list(sessions[number]) != current[number])
    if not changed:
        raise Refused(PLAN_CHANGES_NOTHING())
    return PlanChange(before, after, changed)


def _plan_problems(tournament: Tournament, before: Plan, sessions: PlannedSessions) -> Iterator[Problem]:
    players = set(tournament.players.exclude(HAS_LEFT).values_list("number", flat=True))
    begun = set(tournament.sessions.exclude(state=Session.State.PLANNED).values_list("number", flat=True))
    for number, tables in sorted(sessions.items()):
        if number not in begun:
            yield from plan_problems([tables], players, number)
            yield from _unseated_problems(tournament, number, tables)
        elif list(tables) != list(before[number - 1]):
            yield SESSION_ALREADY_BEGUN(session=number)
    for number in range(len(before) + 1, max(sessions)):
        if number not in sessions:
            yield EARLIER_SESSION_UNSEATED(session=number)


def _unseated_problems(tournament: Tournament, session: int, tables: Tables) -> Iterator[Problem]:
    seated = {player for table in tables for player in table.values()}
    for player in sorted(set(players_in(tournament, session).values_list("number", flat=True)) - seated):
        yield NO_SEAT_IN_SESSION(player=player, session=session)


# --- Planning again ---


GroupNames: TypeAlias = tuple[tuple[int, str], ...]


def preview_replan(tournament: Tournament) -> PlanChange:
    """Return the change that seats the remaining sessions for the present players, with few changes; stores nothing.

    A newcomer takes the seat of somebody who left. The draw's constraints still apply: pairs and, if they were never
    to meet, team-mates apart; players at their tables; club-mates and compatriots rarely. Raises `Refused` when tables
    would not be full, when no session with seats is left to play, or when finals are set up.
    """
    if tournament.finals.exists():
        raise Refused(FINALS_NOT_REPLANNED())
    before = stored_plan(tournament)
    begun = tournament.sessions.exclude(state=Session.State.PLANNED).count()
    if begun >= len(before):
        raise Refused(NOTHING_LEFT_TO_PLAY())
    players = list(tournament.players.exclude(HAS_LEFT))
    inputs = last_draw_inputs(tournament)
    try:
        remaining = _replan_cached(
            tuple(player.number for player in players),
            as_sessions(before[:begun]),
            as_sessions(before[begun:]),
            tournament.draw_seed or "replan",
            teams=_group_names((p.number, p.team) for p in players if inputs and inputs.teams_first),
            clubs=_group_names((p.number, p.club) for p in players if inputs and inputs.clubs),
            countries=_group_names((p.number, p.country) for p in players if inputs and inputs.countries),
            forbidden=tuple(inputs.forbidden) if inputs else (),
            stay=tuple(inputs.stay.items()) if inputs else (),
        )
    except SeatingError as error:
        raise Refused(error.problems) from None
    return PlanChange(before, (*before[:begun], *remaining), tuple(range(begun + 1, len(before) + 1)))


@lru_cache(maxsize=8)
def _replan_cached(
    players: tuple[int, ...],
    played: Sessions,
    planned: Sessions,
    seed: str,
    *,
    teams: GroupNames,
    clubs: GroupNames,
    countries: GroupNames,
    forbidden: tuple[tuple[int, int], ...],
    stay: tuple[tuple[int, int], ...],
) -> Sequence[Tables]:
    """Cached, so that a confirmation, which locks the tournament, does not repeat the search of its preview."""
    return replan(
        players,
        as_plan(played),
        as_plan(planned),
        seed=seed,
        teams=dict(teams),
        clubs=dict(clubs),
        countries=dict(countries),
        forbidden=forbidden,
        stay=dict(stay),
    )


def _group_names(groups: Iterable[tuple[int, str]]) -> GroupNames:
    return tuple((number, name) for number, name in groups if name)


# --- Corrections ---


def tables_of_players(session: Session, first: int, second: int) -> list[Table]:
    """Return the table or tables of the session at which the two players, by number, sit."""
    tables = Table.objects.filter(session=session, seats__player__number__in=(first, second))
    return list(tables.select_related("session__tournament").order_by("number").distinct())


def seats_of_players(session: Session, first: int, second: int) -> tuple[Seat, Seat] | None:
    """Return the seats of the two players in this order; None if one of them has none."""
    seats = Seat.objects.filter(table__session=session, player__number__in=(first, second))
    seat_of = {seat.player.number: seat for seat in seats.select_related("player", "table")}
    return (seat_of[first], seat_of[second]) if len(seat_of) == 2 else None


def last_correction(session: Session) -> LogEntry | None:
    """Return the newest correction of this session's seats that has not been undone.

    Corrections before the session's start was undone do not count: other players may sit there now.
    """
    undone = set()
    entries = session.tournament.log.of(SEATS_CORRECTED, SEAT_CORRECTION_UNDONE, SESSION_START_UNDONE).filter(
        data__session=session.number
    )
    for entry in entries.reverse():
        if entry.action == SESSION_START_UNDONE.code:
            return None
        if entry.action == SEAT_CORRECTION_UNDONE.code:
            undone.add(entry.data["undoes"])
        elif entry.seq not in undone:
            return entry
    return None


def preview_correction(session: Session, first: int, second: int) -> tuple[Seat, Seat]:
    """Return the seats of the two players by the record, in this order. Raises `Refused` as `correct_seats` does."""
    require_correctable(session.tournament, session, first, second, tables_of_players(session, first, second))
    seats = seats_of_players(session, first, second)
    assert seats is not None
    return seats


def tables_state(tables: Sequence[Table]) -> str:
    """Return a text that changes whenever somebody writes at these tables."""
    return " ".join(f"{table.number}:{table.version}" for table in tables)


def require_correctable(
    tournament: Tournament, session: Session, first: int, second: int, tables: Sequence[Table]
) -> None:
    """Raise `Refused` unless the session is being played and two different players sit at these tables."""
    if not tournament.sessions.filter(pk=session.pk, state=Session.State.RUNNING).exists():
        raise Refused(SESSION_NOT_RUNNING(session=session.number))
    if first == second:
        raise Refused(SWAP_WITH_SELF("second"))
    seated = Seat.objects.filter(table__in=tables).values_list("player__number", flat=True)
    for field, player in (("first", first), ("second", second)):
        if player not in seated:
            raise Refused(NO_SEAT_IN_SESSION(field, player=player, session=session.number))


# --- A player's next seat ---


MAX_ANSWERS = 5
"""For more players a table reads better."""


@dataclass(frozen=True)
class SeatAnswer:
    player: Player
    seat: Seat | None
    """In the session being played, or else the next one; None for no further seat."""
    entry: Entry | None
    """The timetable's line for it."""
    later: tuple[Seat, ...]


def seat_answers(tournament: Tournament, matches: Sequence[PlayerSeats]) -> tuple[SeatAnswer, ...]:
    """Answer "Where do I sit?" for each player found; empty for more than `MAX_ANSWERS`.

    Players who have withdrawn have no further seat.
    """
    if len(matches) > MAX_ANSWERS:
        return ()
    times = timetable(tournament)
    return tuple(
        SeatAnswer(
            player=player_seats.player,
            seat=seats[0] if seats else None,
            entry=times.of(seats[0].table.session.number) if seats else None,
            later=tuple(seats[1:]),
        )
        for player_seats in matches
        for seats in [_seats_to_come(player_seats)]
    )


def _seats_to_come(player_seats: PlayerSeats) -> list[Seat]:
    over = (
        {Session.State.CLOSED, Session.State.PLANNED}
        if player_seats.player.has_left
        else {Session.State.CLOSED}
    )
    return [seat for seat in player_seats.seats if seat is not None and seat.table.session.state not in over]
