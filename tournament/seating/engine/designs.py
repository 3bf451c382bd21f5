"""Designs: sessions over labels in which nobody meets twice, constructed or stored, and which of them to try first."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from itertools import cycle, islice
from random import Random
from typing import Any, Final, TypeAlias

from tournament.seating.engine.plans import (
    SeededRandom,
    Session,
    Sessions,
    Table,
    as_table,
    count_repeats,
    meetings,
    repeats_minimum,
)
from tournament.seating.engine.search import Cooling, SeatSearch

# --- Designs to try ---


@dataclass(frozen=True, slots=True)
class Candidate:
    """Sessions over labels, and a partition of the labels into blocks inside which nobody meets."""

    sessions: Sessions
    blocks: tuple[tuple[int, ...], ...]


def candidates(players: int, sessions: int) -> Iterator[Candidate]:
    """Yield designs with as few repeats as are known for this size.

    Blocks are the tables of a spare session, which never meet; or the columns of the column design, of a quarter of the
    players each; or groups found among the labels of any other design.
    """
    with_spare = repeat_free_design(players, sessions + 1)
    if len(with_spare) > sessions:
        yield Candidate(with_spare[:sessions], with_spare[sessions])
    across = column_sessions(players, sessions)
    if len(across) == sessions:
        yield Candidate(across, _columns(players))
    design = few_repeats_design(players, sessions)
    yield Candidate(design, _blocks_of_strangers(design, players))


def costlier_candidates(players: int, sessions: int) -> Iterator[Candidate]:
    """Yield designs that keep blocks apart at the price of repeats: some sessions are played over again."""
    known = repeat_free_design(players, sessions)
    if len(known) > 1:
        yield Candidate(tuple(islice(cycle(known[:-1]), sessions)), known[-1])
    across = column_sessions(players, sessions)
    yield Candidate(tuple(islice(cycle(across), sessions)), _columns(players))


def _columns(players: int) -> tuple[tuple[int, ...], ...]:
    length = players // 4
    return tuple(tuple(range(start, start + length)) for start in range(0, players, length))


def _blocks_of_strangers(sessions: Sessions, players: int) -> tuple[tuple[int, ...], ...]:
    """Return blocks of labels that never meet: each is extended by the first label that none of it meets."""
    strangers = [set(range(players)) - {label} for label in range(players)]
    for _, a, b in meetings(sessions):
        strangers[a].discard(b)
        strangers[b].discard(a)
    blocks = []
    remaining = set(range(players))
    while remaining:
        block = [min(remaining, key=lambda label: (len(strangers[label] & remaining), label))]
        common = strangers[block[0]] & remaining
        while common:
            block.append(min(common))
            common &= strangers[block[-1]]
        blocks.append(tuple(block))
        remaining -= set(block)
    return tuple(blocks)


# --- The best designs known ---


_ANNEALING_MOVES: Final = 40_000


@dataclass(frozen=True, slots=True)
class Starter:
    """A base session over ``blocks`` blocks of ``length`` players; the remaining players are fixed.

    Adding 1 modulo ``length`` inside every block develops it into ``length`` sessions without a repeat.
    """

    length: int
    blocks: int
    base: tuple[Table, ...]

    def develop(self, sessions: int) -> Sessions:
        """Return the first ``sessions`` sessions, or all that there are."""
        return tuple(self._shift(step) for step in range(min(sessions, self.length)))

    def _shift(self, step: int) -> Session:
        turning = self.blocks * self.length

        def move(player: int) -> int:
            if player >= turning:
                return player
            block, place = divmod(player, self.length)
            return block * self.length + (place + step) % self.length

        return tuple((move(a), move(b), move(c), move(d)) for a, b, c, d in self.base)


def repeat_free_design(players: int, sessions: int) -> Sessions:
    """Return up to ``sessions`` sessions without a repeat; fewer when no more are known.

    Players are the labels 0 … N − 1. Sizes that `designs.json` does not hold come from columns.
    """
    started = _starter_sessions(players, sessions)
    return started if len(started) == sessions else max(started, column_design(players, sessions), key=len)


def column_design(players: int, sessions: int) -> Sessions:
    """Return sessions over four columns and, if more are needed, inside the columns where these divide into tables."""
    across = column_sessions(players, sessions)
    length = players // 4
    missing = sessions - len(across)
    if missing <= 0 or length % 4:
        return across
    inside = repeat_free_design(length, missing)
    return across + tuple(_copy_to_columns(session, length) for session in inside)


@lru_cache(maxsize=32)
def few_repeats_design(players: int, sessions: int) -> Sessions:
    """Return exactly ``sessions`` sessions: without a repeat, or stored, or found by a search; always the same."""
    known = repeat_free_design(players, sessions)
    if len(known) == sessions:
        return known
    best = _stored_with_repeats(players, sessions) or known
    repeated = tuple(islice(cycle(best), sessions))
    if len(best) == sessions or count_repeats(repeated) == repeats_minimum([range(players)] * sessions):
        return repeated
    search = SeatSearch(repeated, range(len(best), sessions), {})
    return search.anneal(Cooling(_ANNEALING_MOVES), SeededRandom(f"{players} players, {sessions} sessions"))


def _copy_to_columns(session: Session, length: int) -> Session:
    starts = range(0, 4 * length, length)
    return tuple((start + a, start + b, start + c, start + d) for start in starts for a, b, c, d in session)


def _starter_sessions(players: int, sessions: int) -> Sessions:
    if starter := stored_designs()["starters"].get(str(players)):
        base = tuple(as_table(table) for table in starter["base"])
        return Starter(starter["m"], starter["blocks"], base).develop(sessions)
    return _as_sessions(stored_designs()["explicit"].get(str(players), ()))[:sessions]


def _stored_with_repeats(players: int, sessions: int) -> Sessions:
    """Return the stored sessions for that many, or for the next smaller number; empty when there are none."""
    designs = {int(n): rows for n, rows in stored_designs()["repeating"].get(str(players), {}).items()}
    numbers = [number for number in designs if number <= sessions]
    return _as_sessions(designs[max(numbers)]) if numbers else ()


def _as_sessions(rows: Sequence[Sequence[list[int]]]) -> Sessions:
    return tuple(tuple(as_table(table) for table in session) for session in rows)


# --- Four columns of players ---


Triple: TypeAlias = tuple[int, int, int]

_GREEDY_RUNS = 60
_GREEDY_SEED = 8128


def column_sessions(players: int, sessions: int) -> Sessions:
    """Return up to ``sessions`` sessions in which nobody meets twice and nobody meets a player of the same column.

    This construction works at every size. Players 0 … 4n − 1 stand in four columns of n. In a session the t-th of
    the first column meets one player from each other column, shifted by (a, b, c); two sessions have no pair in common
    when their a, b, c, b − a, c − a and c − b all differ.

    There are as many sessions as a column is long where a group allows it (see `Group`), else as many as a search
    finds: at least 12 from 64 players on.
    """
    length = players // 4
    group = Group.of_order(length)
    if group is not None:
        shifts = [group.multiples(element) for element in range(min(sessions, length))]
        return tuple(_shifted_session(length, shift, group) for shift in shifts)
    return tuple(_shifted_session(length, shift, None) for shift in difference_triples(length, sessions))


def _shifted_session(length: int, shift: Triple, group: Group | None) -> Session:
    def shifted(position: int, by: int) -> int:
        return group.add(position, by) if group else (position + by) % length

    return tuple(
        (
            position,
            length + shifted(position, shift[0]),
            2 * length + shifted(position, shift[1]),
            3 * length + shifted(position, shift[2]),
        )
        for position in range(length)
    )


@lru_cache(maxsize=64)
def difference_triples(modulus: int, limit: int) -> tuple[Triple, ...]:
    """Return up to ``limit`` triples whose entries and differences are all different modulo ``modulus``.

    Taken from the stored list, or the longest of a fixed number of greedy runs with a fixed seed.
    """
    if known := stored_designs()["triples"].get(str(modulus)):
        return tuple((a, b, c) for a, b, c in known[:limit])
    random = Random(_GREEDY_SEED)
    longest: tuple[Triple, ...] = ()
    for _ in range(_GREEDY_RUNS):
        triples = _greedy_triples(modulus, limit, random)
        longest = max(longest, triples, key=len)
        if len(longest) == limit:
            break
    return longest


def _greedy_triples(modulus: int, limit: int, random: Random) -> tuple[Triple, ...]:
    free = [set(range(modulus)) for _ in range(5)]
    free_b, free_c, free_ba, free_ca, free_cb = free
    triples: list[Triple] = []
    for a in range(modulus):
        if len(triples) == limit:
            break
        choices_b = [b for b in free_b if (b - a) % modulus in free_ba]
        choices_c = [c for c in free_c if (c - a) % modulus in free_ca]
        pairs = ((b, c) for b in _shuffled(choices_b, random) for c in _shuffled(choices_c, random))
        b, c = next(((b, c) for b, c in pairs if (c - b) % modulus in free_cb), (None, None))
        if b is None or c is None:
            continue
        triples.append((a, b, c))
        used = (b, c, (b - a) % modulus, (c - a) % modulus, (c - b) % modulus)
        for values, value in zip(free, used, strict=True):
            values.discard(value)
    return tuple(triples)


def _shuffled(values: list[int], random: Random) -> list[int]:
    """Return the values in random order, by ``random()`` alone: the only method whose results never change."""
    return sorted(values, key=lambda _: random.random())


# --- Groups with multipliers ---


@dataclass(frozen=True, slots=True)
class Group:
    """The group Z_2^twos × Z_3^threes × Z_rest; elements are numbered 0 … order − 1 in mixed radix.

    Four columns of n players can be seated for n sessions without a repeat when a group of order n has multipliers 1,
    x, y whose differences, like themselves, lose no element. In Z_m without factors 2 and 3 these are 1, 2, 3; in the
    polynomials over F_2 or F_3 modulo f they are 1, x, x², if f has none of the roots 0, 1, −1.
    """

    twos: int
    threes: int
    rest: int

    @classmethod
    def of_order(cls, order: int) -> Group | None:
        """Return the group of that order, or None when 2 or 3 divides it exactly once (no multipliers then)."""
        twos, rest = _factor_out(order, 2)
        threes, rest = _factor_out(rest, 3)
        return None if 1 in (twos, threes) else cls(twos, threes, rest)

    @property
    def order(self) -> int:
        return _power(2, self.twos) * _power(3, self.threes) * self.rest

    def add(self, a: int, b: int) -> int:
        a2, a3, rest_a = self._parts(a)
        b2, b3, rest_b = self._parts(b)
        return self._number(a2 ^ b2, _add_threes(a3, b3), (rest_a + rest_b) % self.rest)

    def multiples(self, element: int) -> tuple[int, int, int]:
        """Return the element times 1, x and x² (1, 2 and 3 in the part without factors 2 and 3)."""
        part2, part3, part = self._parts(element)
        products = [element]
        for factor in (2, 3):
            part2, part3 = _times_x(part2, 2, self.twos), _times_x(part3, 3, self.threes)
            products.append(self._number(part2, part3, part * factor % self.rest))
        return products[0], products[1], products[2]

    def _parts(self, element: int) -> tuple[int, int, int]:
        element, part2 = divmod(element, _power(2, self.twos))
        part, part3 = divmod(element, _power(3, self.threes))
        return part2, part3, part

    def _number(self, part2: int, part3: int, part: int) -> int:
        return (part * _power(3, self.threes) + part3) * _power(2, self.twos) + part2


def _power(base: int, exponent: int) -> int:
    """Return the power as an int; the type of ``**`` is not int, as the exponent could be negative."""
    return int(base**exponent)


def _factor_out(number: int, prime: int) -> tuple[int, int]:
    """Return how often the prime divides the number, and what is left."""
    exponent = 0
    while number % prime == 0:
        number //= prime
        exponent += 1
    return exponent, number


def _add_threes(a: int, b: int) -> int:
    """Add digit by digit modulo 3."""
    total, place = 0, 1
    while a or b:
        a, digit_a = divmod(a, 3)
        b, digit_b = divmod(b, 3)
        total += (digit_a + digit_b) % 3 * place
        place *= 3
    return total


def _times_x(element: int, prime: int, degree: int) -> int:
    """Multiply by x modulo f, the digits of ``element`` in base ``prime`` being coefficients.

    f is x^d + x + 1 over F_2; over F_3 it is x^d − x + 1 for odd and x^d + 1 for even d. None has a root.
    """
    carry, remainder = divmod(element * prime, _power(prime, degree))
    if prime == 2:
        return remainder ^ 3 if carry else remainder
    reduced = 2 if degree % 2 == 0 else 3 + 2
    for _ in range(carry):
        remainder = _add_threes(remainder, reduced)
    return remainder


# --- The file of stored designs ---


@cache
def stored_designs() -> Mapping[str, Any]:
    """Read `designs.json` once.

    ``starters``, ``explicit`` and ``repeating`` hold designs by the number of players, ``triples`` by the length of a
    column.
    """
    text = files(__package__).joinpath("designs.json").read_text(encoding="utf-8")
    data: Mapping[str, Any] = json.loads(text)
    return data
