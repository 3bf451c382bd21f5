"""Exchange searches: over the seats of sessions, and over which player gets which label of a finished design."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from math import exp
from random import Random
from typing import Final, TypeAlias

from tournament.seating.engine.plans import (
    Constraints,
    SeededRandom,
    Sessions,
    as_table,
    meetings,
    members_by_group,
)

# --- Exchanging seats ---


_MEETING: Final = (0.0, 1.0, 1.3, 1.9, 2.5)
"""Cost of the next meeting of a pair that has met 0, 1, 2, … times: a repeat 1, the third and later ones more."""
_SEEDS: Final = 2**53
_REPAIR_MOVES: Final = 60_000
_TABU_STEPS: Final = 6


@dataclass(frozen=True, slots=True)
class Cooling:
    """Moves and temperatures of a simulated annealing: a rise in cost by the temperature is accepted with odds 1/e."""

    moves: int
    start: float = 0.35
    end: float = 0.08


class SeatSearch:
    """A search that exchanges the tables of two players of one session; deterministic for a given generator.

    Used for sizes that no construction covers. A pair costs nothing the first time it meets, then more each time.
    Sessions that are not in ``movable`` count as played.
    """

    def __init__(
        self,
        sessions: Sessions,
        movable: Collection[int],
        costs: Mapping[int, Mapping[int, float]],
        move_cost: float = 0.0,
    ) -> None:
        """``costs``: player → player → extra cost of a meeting; ``move_cost``: of leaving the first table."""
        self._players = sorted({player for session in sessions for table in session for player in table})
        index = {player: number for number, player in enumerate(self._players)}
        self._seats = [[index[player] for table in session for player in table] for session in sessions]
        self._movable = sorted(movable)
        count = len(self._players)
        self._move_cost = move_cost
        self._first_tables = [_tables(row) for row in self._seats]
        self._met = [[0] * count for _ in range(count)]
        for _, a, b in meetings(sessions):
            self._met[index[a]][index[b]] += 1
            self._met[index[b]][index[a]] += 1
        self._costs = {
            index[a]: {index[b]: cost for b, cost in row.items() if b in index}
            for a, row in costs.items()
            if a in index
        }

    def anneal(self, cooling: Cooling, rng: SeededRandom) -> Sessions:
        """Search by simulated annealing; return all sessions with the cheapest seats found."""
        random = Random(rng.below(_SEEDS)).random
        best_seats, balance, lowest = [list(seats) for seats in self._seats], 0.0, 0.0
        ratio = cooling.end / cooling.start
        temperature = cooling.start
        for move in range(cooling.moves if self._movable else 0):
            if move % 256 == 0:
                temperature = cooling.start * ratio ** (move / cooling.moves)
            session = self._movable[int(random() * len(self._movable))]
            seats = self._seats[session]
            a, b = int(random() * len(seats)), int(random() * len(seats))
            if a // 4 == b // 4:
                continue
            change = self._change(seats, a, b)
            if self._move_cost:
                change += self._move_cost * self._moved_change(session, a, b)
            if change <= 0 or random() < exp(-change / temperature):
                self._exchange(seats, a, b)
                balance += change
                if balance < lowest - 1e-9:
                    lowest, best_seats = balance, [list(row) for row in self._seats]
        return self._as_sessions(best_seats)

    def tabu_search(self, evaluations: int, rng: SeededRandom) -> Sessions:
        """Repeatedly give a player who meets somebody again the best other table; return all sessions.

        Changes less than `anneal`. An exchange may raise the cost, but is not reversed for some steps.
        """
        random = Random(rng.below(_SEEDS)).random
        best_seats, balance, lowest = [list(seats) for seats in self._seats], 0.0, 0.0
        tabu: dict[tuple[int, int], int] = {}
        for step in range(evaluations // len(self._players)):
            conflicts = self._conflicts()
            if not conflicts:
                break
            session, seat = conflicts[int(random() * len(conflicts))]
            change, other = self._best_exchange(
                session, seat, {key for key in tabu if tabu[key] > step}, random
            )
            tabu[session, self._seats[session][seat]] = step + _TABU_STEPS + int(random() * _TABU_STEPS)
            self._exchange(self._seats[session], seat, other)
            balance += change
            if balance < lowest - 1e-9:
                lowest, best_seats = balance, [list(row) for row in self._seats]
        return self._as_sessions(best_seats)

    def _conflicts(self) -> list[tuple[int, int]]:
        """Return (session, seat) of everybody in a movable session who has a repeat or a meeting with an extra cost."""
        return [
            (session, seat)
            for session in self._movable
            for seat, player in enumerate(self._seats[session])
            if any(
                self._met[player][person] > 1 or person in self._costs.get(player, ())
                for person in _neighbours(self._seats[session], seat)
            )
        ]

    def _best_exchange(
        self, session: int, seat: int, tabu: Collection[tuple[int, int]], random: Callable[[], float]
    ) -> tuple[float, int]:
        """Return (added cost, other seat) of the cheapest exchange of this seat; ties are broken at random."""
        seats = self._seats[session]
        exchanges = [
            (
                self._change(seats, seat, other) + self._move_cost * self._moved_change(session, seat, other),
                random(),
                other,
            )
            for other in range(len(seats))
            if other // 4 != seat // 4 and (session, seats[other]) not in tabu
        ]
        if not exchanges:
            return 0.0, seat
        change, _, other = min(exchanges)
        return change, other

    def _change(self, seats: Sequence[int], a: int, b: int) -> float:
        """Return how much exchanging two seats adds to the cost."""
        player_a, player_b = seats[a], seats[b]
        met_a, met_b = self._met[player_a], self._met[player_b]
        costs_a, costs_b = self._costs.get(player_a, {}), self._costs.get(player_b, {})
        change = 0.0
        for person in _neighbours(seats, a):
            change -= _meeting_cost(met_a[person] - 1) + costs_a.get(person, 0.0)
            change += _meeting_cost(met_b[person]) + costs_b.get(person, 0.0)
        for person in _neighbours(seats, b):
            change -= _meeting_cost(met_b[person] - 1) + costs_b.get(person, 0.0)
            change += _meeting_cost(met_a[person]) + costs_a.get(person, 0.0)
        return change

    def _moved_change(self, session: int, a: int, b: int) -> int:
        """Return how many more players are away from their first table after an exchange of two seats."""
        first_tables, seats = self._first_tables[session], self._seats[session]
        change = 0
        for seat, new_seat in ((a, b), (b, a)):
            table = first_tables[seats[seat]]
            change += (seat // 4 == table) - (new_seat // 4 == table)
        return change

    def _exchange(self, seats: list[int], a: int, b: int) -> None:
        player_a, player_b = seats[a], seats[b]
        for person in _neighbours(seats, a):
            self._count(player_a, person, -1)
            self._count(player_b, person, 1)
        for person in _neighbours(seats, b):
            self._count(player_b, person, -1)
            self._count(player_a, person, 1)
        seats[a], seats[b] = player_b, player_a

    def _count(self, a: int, b: int, step: int) -> None:
        self._met[a][b] += step
        self._met[b][a] += step

    def _as_sessions(self, rows: Sequence[Sequence[int]]) -> Sessions:
        return tuple(
            tuple(
                as_table([self._players[player] for player in seats[first : first + 4]])
                for first in range(0, len(seats), 4)
            )
            for seats in rows
        )


def _tables(seats: Sequence[int]) -> dict[int, int]:
    """Return player → table from 0."""
    return {player: seat // 4 for seat, player in enumerate(seats)}


def _neighbours(seats: Sequence[int], seat: int) -> list[int]:
    first = seat // 4 * 4
    return [seats[other] for other in range(first, first + 4) if other != seat]


def _meeting_cost(met: int) -> float:
    return _MEETING[met] if met < len(_MEETING) else _MEETING[-1] + met - len(_MEETING)


def repair_constraints(
    sessions: Sessions, hard: Mapping[int, Mapping[int, int]], rng: SeededRandom
) -> Sessions:
    """Return the sessions, annealed to break as few hard constraints and repeat as few meetings as possible."""
    search = SeatSearch(sessions, range(len(sessions)), hard)
    return search.anneal(Cooling(_REPAIR_MOVES), rng)


# --- Labels of a design ---


Labelling: TypeAlias = list[int]
"""label → player"""
Blocks: TypeAlias = Sequence[Sequence[int]]

_LOOKUPS = 400_000
"""The most meetings that the search looks up, about a tenth of a second."""


def relabel(sessions: Sessions, labelling: Labelling) -> Sessions:
    """Return the sessions with players in place of labels."""
    return tuple(
        tuple((labelling[a], labelling[b], labelling[c], labelling[d]) for a, b, c, d in session)
        for session in sessions
    )


def place_groups(
    players: Sequence[int], constraints: Constraints, blocks: Blocks, rng: SeededRandom
) -> Labelling:
    """Assign players to the labels of a design, groups to blocks of labels that never meet.

    A block is a column, or the table of a spare session. Teams come first, the largest first, each on a random block
    with room for all of it. A team for which no block has room is spread over the remaining labels. Clubs and countries
    follow in the same way.
    """
    free = [rng.shuffled(block) for block in rng.shuffled(blocks)]
    labels = sum(len(block) for block in free)
    labelling = [0] * labels
    unplaced = list(players)
    for groups in (constraints.teams, constraints.clubs, constraints.countries):
        members = members_by_group({player: groups.get(player, "") for player in unplaced})
        for group in sorted(rng.shuffled([*members.values()]), key=len, reverse=True):
            _place(group, free, labelling, unplaced)
    remaining = [label for block in free for label in block]
    for label, player in zip(remaining, rng.shuffled(unplaced), strict=True):
        labelling[label] = player
    return labelling


def _place(group: Sequence[int], free: list[list[int]], labelling: Labelling, unplaced: list[int]) -> None:
    """Assign a group to the fullest block that has room for it, if there is one."""
    large_enough = [block for block in free if len(block) >= len(group)]
    if not large_enough:
        return
    block = min(large_enough, key=len)
    for player in group:
        labelling[block.pop()] = player
        unplaced.remove(player)


def improve_labelling(
    labelling: Labelling, sessions: Sessions, weights: Mapping[int, Mapping[int, int]], rng: SeededRandom
) -> Labelling:
    """Exchange the labels of two players while that lowers the cost of the meetings; repeats stay the same.

    Early meetings cost more.
    """
    if not weights:
        return labelling
    search = _LabelSearch(labelling, sessions, weights)
    search.run(rng)
    return search.players


class _LabelSearch:
    def __init__(
        self, labelling: Labelling, sessions: Sessions, weights: Mapping[int, Mapping[int, int]]
    ) -> None:
        self.players = list(labelling)
        self._weights = weights
        self._met: list[list[tuple[int, int]]] = [[] for _ in labelling]
        for number, a, b in meetings(sessions):
            factor = 2 * len(sessions) - number
            self._met[a].append((b, factor))
            self._met[b].append((a, factor))
        self._budget = _LOOKUPS // max(1, 3 * len(sessions))

    def run(self, rng: SeededRandom) -> None:
        """Give every player with a cost the best of a few random exchanges, until none helps or the budget is spent."""
        improved = True
        while improved and self._budget > 0:
            improved = False
            costs = [self._cost(label, self.players[label]) for label in range(len(self.players))]
            costly = [label for label in range(len(costs)) if costs[label]]
            for label in sorted(costly, key=costs.__getitem__, reverse=True):
                improved |= self._exchange(label, rng)

    def _exchange(self, label: int, rng: SeededRandom) -> bool:
        """Exchange with the partner that saves most among a few tens; return whether one saves anything."""
        cost = self._cost(label, self.players[label])
        if not cost or self._budget <= 0:
            return False
        count = len(self.players)
        partners = range(count) if count <= 64 else [rng.below(count) for _ in range(48)]
        saving, partner = max((self._saving(label, partner, cost), partner) for partner in partners)
        if saving <= 0:
            return False
        self._swap(label, partner)
        return True

    def _saving(self, label: int, partner: int, cost: int) -> int:
        self._budget -= 3
        partner_cost = self._cost(partner, self.players[partner])
        self._swap(label, partner)
        after = self._cost(label, self.players[label]) + self._cost(partner, self.players[partner])
        self._swap(label, partner)
        return cost + partner_cost - after

    def _swap(self, a: int, b: int) -> None:
        self.players[a], self.players[b] = self.players[b], self.players[a]

    def _cost(self, label: int, player: int) -> int:
        weights = self._weights.get(player)
        if not weights:
            return 0
        players = self.players
        return sum(
            weights[players[other]] * factor
            for other, factor in self._met[label]
            if players[other] in weights
        )
