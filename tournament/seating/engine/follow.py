"""The next session where few pairs have not met yet: out of a design that holds those played, or by an exact search."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from math import exp
from typing import Final, TypeAlias

from tournament.seating.engine.designs import without_repeats
from tournament.seating.engine.plans import Session, Sessions, Table, as_table

# --- The next session out of a design ---


Price = Callable[[Sequence[int]], float]

_FROM_PLAYERS: Final = 24
"""Players. With fewer an exact search finds all the sessions there are."""
_LABELLINGS: Final = 3000
"""How many labellings are looked at; at 24 players there are up to 16,000 after two sessions, few after three."""
_MOVES: Final = 1500
_HOT: Final = 400.0
_COLD: Final = 10.0


def cheapest_following(
    order: Sequence[int], before: Sessions, left: int, price: Price, random: Callable[[], float]
) -> Session | None:
    """Give the cheapest session, in ranks, that a design holds after those ``before``, with ``left`` to follow.

    Sessions chosen one by one by the standings run out after about a quarter of the players: later ones repeat, however
    far ahead one looks. A design of more sessions has none of that, and leaves a choice: which player is which of its
    points. Every labelling under which the sessions played are sessions of the design is as good as the next, so the
    cheapest next session over all of them is taken. For the second session they are annealed, so many are there.

    None where sessions can be chosen freely, where no design is long enough or none holds what was played, and for the
    first session, which begins any design. ``price`` is that of four ranks at one table.
    """
    players, sessions = len(order), len(before) + 1 + left
    if not before or players < _FROM_PLAYERS or sessions < players // 4:
        return None
    design = without_repeats(players, sessions)
    rank_of = {player: rank for rank, player in enumerate(order)}
    everybody = {player for session in before for table in session for player in table}
    if len(design) < sessions or everybody != set(order):
        return None
    played = tuple(
        tuple(as_table([rank_of[player] for player in table]) for table in session) for session in before
    )
    return _cheapest_labelled(played, design, price, random)


def _cheapest_labelled(
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
    sessions = [_annealed(first, design[0], later, price, random) for later in design[1:]]
    return min(sessions, key=lambda tables: sum(price(table) for table in tables))


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
        pairs = _drawn_exchange(first, random)
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


def _drawn_exchange(first: Session, random: Callable[[], float]) -> list[tuple[int, int]]:
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


# --- Labellings ---


Labelling: TypeAlias = Sequence[int]
"""Point of the design → player."""

_LABELLING_NODES: Final = 30_000
"""How many places are tried for each session of the design that may be the second one played."""


def labellings(played: Sessions, design: Sessions) -> Iterator[tuple[Labelling, frozenset[int]]]:
    """Find which player can be which point of a design, so that those played are sessions of it.

    Gives every such labelling with the numbers of these sessions. Players and points are the numbers 0 … N − 1;
    sessions are without a repeat among themselves.
    """
    # The first session is always the design's first: most designs turn into themselves, from any session to any other.
    for second in range(1, len(design)):
        yield from _LabellingSearch(played, design, (0, second), Effort(_LABELLING_NODES)).all()


class _LabellingSearch:
    """Labellings that carry played sessions into sessions of the design, the first two into the ones given.

    Points are settled one by one, each beside one at whose table it sits: three players are left to choose from.
    Who met in one session must meet in its image, and who never met in the image of none.
    """

    def __init__(self, played: Sessions, design: Sessions, first: tuple[int, int], effort: Effort) -> None:
        self._mates = [_mates(session) for session in played]
        self._met = {
            (one, other): at for at, mates in enumerate(self._mates) for one in mates for other in mates[one]
        }
        self._meet = {
            (one, other): at
            for at, session in enumerate(design)
            for one, others in _mates(session).items()
            for other in others
        }
        one, other = (design[at] for at in first)
        self._order = _connected((one, other))
        self._colour, self._wanted = _colours(played[0], played[1]), _colours(one, other)
        self._image = dict(enumerate(first))
        """Played session → session of the design."""
        self._effort = effort
        self._player: dict[int, int] = {}

    def all(self) -> Iterator[tuple[Labelling, frozenset[int]]]:
        """Every labelling that agrees with the points settled so far, while the effort lasts."""
        if len(self._player) == len(self._order):
            yield [self._player[point] for point in range(len(self._order))], frozenset(self._image.values())
            return
        point = self._order[len(self._player)]
        for player in self._candidates(point):
            if self._effort.nodes <= 0:
                return
            self._effort.nodes -= 1
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
        """Who can be this point: those who sat with each settled one beside whom it sits; at first everybody."""
        beside = [
            self._mates[at][player]
            for at, image in self._image.items()
            for other, player in self._player.items()
            if self._meet.get((point, other)) == image
        ]
        taken = set(self._player.values())
        return [
            player
            for player in (beside or [list(self._mates[0])])[0]
            if self._colour[player] == self._wanted[point]
            and player not in taken
            and all(player in mates for mates in beside)
        ]

    def _images(self, point: int, player: int) -> dict[int, int] | None:
        """The images of further sessions that follow when the player is this point; None when it cannot be."""
        further: dict[int, int] = {}
        images = set(self._image.values())
        for other, mate in self._player.items():
            met, meet = self._met.get((player, mate)), self._meet.get((point, other))
            if met is None:
                if meet in images:
                    return None
                continue
            image = self._image.get(met, further.get(met))
            if image is None and meet is not None and meet not in images:
                further[met] = image = meet
                images.add(meet)
            if image != meet:
                return None
        return further


def _colours(one: Session, other: Session) -> dict[int, Hashable]:
    """Everybody's place in two sessions; the same for places that a labelling could carry into each other.

    A player is told by the shapes of both tables. Most labellings that come to nothing do so here, before any search.
    """
    here, there = _shapes(one, other), _shapes(other, one)
    return {player: (here[player], there[player]) for player in here}


def _shapes(session: Session, across: Session) -> dict[int, tuple[int, ...]]:
    """Everybody → how many tables across the own table of ``session`` shares with each table of it, in order."""
    at = {player: number for number, table in enumerate(across) for player in table}
    reached = [{at[player] for player in table} for table in session]
    return {
        player: tuple(sorted(len(mine & others) for others in reached))
        for table, mine in zip(session, reached, strict=True)
        for player in table
    }


def _connected(sessions: Sequence[Session]) -> list[int]:
    """All points, each one beside as many of those before it as can be."""
    mates = [_mates(session) for session in sessions]
    order: list[int] = []
    left = sorted(mates[0])
    while left:
        settled = set(order)
        beside = {point: sum(len(settled.intersection(of[point])) for of in mates) for point in left}
        order.append(max(left, key=lambda point: (beside[point], -point)))
        left.remove(order[-1])
    return order


def _mates(session: Session) -> dict[int, list[int]]:
    """Everybody → who sits with them."""
    return {player: [other for other in table if other != player] for table in session for player in table}


# --- Exact search ---


NODES: Final = 12_000
"""How many partly filled sessions are looked at, in later sessions too: a few tenths of a second at 40 players."""


@dataclass
class Effort:
    """What may still be spent on a search and all that it asks ahead."""

    nodes: int = NODES


Masks = Sequence[int]
"""For each player 0 … N − 1 the others it may meet, as a bit mask."""


def cheapest_session(
    allowed: Masks, cost: Callable[[Table], float], effort: Effort, *, left: int = 0
) -> tuple[Table, ...] | None:
    """Give tables of players who may all meet each other, as cheap as an exact search finds; None when it finds none.

    Exchanging players two by two gets stuck where few pairs are left that have not met. Here every four without a pair
    that must not meet is listed, and the fours are put together until everybody sits, cheapest first. After the session
    ``left`` more can be seated in the same way.
    """
    fours = sorted((cost(four), four) for four in _fours(allowed))
    search = _SessionSearch(
        len(allowed), fours, lambda tables: is_open(without(allowed, tables), left, effort), effort
    )
    search.fill(0, 0.0, [])
    return search.best


def is_open(allowed: Masks, sessions: int, effort: Effort) -> bool:
    """Whether so many sessions of players who may meet, and meet once, are found."""
    return (
        sessions == 0 or cheapest_session(allowed, lambda _table: 0.0, effort, left=sessions - 1) is not None
    )


def without(allowed: Masks, tables: Sequence[Table]) -> list[int]:
    """What is left when these tables have met."""
    masks = list(allowed)
    for table in tables:
        four = sum(1 << player for player in table)
        for player in table:
            masks[player] &= ~four
    return masks


def _fours(allowed: Sequence[int]) -> list[Table]:
    """Every four whose six pairs are all allowed, in ascending order inside."""
    fours = []
    for a, of_a in enumerate(allowed):
        for b in _larger(of_a, a):
            both = of_a & allowed[b]
            for c in _larger(both, b):
                fours += [(a, b, c, d) for d in _larger(both & allowed[c], c)]
    return fours


def _larger(mask: int, number: int) -> list[int]:
    """The numbers in the mask that are larger."""
    return [bit for bit in range(number + 1, mask.bit_length()) if mask >> bit & 1]


class _SessionSearch:
    """Depth first, at the player with the fewest fours left."""

    def __init__(
        self,
        players: int,
        fours: Sequence[tuple[float, Table]],
        accepts: Callable[[Sequence[Table]], bool],
        effort: Effort,
    ) -> None:
        self._accepts = accepts
        self._effort = effort
        self.best: tuple[Table, ...] | None = None
        self._least = float("inf")
        self._everybody = (1 << players) - 1
        self._fours = [(cost, four, sum(1 << player for player in four)) for cost, four in fours]
        self._with = [[entry for entry in self._fours if player in entry[1]] for player in range(players)]

    def fill(self, seated: int, cost: float, tables: list[Table]) -> None:
        """Seat the rest after these tables, if that can be cheaper than the best so far."""
        if seated == self._everybody:
            if not self._accepts(tables):
                return
            self.best, self._least = tuple(tables), cost
            return
        for price, four, mask in self._fewest(seated):
            if self._effort.nodes <= 0:
                return
            if cost + price < self._least:
                self._effort.nodes -= 1
                self.fill(seated | mask, cost + price, [*tables, four])

    def _fewest(self, seated: int) -> list[tuple[float, Table, int]]:
        """The fours left for the player who has the fewest."""
        fewest: list[tuple[float, Table, int]] | None = None
        for player, fours in enumerate(self._with):
            if not seated >> player & 1:
                left = [entry for entry in fours if not entry[2] & seated]
                if fewest is None or len(left) < len(fewest):
                    fewest = left
                if not fewest:
                    break
        return fewest or []
