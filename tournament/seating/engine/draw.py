"""The draw of a whole event with the inputs it follows from, and the sessions of a final."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from scoring.engine.problems import Problem, problem_code
from tournament.base.engine.rules import SEATS_PER_TABLE
from tournament.seating.engine.designs import Candidate, candidates, costlier_candidates, repeat_free_design
from tournament.seating.engine.numbers import assign_next_winds, assign_table_numbers, assign_winds
from tournament.seating.engine.plans import (
    Constraints,
    Plan,
    Quality,
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
    measure,
    meetings,
    members_by_group,
    repeats_minimum,
)
from tournament.seating.engine.search import improve_labelling, place_groups, relabel, repair_constraints

SUBSTITUTES_NEEDED = problem_code(
    "substitutes_needed",
    "{players} player does not fill whole tables. Still needed: {substitutes}.",
    "{players} players do not fill whole tables. Still needed: {substitutes}.",
    by="players",
)
TEAM_TOO_LARGE = problem_code(
    "team_too_large",
    "Team “{team}” has {size} players, but there is only {tables} table.",
    "Team “{team}” has {size} players, but there are only {tables} tables.",
    by="tables",
)
REPEATS_UNAVOIDABLE = problem_code(
    "repeats_unavoidable",
    "Without repeat meetings at most {maximum} session is possible, not {sessions}.",
    "Without repeat meetings at most {maximum} sessions are possible, not {sessions}.",
    by="maximum",
)
REPEATS_OR_WISHES = problem_code(
    "repeats_or_wishes",
    "With {sessions} sessions, repeat meetings can only be avoided if team-mates or pairs that must not meet "
    "play at one table.",
)
PLAYER_TWICE = problem_code("player_twice", "Player {player} is named twice.")
PLAYER_UNKNOWN = problem_code("player_unknown", "Player {player} is not in this draw.")
PAIR_OF_ONE = problem_code("pair_of_one", "A pair needs two different players, not player {player} twice.")
TABLE_UNKNOWN = problem_code("table_unknown", "There is no table {table}: the tables are 1 to {tables}.")
TABLE_SHARED = problem_code("table_shared", "Only one player can stay at table {table}, not {players}.")
STAY_IMPOSSIBLE = problem_code(
    "stay_impossible",
    "Player {player} cannot always be at table {table} together with the other fixed players.",
)
TOO_FEW_PLAYERS = problem_code(
    "too_few_players",
    "{players} player is too few: a draw needs at least {minimum}.",
    "{players} players are too few: a draw needs at least {minimum}.",
    by="players",
)
SESSIONS_NOT_POSITIVE = problem_code(
    "sessions_not_positive", "A tournament has at least one session.", also=("sessions",)
)


@dataclass(frozen=True, slots=True)
class Draw:
    """A drawn event: session → tables in the order of their numbers → seats; the seed repeats it exactly."""

    players: tuple[int, ...]
    seed: str
    sessions: tuple[tuple[Seats, ...], ...]
    quality: Quality

    def to_json(self) -> dict[str, Any]:
        sessions = [{"tables": list(session)} for session in self.sessions]
        quality = self.quality.to_json()
        return {"players": len(self.players), "seed": self.seed, "sessions": sessions, "quality": quality}


def draw(
    players: Sequence[int],
    sessions: int,
    *,
    seed: str,
    teams: Mapping[int, str] | None = None,
    clubs: Mapping[int, str] | None = None,
    countries: Mapping[int, str] | None = None,
    forbidden: Collection[tuple[int, int]] = (),
    stay: Mapping[int, int] | None = None,
    teams_first: bool = True,
    no_repeats: bool = False,
) -> Draw:
    """Draw ``sessions`` sessions for the player numbers; the same arguments always give the same draw.

    Nobody meets twice for as many sessions as that is known to be possible, and everybody has each starting
    wind once in every block of four sessions. Team-mates (player → team, empty for none) and ``forbidden``
    pairs do not meet, at the price of repeats if need be; without ``teams_first`` they meet as rarely as possible
    without a repeat. Club-mates and compatriots meet late and rarely.
    ``stay``: player → table number (from 1) that the player keeps throughout. With ``no_repeats`` a draw is
    refused that cannot meet these hard constraints without a repeat.

    Raises `SeatingError` with every problem: ``substitutes_needed`` {players, substitutes},
    ``too_few_players`` {players, least}, ``player_twice`` {player}, ``sessions_not_positive`` {sessions},
    ``player_unknown`` {player} (where: teams, forbidden, stay …), ``team_too_large`` {team, size, tables},
    ``pair_of_one`` {player}, ``table_unknown`` {table, tables}, ``table_shared`` {table, players},
    ``stay_impossible`` {player, table}: the player would have to meet another who keeps a table;
    ``repeats_unavoidable`` {sessions, most}: most is the number of sessions possible without; ``repeats_or_wishes``:
    without repeats team-mates or forbidden pairs would meet.
    """
    forbidden_pairs = {frozenset(pair) for pair in forbidden}
    constraints = Constraints(teams or {}, clubs or {}, countries or {}, forbidden_pairs)
    stays = stay or {}
    problems = [
        *size_problems(players, sessions),
        *constraint_problems(players, constraints, forbidden, stays),
    ]
    if problems:
        raise SeatingError(problems)
    rng = SeededRandom(seed)
    constraints = constraints.with_stays(stays, sessions)
    seated = _best_seating(players, sessions, constraints, teams_first and not no_repeats, rng)
    numbered = assign_table_numbers(assign_winds(seated, rng), rng, constraints.pins)
    if broken_stays := _broken_stays(numbered, constraints):
        raise SeatingError(broken_stays)
    quality = measure(
        numbered,
        teams=constraints.teams,
        clubs=constraints.clubs,
        countries=constraints.countries,
        forbidden=forbidden_pairs,
    )
    if no_repeats and (quality.repeats or quality.team_meetings or quality.forbidden_meetings):
        raise SeatingError([repeats_problem(len(players), sessions)])
    return Draw(tuple(players), seed, as_plan(numbered), quality)


def _broken_stays(numbered: Sessions, constraints: Constraints) -> list[Problem]:
    """Return a problem for each player who is not at their pinned table."""
    moved = {
        player: number + 1
        for (session, player), number in constraints.pins.items()
        if player not in numbered[session][number]
    }
    return [STAY_IMPOSSIBLE("stay", player=player, table=table) for player, table in moved.items()]


def _best_seating(
    players: Sequence[int], sessions: int, constraints: Constraints, teams_first: bool, rng: SeededRandom
) -> Sessions:
    """Return the first seating on a design without a broken hard constraint, else the one with fewest; see `draw`."""
    hard, weights = constraints.weights(soft=False), constraints.weights()
    fewest = None
    for candidate in candidates(len(players), sessions):
        seated = _seat_on_design(candidate, players, constraints, weights, rng)
        rank = count_unwanted_meetings(seated, hard), count_repeats(seated)
        fewest = min(fewest or (rank, seated), (rank, seated), key=lambda pair: pair[0])
        if not fewest[0][0]:
            break
    if fewest is None:
        raise AssertionError("every size has a design")
    if not fewest[0][0] or not teams_first:
        return fewest[1]
    return _seat_with_repeats(fewest[1], players, constraints, rng)


def _seat_with_repeats(
    best: Sessions, players: Sequence[int], constraints: Constraints, rng: SeededRandom
) -> Sessions:
    """Allow repeats to meet hard constraints: the fewest broken, then the fewest repeats, of several attempts."""
    hard, weights = constraints.weights(soft=False), constraints.weights()
    starts = [best]
    for candidate in costlier_candidates(len(players), len(best)):
        starts.append(_seat_on_design(candidate, players, constraints, weights, rng))
    starts.sort(key=lambda seated: (count_unwanted_meetings(seated, hard), count_repeats(seated)))
    minimum = repeats_minimum([players] * len(best), sum(map(len, hard.values())) // 2)
    if not count_unwanted_meetings(starts[0], hard) and count_repeats(starts[0]) == minimum:
        return starts[0]
    options = [starts[0], repair_constraints(starts[0], hard, rng), repair_constraints(best, hard, rng)]
    return min(options, key=lambda seated: (count_unwanted_meetings(seated, hard), count_repeats(seated)))


def _seat_on_design(
    candidate: Candidate,
    players: Sequence[int],
    constraints: Constraints,
    weights: Mapping[int, Mapping[int, int]],
    rng: SeededRandom,
) -> Sessions:
    """Assign players to a design; sessions in random order, those with fewest soft meetings first."""
    design = tuple(rng.shuffled(candidate.sessions))
    labelling = place_groups(players, constraints, candidate.blocks, rng)
    seated = relabel(design, improve_labelling(labelling, design, weights, rng))
    if not weights:
        return seated
    costs = Counter(dict.fromkeys(range(len(seated)), 0))
    for number, a, b in meetings(seated):
        costs[number] += weights.get(a, {}).get(b, 0)
    return tuple(seated[number] for number in sorted(costs, key=lambda number: costs[number]))


@dataclass(frozen=True)
class DrawOptions:
    """What an organiser chooses for a draw: players by number; `stay` holds (player, table number from 1).

    Team-mates meet as rarely as possible without a repeat; with `teams` never, even at the price of repeats.
    With `clubs` club-mates, with `countries` compatriots meet late and rarely. `sessions`: how many are drawn in
    advance, the others later one by one; None for all of them.
    """

    teams: bool = False
    clubs: bool = False
    countries: bool = False
    forbidden: tuple[tuple[int, int], ...] = ()
    stay: tuple[tuple[int, int], ...] = ()
    sessions: int | None = None


@dataclass(frozen=True, slots=True)
class DrawInputs:
    """The arguments of `draw`, as they are stored and published: they give the same seats again.

    Groups are player → name; ``stay`` is player → table number from 1.
    """

    players: tuple[int, ...]
    sessions: int
    seed: str
    teams: Mapping[int, str] = field(default_factory=dict)
    clubs: Mapping[int, str] = field(default_factory=dict)
    countries: Mapping[int, str] = field(default_factory=dict)
    forbidden: tuple[tuple[int, int], ...] = ()
    stay: Mapping[int, int] = field(default_factory=dict)
    teams_first: bool = False

    def draw(self) -> Draw:
        """Return the draw that follows; raises `SeatingError` as `draw` does."""
        return draw(
            self.players,
            self.sessions,
            seed=self.seed,
            teams=self.teams,
            clubs=self.clubs,
            countries=self.countries,
            forbidden=self.forbidden,
            stay=self.stay,
            teams_first=self.teams_first,
        )

    @property
    def is_plain(self) -> bool:
        """Return whether players 1 to N are drawn without constraints, so that size and seed suffice to repeat it."""
        constraints = self.teams or self.clubs or self.countries or self.forbidden or self.stay
        return not constraints and self.players == tuple(range(1, len(self.players) + 1))

    def for_players(self, players: Sequence[int]) -> DrawInputs:
        """Return the inputs with the constraints that still apply to these players, at a quarter as many tables."""
        present, tables = set(players), len(players) // 4
        stay = {player: table for player, table in self.stay.items() if player in present and table <= tables}
        forbidden = tuple(pair for pair in self.forbidden if present.issuperset(pair))
        return replace(self, players=tuple(players), forbidden=forbidden, stay=stay)

    def to_json(self) -> dict[str, Any]:
        return {
            "players": list(self.players),
            "sessions": self.sessions,
            "seed": self.seed,
            "teams": _to_json_keys(self.teams),
            "clubs": _to_json_keys(self.clubs),
            "countries": _to_json_keys(self.countries),
            "forbidden": [list(pair) for pair in self.forbidden],
            "stay": _to_json_keys(self.stay),
            "teams_first": self.teams_first,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> DrawInputs:
        """Read what `to_json` wrote; KeyError, TypeError or ValueError for anything else.

        Groups are sorted by player, as a database may return keys in another order. Old draws have no clubs.
        """
        return cls(
            players=tuple(int(player) for player in data["players"]),
            sessions=int(data["sessions"]),
            seed=str(data["seed"]),
            teams={number: str(name) for number, name in _from_json_keys(data["teams"])},
            clubs={number: str(name) for number, name in _from_json_keys(data.get("clubs", {}))},
            countries={number: str(name) for number, name in _from_json_keys(data["countries"])},
            forbidden=tuple((int(a), int(b)) for a, b in data["forbidden"]),
            stay={number: int(table) for number, table in _from_json_keys(data["stay"])},
            teams_first=bool(data["teams_first"]),
        )


def _to_json_keys(values: Mapping[int, Any]) -> dict[str, Any]:
    return {str(player): value for player, value in sorted(values.items())}


def _from_json_keys(values: Mapping[str, Any]) -> list[tuple[int, Any]]:
    return sorted((int(player), value) for player, value in values.items())


def final_sessions(
    groups: Sequence[Sequence[int]], sessions: int, *, seed: str, played: Plan
) -> tuple[tuple[Seats, ...], ...]:
    """Draw the sessions of a final: the first group at the first tables, everybody at the winds they had least.

    A group of four stays together; a larger one is drawn as an event of its own, whoever met before.
    """
    drawn = [_group_sessions(group, sessions, f"{seed}/{number}") for number, group in enumerate(groups, 1)]
    played_sessions = list(as_sessions(played))
    seated: list[Session] = []
    for index in range(sessions):
        tables = tuple(table for session in drawn for table in session[index])
        seated.append(assign_next_winds(tables, [*played_sessions, *seated]))
    return as_plan(tuple(seated))


def _group_sessions(group: Sequence[int], sessions: int, seed: str) -> Sequence[Session]:
    if len(group) == SEATS_PER_TABLE:
        return [(as_table(list(group)),)] * sessions
    return as_sessions(draw(tuple(group), sessions, seed=seed).sessions)


MIN_PLAYERS: Final = 8


def size_problems(players: Sequence[int], sessions: int) -> Iterator[Problem]:
    """Yield the reasons why these numbers cannot be seated at full tables."""
    count = len(players)
    substitutes = -count % SEATS_PER_TABLE
    if count + substitutes < MIN_PLAYERS:
        yield TOO_FEW_PLAYERS("players", players=count, minimum=MIN_PLAYERS)
    elif substitutes:
        yield SUBSTITUTES_NEEDED("players", players=count, substitutes=substitutes)
    for player, times in Counter(players).items():
        if times > 1:
            yield PLAYER_TWICE("players", player=player)
    if sessions < 1:
        yield SESSIONS_NOT_POSITIVE("sessions", sessions=sessions)


def constraint_problems(
    players: Sequence[int],
    groups: Constraints,
    forbidden: Collection[tuple[int, int]],
    stay: Mapping[int, int],
) -> Iterator[Problem]:
    """Yield constraints about unknown players or tables, and those that no draw could meet."""
    known = set(players)
    tables = len(players) // SEATS_PER_TABLE
    mentioned = {
        "teams": groups.teams,
        "clubs": groups.clubs,
        "countries": groups.countries,
        "forbidden": [player for pair in forbidden for player in pair],
        "stay": stay,
    }
    for where, people in mentioned.items():
        for player in sorted(set(people) - known):
            yield PLAYER_UNKNOWN(where, player=player)
    for a, b in forbidden:
        if a == b:
            yield PAIR_OF_ONE("forbidden", player=a)
    for team, members in members_by_group(groups.teams).items():
        if len(members) > tables:
            yield TEAM_TOO_LARGE("teams", team=team, size=len(members), tables=tables)
    yield from _stay_problems(stay, tables)


def _stay_problems(stay: Mapping[int, int], tables: int) -> Iterator[Problem]:
    for table, people in Counter(stay.values()).items():
        if not 1 <= table <= tables:
            yield TABLE_UNKNOWN("stay", table=table, tables=tables)
        if people > 1:
            yield TABLE_SHARED("stay", table=table, players=people)


def repeats_problem(players: int, sessions: int) -> Problem:
    """Return why a draw without repeats is not possible."""
    maximum = len(repeat_free_design(players, sessions))
    if maximum == sessions:
        return REPEATS_OR_WISHES("teams", sessions=sessions)
    return REPEATS_UNAVOIDABLE("sessions", sessions=sessions, maximum=maximum)
