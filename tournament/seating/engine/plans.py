"""Plans of seats, wishes, lots, and the certificate of what a draw achieves."""

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
    """Give four players as a table, in the order E, S, W, N; ValueError for any other number."""
    east, south, west, north = players
    return east, south, west, north


def meetings(sessions: Sessions) -> Iterator[tuple[int, int, int]]:
    """(session from 0, one player, another) for everybody who sits together."""
    for number, session in enumerate(sessions):
        for table in session:
            for one, other in combinations(table, 2):
                yield number, one, other


class SeatingError(ValueError):
    """A draw that cannot be made; ``problems`` holds everything that stands in its way."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__(", ".join(problem.code for problem in problems))
        self.problems = tuple(problems)


Item = TypeVar("Item")


class Lots:
    """Lots that anybody can check: the n-th is SHA-256 of ``"seed:n"``, so any language can repeat the draw."""

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._counter = count()

    def below(self, limit: int) -> int:
        """The next number from 0 to ``limit`` − 1 (the bias of 256 bits modulo ``limit`` is nothing)."""
        digest = sha256(f"{self._seed}:{next(self._counter)}".encode()).digest()
        return int.from_bytes(digest, "big") % limit

    def shuffled(self, items: Sequence[Item]) -> list[Item]:
        """The items in drawn order (Fisher-Yates from the end)."""
        drawn = list(items)
        for last in range(len(drawn) - 1, 0, -1):
            other = self.below(last + 1)
            drawn[last], drawn[other] = drawn[other], drawn[last]
        return drawn


# --- Wishes ---


HARD: Final = 10_000
_CLUB: Final = 3
_COUNTRY: Final = 1


@dataclass(frozen=True, slots=True)
class Wishes:
    """Who had better not meet: team-mates and forbidden pairs (hard), club-mates and compatriots (soft).

    Groups are player → name, empty for none; ``pins`` (session from 0, player) → table from 0.
    """

    teams: Mapping[int, str] = field(default_factory=dict)
    clubs: Mapping[int, str] = field(default_factory=dict)
    countries: Mapping[int, str] = field(default_factory=dict)
    forbidden: Collection[frozenset[int]] = ()
    pins: Mapping[tuple[int, int], int] = field(default_factory=dict)

    def weights(self, *, soft: bool = True) -> dict[int, dict[int, int]]:
        """Player → player → what one meeting of the two costs; symmetric, only where it costs something."""
        costs: defaultdict[int, defaultdict[int, int]] = defaultdict(lambda: defaultdict(int))
        kinds = [(self.teams, HARD)] + ([(self.clubs, _CLUB), (self.countries, _COUNTRY)] if soft else [])
        for groups, cost in kinds:
            for members in grouped(groups).values():
                for one, other in combinations(members, 2):
                    costs[one][other] += cost
                    costs[other][one] += cost
        for one, other in (sorted(pair) for pair in self.forbidden):
            costs[one][other] += HARD
            costs[other][one] += HARD
        return {player: dict(others) for player, others in costs.items()}

    def soft_weights(self) -> dict[int, dict[int, int]]:
        """Those of club-mates and compatriots alone."""
        return Wishes(clubs=self.clubs, countries=self.countries).weights()

    def staying(self, stay: Mapping[int, int], sessions: int) -> Wishes:
        """The wishes with players kept at their table (from 1) throughout: so they cannot meet one another."""
        apart = {frozenset(pair) for pair in combinations(stay, 2)}
        pins = {(at, player): table - 1 for player, table in stay.items() for at in range(sessions)}
        return replace(self, forbidden={*self.forbidden, *apart}, pins={**self.pins, **pins})


def wished_apart(
    wishes: Wishes, pairs: Collection[tuple[int, int]], mates: float, pair: float, soft: float
) -> dict[int, dict[int, float]]:
    """Give player → player → what a meeting costs.

    ``mates`` for team-mates, ``pair`` for the pairs, and ``soft`` for compatriots, three times that for club-mates.
    """
    costs = {
        one: {other: soft * cost for other, cost in others.items()}
        for one, others in wishes.soft_weights().items()
    }
    for members in grouped(wishes.teams).values():
        for one in members:
            costs.setdefault(one, {}).update({other: mates for other in members if other != one})
    for one, other in pairs:
        costs.setdefault(one, {})[other] = pair
        costs.setdefault(other, {})[one] = pair
    return costs


def unwished_meetings(sessions: Sessions, weights: Mapping[int, Mapping[int, int]]) -> int:
    """How many meetings cost something by the weights of `Wishes`."""
    return sum(other in weights.get(one, ()) for _, one, other in meetings(sessions))


def grouped(groups: Mapping[int, str]) -> dict[str, list[int]]:
    """Name → members, without the players that have none."""
    members: defaultdict[str, list[int]] = defaultdict(list)
    for player, name in groups.items():
        if name:
            members[name].append(player)
    return dict(members)


# --- The certificate of a draw ---


_PROVED: Final = {(20, 6): 1}
"""Where counting would allow no repeat and a proof says otherwise: a 4-RGDD of type 2^10 does not exist
(exception list in Miller, Valkov, Abel 2026)."""


@dataclass(frozen=True, slots=True)
class Quality:
    """What a draw achieves.

    ``repeats`` counts every meeting of two players after their first; no draw of this size has fewer than
    ``repeats_minimum``, or, where team-mates never meet, no draw that keeps them apart. ``wind_spread`` is the
    most that one player's count of a starting wind exceeds that of another wind; ``table_most`` the most
    sessions that one player has at one table number. Meetings of team-mates, club-mates and compatriots count
    every time; the minimum for teams holds for this number of repeats.
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
        """Whether no draw could have fewer repeats."""
        return self.repeats == self.repeats_minimum

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "best_possible": self.best_possible}


