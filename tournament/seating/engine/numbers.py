"""Table numbers: everybody gets to a new table each session for as long as there are enough of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from math import comb

from tournament.seating.engine.lots import Lots
from tournament.seating.engine.shapes import Session, Sessions, Table

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
    """The same tables in the order of their numbers.

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
        ordered = _numbered(session, seen, lots, fixed)
        numbered.append(list(ordered))
        for number, table in enumerate(ordered):
            for player in table:
                seen[player] = seen.get(player, 0) | 1 << number
    return numbered


def _numbered(session: Session, seen: Mapping[int, int], lots: Lots, fixed: Mapping[int, int]) -> Session:
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
    for table, number in zip(_matched(loose, free, seen), free, strict=True):
        order[number] = table
    return tuple(table for table in order if table is not None)


def _matched(tables: Sequence[Table], free: Sequence[int], seen: Mapping[int, int]) -> list[Table]:
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
    looks_a_round = sum(comb(len(session), 2) for session in sessions)
    for _ in range(max(1, _LOOKS // max(1, looks_a_round))):
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
