"""One session at a time: Swiss seating or by lot, and everything its seats follow from."""

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
from tournament.seating.engine.follow import Effort, cheapest_following, cheapest_session, is_open, without
from tournament.seating.engine.numbers import at_their_tables, next_winds
from tournament.seating.engine.plans import (
    HARD,
    Lots,
    Plan,
    SeatingError,
    Seats,
    Session,
    Wishes,
    as_plan,
    as_sessions,
    as_table,
    meetings,
    wished_apart,
)
from tournament.seating.engine.search import SeatSearch


class How(StrEnum):
    """How a session is seated by itself."""

    STANDING = "standing"
    INTERVAL = "interval"
    LOT = "lot"

    @property
    def needs_standings(self) -> bool:
        return self is not How.LOT


@dataclass(frozen=True, slots=True)
class SessionInputs:
    """Everything the seats of one session follow from, as it is kept and published: who has it can seat them again.

    ``players`` best first where the standings count; ``others``: every other session's seats, numbered as they are.
    ``forbidden`` pairs do not meet, nor do ``teams`` (player → name), with ``teams_first`` even at the price of
    repeats; players of one of ``clubs`` or ``countries`` rarely do. ``stay`` is player → table number from 1. At
    intervals the standings decide alone, and only the table numbers are kept. ``left``: how many sessions are still
    to be seated after this one.
    """

    how: How
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
        """The tables that follow; `SeatingError` as `draw` raises it for the players, and ``stay_impossible``."""
        (session,) = as_sessions([self._seated()])
        numbered = at_their_tables(session, self.stay)
        if strayed := [
            STAY_IMPOSSIBLE("stay", player=player, table=table)
            for player, table in self.stay.items()
            if not (table <= len(numbered) and player in numbered[table - 1])
        ]:
            raise SeatingError(strayed)
        (seats,) = as_plan((numbered,))
        return seats

    def _seated(self) -> tuple[Seats, ...]:
        if self.how is How.INTERVAL:
            return interval_session(self.players, self.others)
        apart = (*self.forbidden, *combinations(self.stay, 2))
        common: dict[str, Any] = {
            "seed": self.seed,
            "wishes": Wishes(self.teams, self.clubs, self.countries),
            "apart": apart,
            "teams_first": self.teams_first,
        }
        if self.how is How.LOT:
            return random_session(self.players, self.others, **common)
        return swiss_session(self.players, self.others, left=self.left, **common)

    def to_json(self) -> dict[str, Any]:
        return {
            "how": self.how.value,
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
        """What `to_json` wrote; KeyError, TypeError or ValueError for anything else.

        Sessions seated before clubs and countries counted here say nothing of them.
        """
        return cls(
            how=How(data["how"]),
            players=tuple(int(player) for player in data["players"]),
            others=tuple(_seats_from_json(session) for session in data["others"]),
            seed=str(data["seed"]),
            teams={int(player): str(name) for player, name in data["teams"].items()},
            clubs={int(player): str(name) for player, name in data.get("clubs", {}).items()},
            countries={int(player): str(name) for player, name in data.get("countries", {}).items()},
            forbidden=tuple((int(one), int(other)) for one, other in data["forbidden"]),
            stay={int(player): int(table) for player, table in data["stay"].items()},
            teams_first=bool(data["teams_first"]),
            left=int(data["left"]),
        )


def _seats_from_json(session: Sequence[Mapping[str, Any]]) -> tuple[Seats, ...]:
    return tuple({wind: int(table[wind]) for wind in WINDS} for table in session)


def rank_spreads(tables: Sequence[Mapping[str, int]], order: Sequence[int]) -> tuple[int, ...]:
    """For each table how many ranks lie between its best and its last player in ``order``, best first."""
    rank = {player: place for place, player in enumerate(order)}
    placed = [[rank[player] for player in table.values() if player in rank] for table in tables]
    return tuple(max(ranks, default=0) - min(ranks, default=0) for ranks in placed)


WINDOW: Final = 16
_REPEAT: Final = 20_000
_HARD: Final = 1_000_000
_SWISS_TEAMMATES: Final = _REPEAT // 2
_SWISS_COMPATRIOTS: Final = 64
"""In squared ranks: compatriots meet as reluctantly as players 8 ranks apart, club-mates as 14 ranks apart."""
_SHAKES: Final = 40
_SHAKEN: Final = 3
_MOVES_PER_PLAYER: Final = 600
_MOVES: Final = 60_000
_HOT: Final = 200.0
_COLD: Final = 4.0
"""Temperatures in squared ranks: at first a worsening by 14 ranks passes easily, in the end one by 2."""
_EXACT_UP_TO: Final = 48
_AHEAD: Final = 2
"""How many sessions to follow are looked at."""
_LOTS: Final = 2**53


def swiss_session(
    order: Sequence[int],
    played: Plan = (),
    *,
    seed: str,
    wishes: Wishes | None = None,
    apart: Collection[tuple[int, int]] = (),
    teams_first: bool = True,
    left: int = 0,
    window: int = WINDOW,
) -> tuple[Seats, ...]:
    """Seat the next session for players in the order of the standings, best first: neighbours meet, nobody twice.

    Tables are blocks of four by standing; then players within a window of ranks exchange tables while that saves
    something. A pair that met m times before costs far more than any difference in rank. Where that still leaves
    somebody meeting again, and there are not too many players, an exact search goes through all sessions. For more
    sessions than that holds, the session comes out of a design without repeats (`cheapest_following`).

    ``played`` are the other sessions. Tables come in the order of their best player. Players at the winds they
    have started at least. Team-mates and the pairs of ``apart`` meet only where nothing else can be; without
    ``teams_first`` team-mates rather meet than two players again. Club-mates and compatriots give way to players a
    few ranks off. So that the ``left`` sessions to follow can go without repeats too, with few players a dearer session
    is taken. Raises `SeatingError` as `draw` does for the players.
    """
    if problems := [*size_problems(order, 1)]:
        raise SeatingError(problems)
    before = as_sessions(played)
    met: Counter[tuple[int, int]] = Counter()
    for _, one, other in meetings(before):
        met[one, other] += 1
        met[other, one] += 1
    unwished = wished_apart(
        wishes or Wishes(), apart, _HARD if teams_first else _SWISS_TEAMMATES, _HARD, _SWISS_COMPATRIOTS
    )
    ranked = _RankedSeats(order, met, unwished, window)
    random = Random(Lots(seed).below(_LOTS)).random
    following = cheapest_following(order, before, left, ranked.price, random)
    if following is None or any(ranked.price(table) >= _REPEAT for table in following):
        ranked.settle(random, min(left, _AHEAD))
    else:
        ranked.seat(following)
    (session,) = as_plan((next_winds(ranked.session(), before),))
    return session


class _RankedSeats:
    """Seats by number (table = seat // 4), each holding a rank from 0."""

    def __init__(
        self,
        order: Sequence[int],
        met: Counter[tuple[int, int]],
        unwished: Mapping[int, Mapping[int, float]],
        window: int,
    ) -> None:
        self._order = order
        self._window = window
        self._seats = list(range(len(order)))
        self._seat_of = list(range(len(order)))
        self._extra = _pair_costs(order, met, unwished)

    def session(self) -> Session:
        """The tables, best rank first within a table and among tables."""
        ranks = sorted(sorted(self._seats[first : first + 4]) for first in range(0, len(self._seats), 4))
        return tuple(as_table([self._order[rank] for rank in table]) for table in ranks)

    def seat(self, tables: Session) -> None:
        """Give the ranks these tables."""
        self._restore([rank for table in tables for rank in table])

    def settle(self, random: Callable[[], float], left: int) -> None:
        """Exchange until nothing helps; then anneal; then shake the pairs that still meet again."""
        self._descend()
        best, cost = list(self._seats), self._total()
        self._anneal(random)
        self._descend()
        if self._total() > cost:
            self._restore(best)
        self._shake(random)
        if len(self._order) <= _EXACT_UP_TO:
            self._search_exactly(left)

    def _search_exactly(self, left: int) -> None:
        """Where somebody meets again, or would later: the cheapest session without that, whatever the window."""
        count = len(self._order)
        allowed = [
            sum(1 << other for other in range(count) if other != rank and extra.get(other, 0) < _REPEAT)
            for rank, extra in enumerate(self._extra)
        ]
        tables = [as_table(self._seats[first : first + 4]) for first in range(0, count, 4)]
        again = bool(self._again())
        if not again and is_open(without(allowed, tables), left, Effort()):
            return
        for ahead in range(left, -1 if again else 0, -1):
            tables_found = cheapest_session(allowed, self.price, Effort(), left=ahead)
            if tables_found is not None:
                self.seat(tables_found)
                return

    def price(self, ranks: Sequence[int]) -> float:
        """What four ranks cost at one table."""
        return sum(
            (one - other) ** 2 + self._extra[one].get(other, 0) for one, other in combinations(ranks, 2)
        )

    def _again(self) -> list[int]:
        """The ranks who meet somebody again, or against a hard wish."""
        return [rank for rank in range(len(self._seats)) if self._cost(rank, self._seat_of[rank]) >= _REPEAT]

    def _anneal(self, random: Callable[[], float]) -> None:
        """Exchange at random within the window; what makes it worse passes ever more rarely."""
        count = len(self._seats)
        moves = min(_MOVES_PER_PLAYER * count, _MOVES)
        temperature = _HOT
        for move in range(moves):
            if move % 256 == 0:
                temperature = _HOT * (_COLD / _HOT) ** (move / moves)
            one = int(random() * count)
            other = one - self._window + int(random() * (2 * self._window + 1))
            if not 0 <= other < count or self._seat_of[one] // 4 == self._seat_of[other] // 4:
                continue
            saving = self._saving(one, other)
            if saving >= 0 or random() < exp(saving / temperature):
                self._swap(one, other)

    def _shake(self, random: Callable[[], float]) -> None:
        """While pairs meet again: a few random exchanges around one of them, and descend from there."""
        best, cost = list(self._seats), self._total()
        for _ in range(_SHAKES):
            again = self._again()
            if not again:
                break
            for _ in range(_SHAKEN):
                rank = again[int(random() * len(again))]
                near = self._near(rank)
                self._swap(rank, near[int(random() * len(near))])
            self._descend()
            if (now := self._total()) < cost:
                best, cost = list(self._seats), now
            else:
                self._restore(best)
        self._restore(best)

    def _descend(self) -> None:
        """Give each player in turn the best exchange within the window, as long as any is found."""
        improved = True
        while improved:
            improved = False
            for rank in range(len(self._seats)):
                saved, other = max((self._saving(rank, near), near) for near in self._near(rank))
                if saved > 0:
                    self._swap(rank, other)
                    improved = True

    def _near(self, rank: int) -> list[int]:
        """Ranks in the window that sit at other tables."""
        table = self._seat_of[rank] // 4
        window = range(max(0, rank - self._window), min(len(self._seats), rank + self._window + 1))
        return [near for near in window if self._seat_of[near] // 4 != table]

    def _saving(self, one: int, other: int) -> float:
        here, there = self._seat_of[one], self._seat_of[other]
        now = self._cost(one, here) + self._cost(other, there)
        return now - self._cost(one, there) - self._cost(other, here)

    def _cost(self, rank: int, seat: int) -> float:
        """What a rank would cost at a seat, against the other three of the table."""
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

    def _swap(self, one: int, other: int) -> None:
        here, there = self._seat_of[one], self._seat_of[other]
        self._seats[here], self._seats[there] = other, one
        self._seat_of[one], self._seat_of[other] = there, here

    def _restore(self, seats: Sequence[int]) -> None:
        self._seats = list(seats)
        for seat, rank in enumerate(self._seats):
            self._seat_of[rank] = seat


def _pair_costs(
    order: Sequence[int], met: Counter[tuple[int, int]], unwished: Mapping[int, Mapping[int, float]]
) -> list[dict[int, float]]:
    """Rank → rank → what the two cost at one table besides the difference of their ranks."""
    rank_of = {player: rank for rank, player in enumerate(order)}
    costs: list[dict[int, float]] = [{} for _ in order]
    for (one, other), times in met.items():
        if one in rank_of and other in rank_of:
            costs[rank_of[one]][rank_of[other]] = _REPEAT * (2 * times - 1)
    for one, rank in rank_of.items():
        for other, cost in unwished.get(one, {}).items():
            if other in rank_of:
                costs[rank][rank_of[other]] = costs[rank].get(rank_of[other], 0) + cost
    return costs


_EVALUATIONS: Final = 60_000
_LOT_TEAMMATES: Final = 0.5
"""What a meeting of team-mates costs beside a repeat, 1, where they may meet."""
_LOT_COMPATRIOTS: Final = 0.1
"""The same for compatriots; club-mates cost three times that."""


def random_session(
    players: Sequence[int],
    played: Plan = (),
    *,
    seed: str,
    wishes: Wishes | None = None,
    apart: Collection[tuple[int, int]] = (),
    teams_first: bool = True,
) -> tuple[Seats, ...]:
    """Draw the next session by lot, then change it as little as it takes for nobody to meet again.

    Nor do team-mates meet, or a pair of ``apart``; without ``teams_first`` team-mates rather meet than two players
    again. Club-mates and compatriots meet as rarely as goes without either.

    Players at the winds they have started at least. Raises `SeatingError` as `draw` does for the players.
    """
    if problems := [*size_problems(players, 1)]:
        raise SeatingError(problems)
    lots = Lots(seed)
    before = as_sessions(played)
    costs = wished_apart(
        wishes or Wishes(), apart, HARD if teams_first else _LOT_TEAMMATES, HARD, _LOT_COMPATRIOTS
    )
    drawn = _in_fours(lots.shuffled(players))
    search = SeatSearch((*before, drawn), [len(before)], costs)
    return _with_winds(search.mend(_EVALUATIONS, lots)[-1], before)


def interval_session(order: Sequence[int], played: Plan = ()) -> tuple[Seats, ...]:
    """The next session by standing, best first: with 16 players 1-5-9-13 at table 1, 2-6-10-14 at table 2 …

    Raises `SeatingError` as `draw` does for the players.
    """
    if problems := [*size_problems(order, 1)]:
        raise SeatingError(problems)
    tables = len(order) // 4
    ordered = [order[place + quarter * tables] for place in range(tables) for quarter in range(4)]
    return _with_winds(_in_fours(ordered), as_sessions(played))


def _in_fours(players: Sequence[int]) -> Session:
    return tuple(as_table(list(players[first : first + 4])) for first in range(0, len(players), 4))


def _with_winds(session: Session, before: Sequence[Session]) -> tuple[Seats, ...]:
    (seats,) = as_plan((next_winds(session, before),))
    return seats
