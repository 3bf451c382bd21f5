"""Exchange search over seats, and over who becomes which number of a finished design."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from math import exp
from random import Random
from typing import Final, TypeAlias

from tournament.seating.engine.plans import Lots, Sessions, Wishes, as_table, grouped, meetings

# --- Exchanging seats ---


_MEETING: Final = (0.0, 1.0, 1.3, 1.9, 2.5)
"""What a meeting costs a pair that has met 0, 1, 2, … times: a repeat 1, the third and later ones more."""
_LOTS: Final = 2**53
_REPAIR_MOVES: Final = 60_000
_TABU: Final = 6


@dataclass(frozen=True, slots=True)
class Cooling:
    """How long to search, and from what temperature to what: a worsening by that much passes one time in e."""

    moves: int
    start: float = 0.35
    end: float = 0.08


class SeatSearch:
    """An exchange search over seats, for what no construction covers: always the same result for the same lots.

    Two players of one session exchange tables; the move stays when it saves something, or now and then when it does
    not (simulated annealing). A pair costs nothing the first time it meets, then more each time. Sessions not in
    ``movable`` only count as played.
    """

    def __init__(
        self,
        sessions: Sessions,
        movable: Collection[int],
        costs: Mapping[int, Mapping[int, float]],
        moving: float = 0.0,
    ) -> None:
        """``costs``: what a meeting of two players costs besides; ``moving``: what leaving the first table costs."""
        self._players = sorted({player for session in sessions for table in session for player in table})
        index = {player: number for number, player in enumerate(self._players)}
        self._seats = [[index[player] for table in session for player in table] for session in sessions]
        self._movable = sorted(movable)
        count = len(self._players)
        self._moving = moving
        self._home = [_tables(row) for row in self._seats]
        self._met = [[0] * count for _ in range(count)]
        for _, one, other in meetings(sessions):
            self._met[index[one]][index[other]] += 1
            self._met[index[other]][index[one]] += 1
        self._wish = {
            index[one]: {index[other]: cost for other, cost in row.items() if other in index}
            for one, row in costs.items()
            if one in index
        }

    def run(self, cooling: Cooling, lots: Lots) -> Sessions:
        """Search, and give back all sessions with the best seats found."""
        random = Random(lots.below(_LOTS)).random
        best, balance, saved = [list(seats) for seats in self._seats], 0.0, 0.0
        ratio = cooling.end / cooling.start
        temperature = cooling.start
        for move in range(cooling.moves if self._movable else 0):
            if move % 256 == 0:
                temperature = cooling.start * ratio ** (move / cooling.moves)
            session = self._movable[int(random() * len(self._movable))]
            seats = self._seats[session]
            one, other = int(random() * len(seats)), int(random() * len(seats))
            if one // 4 == other // 4:
                continue
            change = self._change(seats, one, other)
            if self._moving:
                change += self._moving * self._moved(session, one, other)
            if change <= 0 or random() < exp(-change / temperature):
                self._exchange(seats, one, other)
                balance += change
                if balance < saved - 1e-9:
                    saved, best = balance, [list(row) for row in self._seats]
        return self._named(best)

    def mend(self, evaluations: int, lots: Lots) -> Sessions:
        """Give a player who meets somebody again the best other table, over and over; leaves the rest alone.

        Tabu search: an exchange may make things worse, but is not taken back at once.
        """
        random = Random(lots.below(_LOTS)).random
        best, balance, saved = [list(seats) for seats in self._seats], 0.0, 0.0
        tabu: dict[tuple[int, int], int] = {}
        for step in range(evaluations // len(self._players)):
            conflicts = self._conflicts()
            if not conflicts:
                break
            session, seat = conflicts[int(random() * len(conflicts))]
            change, other = self._best_exchange(
                session, seat, {key for key in tabu if tabu[key] > step}, random
            )
            tabu[session, self._seats[session][seat]] = step + _TABU + int(random() * _TABU)
            self._exchange(self._seats[session], seat, other)
            balance += change
            if balance < saved - 1e-9:
                saved, best = balance, [list(row) for row in self._seats]
        return self._named(best)

    def _conflicts(self) -> list[tuple[int, int]]:
        """(session, seat) in the movable sessions of everybody who meets a person again, or against a wish."""
        return [
            (session, seat)
            for session in self._movable
            for seat, player in enumerate(self._seats[session])
            if any(
                self._met[player][person] > 1 or person in self._wish.get(player, ())
                for person in _neighbours(self._seats[session], seat)
            )
        ]

    def _best_exchange(
        self, session: int, seat: int, tabu: Collection[tuple[int, int]], random: Callable[[], float]
    ) -> tuple[float, int]:
        """The exchange of this seat that adds least, and what it adds; equals are drawn."""
        seats = self._seats[session]
        offers = [
            (
                self._change(seats, seat, other) + self._moving * self._moved(session, seat, other),
                random(),
                other,
            )
            for other in range(len(seats))
            if other // 4 != seat // 4 and (session, seats[other]) not in tabu
        ]
        if not offers:
            return 0.0, seat
        change, _, other = min(offers)
        return change, other

    def _change(self, seats: Sequence[int], one: int, other: int) -> float:
        """What exchanging two seats would add to the cost."""
        here, there = seats[one], seats[other]
        met_here, met_there = self._met[here], self._met[there]
        wish_here, wish_there = self._wish.get(here, {}), self._wish.get(there, {})
        change = 0.0
        for person in _neighbours(seats, one):
            change -= _meeting_cost(met_here[person] - 1) + wish_here.get(person, 0.0)
            change += _meeting_cost(met_there[person]) + wish_there.get(person, 0.0)
        for person in _neighbours(seats, other):
            change -= _meeting_cost(met_there[person] - 1) + wish_there.get(person, 0.0)
            change += _meeting_cost(met_here[person]) + wish_here.get(person, 0.0)
        return change

    def _moved(self, session: int, one: int, other: int) -> int:
        """How many more players would then be away from the table they had at the start."""
        home, seats = self._home[session], self._seats[session]
        change = 0
        for seat, to in ((one, other), (other, one)):
            table = home[seats[seat]]
            change += (seat // 4 == table) - (to // 4 == table)
        return change

    def _exchange(self, seats: list[int], one: int, other: int) -> None:
        here, there = seats[one], seats[other]
        for person in _neighbours(seats, one):
            self._count(here, person, -1)
            self._count(there, person, 1)
        for person in _neighbours(seats, other):
            self._count(there, person, -1)
            self._count(here, person, 1)
        seats[one], seats[other] = there, here

    def _count(self, one: int, other: int, step: int) -> None:
        self._met[one][other] += step
        self._met[other][one] += step

    def _named(self, rows: Sequence[Sequence[int]]) -> Sessions:
        return tuple(
            tuple(
                as_table([self._players[player] for player in seats[first : first + 4]])
                for first in range(0, len(seats), 4)
            )
            for seats in rows
        )


def _tables(seats: Sequence[int]) -> dict[int, int]:
    """Player → table from 0."""
    return {player: seat // 4 for seat, player in enumerate(seats)}


def _neighbours(seats: Sequence[int], seat: int) -> list[int]:
    first = seat // 4 * 4
    return [seats[at] for at in range(first, first + 4) if at != seat]


def _meeting_cost(met: int) -> float:
    return _MEETING[met] if met < len(_MEETING) else _MEETING[-1] + met - len(_MEETING)


def repaired(sessions: Sessions, hard: Mapping[int, Mapping[int, int]], lots: Lots) -> Sessions:
    """Give the sessions with hard wishes met as far as the search gets, at the price of as few repeats as it finds."""
    search = SeatSearch(sessions, range(len(sessions)), hard)
    return search.run(Cooling(_REPAIR_MOVES), lots)


# --- Labels of a finished design ---


Labelling: TypeAlias = list[int]
"""label → player"""
Blocks: TypeAlias = Sequence[Sequence[int]]

_LOOKUPS = 400_000
"""How many meetings the search may look at: about a tenth of a second."""


def relabelled(sessions: Sessions, labelling: Labelling) -> Sessions:
    """The sessions with players in place of labels."""
    return tuple(
        tuple((labelling[a], labelling[b], labelling[c], labelling[d]) for a, b, c, d in session)
        for session in sessions
    )


def place_groups(players: Sequence[int], wishes: Wishes, blocks: Blocks, lots: Lots) -> Labelling:
    """Lay players on the labels of a finished design, groups on blocks of labels that never meet.

    A block is a column, or a spare session's table. Teams come first, the largest first, each on a drawn block with
    room for all of it. A team that fits nowhere whole is spread over what is left. Clubs and countries follow in the
    same way.
    """
    room = [lots.shuffled(block) for block in lots.shuffled(blocks)]
    labels = sum(len(block) for block in room)
    labelling = [0] * labels
    loose = list(players)
    for groups in (wishes.teams, wishes.clubs, wishes.countries):
        members = grouped({player: groups.get(player, "") for player in loose})
        for group in sorted(lots.shuffled([*members.values()]), key=len, reverse=True):
            _place(group, room, labelling, loose)
    free = [label for block in room for label in block]
    for label, player in zip(free, lots.shuffled(loose), strict=True):
        labelling[label] = player
    return labelling


def _place(group: Sequence[int], room: list[list[int]], labelling: Labelling, loose: list[int]) -> None:
    """Lay a group on the fullest block that has room for it, if there is one."""
    fitting = [block for block in room if len(block) >= len(group)]
    if not fitting:
        return
    block = min(fitting, key=len)
    for player in group:
        labelling[block.pop()] = player
        loose.remove(player)


def improve(
    labelling: Labelling, sessions: Sessions, weights: Mapping[int, Mapping[int, int]], lots: Lots
) -> Labelling:
    """Exchange the labels of two players while that lowers the cost of the meetings, without bringing a repeat back.

    Early meetings cost more.
    """
    if not weights:
        return labelling
    search = _LabelSearch(labelling, sessions, weights)
    search.run(lots)
    return search.players


class _LabelSearch:
    def __init__(
        self, labelling: Labelling, sessions: Sessions, weights: Mapping[int, Mapping[int, int]]
    ) -> None:
        self.players = list(labelling)
        self._weights = weights
        self._met: list[list[tuple[int, int]]] = [[] for _ in labelling]
        for number, one, other in meetings(sessions):
            factor = 2 * len(sessions) - number
            self._met[one].append((other, factor))
            self._met[other].append((one, factor))
        self._budget = _LOOKUPS // max(1, 3 * len(sessions))

    def run(self, lots: Lots) -> None:
        """Give every player with a cost the best of a few drawn exchanges, until none helps or time is up."""
        improved = True
        while improved and self._budget > 0:
            improved = False
            costs = [self._cost(label, self.players[label]) for label in range(len(self.players))]
            unhappy = [label for label in range(len(costs)) if costs[label]]
            for label in sorted(unhappy, key=costs.__getitem__, reverse=True):
                improved |= self._exchange(label, lots)

    def _exchange(self, label: int, lots: Lots) -> bool:
        """Exchange with the partner that saves most among a few tens, if any does."""
        mine = self._cost(label, self.players[label])
        if not mine or self._budget <= 0:
            return False
        count = len(self.players)
        partners = range(count) if count <= 64 else [lots.below(count) for _ in range(48)]
        saved, best = max((self._saving(label, partner, mine), partner) for partner in partners)
        if saved <= 0:
            return False
        self._swap(label, best)
        return True

    def _saving(self, label: int, partner: int, mine: int) -> int:
        self._budget -= 3
        theirs = self._cost(partner, self.players[partner])
        self._swap(label, partner)
        after = self._cost(label, self.players[label]) + self._cost(partner, self.players[partner])
        self._swap(label, partner)
        return mine + theirs - after

    def _swap(self, one: int, other: int) -> None:
        self.players[one], self.players[other] = self.players[other], self.players[one]

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
