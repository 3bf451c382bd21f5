"""The next session when few pairs have not met: from a design that contains those played, or by an exact search."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from math import exp
from typing import Final, TypeAlias

from tournament.seating.engine.designs import repeat_free_design
from tournament.seating.engine.plans import Session, Sessions, Table, as_table

# --- The next session of a design ---


TableCost = Callable[[Sequence[int]], float]

_MIN_PLAYERS: Final = 24
"""With fewer an exact search finds all the sessions there are."""
_MAX_LABELLINGS: Final = 3000
"""At 24 players there are up to 16,000 after two sessions, few after three."""
_MOVES: Final = 1500
_HOT: Final = 400.0
_COLD: Final = 10.0


def cheapest_in_design(
    order: Sequence[int], before: Sessions, left: int, cost: TableCost, random: Callable[[], float]
) -> Session | None:
    """Return the cheapest session, in ranks, that a design allows after those ``before``, with ``left`` to follow.

    Sessions chosen one by one by the standings run out after about a quarter of the players: later ones repeat, however
    far ahead one looks. A design of more sessions has no repeats, and leaves a choice: which player is which of its
    points. Every labelling under which the sessions played are sessions of the design is as good as the next, so the
    cheapest next session over all of them is taken. For the second session they are annealed, as there are so many.

    None where sessions can be chosen freely, where no design is long enough or none contains what was played, and for
    the first session, which begins any design. ``cost`` is that of four ranks at one table.
    """
    players, sessions = len(order), len(before) + 1 + left
    if not before or players < _MIN_PLAYERS or sessions < players // 4:
        return None
    design = repeat_free_design(players, sessions)
    rank_of = {player: rank for rank, player in enumerate(order)}
    seated = {player for session in before for table in session for player in table}
    if len(design) < sessions or seated != set(order):
        return None
    played = tuple(
        tuple(as_table([rank_of[player] for player in table]) for table in session) for session in before
    )
    return _cheapest_labelled(played, design, cost, random)


def _cheapest_labelled(
    played: Sessions, design: Sessions, cost: TableCost, random: Callable[[], float]
) -> Session | None:
    if len(played) == 1:
        return _cheapest_second(played[0], design, cost, random)
    best, lowest = None, float("inf")
    cached_cost = cache(cost)
    for labelling, used in islice(find_labellings(played, design), _MAX_LABELLINGS):
        for number, session in enumerate(design):
            if number in used:
                continue
            tables = _apply_labelling(session, labelling)
            total = sum(cached_cost(as_table(sorted(table))) for table in tables)
            if total < lowest:
                best, lowest = tables, total
    return best


def _cheapest_second(
    first: Session, design: Sessions, cost: TableCost, random: Callable[[], float]
) -> Session:
    """Return the cheapest of the design's sessions after its first, which the players have played."""
    sessions = [_anneal(first, design[0], later, cost, random) for later in design[1:]]
    return min(sessions, key=lambda tables: sum(cost(table) for table in tables))


def _anneal(
    played: Session, first: Session, later: Session, cost: TableCost, random: Callable[[], float]
) -> Session:
    """Exchange players inside the tables they had, and whole tables, until the later session is cheap."""
    places = [point for table in first for point in table]
    labelling = [0] * len(places)
    for point, player in zip(places, (player for table in played for player in table), strict=True):
        labelling[point] = player
    at_table = {point: table for table in later for point in table}
    best, balance, lowest = list(labelling), 0.0, 0.0
    for move in range(_MOVES):
        temperature = _HOT * (_COLD / _HOT) ** (move / _MOVES)
        pairs = _random_exchange(first, random)
        touched = {at_table[point] for pair in pairs for point in pair}
        before = sum(cost([labelling[point] for point in table]) for table in touched)
        _exchange(labelling, pairs)
        change = sum(cost([labelling[point] for point in table]) for table in touched) - before
        if change <= 0 or random() < exp(-change / temperature):
            balance += change
            if balance < lowest:
                best, lowest = list(labelling), balance
        else:
            _exchange(labelling, pairs)
    return _apply_labelling(later, best)


def _random_exchange(first: Session, random: Callable[[], float]) -> list[tuple[int, int]]:
    """Return the pairs of points to exchange: two points of one table, or now and then two whole tables."""
    table = first[int(random() * len(first))]
    if random() < 0.8:
        point = int(random() * 4)
        return [(table[point], table[(point + 1 + int(random() * 3)) % 4])]
    other_table = first[int(random() * len(first))]
    return [] if other_table == table else list(zip(table, other_table, strict=True))


