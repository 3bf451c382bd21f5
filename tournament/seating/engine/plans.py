"""Plans of seats, constraints on who meets, seeded random numbers, and the quality of a draw."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from hashlib import sha256
from itertools import combinations, count
from math import comb
from typing import Any, Final, TypeAlias, TypeVar

from scoring.engine.problems import Problem, problem_code
from tournament.base.engine.rules import WINDS

SWAP_WITH_SELF = problem_code("swap_with_self", "Choose two different players.", also=("player",))
NO_SEAT_IN_SESSION = problem_code("no_seat_in_session", "Player {player} has no seat in session {session}.")
NO_SEATS = problem_code("no_seats", "There are no seats in this draw.")
SEATS_NOT_FOUR_WINDS = problem_code(
    "seats_not_four_winds", "A table needs one player each for East, South, West and North.", also=("field",)
)
UNKNOWN_PLAYER = problem_code("unknown_player", "There is no player {player}.")
SEATED_TWICE = problem_code("seated_twice", "Player {player} is seated twice.")

# --- Tables and sessions ---


Table: TypeAlias = tuple[int, int, int, int]
"""Four players in the order E, S, W, N; inside the engine they are labels 0 … N − 1."""
Session: TypeAlias = tuple[Table, ...]
Sessions: TypeAlias = tuple[Session, ...]


def as_table(players: list[int]) -> Table:
    """Return four players as a table, in the order E, S, W, N; ValueError for any other number."""
    east, south, west, north = players
    return east, south, west, north


def meetings(sessions: Sessions) -> Iterator[tuple[int, int, int]]:
    """Yield (session from 0, player, another player) for every pair that sits at one table."""
    for number, session in enumerate(sessions):
        for table in session:
            for a, b in combinations(table, 2):
                yield number, a, b


class SeatingError(ValueError):
    """A draw that is not possible; ``problems`` holds every reason."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__(", ".join(problem.code for problem in problems))
        self.problems = tuple(problems)


Item = TypeVar("Item")


class SeededRandom:
    """A random number generator that can be checked in any language: the n-th number is the SHA-256 of ``"seed:n"``."""

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._counter = count()

    def below(self, limit: int) -> int:
        """Return the next number from 0 to ``limit`` − 1 (256 bits modulo ``limit``: the bias is negligible)."""
        digest = sha256(f"{self._seed}:{next(self._counter)}".encode()).digest()
        return int.from_bytes(digest, "big") % limit

    def shuffled(self, items: Sequence[Item]) -> list[Item]:
        """Return the items in random order (Fisher-Yates from the end)."""
        drawn = list(items)
        for last in range(len(drawn) - 1, 0, -1):
            other = self.below(last + 1)
            drawn[last], drawn[other] = drawn[other], drawn[last]
        return drawn


# --- Constraints ---


HARD: Final = 10_000
_CLUB: Final = 3
_COUNTRY: Final = 1


@dataclass(frozen=True, slots=True)
class Constraints:
    """Pairs that should not meet: team-mates and forbidden pairs (hard), club-mates and compatriots (soft).

    Groups are player → name, "" for none; ``pins`` is (session from 0, player) → table from 0.
    """

    teams: Mapping[int, str] = field(default_factory=dict)
    clubs: Mapping[int, str] = field(default_factory=dict)
    countries: Mapping[int, str] = field(default_factory=dict)
    forbidden: Collection[frozenset[int]] = ()
    pins: Mapping[tuple[int, int], int] = field(default_factory=dict)

    def weights(self, *, soft: bool = True) -> dict[int, dict[int, int]]:
        """Return player → player → cost of one meeting of the two: symmetric, without the pairs that cost nothing."""
        costs: defaultdict[int, defaultdict[int, int]] = defaultdict(lambda: defaultdict(int))
        kinds = [(self.teams, HARD)] + ([(self.clubs, _CLUB), (self.countries, _COUNTRY)] if soft else [])
        for groups, cost in kinds:
            for members in members_by_group(groups).values():
                for a, b in combinations(members, 2):
                    costs[a][b] += cost
                    costs[b][a] += cost
        for a, b in (sorted(pair) for pair in self.forbidden):
            costs[a][b] += HARD
            costs[b][a] += HARD
        return {player: dict(others) for player, others in costs.items()}

    def soft_weights(self) -> dict[int, dict[int, int]]:
        """Return the weights of club-mates and compatriots alone."""
        return Constraints(clubs=self.clubs, countries=self.countries).weights()

    def with_stays(self, stay: Mapping[int, int], sessions: int) -> Constraints:
        """Return the constraints with players kept at their table (from 1) in all sessions, so that they never meet."""
        pairs = {frozenset(pair) for pair in combinations(stay, 2)}
        pins = {(at, player): table - 1 for player, table in stay.items() for at in range(sessions)}
        return replace(self, forbidden={*self.forbidden, *pairs}, pins={**self.pins, **pins})


