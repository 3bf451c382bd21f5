"""Planning the sessions not yet played again, and seating players at the filmed table."""

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from scoring.engine.problems import Problem, problem_code
from tournament.base.engine.rules import SEATS_PER_TABLE
from tournament.seating.engine.draw import PLAYER_TWICE, TABLE_UNKNOWN, constraint_problems, size_problems
from tournament.seating.engine.numbers import even_winds, move_to_tables
from tournament.seating.engine.plans import (
    NO_SEAT_IN_SESSION,
    Constraints,
    Plan,
    SeatingError,
    Seats,
    SeededRandom,
    Session,
    Sessions,
    as_plan,
    as_sessions,
    as_table,
    count_repeats,
    count_unwanted_meetings,
    places_by_player,
    swap_seats,
    wind_spread,
)
from tournament.seating.engine.search import Cooling, SeatSearch

STREAM_PLAYERS = problem_code("stream_players", "Choose one to {maximum} players.")
STREAM_ONE_SESSION = problem_code(
    "stream_one_session", "Several players can be together at one table in one session only."
)

# --- Planning again ---


_EVALUATIONS: Final = 100_000
_MOVES: Final = 60_000
_MAX_WIND_SPREAD: Final = 2
_MOVE_COST: Final = 0.04
"""So little beside a repeat (1) that it decides between ties only."""


def replan(
    players: Sequence[int],
    played: Plan,
    planned: Plan,
    *,
    seed: str,
    teams: Mapping[int, str] | None = None,
    clubs: Mapping[int, str] | None = None,
    countries: Mapping[int, str] | None = None,
    forbidden: Collection[tuple[int, int]] = (),
    stay: Mapping[int, int] | None = None,
) -> tuple[tuple[Seats, ...], ...]:
    """Seat ``players`` in as many sessions as ``planned`` has, with few changes; return these sessions.

    For when players leave or come. There are as few repeats as the search finds; constraints as in `draw`. Where as
    many come as leave, newcomers take the seats of those who left and nothing else changes: a substitution. Constraints
    about players who left, or tables that are gone, are dropped. Raises `SeatingError` as `draw` does:
    ``substitutes_needed`` when tables would not be full.
    """
    constraints, stays = _remaining_constraints(
        players, Constraints(teams or {}, clubs or {}, countries or {}), forbidden, stay
    )
    problems = [*size_problems(players, len(planned)), *constraint_problems(players, constraints, (), {})]
    if problems:
        raise SeatingError(problems)
    before, old = as_sessions(played), as_sessions(planned)
    start = tuple(_refill(session, players) for session in old)
    if _only_names_changed(old, start) and not count_unwanted_meetings(
        start, constraints.weights(soft=False)
    ):
        return as_plan(start)
    improved = _reduce_repeats(before, start, constraints, SeededRandom(seed))
    numbered = tuple(move_to_tables(session, stays) for session in improved)
    return as_plan(_even_out_winds(numbered, old, before))


def _remaining_constraints(
    players: Sequence[int],
    groups: Constraints,
    forbidden: Collection[tuple[int, int]],
    stay: Mapping[int, int] | None,
) -> tuple[Constraints, dict[int, int]]:
    """Return the constraints that apply to these players at so many tables, and who keeps which table."""
    present, tables = set(players), len(players) // SEATS_PER_TABLE
    constraints = Constraints(
        teams={player: team for player, team in groups.teams.items() if player in present},
        clubs={player: club for player, club in groups.clubs.items() if player in present},
        countries={player: country for player, country in groups.countries.items() if player in present},
        forbidden=[frozenset(pair) for pair in forbidden if present.issuperset(pair)],
    )
    stays = {player: table for player, table in (stay or {}).items() if player in present and table <= tables}
    return constraints.with_stays(stays, 0), stays


def _refill(session: Session, players: Sequence[int]) -> Session:
    """Return the session without those who left: newcomers take their seats, then the last tables break up."""
    staying = set(players)
    seated = {player for table in session for player in table}
    tables = [[player if player in staying else None for player in table] for table in session]
    waiting = [player for player in players if player not in seated]
    while waiting or any(None in table for table in tables):
        gaps = [(table, seat) for table in tables for seat in range(4) if table[seat] is None]
        for (table, seat), player in zip(gaps, waiting, strict=False):
            table[seat] = player
        waiting, gaps = waiting[len(gaps) :], gaps[len(waiting) :]
        if waiting:
            tables.append([None, None, None, None])
        elif gaps:
            waiting = [player for player in tables.pop() if player is not None]
    return tuple(as_table([player for player in table if player is not None]) for table in tables)


def _only_names_changed(old: Sessions, new: Sessions) -> bool:
    """Return whether each newcomer has all the seats of one who left, and everybody else keeps theirs."""
    renamed: dict[int, int] = {}
    for old_session, new_session in zip(old, new, strict=True):
        if len(old_session) != len(new_session):
            return False
        for old_table, new_table in zip(old_session, new_session, strict=True):
            for old_player, new_player in zip(old_table, new_table, strict=True):
                if renamed.setdefault(old_player, new_player) != new_player:
                    return False
    return len(set(renamed.values())) == len(renamed)


