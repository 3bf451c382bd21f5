"""Planning again the sessions not yet played, and players at the table that is filmed."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from scoring.engine.problems import Problem, problem_code
from tournament.base.engine.rules import SEATS_PER_TABLE
from tournament.seating.engine.draw import PLAYER_TWICE, TABLE_UNKNOWN, size_problems, wish_problems
from tournament.seating.engine.numbers import at_their_tables, balanced
from tournament.seating.engine.plans import (
    NO_SEAT_IN_SESSION,
    Lots,
    Plan,
    Quality,
    SeatingError,
    Seats,
    Session,
    Sessions,
    Wishes,
    as_plan,
    as_sessions,
    as_table,
    count_repeats,
    measure,
    places,
    swapped,
    unwished_meetings,
    wind_spread,
)
from tournament.seating.engine.search import Cooling, SeatSearch

STREAM_PLAYERS = problem_code("stream_players", "Choose one to {most} players.")
STREAM_ONE_SESSION = problem_code(
    "stream_one_session", "Several players can be together at one table in one session only."
)

# --- Planning again ---


_EVALUATIONS: Final = 100_000
_MOVES: Final = 60_000
_FAR_AHEAD: Final = 2
_MOVING: Final = 0.04
"""Moving a player to another table weighs so little beside a repeat that only ties turn on it."""


@dataclass(frozen=True, slots=True)
class Replan:
    """The sessions still to play, and what the change does.

    ``quality`` is that of the whole event, played sessions included. ``moved`` holds (session from 1 among
    those planned anew, player) for everybody whose table changes; ``turned`` those who keep the table but
    not the wind.
    """

    sessions: tuple[tuple[Seats, ...], ...]
    quality: Quality
    moved: tuple[tuple[int, int], ...]
    turned: tuple[tuple[int, int], ...]


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
) -> Replan:
    """Seat ``players`` in as many sessions as ``planned`` has, near to it; those played stay.

    This is for when players leave or come. There are as few repeats as the search finds; wishes as `draw` has them.
    Where as many come as leave, newcomers take the seats of those who left and nothing else changes: that is a
    substitution. Wishes about people who left, or tables that are gone, are forgotten. Raises `SeatingError` as `draw`
    does: ``substitutes_needed`` when tables would not be full.
    """
    wishes, stays = _remaining_wishes(
        players, Wishes(teams or {}, clubs or {}, countries or {}), forbidden, stay
    )
    if problems := [*size_problems(players, len(planned)), *wish_problems(players, wishes, (), {})]:
        raise SeatingError(problems)
    before, old = as_sessions(played), as_sessions(planned)
    start = tuple(_refilled(session, players) for session in old)
    if _only_names_changed(old, start) and not unwished_meetings(start, wishes.weights(soft=False)):
        seated = start
    else:
        searched = _with_fewer_repeats(before, start, wishes, Lots(seed))
        numbered = tuple(at_their_tables(session, stays) for session in searched)
        seated = _winds_evened(numbered, old, before)
    groups = {"teams": teams, "clubs": clubs, "countries": countries}
    quality = measure((*before, *seated), forbidden=[frozenset(pair) for pair in forbidden], **groups)
    return Replan(as_plan(seated), quality, _moved(old, seated), _turned(old, seated))


def _remaining_wishes(
    players: Sequence[int],
    groups: Wishes,
    forbidden: Collection[tuple[int, int]],
    stay: Mapping[int, int] | None,
) -> tuple[Wishes, dict[int, int]]:
    """What can still be wished of these players at so many tables, and who keeps which table."""
    here, tables = set(players), len(players) // SEATS_PER_TABLE
    wishes = Wishes(
        teams={player: team for player, team in groups.teams.items() if player in here},
        clubs={player: club for player, club in groups.clubs.items() if player in here},
        countries={player: country for player, country in groups.countries.items() if player in here},
        forbidden=[frozenset(pair) for pair in forbidden if here.issuperset(pair)],
    )
    stays = {player: table for player, table in (stay or {}).items() if player in here and table <= tables}
    return wishes.staying(stays, 0), stays


def _refilled(session: Session, players: Sequence[int]) -> Session:
    """The session without those who left: newcomers take their seats, then the last tables break up."""
    staying = set(players)
    seated = {player for table in session for player in table}
    tables = [[player if player in staying else None for player in table] for table in session]
    waiting = [player for player in players if player not in seated]
    while waiting or any(None in table for table in tables):
        holes = [(table, seat) for table in tables for seat in range(4) if table[seat] is None]
        for (table, seat), player in zip(holes, waiting, strict=False):
            table[seat] = player
        waiting, holes = waiting[len(holes) :], holes[len(waiting) :]
        if waiting:
            tables.append([None, None, None, None])
        elif holes:
            waiting = [player for player in tables.pop() if player is not None]
    return tuple(as_table([player for player in table if player is not None]) for table in tables)


def _only_names_changed(old: Sessions, new: Sessions) -> bool:
    """Whether each newcomer has all the seats of one who left, and everybody else has kept theirs."""
    renamed: dict[int, int] = {}
    for before, after in zip(old, new, strict=True):
        if len(before) != len(after):
            return False
        for was, table in zip(before, after, strict=True):
            for one, other in zip(was, table, strict=True):
                if renamed.setdefault(one, other) != other:
                    return False
    return len(set(renamed.values())) == len(renamed)


def _with_fewer_repeats(played: Sessions, start: Sessions, wishes: Wishes, lots: Lots) -> Sessions:
    """The start, improved while it has repeats or breaks a wish; played sessions count and stay."""
    hard, soft = wishes.weights(soft=False), wishes.soft_weights()
    whole = (*played, *start)
    if count_repeats(whole) == 0 and not hard and not soft:
        return start
    movable = range(len(played), len(whole))

    def rank(sessions: Sessions) -> tuple[int, int, int]:
        anew = sessions[len(played) :]
        return unwished_meetings(anew, hard), count_repeats(sessions), unwished_meetings(anew, soft)

    costs = _meeting_costs(hard, soft)
    mended = SeatSearch(whole, movable, costs, _MOVING).mend(_EVALUATIONS, lots)
    if rank(mended) > (0, count_repeats(played), 0):
        anew = SeatSearch(whole, movable, costs, _MOVING).run(Cooling(_MOVES), lots)
        mended = min(mended, anew, key=rank)
    return mended[len(played) :]


def _meeting_costs(
    hard: Mapping[int, Mapping[int, int]], soft: Mapping[int, Mapping[int, int]]
) -> dict[int, dict[int, float]]:
    """What meetings cost the search: a soft wish less than a repeat, and no more than moving one player."""
    costs: dict[int, dict[int, float]] = {
        one: dict.fromkeys(others, float(_MOVING)) for one, others in soft.items()
    }
    for one, others in hard.items():
        costs.setdefault(one, {}).update(others)
    return costs


def _winds_evened(sessions: Sessions, old: Sessions, played: Sessions) -> Sessions:
    """Even out the winds at the tables that changed; at all of them if somebody would be far ahead otherwise."""
    seated = balanced(sessions, played, _changed_tables(sessions, old))
    if wind_spread((*played, *seated)) <= _FAR_AHEAD:
        return seated
    return balanced(
        seated, played, [(at, number) for at, row in enumerate(seated) for number in range(len(row))]
    )


def _changed_tables(sessions: Sessions, old: Sessions) -> list[tuple[int, int]]:
    """(session, table) of the tables that did not exist before with the same four in the same seats."""
    return [
        (index, number)
        for index, session in enumerate(sessions)
        for number, table in enumerate(session)
        if table not in old[index]
    ]


def _moved(old: Sessions, new: Sessions) -> tuple[tuple[int, int], ...]:
    """(session from 1, player) of those who sit at another table, or sit at all for the first time."""
    moved = []
    for index, session in enumerate(new):
        before = _places(old[index])
        moved += [
            (index + 1, player)
            for player, (number, _) in sorted(_places(session).items())
            if before.get(player, (-1, -1))[0] != number
        ]
    return tuple(moved)


def _turned(old: Sessions, new: Sessions) -> tuple[tuple[int, int], ...]:
    """(session from 1, player) of those who keep the table and change the wind."""
    turned = []
    for index, session in enumerate(new):
        before = _places(old[index])
        for player, (number, wind) in sorted(_places(session).items()):
            table, seat = before.get(player, (-1, -1))
            if table == number and seat != wind:
                turned.append((index + 1, player))
    return tuple(turned)


def _places(session: Session) -> dict[int, tuple[int, int]]:
    """Player → (table from 0, wind from 0)."""
    return {
        player: (number, wind) for number, table in enumerate(session) for wind, player in enumerate(table)
    }


# --- The table that is filmed ---


def at_stream_table(
    plan: Plan, players: Sequence[int], table: int, sessions: Collection[int], *, begun: int = 0
) -> tuple[tuple[Seats, ...], ...]:
    """The plan with the players at the table (from 1) in the sessions (from 1) named; the first ``begun`` stay.

    One player in any number of sessions: tables exchange numbers. Several meet there in one session: each exchanges
    all seats still to come with somebody who was to sit there, which brings no repeat before the event has begun.
    Raises `SeatingError`: ``table_unknown`` {table, tables}, ``stream_players`` {most}, ``stream_one_session``,
    ``player_twice`` {player}, ``no_seat_in_session`` {player, session}.
    """
    if problems := _stream_problems(plan, players, table, sessions):
        raise SeatingError(problems)
    first, *others = players
    for player in others:
        (session,) = sessions
        plan = _joined_there(plan, [*players[: players.index(player)]], player, session, begun)
    numbered = [
        at_their_tables(seats, {first: table}) if number in sessions else seats
        for number, seats in enumerate(as_sessions(plan), 1)
    ]
    return as_plan(tuple(numbered))


def _stream_problems(
    plan: Plan, players: Sequence[int], table: int, sessions: Collection[int]
) -> list[Problem]:
    problems = []
    if not 1 <= len(players) <= 4:
        problems.append(STREAM_PLAYERS("players", most=4))
    if len(players) > 1 and len(sessions) != 1:
        problems.append(STREAM_ONE_SESSION("sessions"))
    problems += [PLAYER_TWICE("players", player=p) for p in set(players) if players.count(p) > 1]
    seated = places(plan)
    for session in sorted(sessions):
        tables = len(plan[session - 1]) if session <= len(plan) else 0
        if not 1 <= table <= tables:
            problems.append(TABLE_UNKNOWN("table", table=table, tables=tables))
        problems += [
            NO_SEAT_IN_SESSION("players", player=player, session=session)
            for player in players
            if (session, player) not in seated
        ]
    return problems


def _joined_there(plan: Plan, there: Sequence[int], player: int, session: int, begun: int) -> Plan:
    """The plan with the player at the table of those who are ``there``, at the price of the fewest repeats."""
    four = next(seats for seats in plan[session - 1] if there[0] in seats.values())
    if player in four.values():
        return plan
    ahead = range(begun + 1, len(plan) + 1)
    offers = [swapped(plan, player, other, ahead) for other in four.values() if other not in there]
    return min(offers, key=lambda offer: count_repeats(as_sessions(offer)))