def _exchange(labelling: list[int], pairs: Sequence[tuple[int, int]]) -> None:
    for a, b in pairs:
        labelling[a], labelling[b] = labelling[b], labelling[a]


def _apply_labelling(session: Session, labelling: Labelling) -> tuple[Table, ...]:
    return tuple(as_table([labelling[point] for point in table]) for table in session)


# --- Labellings ---


Labelling: TypeAlias = Sequence[int]
"""Point of the design → player."""

_LABELLING_NODES: Final = 30_000
"""Budget for each session of the design that may be the second one played."""


def find_labellings(played: Sessions, design: Sessions) -> Iterator[tuple[Labelling, frozenset[int]]]:
    """Yield the labellings under which the sessions played are sessions of the design, with the numbers of these.

    Players and points are the numbers 0 … N − 1; sessions are without a repeat among themselves.
    """
    # The first session is always the design's first: most designs turn into themselves, from any session to any other.
    for second in range(1, len(design)):
        yield from _LabellingSearch(played, design, (0, second), SearchBudget(_LABELLING_NODES)).all()


class _LabellingSearch:
    """A depth-first search for labellings that map the first two sessions played to the given sessions of the design.

    Points are settled one by one, each at the table of one already settled: three players are left to choose from.
    Players who met in one session must meet in its image, and those who never met in no image.
    """

    def __init__(
        self, played: Sessions, design: Sessions, first: tuple[int, int], budget: SearchBudget
    ) -> None:
        self._mates = [_mates(session) for session in played]
        self._met = {
            (a, b): number for number, mates in enumerate(self._mates) for a in mates for b in mates[a]
        }
        self._image_met = {
            (a, b): number
            for number, session in enumerate(design)
            for a, others in _mates(session).items()
            for b in others
        }
        first_images = [design[number] for number in first]
        self._order = _connected_order(first_images)
        self._signature, self._point_signature = _signatures(*played[:2]), _signatures(*first_images)
        self._image = dict(enumerate(first))
        """Played session → session of the design."""
        self._budget = budget
        self._player: dict[int, int] = {}

    def all(self) -> Iterator[tuple[Labelling, frozenset[int]]]:
        """Yield every labelling that agrees with the points settled so far, while the budget lasts."""
        if len(self._player) == len(self._order):
            yield [self._player[point] for point in range(len(self._order))], frozenset(self._image.values())
            return
        point = self._order[len(self._player)]
        for player in self._candidates(point):
            if self._budget.nodes <= 0:
                return
            self._budget.nodes -= 1
            images = self._images(point, player)
            if images is None:
                continue
            self._image |= images
            self._player[point] = player
            yield from self.all()
            del self._player[point]
            for at in images:
                del self._image[at]

    def _candidates(self, point: int) -> list[int]:
        """Return who can be this point: the mates of every settled neighbour; at first everybody."""
        mates_of_neighbours = [
            self._mates[at][player]
            for at, image in self._image.items()
            for other, player in self._player.items()
            if self._image_met.get((point, other)) == image
        ]
        taken = set(self._player.values())
        return [
            player
            for player in (mates_of_neighbours or [list(self._mates[0])])[0]
            if self._signature[player] == self._point_signature[point]
            and player not in taken
            and all(player in mates for mates in mates_of_neighbours)
        ]

    def _images(self, point: int, player: int) -> dict[int, int] | None:
        """Return the images of further sessions that follow when the player is this point; None when it cannot be."""
        further: dict[int, int] = {}
        images = set(self._image.values())
        for other, mate in self._player.items():
            met_in, meet_in = self._met.get((player, mate)), self._image_met.get((point, other))
            if met_in is None:
                if meet_in in images:
                    return None
                continue
            image = self._image.get(met_in, further.get(met_in))
            if image is None and meet_in is not None and meet_in not in images:
                further[met_in] = image = meet_in
                images.add(meet_in)
            if image != meet_in:
                return None
        return further


def _signatures(first: Session, second: Session) -> dict[int, Hashable]:
    """Return player → signature in two sessions; labellings map players to points of the same signature.

    A signature is the shapes of both tables. Most labellings that fail do so here, before any search.
    """
    first_shapes, second_shapes = _shapes(first, second), _shapes(second, first)
    return {player: (first_shapes[player], second_shapes[player]) for player in first_shapes}


def _shapes(session: Session, across: Session) -> dict[int, tuple[int, ...]]:
    """Return player → how many tables of ``across`` their table of ``session`` shares with each table, sorted."""
    table_of = {player: number for number, table in enumerate(across) for player in table}
    reached = [{table_of[player] for player in table} for table in session]
    return {
        player: tuple(sorted(len(tables & others) for others in reached))
        for table, tables in zip(session, reached, strict=True)
        for player in table
    }


