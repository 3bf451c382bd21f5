"""Standings as a pure function of results, penalties and the order of criteria (RULES §8).

Nothing here knows about a rulebook: scale and criteria are arguments. Penalty points are amounts to take off.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import Final, NamedTuple, TypeAlias

from tournament.base.engine.criteria import DEFAULT_ORDER, Criterion, Totals, find_criteria
from tournament.base.engine.table_points import STANDARD_SCALE, places, table_points
from tournament.ranking.engine.results import (
    Carried,
    PenaltyPoints,
    PlayerRow,
    SeatResult,
    SessionScore,
    TableResult,
)


@dataclass(frozen=True, slots=True)
class Standing:
    """One line of the standings.

    ``rank`` is None for a player who is not ranked; ``shared`` says that another player has the same rank.
    ``decided_by`` is the key of the criterion that put this player before the next line: None on the last
    line, before an equal player, before or among players without a rank, and before a lower ``tier`` of finals.
    """

    rank: int | None
    shared: bool
    number: int
    withdrawn: bool
    totals: Totals
    sessions: tuple[SessionScore, ...]
    decided_by: str | None
    tier: tuple[int, ...] = ()
    carried: tuple[Carried, ...] = ()

    @property
    def table_points(self) -> Fraction:
        return self.totals.table_points

    @property
    def game_points(self) -> Fraction | int:
        return self.totals.game_points

    @property
    def provisional(self) -> bool:
        """Whether any session counted here may still change."""
        return any(score.provisional for score in self.sessions)


@dataclass(frozen=True, slots=True)
class Standings:
    """The lines, best first; equal players stand in the order of their numbers."""

    rows: tuple[Standing, ...]

    def find(self, number: int) -> Standing:
        """The line of a player; KeyError when not in the standings."""
        for row in self.rows:
            if row.number == number:
                return row
        raise KeyError(number)


def standings(
    players: Iterable[PlayerRow],
    results: Iterable[TableResult],
    *,
    penalties: Mapping[int, PenaltyPoints] | None = None,
    criteria: Sequence[str] = DEFAULT_ORDER,
    scale: Sequence[Fraction | int] = STANDARD_SCALE,
) -> Standings:
    """Rank ``players`` on ``results``; seats of anybody else count at their tables only.

    Raises KeyError or ValueError for criteria that do not exist (see `find_criteria`).
    """
    order = find_criteria(criteria)
    played = _played(results, tuple(scale))
    fined = penalties or {}
    rows = list(players)
    sessions = [played.get(row.number, ()) for row in rows]
    totals = [
        _totals(row, seats, fined.get(row.number, _NO_PENALTY))
        for row, seats in zip(rows, sessions, strict=True)
    ]
    values = zip(
        *(_best_first([criterion.value(each) for each in totals]) for criterion in order), strict=True
    )
    keys = [((not row.ranked, row.tier), value, row.number) for row, value in zip(rows, values, strict=True)]
    lines = sorted(map(_Line, keys, rows, totals, sessions), key=lambda line: line.key)
    return Standings(tuple(_rows(lines, order)))


@lru_cache(maxsize=2**14)
def table_scores(
    table: TableResult, scale: tuple[Fraction | int, ...] = STANDARD_SCALE
) -> tuple[SessionScore, ...]:
    """What one table gave each of its seats, in their order. Remembered, so that a table is worked out
    once.
    """
    game_points = [seat.game_points for seat in table.seats]
    placed = [seat.placed for seat in table.seats]
    shares = table_points(game_points, scale, placed)
    return tuple(
        SessionScore(
            session=table.session,
            table=table.table,
            place=place,
            table_points=share - seat.table_point_penalty if seat.table_point_penalty else share,
            game_points=seat.account,
            provisional=not table.final,
        )
        for seat, share, place in zip(table.seats, shares, places(game_points, placed), strict=True)
    )


_Seats: TypeAlias = Sequence[tuple[SessionScore, SeatResult]]
_NO_PENALTY: Final = PenaltyPoints()


class _Line(NamedTuple):
    key: tuple[tuple[bool, tuple[int, ...]], tuple[int, ...], int]
    player: PlayerRow
    totals: Totals
    sessions: _Seats


def _played(results: Iterable[TableResult], scale: tuple[Fraction | int, ...]) -> dict[int, _Seats]:
    """Player → sessions played, in their order."""
    played: defaultdict[int, list[tuple[SessionScore, SeatResult]]] = defaultdict(list)
    for table in sorted(results, key=lambda table: table.session):
        for seat, score in zip(table.seats, table_scores(table, scale), strict=True):
            if not seat.forfeited:
                played[seat.player].append((score, seat))
    return dict(played)


def _totals(player: PlayerRow, sessions: _Seats, penalty: PenaltyPoints) -> Totals:
    played = [seat for _, seat in sessions if seat.owed is None]
    shares = _sum_fractions([score.table_points for score, _ in sessions])
    return Totals(
        table_points=shares
        + (sum(each.table_points - each.had_table_points for each in player.carried) - penalty.table_points),
        game_points=sum([score.game_points for score, _ in sessions])
        + sum([each.game_points - each.had_game_points for each in player.carried])
        - penalty.game_points,
        best_session=max([seat.game_points for seat in played if seat.placed], default=0),
        hands_won=sum([seat.hands_won for seat in played]),
        wins_by_discard=sum([seat.wins_by_discard for seat in played]),
        deal_ins=sum([seat.deal_ins for seat in played]),
    )


def _sum_fractions(parts: Iterable[Fraction]) -> Fraction:
    """Sum exactly, one addition for each denominator: nearly all table points are whole."""
    numerators: dict[int, int] = {}
    for part in parts:
        numerator, denominator = part.as_integer_ratio()
        numerators[denominator] = numerators.get(denominator, 0) + numerator
    total = Fraction(numerators.pop(1, 0))
    for denominator, numerator in numerators.items():
        total += Fraction(numerator, denominator)
    return total


def _best_first(values: Sequence[Fraction | int]) -> list[int]:
    """Whole numbers in the opposite order of the values: comparing fractions would cost most of the time."""
    unit = lcm(*(value.denominator for value in values))
    return [-value.numerator * (unit // value.denominator) for value in values]


def _rows(lines: Sequence[_Line], order: Sequence[Criterion]) -> Iterator[Standing]:
    rank = 0
    for index, line in enumerate(lines):
        before = index > 0 and _equal(lines[index - 1], line)
        after = index + 1 < len(lines) and _equal(line, lines[index + 1])
        rank = rank if before else index + 1
        yield Standing(
            rank=rank if line.player.ranked else None,
            shared=line.player.ranked and (before or after),
            number=line.player.number,
            withdrawn=line.player.withdrawn,
            totals=line.totals,
            sessions=tuple(score for score, _ in line.sessions),
            decided_by=_decided_by(line, lines[index + 1], order) if index + 1 < len(lines) else None,
            tier=line.player.tier,
            carried=line.player.carried,
        )


def _equal(one: _Line, other: _Line) -> bool:
    return one.key[:2] == other.key[:2]


def _decided_by(line: _Line, following: _Line, order: Sequence[Criterion]) -> str | None:
    if not line.player.ranked or line.key[0] != following.key[0]:
        return None
    differing = (
        criterion.key
        for criterion, mine, theirs in zip(order, line.key[1], following.key[1], strict=True)
        if mine != theirs
    )
    return next(differing, None)
