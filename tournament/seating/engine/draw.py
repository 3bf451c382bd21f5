"""The draw of a whole event, what it follows from, and the seats of a final."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from scoring.engine.problems import Problem, problem_code
from tournament.base.engine.rules import SEATS_PER_TABLE
from tournament.seating.engine.designs import Candidate, candidates, costlier_candidates, without_repeats
from tournament.seating.engine.numbers import next_winds, with_table_numbers, with_winds
from tournament.seating.engine.plans import (
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
    grouped,
    measure,
    meetings,
    repeats_minimum,
    unwished_meetings,
)
from tournament.seating.engine.search import improve, place_groups, relabelled, repaired

SUBSTITUTES_NEEDED = problem_code(
    "substitutes_needed", "{players} players do not fill whole tables. Still needed: {substitutes}."
)
TEAM_TOO_LARGE = problem_code(
    "team_too_large", "Team “{team}” has {size} players, more than the {tables} tables."
)
REPEATS_UNAVOIDABLE = problem_code(
    "repeats_unavoidable", "Nobody meeting twice is possible for {most} sessions, not for {sessions}."
)
REPEATS_OR_WISHES = problem_code(
    "repeats_or_wishes",
    "With {sessions} sessions nobody can meet twice only if team-mates or pairs to be kept apart meet.",
)
PLAYER_TWICE = problem_code("player_twice", "Player {player} is named twice.")
PLAYER_UNKNOWN = problem_code("player_unknown", "Player {player} is not in this draw.")
PAIR_OF_ONE = problem_code("pair_of_one", "Player {player} cannot be kept apart from the same player.")
TABLE_UNKNOWN = problem_code("table_unknown", "There is no table {table}: the tables are 1 to {tables}.")
TABLE_SHARED = problem_code("table_shared", "Only one player can stay at table {table}, not {players}.")
STAY_IMPOSSIBLE = problem_code(
    "stay_impossible",
    "Player {player} cannot stay at table {table} beside the other players who stay at theirs.",
)
TOO_FEW_PLAYERS = problem_code("too_few_players", "{players} players are too few: a draw starts at {least}.")
SESSIONS_NOT_POSITIVE = problem_code(
    "sessions_not_positive", "A tournament has at least one session.", also=("sessions",)
)


@dataclass(frozen=True, slots=True)
class Draw:
    """Session → tables in the order of their numbers → seats; the seed repeats it exactly."""

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
    """Draw ``sessions`` sessions for the player numbers given; the same arguments always give the same draw.

    Nobody meets twice for as many sessions as that is known to be possible, and everybody has each starting
    wind once in every block of four sessions. Team-mates (player → team, empty for none) and ``forbidden``
    pairs do not meet, at the price of repeats if need be; without ``teams_first`` they meet as rarely as goes
    without costing a repeat. Club-mates and compatriots meet late and rarely.
    ``stay``: player → table number (from 1) that the player keeps throughout. With ``no_repeats`` a draw is
    refused that cannot meet these hard wishes without a repeat.

    Raises `SeatingError` with every problem: ``substitutes_needed`` {players, substitutes},
    ``too_few_players`` {players, least}, ``player_twice`` {player}, ``sessions_not_positive`` {sessions},
    ``player_unknown`` {player} (where: teams, forbidden, stay …), ``team_too_large`` {team, size, tables},
    ``pair_of_one`` {player}, ``table_unknown`` {table, tables}, ``table_shared`` {table, players},
    ``stay_impossible`` {player, table}: the player would have to meet another who keeps a table;
    ``repeats_unavoidable`` {sessions, most}: most is how many sessions go without; ``repeats_or_wishes``:
    without repeats team-mates or forbidden pairs would meet.
    """
    forbidden_pairs = {frozenset(pair) for pair in forbidden}
    wishes = Wishes(teams or {}, clubs or {}, countries or {}, forbidden_pairs)
    stays = stay or {}
    if problems := [*size_problems(players, sessions), *wish_problems(players, wishes, forbidden, stays)]:
        raise SeatingError(problems)
    lots = Lots(seed)
    wishes = wishes.staying(stays, sessions)
    seated = _best_seating(players, sessions, wishes, teams_first and not no_repeats, lots)
    numbered = with_table_numbers(with_winds(seated, lots), lots, wishes.pins)
    if strayed := _strayed(numbered, wishes):
        raise SeatingError(strayed)
    quality = measure(
        numbered,
        teams=wishes.teams,
        clubs=wishes.clubs,
        countries=wishes.countries,
        forbidden=forbidden_pairs,
    )
    if no_repeats and (quality.repeats or quality.team_meetings or quality.forbidden_meetings):
        raise SeatingError([repeats_problem(len(players), sessions)])
    return Draw(tuple(players), seed, as_plan(numbered), quality)


@dataclass(frozen=True)
class DrawWish:
    """What an organiser wishes of a draw: players by number; `stay` holds (player, table number from 1).

    Team-mates meet as rarely as goes without anybody meeting twice; with `teams` never, at that price if need be.
    With `clubs` club-mates, with `countries` compatriots meet late and rarely. `sessions`: so many are drawn in
    advance, the others later one by one; None for all of them.
    """

    teams: bool = False
    clubs: bool = False
    countries: bool = False
    forbidden: tuple[tuple[int, int], ...] = ()
    stay: tuple[tuple[int, int], ...] = ()
    sessions: int | None = None


def _strayed(numbered: Sessions, wishes: Wishes) -> list[Problem]:
    """A problem for each player who is not at the table that was to be kept."""
    strayed = {
        player: number + 1
        for (session, player), number in wishes.pins.items()
        if player not in numbered[session][number]
    }
    return [STAY_IMPOSSIBLE("stay", player=player, table=table) for player, table in strayed.items()]


def _best_seating(
    players: Sequence[int], sessions: int, wishes: Wishes, teams_first: bool, lots: Lots
) -> Sessions:
    """The first design on which no hard wish is broken, else the one that breaks fewest; see `draw`."""
    hard, weights = wishes.weights(soft=False), wishes.weights()
    fewest = None
    for candidate in candidates(len(players), sessions):
        seated = _on_design(candidate, players, wishes, weights, lots)
        rank = unwished_meetings(seated, hard), count_repeats(seated)
        fewest = min(fewest or (rank, seated), (rank, seated), key=lambda pair: pair[0])
        if not fewest[0][0]:
            break
    if fewest is None:
        raise AssertionError("every size has a design")
    if not fewest[0][0] or not teams_first:
        return fewest[1]
    return _with_repeats(fewest[1], players, wishes, lots)


def _with_repeats(best: Sessions, players: Sequence[int], wishes: Wishes, lots: Lots) -> Sessions:
    """Hard wishes met by allowing repeats: the fewest broken, then the fewest repeats, of several ways."""
    hard, weights = wishes.weights(soft=False), wishes.weights()
    starts = [best]
    for candidate in costlier_candidates(len(players), len(best)):
        starts.append(_on_design(candidate, players, wishes, weights, lots))
    starts.sort(key=lambda seated: (unwished_meetings(seated, hard), count_repeats(seated)))
    least = repeats_minimum(len(players), len(best), sum(map(len, hard.values())) // 2)
    if not unwished_meetings(starts[0], hard) and count_repeats(starts[0]) == least:
        return starts[0]
    ways = [starts[0], repaired(starts[0], hard, lots), repaired(best, hard, lots)]
    return min(ways, key=lambda seated: (unwished_meetings(seated, hard), count_repeats(seated)))


def _on_design(
    candidate: Candidate,
    players: Sequence[int],
    wishes: Wishes,
    weights: Mapping[int, Mapping[int, int]],
    lots: Lots,
) -> Sessions:
    """Players drawn onto a design; sessions in drawn order, those with fewest soft meetings first."""
    design = tuple(lots.shuffled(candidate.sessions))
    labelling = place_groups(players, wishes, candidate.blocks, lots)
    seated = relabelled(design, improve(labelling, design, weights, lots))
    if not weights:
        return seated
    costs = Counter(dict.fromkeys(range(len(seated)), 0))
    for number, one, other in meetings(seated):
        costs[number] += weights.get(one, {}).get(other, 0)
    return tuple(seated[number] for number in sorted(costs, key=lambda number: costs[number]))


@dataclass(frozen=True, slots=True)
class Inputs:
    """The arguments of `draw`, as they are kept and published: whoever has them can draw the same seats again.

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
        """The draw that follows; `SeatingError` as `draw` raises it."""
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
        """Whether players 1 to N are drawn without any wish, so that size and seed say everything."""
        wishes = self.teams or self.clubs or self.countries or self.forbidden or self.stay
        return not wishes and self.players == tuple(range(1, len(self.players) + 1))

    def binding(self, players: Sequence[int]) -> Inputs:
        """The wishes that still hold when these players are here, at a quarter as many tables."""
        here, tables = set(players), len(players) // 4
        stay = {player: table for player, table in self.stay.items() if player in here and table <= tables}
        forbidden = tuple(pair for pair in self.forbidden if here.issuperset(pair))
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
    def from_json(cls, data: Mapping[str, Any]) -> Inputs:
        """What `to_json` wrote; KeyError, TypeError or ValueError for anything else.

        Groups are brought into the order of their players: a database may give them back in another. Draws from
        before players had clubs say nothing of them.
        """
        return cls(
            players=tuple(int(player) for player in data["players"]),
            sessions=int(data["sessions"]),
            seed=str(data["seed"]),
            teams={number: str(name) for number, name in _from_json_keys(data["teams"])},
            clubs={number: str(name) for number, name in _from_json_keys(data.get("clubs", {}))},
            countries={number: str(name) for number, name in _from_json_keys(data["countries"])},
            forbidden=tuple((int(one), int(other)) for one, other in data["forbidden"]),
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
    """So many sessions: the first group at the first tables, and everybody at the winds started at least so far.

    A group of four stays together; a larger one is drawn as an event of its own, whoever met before.
    """
    drawn = [_group_sessions(group, sessions, f"{seed}/{number}") for number, group in enumerate(groups, 1)]
    before = list(as_sessions(played))
    seated: list[Session] = []
    for at in range(sessions):
        tables = tuple(table for session in drawn for table in session[at])
        seated.append(next_winds(tables, [*before, *seated]))
    return as_plan(tuple(seated))


def _group_sessions(group: Sequence[int], sessions: int, seed: str) -> Sequence[Session]:
    if len(group) == SEATS_PER_TABLE:
        return [(as_table(list(group)),)] * sessions
    return as_sessions(draw(tuple(group), sessions, seed=seed).sessions)


LEAST_PLAYERS: Final = 8


def size_problems(players: Sequence[int], sessions: int) -> Iterator[Problem]:
    """Numbers that cannot be seated at full tables."""
    count = len(players)
    substitutes = -count % SEATS_PER_TABLE
    if count + substitutes < LEAST_PLAYERS:
        yield TOO_FEW_PLAYERS("players", players=count, least=LEAST_PLAYERS)
    elif substitutes:
        yield SUBSTITUTES_NEEDED("players", players=count, substitutes=substitutes)
    for player, times in Counter(players).items():
        if times > 1:
            yield PLAYER_TWICE("players", player=player)
    if sessions < 1:
        yield SESSIONS_NOT_POSITIVE("sessions", sessions=sessions)


def wish_problems(
    players: Sequence[int], wishes: Wishes, forbidden: Collection[tuple[int, int]], stay: Mapping[int, int]
) -> Iterator[Problem]:
    """Wishes about people or tables that there are not, or that no draw could meet."""
    known = set(players)
    tables = len(players) // SEATS_PER_TABLE
    named = {
        "teams": wishes.teams,
        "clubs": wishes.clubs,
        "countries": wishes.countries,
        "forbidden": [player for pair in forbidden for player in pair],
        "stay": stay,
    }
    for where, people in named.items():
        for player in sorted(set(people) - known):
            yield PLAYER_UNKNOWN(where, player=player)
    for one, other in forbidden:
        if one == other:
            yield PAIR_OF_ONE("forbidden", player=one)
    for team, members in grouped(wishes.teams).items():
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
    """Said when no repeats are wanted and some are left."""
    most = len(without_repeats(players, sessions))
    if most == sessions:
        return REPEATS_OR_WISHES("teams", sessions=sessions)
    return REPEATS_UNAVOIDABLE("sessions", sessions=sessions, most=most)
