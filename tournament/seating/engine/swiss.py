"""Seating one session at a time, by standing (Swiss), at intervals or by lot, with the inputs its seats follow from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import combinations
from math import exp
from random import Random
from typing import Any, Final

from tournament.base.engine.rules import WINDS
from tournament.seating.engine.draw import STAY_IMPOSSIBLE, size_problems
from tournament.seating.engine.next_session import (
    SearchBudget,
    can_continue,
    cheapest_in_design,
    cheapest_session,
    exclude_met,
)
from tournament.seating.engine.numbers import assign_next_winds, move_to_tables
from tournament.seating.engine.plans import (
    HARD,
    Constraints,
    Plan,
    SeatingError,
    Seats,
    SeededRandom,
    Session,
    as_plan,
    as_sessions,
    as_table,
    meeting_costs,
    meetings,
)
from tournament.seating.engine.search import SeatSearch


class SeatingMethod(StrEnum):
    """How a single session is seated."""

    STANDING = "standing"
    INTERVAL = "interval"
    LOT = "lot"

    @property
    def needs_standings(self) -> bool:
        return self is not SeatingMethod.LOT


@dataclass(frozen=True, slots=True)
class SessionInputs:
    """The inputs of one session's seats, as they are stored and published: they give the same seats again.

    ``players``: best first where the standings count; ``others``: every other session's seats, numbered as they are.
    ``forbidden`` pairs do not meet, nor do ``teams`` (player → name), with ``teams_first`` even at the price of
    repeats; players of one of ``clubs`` or ``countries`` rarely do. ``stay`` is player → table number from 1. At
    intervals the standings decide alone, and only the table numbers are kept. ``left``: how many sessions are still
    to be seated after this one.
    """

    method: SeatingMethod
    players: tuple[int, ...]
    others: Plan
    seed: str
    teams: Mapping[int, str] = field(default_factory=dict)
    clubs: Mapping[int, str] = field(default_factory=dict)
    countries: Mapping[int, str] = field(default_factory=dict)
    forbidden: tuple[tuple[int, int], ...] = ()
    stay: Mapping[int, int] = field(default_factory=dict)
    teams_first: bool = False
    left: int = 0

    def seats(self) -> tuple[Seats, ...]:
        """Return the tables; raises `SeatingError` as `draw` does for the players, and ``stay_impossible``."""
        (session,) = as_sessions([self._unpinned_seats()])
        numbered = move_to_tables(session, self.stay)
        if broken_stays := [
            STAY_IMPOSSIBLE("stay", player=player, table=table)
            for player, table in self.stay.items()
            if not (table <= len(numbered) and player in numbered[table - 1])
        ]:
            raise SeatingError(broken_stays)
        (seats,) = as_plan((numbered,))
        return seats

    def _unpinned_seats(self) -> tuple[Seats, ...]:
        if self.method is SeatingMethod.INTERVAL:
            return interval_session(self.players, self.others)
        apart = (*self.forbidden, *combinations(self.stay, 2))
        common: dict[str, Any] = {
            "seed": self.seed,
            "constraints": Constraints(self.teams, self.clubs, self.countries),
            "apart": apart,
            "teams_first": self.teams_first,
        }
        if self.method is SeatingMethod.LOT:
            return random_session(self.players, self.others, **common)
        return swiss_session(self.players, self.others, left=self.left, **common)

    def to_json(self) -> dict[str, Any]:
        return {
            "how": self.method.value,
            "players": list(self.players),
            "others": [list(map(dict, session)) for session in self.others],
            "seed": self.seed,
            "teams": {str(player): name for player, name in sorted(self.teams.items())},
            "clubs": {str(player): name for player, name in sorted(self.clubs.items())},
            "countries": {str(player): name for player, name in sorted(self.countries.items())},
            "forbidden": [list(pair) for pair in self.forbidden],
            "stay": {str(player): table for player, table in sorted(self.stay.items())},
            "teams_first": self.teams_first,
            "left": self.left,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> SessionInputs:
        """Read what `to_json` wrote; KeyError, TypeError or ValueError for anything else.

        Old sessions have no clubs and countries.
        """
        return cls(
            method=SeatingMethod(data["how"]),
            players=tuple(int(player) for player in data["players"]),
            others=tuple(_seats_from_json(session) for session in data["others"]),
            seed=str(data["seed"]),
            teams={int(player): str(name) for player, name in data["teams"].items()},
            clubs={int(player): str(name) for player, name in data.get("clubs", {}).items()},
            countries={int(player): str(name) for player, name in data.get("countries", {}).items()},
            forbidden=tuple((int(a), int(b)) for a, b in data["forbidden"]),
            stay={int(player): int(table) for player, table in data["stay"].items()},
            teams_first=bool(data["teams_first"]),
            left=int(data["left"]),
        )


def _seats_from_json(session: Sequence[Mapping[str, Any]]) -> tuple[Seats, ...]:
    return tuple({wind: int(table[wind]) for wind in WINDS} for table in session)


def rank_spreads(tables: Sequence[Mapping[str, int]], order: Sequence[int]) -> tuple[int, ...]:
    """Return for each table how many ranks lie between its best and its last player in ``order``, best first."""
    rank = {player: place for place, player in enumerate(order)}
    ranks_by_table = [[rank[player] for player in table.values() if player in rank] for table in tables]
    return tuple(max(ranks, default=0) - min(ranks, default=0) for ranks in ranks_by_table)


WINDOW: Final = 16
_REPEAT: Final = 20_000
_HARD: Final = 1_000_000
_SWISS_TEAM: Final = _REPEAT // 2
_SWISS_COUNTRY: Final = 64
"""In squared ranks: compatriots meet as reluctantly as players 8 ranks apart, club-mates as 14 ranks apart."""
_SHAKES: Final = 40
_SHAKE_SWAPS: Final = 3
_MOVES_PER_PLAYER: Final = 600
_MOVES: Final = 60_000
_HOT: Final = 200.0
_COLD: Final = 4.0
"""Temperatures in squared ranks: at first a worsening by 14 ranks passes easily, in the end one by 2."""
_EXACT_MAX_PLAYERS: Final = 48
_LOOK_AHEAD: Final = 2
"""Sessions."""
_SEEDS: Final = 2**53


def swiss_session(
    order: Sequence[int],
    played: Plan = (),
    *,
    seed: str,
    constraints: Constraints | None = None,
    apart: Collection[tuple[int, int]] = (),
    teams_first: bool = True,
    left: int = 0,
    window: int = WINDOW,
) -> tuple[Seats, ...]:
    """Seat the next session for players in the order of the standings, best first: neighbours meet, nobody twice.

    Tables are blocks of four by standing; then players within a window of ranks exchange tables while that saves
    something. A pair that met m times before costs far more than any difference in rank. Where that still leaves
    somebody meeting again, and there are not too many players, an exact search goes through all sessions. For more
    sessions than can be chosen freely, the session comes from a design without repeats (`cheapest_in_design`).

    ``played`` are the other sessions. Tables come in the order of their best player, players at the winds they have
    had least. Team-mates and the pairs of ``apart`` meet only where nothing else is possible; without ``teams_first``
    team-mates rather meet than two players again. Club-mates and compatriots give way to players a few ranks off.
    With few players a more expensive session is taken if the ``left`` sessions to follow can then go without repeats
    too. Raises `SeatingError` as `draw` does for the players.
    """
    if problems := [*size_problems(order, 1)]:
        raise SeatingError(problems)
    before = as_sessions(played)
    met: Counter[tuple[int, int]] = Counter()
    for _, a, b in meetings(before):
        met[a, b] += 1
        met[b, a] += 1
    costs = meeting_costs(
        constraints or Constraints(), apart, _HARD if teams_first else _SWISS_TEAM, _HARD, _SWISS_COUNTRY
    )
    ranked = _RankedSeats(order, met, costs, window)
    random = Random(SeededRandom(seed).below(_SEEDS)).random
    session_of_design = cheapest_in_design(order, before, left, ranked.table_cost, random)
    if session_of_design is None or any(ranked.table_cost(table) >= _REPEAT for table in session_of_design):
        ranked.optimise(random, min(left, _LOOK_AHEAD))
    else:
        ranked.set_tables(session_of_design)
    (session,) = as_plan((assign_next_winds(ranked.session(), before),))
    return session


class _RankedSeats:
    """The seats of one session by number (table = seat // 4), each with the rank (from 0) that sits there."""

    def __init__(
        self,
        order: Sequence[int],
        met: Counter[tuple[int, int]],
        costs: Mapping[int, Mapping[int, float]],
        window: int,
    ) -> None:
        self._order = order
        self._window = window
        self._seats = list(range(len(order)))
        self._seat_of = list(range(len(order)))
        self._extra = _pair_costs(order, met, costs)

    def session(self) -> Session:
        """Return the tables, best rank first within a table and among tables."""
        ranks = sorted(sorted(self._seats[first : first + 4]) for first in range(0, len(self._seats), 4))
        return tuple(as_table([self._order[rank] for rank in table]) for table in ranks)

    def set_tables(self, tables: Session) -> None:
        """Seat the ranks at these tables."""
        self._restore([rank for table in tables for rank in table])

    def optimise(self, random: Callable[[], float], left: int) -> None:
        """Exchange until nothing helps; then anneal; then shake the pairs that still meet again."""
        self._descend()
        best, cost = list(self._seats), self._total()
        self._anneal(random)
        self._descend()
        if self._total() > cost:
            self._restore(best)
        self._shake(random)
        if len(self._order) <= _EXACT_MAX_PLAYERS:
            self._search_exactly(left)

    def _search_exactly(self, left: int) -> None:
        """Where somebody meets again, or would later, take the cheapest session without that, whatever the window."""
        count = len(self._order)
        allowed = [
            sum(1 << other for other in range(count) if other != rank and extra.get(other, 0) < _REPEAT)
            for rank, extra in enumerate(self._extra)
        ]
        tables = [as_table(self._seats[first : first + 4]) for first in range(0, count, 4)]
        has_repeats = bool(self._repeating_ranks())
        if not has_repeats and can_continue(exclude_met(allowed, tables), left, SearchBudget()):
            return
        for ahead in range(left, -1 if has_repeats else 0, -1):
            cheapest = cheapest_session(allowed, self.table_cost, SearchBudget(), left=ahead)
            if cheapest is not None:
                self.set_tables(cheapest)
                return

    def table_cost(self, ranks: Sequence[int]) -> float:
        """Return the cost of four ranks at one table."""
        return sum((a - b) ** 2 + self._extra[a].get(b, 0) for a, b in combinations(ranks, 2))

    def _repeating_ranks(self) -> list[int]:
        """Return the ranks who meet somebody again, or against a hard constraint."""
        return [rank for rank in range(len(self._seats)) if self._cost(rank, self._seat_of[rank]) >= _REPEAT]

    def _anneal(self, random: Callable[[], float]) -> None:
        """Exchange at random within the window; exchanges that raise the cost pass ever more rarely."""
        count = len(self._seats)
        moves = min(_MOVES_PER_PLAYER * count, _MOVES)
        temperature = _HOT
        for move in range(moves):
            if move % 256 == 0:
                temperature = _HOT * (_COLD / _HOT) ** (move / moves)
            a = int(random() * count)
            b = a - self._window + int(random() * (2 * self._window + 1))
            if not 0 <= b < count or self._seat_of[a] // 4 == self._seat_of[b] // 4:
                continue
            saving = self._saving(a, b)
            if saving >= 0 or random() < exp(saving / temperature):
                self._swap(a, b)

    def _shake(self, random: Callable[[], float]) -> None:
        """While pairs meet again, make a few random exchanges of one of them and descend from there."""
        best, cost = list(self._seats), self._total()
        for _ in range(_SHAKES):
            repeating = self._repeating_ranks()
            if not repeating:
                break
            for _ in range(_SHAKE_SWAPS):
                rank = repeating[int(random() * len(repeating))]
                near = self._near(rank)
                self._swap(rank, near[int(random() * len(near))])
            self._descend()
            if (total := self._total()) < cost:
                best, cost = list(self._seats), total
            else:
                self._restore(best)
        self._restore(best)

    def _descend(self) -> None:
        """Give each player in turn the best exchange within the window, until none helps."""
        improved = True
        while improved:
            improved = False
            for rank in range(len(self._seats)):
                saving, other = max((self._saving(rank, near), near) for near in self._near(rank))
                if saving > 0:
                    self._swap(rank, other)
                    improved = True

    def _near(self, rank: int) -> list[int]:
        """Return the ranks in the window that sit at other tables."""
        table = self._seat_of[rank] // 4
        window = range(max(0, rank - self._window), min(len(self._seats), rank + self._window + 1))
        return [near for near in window if self._seat_of[near] // 4 != table]

    def _saving(self, a: int, b: int) -> float:
        seat_a, seat_b = self._seat_of[a], self._seat_of[b]
        cost = self._cost(a, seat_a) + self._cost(b, seat_b)
        return cost - self._cost(a, seat_b) - self._cost(b, seat_a)

    def _cost(self, rank: int, seat: int) -> float:
        """Return the cost of a rank at a seat, against the other three of the table."""
        first = seat // 4 * 4
        extra = self._extra[rank]
        cost = 0.0
        for at in range(first, first + 4):
            if at != seat:
                other = self._seats[at]
                cost += (rank - other) ** 2 + extra.get(other, 0)
        return cost

    def _total(self) -> float:
        return sum(self._cost(rank, seat) for seat, rank in enumerate(self._seats))

    def _swap(self, a: int, b: int) -> None:
        seat_a, seat_b = self._seat_of[a], self._seat_of[b]
        self._seats[seat_a], self._seats[seat_b] = b, a
        self._seat_of[a], self._seat_of[b] = seat_b, seat_a

    def _restore(self, seats: Sequence[int]) -> None:
        self._seats = list(seats)
        for seat, rank in enumerate(self._seats):
            self._seat_of[rank] = seat


def _pair_costs(
    order: Sequence[int], met: Counter[tuple[int, int]], extra_costs: Mapping[int, Mapping[int, float]]
) -> list[dict[int, float]]:
    """Return rank → rank → cost of the two at one table besides the difference of their ranks."""
    rank_of = {player: rank for rank, player in enumerate(order)}
    costs: list[dict[int, float]] = [{} for _ in order]
    for (a, b), times in met.items():
        if a in rank_of and b in rank_of:
            costs[rank_of[a]][rank_of[b]] = _REPEAT * (2 * times - 1)
    for a, rank in rank_of.items():
        for b, cost in extra_costs.get(a, {}).items():
            if b in rank_of:
                costs[rank][rank_of[b]] = costs[rank].get(rank_of[b], 0) + cost
    return costs


_EVALUATIONS: Final = 60_000
_RANDOM_TEAM: Final = 0.5
"""Cost of a meeting of team-mates where they may meet; a repeat costs 1."""
_RANDOM_COUNTRY: Final = 0.1
"""Cost of a meeting of compatriots; club-mates cost three times that."""


def random_session(
    players: Sequence[int],
    played: Plan = (),
    *,
    seed: str,
    constraints: Constraints | None = None,
    apart: Collection[tuple[int, int]] = (),
    teams_first: bool = True,
) -> tuple[Seats, ...]:
    """Draw the next session by lot, then change as little as is needed for nobody to meet again.

    Nor do team-mates meet, or a pair of ``apart``; without ``teams_first`` team-mates rather meet than two players
    again. Club-mates and compatriots meet as rarely as possible without either.

    Players sit at the winds they have had least. Raises `SeatingError` as `draw` does for the players.
    """
    if problems := [*size_problems(players, 1)]:
        raise SeatingError(problems)
    rng = SeededRandom(seed)
    before = as_sessions(played)
    costs = meeting_costs(
        constraints or Constraints(), apart, HARD if teams_first else _RANDOM_TEAM, HARD, _RANDOM_COUNTRY
    )
    drawn = _split_into_tables(rng.shuffled(players))
    search = SeatSearch((*before, drawn), [len(before)], costs)
    return _seats_with_winds(search.tabu_search(_EVALUATIONS, rng)[-1], before)


def interval_session(order: Sequence[int], played: Plan = ()) -> tuple[Seats, ...]:
    """Seat the next session by standing, best first: with 16 players 1-5-9-13 at table 1, 2-6-10-14 at table 2 …

    Raises `SeatingError` as `draw` does for the players.
    """
    if problems := [*size_problems(order, 1)]:
        raise SeatingError(problems)
    tables = len(order) // 4
    ordered = [order[place + quarter * tables] for place in range(tables) for quarter in range(4)]
    return _seats_with_winds(_split_into_tables(ordered), as_sessions(played))


def _split_into_tables(players: Sequence[int]) -> Session:
    return tuple(as_table(list(players[first : first + 4])) for first in range(0, len(players), 4))


def _seats_with_winds(session: Session, before: Sequence[Session]) -> tuple[Seats, ...]:
    (seats,) = as_plan((assign_next_winds(session, before),))
    return seats