def _connected_order(sessions: Sequence[Session]) -> list[int]:
    """Return all points, each with as many of its mates before it as possible."""
    mates = [_mates(session) for session in sessions]
    order: list[int] = []
    remaining = sorted(mates[0])
    while remaining:
        settled = set(order)
        beside = {point: sum(len(settled.intersection(of[point])) for of in mates) for point in remaining}
        order.append(max(remaining, key=lambda point: (beside[point], -point)))
        remaining.remove(order[-1])
    return order


def _mates(session: Session) -> dict[int, list[int]]:
    """Return player → the others at the table."""
    return {player: [other for other in table if other != player] for table in session for player in table}


# --- Exact search ---


MAX_NODES: Final = 12_000
"""Partly filled sessions, in later sessions too: a few tenths of a second at 40 players."""


@dataclass
class SearchBudget:
    """The nodes that a search and the searches for later sessions may still visit."""

    nodes: int = MAX_NODES


Masks = Sequence[int]
"""For each player 0 … N − 1 the others that they may meet, as a bit mask."""


def cheapest_session(
    allowed: Masks, cost: Callable[[Table], float], budget: SearchBudget, *, left: int = 0
) -> tuple[Table, ...] | None:
    """Return the cheapest tables of players who may all meet each other, by an exact search; None when there are none.

    Exchanging players two by two gets stuck where few pairs have not met. Here every four without a pair that must not
    meet is listed, and the fours are combined until everybody sits, cheapest first. After the session ``left`` more can
    be seated in the same way.
    """
    fours = sorted((cost(four), four) for four in _fours(allowed))
    search = _SessionSearch(
        len(allowed), fours, lambda tables: can_continue(exclude_met(allowed, tables), left, budget), budget
    )
    search.fill(0, 0.0, [])
    return search.best


def can_continue(allowed: Masks, sessions: int, budget: SearchBudget) -> bool:
    """Return whether so many more sessions are found in which players meet whom they may, and only once."""
    return (
        sessions == 0 or cheapest_session(allowed, lambda _table: 0.0, budget, left=sessions - 1) is not None
    )


def exclude_met(allowed: Masks, tables: Sequence[Table]) -> list[int]:
    """Return the masks without the meetings at these tables."""
    masks = list(allowed)
    for table in tables:
        four = sum(1 << player for player in table)
        for player in table:
            masks[player] &= ~four
    return masks


def _fours(allowed: Sequence[int]) -> list[Table]:
    """Return every four whose six pairs are all allowed, each in ascending order."""
    fours = []
    for a, of_a in enumerate(allowed):
        for b in _larger(of_a, a):
            both = of_a & allowed[b]
            for c in _larger(both, b):
                fours += [(a, b, c, d) for d in _larger(both & allowed[c], c)]
    return fours


def _larger(mask: int, number: int) -> list[int]:
    """Return the numbers in the mask that are larger."""
    return [bit for bit in range(number + 1, mask.bit_length()) if mask >> bit & 1]


class _SessionSearch:
    """A depth-first search that always continues with the player who has the fewest fours left."""

    def __init__(
        self,
        players: int,
        fours: Sequence[tuple[float, Table]],
        accepts: Callable[[Sequence[Table]], bool],
        budget: SearchBudget,
    ) -> None:
        self._accepts = accepts
        self._budget = budget
        self.best: tuple[Table, ...] | None = None
        self._lowest = float("inf")
        self._everybody = (1 << players) - 1
        self._fours = [(cost, four, sum(1 << player for player in four)) for cost, four in fours]
        self._fours_with = [
            [entry for entry in self._fours if player in entry[1]] for player in range(players)
        ]

    def fill(self, seated: int, cost: float, tables: list[Table]) -> None:
        """Seat the rest after these tables, if that can be cheaper than the best so far."""
        if seated == self._everybody:
            if not self._accepts(tables):
                return
            self.best, self._lowest = tuple(tables), cost
            return
        for four_cost, four, mask in self._fewest(seated):
            if self._budget.nodes <= 0:
                return
            if cost + four_cost < self._lowest:
                self._budget.nodes -= 1
                self.fill(seated | mask, cost + four_cost, [*tables, four])

    def _fewest(self, seated: int) -> list[tuple[float, Table, int]]:
        """Return the fours left for the player who has the fewest."""
        fewest: list[tuple[float, Table, int]] | None = None
        for player, fours in enumerate(self._fours_with):
            if not seated >> player & 1:
                free = [entry for entry in fours if not entry[2] & seated]
                if fewest is None or len(free) < len(fewest):
                    fewest = free
                if not fewest:
                    break
        return fewest or []
