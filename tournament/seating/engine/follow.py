"""The next Swiss session out of a design without repeats, for as many sessions as only a design still holds.

Sessions chosen one by one by the standings run out after about a quarter of the players: later ones repeat, however
far ahead one looks. A design of more sessions has none of that, and leaves a choice: which player is which of its
points. Every labelling under which the sessions played are sessions of the design is as good as the next, so the
cheapest next session over all of them is taken. For the second session they are annealed, so many are there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import islice
from math import exp
from typing import Final

from tournament.seating.engine.designs import without_repeats
from tournament.seating.engine.labellings import Labelling, labellings
from tournament.seating.engine.shapes import Session, Sessions, Table, as_table

Price = Callable[[Sequence[int]], float]

FROM: Final = 24
"""Players. With fewer an exact search finds all the sessions there are."""
_LABELLINGS: Final = 3000
"""How many labellings are looked at; at 24 players there are up to 16,000 after two sessions, few after three."""
_MOVES: Final = 1500
_HOT: Final = 400.0
_COLD: Final = 10.0


def cheapest_following(
    order: Sequence[int], before: Sessions, left: int, price: Price, random: Callable[[], float]
) -> Session | None:
    """The cheapest session, in ranks, that a design holds after those ``before`` and ahead of the ``left`` to follow.

    None where sessions can be chosen freely, where no design is long enough or none holds what was played, and for the
    first session, which begins any design. ``price`` is that of four ranks at one table.
    """
    players, sessions = len(order), len(before) + 1 + left
    if not before or players < FROM or sessions < players // 4:
        return None
    design = without_repeats(players, sessions)
    rank_of = {player: rank for rank, player in enumerate(order)}
    everybody = {player for session in before for table in session for player in table}
    if len(design) < sessions or everybody != set(order):
        return None
    played = tuple(
        tuple(as_table([rank_of[player] for player in table]) for table in session) for session in before
    )
    return _cheapest(played, design, price, random)


def _cheapest(
    played: Sessions, design: Sessions, price: Price, random: Callable[[], float]
) -> Session | None:
    if len(played) == 1:
        return _second(played[0], design, price, random)
    best, least = None, float("inf")
    price_of = cache(price)
    for labelling, used in islice(labellings(played, design), _LABELLINGS):
        for number, session in enumerate(design):
            if number in used:
                continue
            tables = _labelled(session, labelling)
            cost = sum(price_of(as_table(sorted(table))) for table in tables)
            if cost < least:
                best, least = tables, cost
    return best


def _second(first: Session, design: Sessions, price: Price, random: Callable[[], float]) -> Session:
    """The cheapest found for the design's sessions after its first, which the players have played."""
    found = [_annealed(first, design[0], later, price, random) for later in design[1:]]
    return min(found, key=lambda tables: sum(price(table) for table in tables))


def _annealed(
    played: Session, first: Session, later: Session, price: Price, random: Callable[[], float]
) -> Session:
    """Exchange players inside the tables they had, and whole tables, until the later session is cheap."""
    places = [point for table in first for point in table]
    labelling = [0] * len(places)
    for point, player in zip(places, (player for table in played for player in table), strict=True):
        labelling[point] = player
    at_table = {point: table for table in later for point in table}
    best, balance, least = list(labelling), 0.0, 0.0
    for move in range(_MOVES):
        temperature = _HOT * (_COLD / _HOT) ** (move / _MOVES)
        pairs = _exchange(first, random)
        touched = {at_table[point] for pair in pairs for point in pair}
        before = sum(price([labelling[point] for point in table]) for table in touched)
        _apply(labelling, pairs)
        change = sum(price([labelling[point] for point in table]) for table in touched) - before
        if change <= 0 or random() < exp(-change / temperature):
            balance += change
            if balance < least:
                best, least = list(labelling), balance
        else:
            _apply(labelling, pairs)
    return _labelled(later, best)


def _exchange(first: Session, random: Callable[[], float]) -> list[tuple[int, int]]:
    """Two points of one table, or mostly so: now and then two whole tables, point by point."""
    one = first[int(random() * len(first))]
    if random() < 0.8:
        here = int(random() * 4)
        return [(one[here], one[(here + 1 + int(random() * 3)) % 4])]
    other = first[int(random() * len(first))]
    return [] if other == one else list(zip(one, other, strict=True))


def _apply(labelling: list[int], pairs: Sequence[tuple[int, int]]) -> None:
    for one, other in pairs:
        labelling[one], labelling[other] = labelling[other], labelling[one]


def _labelled(session: Session, labelling: Labelling) -> tuple[Table, ...]:
    return tuple(as_table([labelling[point] for point in table]) for table in session)