def meeting_costs(
    constraints: Constraints, pairs: Collection[tuple[int, int]], team: float, pair: float, soft: float
) -> dict[int, dict[int, float]]:
    """Return player → player → cost of a meeting of the two.

    ``team`` for team-mates, ``pair`` for each of ``pairs``, ``soft`` for compatriots, three times that for club-mates.
    """
    costs = {
        player: {other: soft * cost for other, cost in others.items()}
        for player, others in constraints.soft_weights().items()
    }
    for members in members_by_group(constraints.teams).values():
        for player in members:
            costs.setdefault(player, {}).update({mate: team for mate in members if mate != player})
    for a, b in pairs:
        costs.setdefault(a, {})[b] = pair
        costs.setdefault(b, {})[a] = pair
    return costs


def count_unwanted_meetings(sessions: Sessions, weights: Mapping[int, Mapping[int, int]]) -> int:
    """Count the meetings that cost something by `Constraints.weights`."""
    return sum(b in weights.get(a, ()) for _, a, b in meetings(sessions))


def members_by_group(groups: Mapping[int, str]) -> dict[str, list[int]]:
    """Return group → members; players with an empty name are in none."""
    members: defaultdict[str, list[int]] = defaultdict(list)
    for player, name in groups.items():
        if name:
            members[name].append(player)
    return dict(members)


# --- The certificate of a draw ---


_PROVEN_MINIMUM: Final = {(20, 6): 1}
"""(players, sessions) → repeats, where a proof demands more than counting does: a 4-RGDD of type 2^10 does not exist
(exception list in Miller, Valkov, Abel 2026)."""


@dataclass(frozen=True, slots=True)
class Quality:
    """The figures of a draw's certificate.

    ``repeats`` counts every meeting of two players after their first; no draw with these players in each session has
    fewer than ``repeats_minimum``, or, where team-mates never meet, no draw that keeps them apart. ``wind_spread`` is
    the largest difference between two winds in one player's counts of starting winds; ``table_most`` the most sessions
    that one player has at one table number. Meetings of team-mates, club-mates and compatriots count every time; the
    minimum for teams holds for this number of repeats.
    """

    repeats: int
    repeats_minimum: int
    most_meetings: int
    wind_spread: int
    table_most: int
    team_meetings: int = 0
    team_meetings_minimum: int = 0
    club_meetings: int = 0
    country_meetings: int = 0
    forbidden_meetings: int = 0

    @property
    def best_possible(self) -> bool:
        """Return whether no draw could have fewer repeats."""
        return self.repeats == self.repeats_minimum

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "best_possible": self.best_possible}


def count_repeats(sessions: Sessions) -> int:
    """Count every meeting of two players after their first."""
    pairs = [frozenset((a, b)) for _, a, b in meetings(sessions)]
    return len(pairs) - len(set(pairs))


def repeats_minimum(attendance: Sequence[Collection[int]], pairs_apart: int = 0) -> int:
    """Return a lower bound of the repeats with these players in each session, if ``pairs_apart`` pairs never meet.

    By counting: so many meetings over so few pairs. With few tables also because those who sat at one table of an
    earlier session cannot all be kept apart; and where a proof is known.
    """
    by_counting = _count_meetings(attendance) - (_count_pairs(attendance) - pairs_apart)
    always = {frozenset(players) for players in attendance}
    proven = _PROVEN_MINIMUM.get((len(attendance[0]), len(attendance)), 0) if len(always) == 1 else 0
    forced = sum(_forced_pairs(players, attendance[:at]) for at, players in enumerate(attendance))
    return max(0, by_counting, proven, forced)