def _reduce_repeats(
    played: Sessions, start: Sessions, constraints: Constraints, rng: SeededRandom
) -> Sessions:
    """Improve the sessions while they have repeats or break a constraint; played sessions count and stay."""
    hard, soft = constraints.weights(soft=False), constraints.soft_weights()
    whole = (*played, *start)
    if count_repeats(whole) == 0 and not hard and not soft:
        return start
    movable = range(len(played), len(whole))

    def rank(sessions: Sessions) -> tuple[int, int, int]:
        new = sessions[len(played) :]
        return count_unwanted_meetings(new, hard), count_repeats(sessions), count_unwanted_meetings(new, soft)

    costs = _search_costs(hard, soft)
    improved = SeatSearch(whole, movable, costs, _MOVE_COST).tabu_search(_EVALUATIONS, rng)
    if rank(improved) > (0, count_repeats(played), 0):
        annealed = SeatSearch(whole, movable, costs, _MOVE_COST).anneal(Cooling(_MOVES), rng)
        improved = min(improved, annealed, key=rank)
    return improved[len(played) :]


def _search_costs(
    hard: Mapping[int, Mapping[int, int]], soft: Mapping[int, Mapping[int, int]]
) -> dict[int, dict[int, float]]:
    """Return the costs of meetings for the search: a soft one less than a repeat, and no more than one move."""
    costs: dict[int, dict[int, float]] = {
        player: dict.fromkeys(others, float(_MOVE_COST)) for player, others in soft.items()
    }
    for player, others in hard.items():
        costs.setdefault(player, {}).update(others)
    return costs


def _even_out_winds(sessions: Sessions, old: Sessions, played: Sessions) -> Sessions:
    """Even out the winds at the tables that changed; at all of them if somebody would be far ahead otherwise."""
    seated = even_winds(sessions, played, _changed_tables(sessions, old))
    if wind_spread((*played, *seated)) <= _MAX_WIND_SPREAD:
        return seated
    return even_winds(
        seated, played, [(at, number) for at, row in enumerate(seated) for number in range(len(row))]
    )


def _changed_tables(sessions: Sessions, old: Sessions) -> list[tuple[int, int]]:
    """Return (session, table) of the tables that did not exist before with the same four in the same seats."""
    return [
        (index, number)
        for index, session in enumerate(sessions)
        for number, table in enumerate(session)
        if table not in old[index]
    ]


# --- The table that is filmed ---


def seat_at_stream_table(
    plan: Plan, players: Sequence[int], table: int, sessions: Collection[int], *, begun: int = 0
) -> tuple[tuple[Seats, ...], ...]:
    """Return the plan with the players at the table in these sessions (all from 1); the first ``begun`` stay.

    One player in any number of sessions: tables exchange numbers. Several meet there in one session: each exchanges
    all seats still to come with somebody who was to sit there, which brings no repeat before the event has begun.
    Raises `SeatingError`: ``table_unknown`` {table, tables}, ``stream_players`` {maximum}, ``stream_one_session``,
    ``player_twice`` {player}, ``no_seat_in_session`` {player, session}.
    """
    if problems := _stream_problems(plan, players, table, sessions):
        raise SeatingError(problems)
    first, *others = players
    for player in others:
        (session,) = sessions
        plan = _join_table(plan, [*players[: players.index(player)]], player, session, begun)
    sessions_with_stream = [
        move_to_tables(seats, {first: table}) if number in sessions else seats
        for number, seats in enumerate(as_sessions(plan), 1)
    ]
    return as_plan(tuple(sessions_with_stream))


def _stream_problems(
    plan: Plan, players: Sequence[int], table: int, sessions: Collection[int]
) -> list[Problem]:
    problems = []
    if not 1 <= len(players) <= 4:
        problems.append(STREAM_PLAYERS("players", maximum=4))
    if len(players) > 1 and len(sessions) != 1:
        problems.append(STREAM_ONE_SESSION("sessions"))
    problems += [PLAYER_TWICE("players", player=p) for p in set(players) if players.count(p) > 1]
    places = places_by_player(plan)
    for session in sorted(sessions):
        tables = len(plan[session - 1]) if session <= len(plan) else 0
        if not 1 <= table <= tables:
            problems.append(TABLE_UNKNOWN("table", table=table, tables=tables))
        problems += [
            NO_SEAT_IN_SESSION("players", player=player, session=session)
            for player in players
            if (session, player) not in places
        ]
    return problems


def _join_table(plan: Plan, seated: Sequence[int], player: int, session: int, begun: int) -> Plan:
    """Return the plan with the player at the table of those ``seated``, with as few repeats as possible."""
    table = next(seats for seats in plan[session - 1] if seated[0] in seats.values())
    if player in table.values():
        return plan
    sessions = range(begun + 1, len(plan) + 1)
    plans = [swap_seats(plan, player, other, sessions) for other in table.values() if other not in seated]
    return min(plans, key=lambda swapped: count_repeats(as_sessions(swapped)))
