"""Table numbers and starting winds of a plan, and the seats of one player hand by hand."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, cycle, permutations
from math import comb
from typing import Final, TypeAlias

from tournament.base.engine.rules import (
    APPENDIX_2,
    HANDS_PER_SESSION,
    WINDS,
    Chart,
    dealer,
    occupants,
    position,
    prevalent_wind,
    seat_wind,
)
from tournament.seating.engine.plans import SeededRandom, Session, Sessions, Table, as_table

# --- Table numbers ---


_EXCHANGE_MAX_TABLES = 32
"""With more tables numbers are not exchanged afterwards: hardly anybody sees one twice anyway."""
_MAX_LOOKS = 30_000
"""Limit of the exchanges examined, in whole rounds: more than enough for the sizes of real events."""
_TRIALS = 12
_TRIALS_MAX_TABLES = 6
"""With so few tables it takes several starts to reach the optimum."""


def assign_table_numbers(
    sessions: Sessions, rng: SeededRandom, pins: Mapping[tuple[int, int], int] | None = None
) -> Sessions:
    """Order the tables of each session by number, so that players get to a new table as long as possible.

    ``pins``: (session from 0, player) → table from 0 that the player must sit at.
    """
    fixed = pins or {}
    tables = len(sessions[0]) if sessions else 0
    numbered = _number_in_turn(sessions, rng, fixed)
    if tables > _EXCHANGE_MAX_TABLES:
        return _as_tuples(numbered)
    minimum = -(-len(sessions) // max(1, tables))
    trials = [numbered]
    for _ in range(_TRIALS if tables <= _TRIALS_MAX_TABLES else 1):
        visits = _even_out(trials[-1], fixed)
        if max(visits.values(), default=0) <= minimum:
            return _as_tuples(trials[-1])
        trials.append(_number_in_turn(sessions, rng, fixed))
    return _as_tuples(min(trials[:-1], key=_unevenness))


def move_to_tables(session: Session, stay: Mapping[int, int]) -> Session:
    """Exchange table numbers so that each player of ``stay`` sits at their table (from 1).

    A table that does not exist is ignored; of two players at one table the first in ``stay`` gets it.
    """
    numbered = list(session)
    taken: set[int] = set()
    for player, table in stay.items():
        current = next((number for number, four in enumerate(numbered) if player in four), None)
        target = table - 1
        if current is None or current in taken or target in taken or target >= len(numbered):
            continue
        numbered[current], numbered[target] = numbered[target], numbered[current]
        taken.add(target)
    return tuple(numbered)


def _as_tuples(numbered: Sequence[Sequence[Table]]) -> Sessions:
    return tuple(tuple(session) for session in numbered)


def _unevenness(numbered: Sequence[Sequence[Table]]) -> tuple[int, int]:
    """Return the most visits of a player to one table, and how many times that number occurs."""
    visits = _visits(numbered).values()
    maximum = max(visits)
    return maximum, sum(times == maximum for times in visits)


def _number_in_turn(
    sessions: Sessions, rng: SeededRandom, pins: Mapping[tuple[int, int], int]
) -> list[list[Table]]:
    """Number the tables session by session, new to all four players where possible."""
    visited: dict[int, int] = {}
    numbered = []
    for index, session in enumerate(sessions):
        fixed = {player: number for (at, player), number in pins.items() if at == index}
        ordered = _number_session(session, visited, rng, fixed)
        numbered.append(list(ordered))
        for number, table in enumerate(ordered):
            for player in table:
                visited[player] = visited.get(player, 0) | 1 << number
    return numbered


def _number_session(
    session: Session, visited: Mapping[int, int], rng: SeededRandom, fixed: Mapping[int, int]
) -> Session:
    free = list(range(len(session)))
    order: list[Table | None] = [None] * len(session)
    unpinned = []
    for table in rng.shuffled(session):
        number = next((fixed[player] for player in table if player in fixed), None)
        if number is None:
            unpinned.append(table)
        else:
            order[number] = table
            free.remove(number)
    for table, number in zip(_match_numbers(unpinned, free, visited), free, strict=True):
        order[number] = table
    return tuple(table for table in order if table is not None)


def _match_numbers(tables: Sequence[Table], free: Sequence[int], visited: Mapping[int, int]) -> list[Table]:
    """Return the tables in the order of the free numbers, new to all four players where possible."""
    all_free = sum(1 << number for number in free)
    matching = _Matching([all_free & ~_tables_visited(table, visited) for table in tables])
    unmatched = [index for index in range(len(tables)) if not matching.place(index)]
    places = matching.places
    places.update(zip([number for number in free if number not in places], unmatched, strict=True))
    return [tables[places[number]] for number in free]


def _tables_visited(table: Table, visited: Mapping[int, int]) -> int:
    """Return the tables where any of the four has been, as a bit mask."""
    east, south, west, north = (visited.get(player, 0) for player in table)
    return east | south | west | north


class _Matching:
    """A bipartite matching of tables to numbers, by augmenting paths."""

    def __init__(self, allowed: Sequence[int]) -> None:
        self.places: dict[int, int] = {}
        self._allowed = allowed
        self._taken = 0
        self._tried = 0

    def place(self, index: int) -> bool:
        self._tried = 0
        return self._place(index)

    def _place(self, index: int) -> bool:
        if direct := self._allowed[index] & ~self._taken:
            number = direct.bit_length() - 1
            self._taken |= 1 << number
            self.places[number] = index
            return True
        while options := self._allowed[index] & ~self._tried:
            number = options.bit_length() - 1
            self._tried |= 1 << number
            if self._place(self.places[number]):
                self.places[number] = index
                return True
        return False


def _visits(numbered: Sequence[Sequence[Table]]) -> Counter[tuple[int, int]]:
    """Return (player, table) → number of visits."""
    visits: Counter[tuple[int, int]] = Counter()
    for session in numbered:
        for number, table in enumerate(session):
            visits.update((player, number) for player in table)
    return visits


def _even_out(sessions: list[list[Table]], pins: Mapping[tuple[int, int], int]) -> Counter[tuple[int, int]]:
    """Exchange numbers within a session while that evens out the visits; return the visits."""
    visits = _visits(sessions)
    exchanges_a_round = sum(comb(len(session), 2) for session in sessions)
    for _ in range(max(1, _MAX_LOOKS // max(1, exchanges_a_round))):
        improved = False
        for index, session in enumerate(sessions):
            fixed = {number for (at, _), number in pins.items() if at == index}
            unpinned = [number for number in range(len(session)) if number not in fixed]
            for a, b in combinations(unpinned, 2):
                if _saving(session, a, b, visits) > 0:
                    _swap(session, a, b, visits)
                    improved = True
        if not improved:
            break
    return visits


def _saving(session: Sequence[Table], a: int, b: int, visits: Counter[tuple[int, int]]) -> int:
    """Return how much the sum of the cubes of all visits falls when two tables exchange numbers."""
    saving = 0
    for old, new in ((a, b), (b, a)):
        for player in session[old]:
            now, then = visits[player, old], visits[player, new]
            saving += now**3 - (now - 1) ** 3 - (then + 1) ** 3 + then**3
    return saving


def _swap(session: list[Table], a: int, b: int, visits: Counter[tuple[int, int]]) -> None:
    for old, new in ((a, b), (b, a)):
        for player in session[old]:
            visits[player, old] -= 1
            visits[player, new] += 1
    session[a], session[b] = session[b], session[a]


# --- Winds of a whole event ---


Edge: TypeAlias = tuple[int, int]
"""(player, table); the tables of all sessions of a block are numbered through."""

_BLOCK = 4
_NO_TABLE = -1
"""Evens out players with an odd number of seats."""


def assign_winds(sessions: Sessions, rng: SeededRandom) -> Sessions:
    """Return the same tables with their players in the order E, S, W, N.

    Blocks of four are counted from the first session, and in each everybody has each wind once; in a shorter last block
    nobody has a wind twice, so that nobody is ever more than one wind ahead. ``rng`` decides which wind is which in
    each block.

    The players and tables of a block form a graph, an edge a seat. Walking it in closed trails and giving every second
    edge to one side halves the seats of every table exactly and those of every player as evenly as possible; doing it
    twice deals out the four winds. Linear in the number of seats.
    """
    blocks = (sessions[first : first + _BLOCK] for first in range(0, len(sessions), _BLOCK))
    return tuple(chain.from_iterable(_assign_block_winds(block, rng) for block in blocks))


def _assign_block_winds(sessions: Sessions, rng: SeededRandom) -> list[Session]:
    tables = [table for session in sessions for table in session]
    edges = [(player, number) for number, table in enumerate(tables) for player in table]
    quarters = [quarter for half in _split_in_halves(edges) for quarter in _split_in_halves(half)]
    seats = [[0, 0, 0, 0] for _ in tables]
    for wind, quarter in enumerate(rng.shuffled(quarters)):
        for player, number in quarter:
            seats[number][wind] = player
    ordered = iter([as_table(seat) for seat in seats])
    return [tuple(next(ordered) for _ in session) for session in sessions]


def _split_in_halves(edges: list[Edge]) -> tuple[list[Edge], list[Edge]]:
    """Split the edges so that every player and every table has half of its own on each side, give or take one.

    Tables have an even number of edges; a player with an odd number gets one more, to no table.
    """
    at_player: defaultdict[int, list[Edge]] = defaultdict(list)
    at_table: defaultdict[int, list[Edge]] = defaultdict(list)
    for edge in edges:
        at_player[edge[0]].append(edge)
        at_table[edge[1]].append(edge)
    for player, player_edges in at_player.items():
        if len(player_edges) % 2:
            player_edges.append((player, _NO_TABLE))
            at_table[_NO_TABLE].append((player, _NO_TABLE))
    sides: tuple[list[Edge], list[Edge]] = ([], [])
    walked: set[Edge] = set()
    for start in at_player:
        while trail := _closed_trail(start, at_player, at_table, walked):
            for edge, side in zip(trail, cycle(sides), strict=False):
                if edge[1] != _NO_TABLE:
                    side.append(edge)
    return sides


def _closed_trail(
    start: int,
    at_player: dict[int, list[Edge]],
    at_table: dict[int, list[Edge]],
    walked: set[Edge],
) -> list[Edge]:
    """Walk unused edges from a player until there are none left there; every trail returns to its start."""
    trail: list[Edge] = []
    player = start
    while edge := _next_edge(at_player[player], walked):
        trail.append(edge)
        back = _next_edge(at_table[edge[1]], walked)
        if back is None:
            raise AssertionError("a table has an odd number of seats left")
        trail.append(back)
        player = back[0]
    return trail


def _next_edge(edges: list[Edge], walked: set[Edge]) -> Edge | None:
    while edges:
        edge = edges.pop()
        if edge not in walked:
            walked.add(edge)
            return edge
    return None


# --- Winds of one session ---


Counts: TypeAlias = defaultdict[int, list[int]]
"""Player → number of starts at E, S, W, N."""

_ORDERS: Final = tuple(permutations(range(4)))
_SWEEPS: Final = 6


def count_winds(sessions: Iterable[Session]) -> Counts:
    """Count how often each player has started at each wind."""
    counts: Counts = defaultdict(lambda: [0, 0, 0, 0])
    for session in sessions:
        for table in session:
            _count(table, counts, 1)
    return counts


def assign_next_winds(session: Session, played: Sequence[Session]) -> Session:
    """Return the tables with each player at a wind that they have had least in the sessions ``played``.

    Ties keep the order of the seats.
    """
    counts = count_winds(played)
    return tuple(_turn_table(table, counts) for table in session)


def even_winds(sessions: Sessions, played: Sequence[Session], tables: Iterable[tuple[int, int]]) -> Sessions:
    """Reorder the players of the ``turnable`` tables, (session, table) from 0, to even out the winds."""
    seated = [list(session) for session in sessions]
    counts = count_winds([*played, *sessions])
    ordered = sorted(tables)
    for _ in range(_SWEEPS):
        changed = False
        for session, number in ordered:
            table = seated[session][number]
            _count(table, counts, -1)
            seated[session][number] = _turn_table(table, counts)
            _count(seated[session][number], counts, 1)
            changed |= seated[session][number] != table
        if not changed:
            break
    return tuple(tuple(session) for session in seated)


def _turn_table(table: Table, counts: Counts) -> Table:
    """Return the order of the four with the smallest sum of squares of their wind counts."""
    best = min(_ORDERS, key=lambda order: sum(counts[table[seat]][wind] for wind, seat in enumerate(order)))
    east, south, west, north = (table[seat] for seat in best)
    return east, south, west, north


def _count(table: Table, counts: Counts, step: int) -> None:
    for wind, player in enumerate(table):
        counts[player][wind] += step


# --- One player, hand by hand ---


@dataclass(frozen=True, slots=True)
class HandPosition:
    """Where one player sits in one hand; players are named by their starting winds."""

    number: int
    prevalent: str
    seat: str
    """The player's seat wind."""
    chair: str
    """The player's place at the table in this round."""
    dealer: str
    upper: str
    """The player to the left, whose discards may be chowed."""


def hand_positions(start: str, chart: Chart = APPENDIX_2) -> tuple[HandPosition, ...]:
    """Return the 16 hands of the player who starts at the wind `start` (seed 000, Appendix 2); ValueError if none."""
    return tuple(_hand_position(start, number, chart) for number in range(1, HANDS_PER_SESSION + 1))


def _hand_position(start: str, number: int, chart: Chart) -> HandPosition:
    seat = seat_wind(start, number, chart)
    return HandPosition(
        number=number,
        prevalent=prevalent_wind(number),
        seat=seat,
        chair=position(start, number, chart),
        dealer=dealer(number, chart),
        upper=occupants(number, chart)[WINDS[WINDS.index(seat) - 1]],
    )