def group_minimum(
    groups: Collection[Collection[int]], attendance: Sequence[Collection[int]], repeats: int
) -> int:
    """Return a lower bound of the meetings inside groups with these players in each session, and so many repeats.

    Either because a group is larger than the number of tables, or because there are not enough pairs of
    different groups to fill the seats.
    """
    crowded = sum(
        _pairs_when_even(len({*group} & {*players}), len(players) // 4)
        for players in attendance
        for group in groups
    )
    across = _count_pairs(attendance) - _count_pairs_inside(groups, attendance)
    return max(crowded, _count_meetings(attendance) - repeats - across)


def _count_meetings(attendance: Sequence[Collection[int]]) -> int:
    return sum(6 * (len(players) // 4) for players in attendance)


def _count_pairs(attendance: Sequence[Collection[int]]) -> int:
    """Count the pairs that can meet: both play in the same session."""
    sessions_of: defaultdict[int, set[int]] = defaultdict(set)
    for session, seated in enumerate(attendance):
        for player in seated:
            sessions_of[player].add(session)
    players_by_sessions = Counter(map(frozenset, sessions_of.values()))
    pairs = sum(comb(players, 2) for players in players_by_sessions.values())
    for (sessions, players), (other_sessions, others) in combinations(players_by_sessions.items(), 2):
        if sessions & other_sessions:
            pairs += players * others
    return pairs


def _count_pairs_inside(groups: Collection[Collection[int]], attendance: Sequence[Collection[int]]) -> int:
    """Count the pairs of one group that can meet."""
    return sum(_count_pairs([{*group} & {*players} for players in attendance]) for group in groups)


def _forced_pairs(players: Collection[int], before: Sequence[Collection[int]]) -> int:
    """Return a lower bound of the pairs of a session who met in one of those before.

    Who was at one table of the earlier session goes to the tables of this one as evenly as possible.
    """
    return max(
        (
            _pairs_when_even(len({*players} & {*earlier}), (len(players) // 4) * (len(earlier) // 4))
            for earlier in before
        ),
        default=0,
    )


def _pairs_when_even(people: int, places: int) -> int:
    """Count the pairs at the same of ``places`` places, taken by so many people as evenly as possible."""
    if not places:
        return 0
    each, more = divmod(people, places)
    return more * comb(each + 1, 2) + (places - more) * comb(each, 2)


def measure(
    sessions: Sessions,
    *,
    teams: Mapping[int, str] | None = None,
    clubs: Mapping[int, str] | None = None,
    countries: Mapping[int, str] | None = None,
    forbidden: Collection[frozenset[int]] = (),
) -> Quality:
    """Measure sessions seated in the order E, S, W, N; groups are player → name."""
    pair_counts = Counter(frozenset((a, b)) for _, a, b in meetings(sessions))
    attendance = [frozenset(player for table in session for player in table) for session in sessions]
    members = members_by_group(teams or {}).values()
    repeats = sum(pair_counts.values()) - len(pair_counts)
    team_meetings = _group_meetings(pair_counts, teams)
    pairs_apart = 0 if team_meetings else _count_pairs_inside(members, attendance)
    return Quality(
        repeats=repeats,
        repeats_minimum=repeats_minimum(attendance, pairs_apart),
        most_meetings=max(pair_counts.values(), default=0),
        wind_spread=wind_spread(sessions),
        table_most=_table_most(sessions),
        team_meetings=team_meetings,
        team_meetings_minimum=group_minimum(members, attendance, repeats) if members else 0,
        club_meetings=_group_meetings(pair_counts, clubs),
        country_meetings=_group_meetings(pair_counts, countries),
        forbidden_meetings=sum(pair_counts[pair] for pair in forbidden),
    )


def _group_meetings(pair_counts: Counter[frozenset[int]], groups: Mapping[int, str] | None) -> int:
    """Count the meetings of two players whose groups have the same, not empty, name."""
    if not groups:
        return 0
    names = (({groups.get(player, "") for player in pair}, times) for pair, times in pair_counts.items())
    return sum(times for name, times in names if len(name) == 1 and name != {""})


def wind_spread(sessions: Sessions) -> int:
    """Return the largest difference between two winds in any player's counts of starting winds."""
    counts: defaultdict[int, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for session in sessions:
        for table in session:
            for wind, player in enumerate(table):
                counts[player][wind] += 1
    return max((max(winds) - min(winds) for winds in counts.values()), default=0)


def _table_most(sessions: Sessions) -> int:
    numbered = (enumerate(session) for session in sessions)
    seats = Counter((player, number) for tables in numbered for number, table in tables for player in table)
    return max(seats.values(), default=0)


# --- Plans as they are stored ---


Seats: TypeAlias = dict[str, int]
"""Starting wind → player number, in the order E, S, W, N."""
Plan: TypeAlias = Sequence[Sequence[Mapping[str, int]]]
"""Session → tables in the order of their numbers → starting wind → player number."""


def as_plan(sessions: Sessions) -> tuple[tuple[Seats, ...], ...]:
    """Convert tables in the order E, S, W, N to seats by wind."""
    return tuple(tuple(dict(zip(WINDS, table, strict=True)) for table in session) for session in sessions)


def as_sessions(plan: Plan) -> Sessions:
    """Convert seats by wind to tables in the order E, S, W, N; KeyError when a wind is missing."""
    return tuple(tuple(as_table([table[wind] for wind in WINDS]) for table in tables) for tables in plan)


def certify(
    plan: Plan,
    *,
    teams: Mapping[int, str] | None = None,
    clubs: Mapping[int, str] | None = None,
    countries: Mapping[int, str] | None = None,
    forbidden: Collection[tuple[int, int]] = (),
) -> Quality:
    """Measure any plan: imported, made by hand, or changed after the draw."""
    return measure(
        as_sessions(plan),
        teams=teams,
        clubs=clubs,
        countries=countries,
        forbidden=[frozenset(pair) for pair in forbidden],
    )


def plan_problems(plan: Plan, known: set[int], first: int = 1) -> list[Problem]:
    """Return everything that keeps a plan from being stored; `first` is the number of its first session."""
    if not plan or not all(plan):
        return [NO_SEATS()]
    return [
        problem
        for number, seating in enumerate(plan, first)
        for problem in _session_problems(number, seating, known)
    ]


def _session_problems(
    session: int, seating: Sequence[Mapping[str, int]], known: set[int]
) -> Iterator[Problem]:
    seated: set[int] = set()
    for table, seats in enumerate(seating, 1):
        where = f"session {session}, table {table}"
        if set(seats) != set(WINDS):
            yield SEATS_NOT_FOUR_WINDS(where)
        for player in seats.values():
            if player not in known:
                yield UNKNOWN_PLAYER(where, player=player)
            elif player in seated:
                yield SEATED_TWICE(where, player=player)
            seated.add(player)


# --- Two plans compared ---


Place: TypeAlias = tuple[int, str]
"""Table number from 1, starting wind."""


@dataclass(frozen=True, slots=True)
class SeatChange:
    """A player whose place in a session (from 1) differs between two plans; None for no seat."""

    session: int
    player: int
    before: Place | None
    after: Place | None


def places_by_player(plan: Plan) -> dict[tuple[int, int], Place]:
    """Return (session from 1, player) → place."""
    return {
        (session, player): (number, wind)
        for session, tables in enumerate(plan, 1)
        for number, seats in enumerate(tables, 1)
        for wind, player in seats.items()
    }


def find_seat_changes(before: Plan, after: Plan) -> tuple[SeatChange, ...]:
    """Return every difference of place between two plans, by session and player."""
    old, new = places_by_player(before), places_by_player(after)
    return tuple(
        SeatChange(*key, old.get(key), new.get(key))
        for key in sorted(old.keys() | new.keys())
        if old.get(key) != new.get(key)
    )


def count_differing_seats(before: Plan, after: Plan) -> tuple[int, int]:
    """Return (seats with another player or none, all seats of both plans); each seat counts once."""
    old, new = (
        {(s, *place): player for (s, player), place in places_by_player(plan).items()}
        for plan in (before, after)
    )
    seats = old.keys() | new.keys()
    return sum(old.get(seat) != new.get(seat) for seat in seats), len(seats)


def repeated_pairs(plan: Plan) -> dict[tuple[int, int], tuple[int, ...]]:
    """Return the pairs (smaller number first) who meet more than once → the sessions (from 1) in which they do."""
    sessions_of: dict[tuple[int, int], tuple[int, ...]] = {}
    for session, a, b in meetings(as_sessions(plan)):
        pair = (min(a, b), max(a, b))
        sessions_of[pair] = (*sessions_of.get(pair, ()), session + 1)
    return {pair: sessions for pair, sessions in sorted(sessions_of.items()) if len(sessions) > 1}


def fingerprint(plan: Plan) -> str:
    """Return twelve characters that identify the seats: of the SHA-256 of their JSON in the order E, S, W, N."""
    seats = [[[table[wind] for wind in WINDS] for table in tables] for tables in plan]
    return sha256(json.dumps(seats).encode()).hexdigest()[:12]


def swap_seats(plan: Plan, a: int, b: int, sessions: Collection[int]) -> tuple[tuple[Seats, ...], ...]:
    """Return the plan with the seats of two players exchanged in the sessions (from 1) given.

    In all sessions that is an exchange of names, and brings no repeat. Raises `SeatingError`: ``swap_with_self``
    {player}, ``no_seat_in_session`` {player, session}.
    """
    if a == b:
        raise SeatingError([SWAP_WITH_SELF("second", player=a)])
    places = places_by_player(plan)
    if missing := [
        NO_SEAT_IN_SESSION(where, player=player, session=session)
        for session in sorted(sessions)
        for where, player in (("first", a), ("second", b))
        if (session, player) not in places
    ]:
        raise SeatingError(missing)
    partner = {a: b, b: a}
    return tuple(
        tuple(
            {
                wind: partner.get(player, player) if number in sessions else player
                for wind, player in table.items()
            }
            for table in session
        )
        for number, session in enumerate(plan, 1)
    )