def count_repeats(sessions: Sessions) -> int:
    """Every meeting of two players after their first."""
    met = [frozenset((one, other)) for _, one, other in meetings(sessions)]
    return len(met) - len(set(met))


def repeats_minimum(players: int, sessions: int, apart: int = 0) -> int:
    """A number of repeats that no draw of this size can go below, if ``apart`` pairs must never meet.

    By counting: so many meetings over so few pairs. Below 16 players also because a table of four cannot take
    its players from four different tables of another session; and where a proof is known.
    """
    tables = players // 4
    counted = 6 * tables * sessions - (comb(players, 2) - apart)
    known = _PROVED.get((players, sessions), 0)
    return max(0, counted, known, (sessions - 1) * tables * _forced_pairs(tables))


def _forced_pairs(tables: int) -> int:
    """Pairs that sat together before, at a table filled as evenly as can be from ``tables`` earlier tables."""
    each, more = divmod(4, tables)
    return more * comb(each + 1, 2) + (tables - more) * comb(each, 2)


def group_minimum(sizes: Sequence[int], players: int, sessions: int, repeats: int) -> int:
    """Meetings inside groups of these sizes that no draw with so many repeats can avoid.

    Either because a group is larger than the number of tables, or because there are not enough pairs of
    different groups to fill the seats.
    """
    tables = players // 4
    crowded = 0
    for size in sizes:
        each, more = divmod(size, tables)
        crowded += sessions * (more * comb(each + 1, 2) + (tables - more) * comb(each, 2))
    across = comb(players, 2) - sum(comb(size, 2) for size in sizes)
    return max(crowded, 6 * tables * sessions - repeats - across)


def measure(
    sessions: Sessions,
    *,
    teams: Mapping[int, str] | None = None,
    clubs: Mapping[int, str] | None = None,
    countries: Mapping[int, str] | None = None,
    forbidden: Collection[frozenset[int]] = (),
) -> Quality:
    """The certificate of sessions seated in the order E, S, W, N; groups are player → name."""
    met = Counter(frozenset((one, other)) for _, one, other in meetings(sessions))
    players = 4 * len(sessions[0]) if sessions else 0
    sizes = list(Counter(filter(None, (teams or {}).values())).values())
    repeats = sum(met.values()) - len(met)
    team_meetings = _group_meetings(met, teams)
    kept_apart = 0 if team_meetings else sum(comb(size, 2) for size in sizes)
    return Quality(
        repeats=repeats,
        repeats_minimum=repeats_minimum(players, len(sessions), kept_apart) if sessions else 0,
        most_meetings=max(met.values(), default=0),
        wind_spread=wind_spread(sessions),
        table_most=_table_most(sessions),
        team_meetings=team_meetings,
        team_meetings_minimum=group_minimum(sizes, players, len(sessions), repeats) if sizes else 0,
        club_meetings=_group_meetings(met, clubs),
        country_meetings=_group_meetings(met, countries),
        forbidden_meetings=sum(met[pair] for pair in forbidden),
    )


def _group_meetings(met: Counter[frozenset[int]], groups: Mapping[int, str] | None) -> int:
    """Meetings of two players whose groups have the same, not empty, name."""
    if not groups:
        return 0
    names = (({groups.get(player, "") for player in pair}, times) for pair, times in met.items())
    return sum(times for name, times in names if len(name) == 1 and name != {""})


def wind_spread(sessions: Sessions) -> int:
    """The most that anybody's count of a starting wind exceeds that of another wind."""
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
    """Tables in the order E, S, W, N as seats by wind."""
    return tuple(tuple(dict(zip(WINDS, table, strict=True)) for table in session) for session in sessions)


