"""Table numbers and starting winds, and a session as one player sits through it."""

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
from tournament.seating.engine.plans import Lots, Session, Sessions, Table, as_table

# --- Table numbers ---


_EXCHANGES_UP_TO = 32
"""Tables up to which numbers are exchanged afterwards; with more, hardly anybody sees one twice anyway."""
_LOOKS = 30_000
"""How many exchanges are looked at, in whole rounds: more than enough for the sizes of real events."""
_TRIALS = 12
_TRIALS_UP_TO = 6
"""With so few tables it takes a few beginnings to reach the best."""


def with_table_numbers(
    sessions: Sessions, lots: Lots, pins: Mapping[tuple[int, int], int] | None = None
) -> Sessions:
    """Order the tables by number, so that everybody gets to a new one each session for as long as that goes.

    ``pins``: (session from 0, player) → table from 0 that the player must sit at.
    """
    fixed = pins or {}
    tables = len(sessions[0]) if sessions else 0
    numbered = _in_turn(sessions, lots, fixed)
    if tables > _EXCHANGES_UP_TO:
        return _frozen(numbered)
    least = -(-len(sessions) // max(1, tables))
    trials = [numbered]
    for _ in range(_TRIALS if tables <= _TRIALS_UP_TO else 1):
        visits = _even_out(trials[-1], fixed)
        if max(visits.values(), default=0) <= least:
            return _frozen(trials[-1])
        trials.append(_in_turn(sessions, lots, fixed))
    return _frozen(min(trials[:-1], key=_unevenness))


def at_their_tables(session: Session, stay: Mapping[int, int]) -> Session:
    """The same tables with numbers exchanged until each player of ``stay`` sits at the table (from 1) given there.

    A table that does not exist is passed over; of two players at one table the first in ``stay`` has it.
    """
    numbered = list(session)
    kept: set[int] = set()
    for player, table in stay.items():
        now = next((number for number, four in enumerate(numbered) if player in four), None)
        to = table - 1
        if now is None or now in kept or to in kept or to >= len(numbered):
            continue
        numbered[now], numbered[to] = numbered[to], numbered[now]
        kept.add(to)
    return tuple(numbered)


def _frozen(numbered: Sequence[Sequence[Table]]) -> Sessions:
    return tuple(tuple(session) for session in numbered)


def _unevenness(numbered: Sequence[Sequence[Table]]) -> tuple[int, int]:
    """The most visits of a player to a table, and how many there are with so many."""
    visits = _visits(numbered).values()
    most = max(visits)
    return most, sum(times == most for times in visits)


def _in_turn(sessions: Sessions, lots: Lots, pins: Mapping[tuple[int, int], int]) -> list[list[Table]]:
    """Number the tables session by session, new to all four wherever that can be."""
    seen: dict[int, int] = {}
    numbered = []
    for index, session in enumerate(sessions):
        fixed = {player: number for (at, player), number in pins.items() if at == index}
        ordered = _numbered_session(session, seen, lots, fixed)
        numbered.append(list(ordered))
        for number, table in enumerate(ordered):
            for player in table:
                seen[player] = seen.get(player, 0) | 1 << number
    return numbered


def _numbered_session(
    session: Session, seen: Mapping[int, int], lots: Lots, fixed: Mapping[int, int]
) -> Session:
    free = list(range(len(session)))
    order: list[Table | None] = [None] * len(session)
    loose = []
    for table in lots.shuffled(session):
        number = next((fixed[player] for player in table if player in fixed), None)
        if number is None:
            loose.append(table)
        else:
            order[number] = table
            free.remove(number)
    for table, number in zip(_in_free_order(loose, free, seen), free, strict=True):
        order[number] = table
    return tuple(table for table in order if table is not None)


def _in_free_order(tables: Sequence[Table], free: Sequence[int], seen: Mapping[int, int]) -> list[Table]:
    """The tables in the order of the free numbers: new to all four wherever that can be."""
    everything = sum(1 << number for number in free)
    matching = _Matching([everything & ~_seen(table, seen) for table in tables])
    left = [index for index in range(len(tables)) if not matching.place(index)]
    places = matching.places
    places.update(zip([number for number in free if number not in places], left, strict=True))
    return [tables[places[number]] for number in free]


def _seen(table: Table, seen: Mapping[int, int]) -> int:
    """The tables where one of the four has been, as a bit mask."""
    east, south, west, north = (seen.get(player, 0) for player in table)
    return east | south | west | north


class _Matching:
    """Tables to numbers, one by one, moving earlier ones on where needed (augmenting paths)."""

    def __init__(self, allowed: Sequence[int]) -> None:
        self.places: dict[int, int] = {}
        self._allowed = allowed
        self._taken = 0
        self._tried = 0

    def place(self, index: int) -> bool:
        self._tried = 0
        return self._placed(index)

    def _placed(self, index: int) -> bool:
        if direct := self._allowed[index] & ~self._taken:
            number = direct.bit_length() - 1
            self._taken |= 1 << number
            self.places[number] = index
            return True
        while options := self._allowed[index] & ~self._tried:
            number = options.bit_length() - 1
            self._tried |= 1 << number
            if self._placed(self.places[number]):
                self.places[number] = index
                return True
        return False


def _visits(numbered: Sequence[Sequence[Table]]) -> Counter[tuple[int, int]]:
    """(player, table) → how often."""
    visits: Counter[tuple[int, int]] = Counter()
    for session in numbered:
        for number, table in enumerate(session):
            visits.update((player, number) for player in table)
    return visits


def _even_out(sessions: list[list[Table]], pins: Mapping[tuple[int, int], int]) -> Counter[tuple[int, int]]:
    """Exchange numbers within a session while that evens out the visits, which are given back."""
    visits = _visits(sessions)
    exchanges_a_round = sum(comb(len(session), 2) for session in sessions)
    for _ in range(max(1, _LOOKS // max(1, exchanges_a_round))):
        improved = False
        for index, session in enumerate(sessions):
            fixed = {number for (at, _), number in pins.items() if at == index}
            loose = [number for number in range(len(session)) if number not in fixed]
            for one, other in combinations(loose, 2):
                if _saving(session, one, other, visits) > 0:
                    _swap(session, one, other, visits)
                    improved = True
        if not improved:
            break
    return visits


def _saving(session: Sequence[Table], one: int, other: int, visits: Counter[tuple[int, int]]) -> int:
    """What the sum of the cubes of all visits loses when two tables exchange numbers."""
    saving = 0
    for here, there in ((one, other), (other, one)):
        for player in session[here]:
            now, then = visits[player, here], visits[player, there]
            saving += now**3 - (now - 1) ** 3 - (then + 1) ** 3 + then**3
    return saving


def _swap(session: list[Table], one: int, other: int, visits: Counter[tuple[int, int]]) -> None:
    for here, there in ((one, other), (other, one)):
        for player in session[here]:
            visits[player, here] -= 1
            visits[player, there] += 1
    session[one], session[other] = session[other], session[one]


# --- Winds of a whole event ---


Edge: TypeAlias = tuple[int, int]
"""(player, table); the tables of all sessions of a block are numbered through."""

_BLOCK = 4
_NO_TABLE = -1
"""Evens out players with an odd number of seats."""


def with_winds(sessions: Sessions, lots: Lots) -> Sessions:
    """Give the same tables with their players in the order E, S, W, N.

    Blocks of four are counted from the first session, and in each everybody has each wind once; in a shorter last block
    nobody has a wind twice, so that nobody is ever more than one wind ahead. ``lots`` draws which wind is which in each
    block.

    The players and tables of a block form a graph, an edge a seat. Walking it in closed trails and giving every second
    edge to one side halves the seats of every table exactly and those of every player as evenly as can be; doing it
    twice deals out the four winds. Linear in the number of seats.
    """
    blocks = (sessions[first : first + _BLOCK] for first in range(0, len(sessions), _BLOCK))
    return tuple(chain.from_iterable(_block_with_winds(block, lots) for block in blocks))


def _block_with_winds(sessions: Sessions, lots: Lots) -> list[Session]:
    tables = [table for session in sessions for table in session]
    edges = [(player, number) for number, table in enumerate(tables) for player in table]
    quarters = [quarter for half in _halves(edges) for quarter in _halves(half)]
    seats = [[0, 0, 0, 0] for _ in tables]
    for wind, quarter in enumerate(lots.shuffled(quarters)):
        for player, number in quarter:
            seats[number][wind] = player
    ordered = iter([as_table(seat) for seat in seats])
    return [tuple(next(ordered) for _ in session) for session in sessions]


def _halves(edges: list[Edge]) -> tuple[list[Edge], list[Edge]]:
    """Split the edges so that every player and table has half of its own on each side, give or take one.

    Tables have an even number of edges; players with an odd number get one more, to no table.
    """
    at_player: defaultdict[int, list[Edge]] = defaultdict(list)
    at_table: defaultdict[int, list[Edge]] = defaultdict(list)
    for edge in edges:
        at_player[edge[0]].append(edge)
        at_table[edge[1]].append(edge)
    for player, mine in at_player.items():
        if len(mine) % 2:
            mine.append((player, _NO_TABLE))
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
    """Walk unused edges from a player until there are none left there; every trail comes back to its start."""
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
"""Player → how often at E, S, W, N."""

_ORDERS: Final = tuple(permutations(range(4)))
_SWEEPS: Final = 6


def wind_counts(sessions: Iterable[Session]) -> Counts:
    """How often everybody has started at each wind."""
    counts: Counts = defaultdict(lambda: [0, 0, 0, 0])
    for session in sessions:
        for table in session:
            _count(table, counts, 1)
    return counts


def next_winds(session: Session, played: Sequence[Session]) -> Session:
    """Give the tables with their players at the winds that they have had least, the sessions played being fixed.

    Ties keep the order given.
    """
    counts = wind_counts(played)
    return tuple(_turned(table, counts) for table in session)


def balanced(sessions: Sessions, played: Sequence[Session], turnable: Iterable[tuple[int, int]]) -> Sessions:
    """Sessions in which the tables of ``turnable``, (session, table) from 0, are turned to even out the winds."""
    seated = [list(session) for session in sessions]
    counts = wind_counts([*played, *sessions])
    tables = sorted(turnable)
    for _ in range(_SWEEPS):
        turned = False
        for session, number in tables:
            table = seated[session][number]
            _count(table, counts, -1)
            seated[session][number] = _turned(table, counts)
            _count(seated[session][number], counts, 1)
            turned |= seated[session][number] != table
        if not turned:
            break
    return tuple(tuple(session) for session in seated)


def _turned(table: Table, counts: Counts) -> Table:
    """The order with the smallest sum of squares of what everybody then has."""
    best = min(_ORDERS, key=lambda order: sum(counts[table[seat]][wind] for wind, seat in enumerate(order)))
    east, south, west, north = (table[seat] for seat in best)
    return east, south, west, north


def _count(table: Table, counts: Counts, step: int) -> None:
    for wind, player in enumerate(table):
        counts[player][wind] += step


# --- The hands of one player ---


@dataclass(frozen=True, slots=True)
class OwnHand:
    """One hand; players are named by their starting winds."""

    number: int
    prevalent: str
    seat: str
    """The player's seat wind."""
    chair: str
    """Where the player sits while the round lasts."""
    dealer: str
    upper: str
    """Who sits to the left, and whose discards may be chowed."""


def own_hands(start: str, chart: Chart = APPENDIX_2) -> tuple[OwnHand, ...]:
    """Give the 16 hands of the player who starts at the wind `start` (seed 000, Appendix 2); ValueError for no wind."""
    return tuple(_own_hand(start, number, chart) for number in range(1, HANDS_PER_SESSION + 1))


def _own_hand(start: str, number: int, chart: Chart) -> OwnHand:
    seat = seat_wind(start, number, chart)
    return OwnHand(
        number=number,
        prevalent=prevalent_wind(number),
        seat=seat,
        chair=position(start, number, chart),
        dealer=dealer(number, chart),
        upper=occupants(number, chart)[WINDS[WINDS.index(seat) - 1]],
    )