def as_sessions(plan: Plan) -> Sessions:
    """Seats by wind as tables in the order E, S, W, N; KeyError when a wind is missing."""
    return tuple(tuple(as_table([table[wind] for wind in WINDS]) for table in tables) for tables in plan)


def certify(
    plan: Plan,
    *,
    teams: Mapping[int, str] | None = None,
    clubs: Mapping[int, str] | None = None,
    countries: Mapping[int, str] | None = None,
    forbidden: Collection[tuple[int, int]] = (),
) -> Quality:
    """The certificate of any plan: imported, made by hand, or changed after the draw."""
    return measure(
        as_sessions(plan),
        teams=teams,
        clubs=clubs,
        countries=countries,
        forbidden=[frozenset(pair) for pair in forbidden],
    )


def plan_problems(plan: Plan, known: set[int], first: int = 1) -> list[Problem]:
    """Everything that keeps a plan from being stored; `first` is the number of its first session."""
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
    seen: set[int] = set()
    for table, seats in enumerate(seating, 1):
        where = f"session {session}, table {table}"
        if set(seats) != set(WINDS):
            yield SEATS_NOT_FOUR_WINDS(where)
        for player in seats.values():
            if player not in known:
                yield UNKNOWN_PLAYER(where, player=player)
            elif player in seen:
                yield SEATED_TWICE(where, player=player)
            seen.add(player)


# --- Two plans compared ---


Place: TypeAlias = tuple[int, str]
"""Table number from 1, starting wind."""


@dataclass(frozen=True, slots=True)
class Change:
    """A player who sits elsewhere in a session (from 1); None where the player has no seat."""

    session: int
    player: int
    before: Place | None
    after: Place | None


def places(plan: Plan) -> dict[tuple[int, int], Place]:
    """(session from 1, player) → place."""
    return {
        (session, player): (number, wind)
        for session, tables in enumerate(plan, 1)
        for number, seats in enumerate(tables, 1)
        for wind, player in seats.items()
    }


def changes(before: Plan, after: Plan) -> tuple[Change, ...]:
    """Every seat that differs, by session and player."""
    old, new = places(before), places(after)
    return tuple(
        Change(*key, old.get(key), new.get(key))
        for key in sorted(old.keys() | new.keys())
        if old.get(key) != new.get(key)
    )


def seats_taken_otherwise(before: Plan, after: Plan) -> tuple[int, int]:
    """How many seats somebody else sits in, or nobody, and of how many seats: each counted once for both plans."""
    old, new = (
        {(s, *place): player for (s, player), place in places(plan).items()} for plan in (before, after)
    )
    seats = old.keys() | new.keys()
    return sum(old.get(seat) != new.get(seat) for seat in seats), len(seats)


def repeated_pairs(plan: Plan) -> dict[tuple[int, int], tuple[int, ...]]:
    """Pairs (smaller number first) who meet more than once → the sessions (from 1) in which they do."""
    met: dict[tuple[int, int], tuple[int, ...]] = {}
    for session, one, other in meetings(as_sessions(plan)):
        pair = (min(one, other), max(one, other))
        met[pair] = (*met.get(pair, ()), session + 1)
    return {pair: sessions for pair, sessions in sorted(met.items()) if len(sessions) > 1}


def fingerprint(plan: Plan) -> str:
    """Twelve characters by which to know the same seats: of the SHA-256 of their JSON in the order E, S, W, N."""
    seats = [[[table[wind] for wind in WINDS] for table in tables] for tables in plan]
    return sha256(json.dumps(seats).encode()).hexdigest()[:12]


def swapped(plan: Plan, one: int, other: int, sessions: Collection[int]) -> tuple[tuple[Seats, ...], ...]:
    """The plan with the two in each other's seats in the sessions (from 1) named.

    In all sessions that is an exchange of names, and brings no repeat. Raises `SeatingError`: ``swap_with_self``
    {player}, ``no_seat_in_session`` {player, session}.
    """
    if one == other:
        raise SeatingError([SWAP_WITH_SELF("other", player=one)])
    seated = places(plan)
    if missing := [
        NO_SEAT_IN_SESSION(where, player=player, session=session)
        for session in sorted(sessions)
        for where, player in (("one", one), ("other", other))
        if (session, player) not in seated
    ]:
        raise SeatingError(missing)
    turned = {one: other, other: one}
    return tuple(
        tuple(
            {
                wind: turned.get(player, player) if number in sessions else player
                for wind, player in table.items()
            }
            for table in session
        )
        for number, session in enumerate(plan, 1)
    )
