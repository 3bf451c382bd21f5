"""Standings as a pure function of results, penalties and the order of criteria (RULES §8), also of teams and nations.

Scale and criteria of the rulebook are arguments. Penalty points are amounts to take off.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import Final, NamedTuple, TypeAlias

from tournament.base.engine.rules import (
    DEFAULT_ORDER,
    STANDARD_SCALE,
    Criterion,
    Totals,
    find_criteria,
    places,
    table_points,
)

# --- Input ---


@dataclass(frozen=True, slots=True)
class Carried:
    """The points that a player takes into a final after session ``after``, in place of those before."""

    after: int
    table_points: Fraction
    game_points: int
    had_table_points: Fraction = Fraction(0)
    had_game_points: Fraction | int = 0


@dataclass(frozen=True, slots=True)
class PlayerRow:
    """A player to be ranked.

    ``withdrawn`` players keep their results and their place. Players who are not ``ranked`` are listed after everybody
    else, without a rank; ``unranked_because`` names the part of a sanction that this follows from, where it does.
    Players who are ranked in spite of it have the last rank, with 0 points.
    ``carried``: into finals, in their order. A lower ``tier`` ranks before a higher one, whatever the points (see
    `finals.apply_cuts`).
    """

    number: int
    withdrawn: bool = False
    ranked: bool = True
    unranked_because: str = ""
    carried: tuple[Carried, ...] = ()
    tier: tuple[int, ...] = ()

    @property
    def is_last(self) -> bool:
        """Whether the player is ranked in spite of a sanction."""
        return self.ranked and bool(self.unranked_because)


@dataclass(frozen=True, slots=True)
class SeatResult:
    """One seat of a table: hand payments and the session's point penalties, summed in ``game_points``.

    ``table_point_penalty`` is taken off the table points after they are shared; the others gain nothing by
    it. A seat that is not ``placed`` takes no place: the others have the first ones. Where a stand-in's result is not
    the absent player's, ``owed`` is what the session counts for that player, who has neither table points nor hands in
    it. A ``forfeited`` session counts nothing for its player, and the others keep their results.
    """

    player: int
    game_points: int
    hands_won: int = 0
    wins_by_discard: int = 0
    deal_ins: int = 0
    table_point_penalty: Fraction | int = 0
    placed: bool = True
    owed: int | None = None
    forfeited: bool = False


@dataclass(frozen=True, slots=True)
class TableResult:
    """One table in one session; ``final`` is False while the result may still change."""

    session: int
    table: int
    seats: tuple[SeatResult, ...]
    final: bool = True


@dataclass(frozen=True, slots=True)
class PenaltyPoints:
    """A player's penalties of tournament scope: points to take off the totals (negative ones are added)."""

    game_points: int = 0
    table_points: Fraction | int = 0


@dataclass(frozen=True, slots=True)
class SessionScore:
    """The score of one player in one session; ``place`` is at the table, 1 the best, None for no place there."""

    session: int
    table: int
    place: int | None
    table_points: Fraction
    game_points: int
    provisional: bool


# --- Standings ---


@dataclass(frozen=True, slots=True)
class Standing:
    """One line of the standings.

    ``rank`` is None for a player who is not ranked; ``unranked_because`` is that of the player's row. ``shared``:
    another player has the same rank.
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
    unranked_because: str = ""

    @property
    def table_points(self) -> Fraction:
        return self.totals.table_points

    @property
    def game_points(self) -> Fraction | int:
        return self.totals.game_points

    @property
    def provisional(self) -> bool:
        """Return whether any session counted here can still change."""
        return any(score.provisional for score in self.sessions)


@dataclass(frozen=True, slots=True)
class Standings:
    """The lines, best first; equal players in the order of their numbers."""

    rows: tuple[Standing, ...]

    def find(self, number: int) -> Standing:
        """Return the line of a player; KeyError when not in the standings."""
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
    played = _sessions_by_player(results, tuple(scale))
    penalty_of = penalties or {}
    rows = list(players)
    sessions = [played.get(row.number, ()) for row in rows]
    totals = [
        _totals(row, seats, penalty_of.get(row.number, _NO_PENALTY))
        for row, seats in zip(rows, sessions, strict=True)
    ]
    values = zip(
        *(_best_first([criterion.value(total) for total in totals]) for criterion in order), strict=True
    )
    keys = [
        ((not row.ranked, row.is_last, row.tier), value, row.number)
        for row, value in zip(rows, values, strict=True)
    ]
    lines = sorted(map(_Line, keys, rows, totals, sessions), key=lambda line: line.key)
    return Standings(tuple(_ranked_rows(lines, order)))


_Seats: TypeAlias = Sequence[tuple[SessionScore, SeatResult]]
_NO_PENALTY: Final = PenaltyPoints()


class _Line(NamedTuple):
    key: tuple[tuple[bool, bool, tuple[int, ...]], tuple[int, ...], int]
    player: PlayerRow
    totals: Totals
    sessions: _Seats


def _sessions_by_player(
    results: Iterable[TableResult], scale: tuple[Fraction | int, ...]
) -> dict[int, _Seats]:
    """Return player → sessions played, in their order."""
    played: defaultdict[int, list[tuple[SessionScore, SeatResult]]] = defaultdict(list)
    for table in sorted(results, key=lambda table: table.session):
        for seat, score in zip(table.seats, table_scores(table, scale), strict=True):
            if not seat.forfeited:
                played[seat.player].append((score, seat))
    return dict(played)


def _totals(player: PlayerRow, sessions: _Seats, penalty: PenaltyPoints) -> Totals:
    if player.is_last:
        return Totals()
    played = [seat for _, seat in sessions if seat.owed is None]
    shares = _sum_fractions([score.table_points for score, _ in sessions])
    return Totals(
        table_points=shares
        + (
            sum(carried.table_points - carried.had_table_points for carried in player.carried)
            - penalty.table_points
        ),
        game_points=sum([score.game_points for score, _ in sessions])
        + sum([carried.game_points - carried.had_game_points for carried in player.carried])
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
    """Return whole numbers in the opposite order of the values, as comparing fractions would cost most of the time."""
    unit = lcm(*(value.denominator for value in values))
    return [-value.numerator * (unit // value.denominator) for value in values]


def _ranked_rows(lines: Sequence[_Line], order: Sequence[Criterion]) -> Iterator[Standing]:
    rank = 0
    for index, line in enumerate(lines):
        ties_with_previous = index > 0 and lines[index - 1].key[:2] == line.key[:2]
        ties_with_next = index + 1 < len(lines) and line.key[:2] == lines[index + 1].key[:2]
        rank = rank if ties_with_previous else index + 1
        yield Standing(
            rank=rank if line.player.ranked else None,
            shared=line.player.ranked and (ties_with_previous or ties_with_next),
            number=line.player.number,
            withdrawn=line.player.withdrawn,
            totals=line.totals,
            sessions=tuple(score for score, _ in line.sessions),
            decided_by=_decided_by(line, lines[index + 1], order) if index + 1 < len(lines) else None,
            tier=line.player.tier,
            carried=line.player.carried,
            unranked_because=line.player.unranked_because,
        )


def _decided_by(line: _Line, following: _Line, order: Sequence[Criterion]) -> str | None:
    if not line.player.ranked or line.key[0] != following.key[0]:
        return None
    differing = (
        criterion.key
        for criterion, own, next_value in zip(order, line.key[1], following.key[1], strict=True)
        if own != next_value
    )
    return next(differing, None)


@lru_cache(maxsize=2**14)
def table_scores(
    table: TableResult, scale: tuple[Fraction | int, ...] = STANDARD_SCALE
) -> tuple[SessionScore, ...]:
    """Return the score of each seat of a table, in their order. Cached, so that a table is computed once."""
    game_points = [seat.game_points for seat in table.seats]
    placed = [seat.placed for seat in table.seats]
    shares = table_points(game_points, scale, placed)
    return tuple(
        _session_score(table, seat, share, place)
        for seat, share, place in zip(table.seats, shares, places(game_points, placed), strict=True)
    )


def _session_score(table: TableResult, seat: SeatResult, share: Fraction, place: int | None) -> SessionScore:
    """Return what the session counts for the seat's player."""
    if seat.owed is not None:
        share, place = Fraction(0), None
    return SessionScore(
        session=table.session,
        table=table.table,
        place=place,
        table_points=share - seat.table_point_penalty if seat.table_point_penalty else share,
        game_points=seat.game_points if seat.owed is None else seat.owed,
        provisional=not table.final,
    )


# --- Teams and nations ---


TEAM_COUNTS: Final = 4
NATION_COUNTS: Final = 3
"""Number of members that count (RULES §8): a team is the sum of its four, a nation of its best three."""


@dataclass(frozen=True, slots=True)
class GroupStanding:
    """One line of teams or nations: `totals` are the sum of the `counted` members; `members` are all, best first.

    ``shared``: another group has the same rank.
    """

    rank: int
    shared: bool
    name: str
    totals: Totals
    members: tuple[Standing, ...]
    counted: tuple[Standing, ...]

    @property
    def table_points(self) -> Fraction:
        return self.totals.table_points

    @property
    def game_points(self) -> Fraction | int:
        return self.totals.game_points

    @property
    def member_numbers(self) -> tuple[int, ...]:
        return tuple(member.number for member in self.members)

    @property
    def counted_numbers(self) -> tuple[int, ...]:
        return tuple(member.number for member in self.counted)

    @property
    def left_out(self) -> int:
        """Return how many members do not count."""
        return len(self.members) - len(self.counted)

    @property
    def provisional(self) -> bool:
        return any(member.provisional for member in self.counted)


def group_standings(
    rows: Iterable[Standing],
    group_of: Mapping[int, str],
    counts: int,
    criteria: Sequence[str] = DEFAULT_ORDER,
) -> tuple[GroupStanding, ...]:
    """Rank groups by their `counts` best members, the `rows` being in the order of the standings.

    `group_of`: player → group; players without one, or with an empty one, are in none. Members who are not ranked do
    not count. Equal groups share the place and stand in the order of their names.

    EMA ranks countries by "the top 3 players (or zero scores)" (European Ranking System, country ranking); a group with
    fewer members therefore counts nothing for those it lacks, and a sum ranks as the mean would.
    """
    members: defaultdict[str, list[Standing]] = defaultdict(list)
    for row in rows:
        if group := group_of.get(row.number):
            members[group].append(row)
    order = find_criteria(criteria)
    ranked = [_group(name, standing, counts) for name, standing in members.items()]
    keys = {group.name: tuple(-criterion.value(group.totals) for criterion in order) for group in ranked}
    values = sorted(keys.values())
    ranked.sort(key=lambda group: (keys[group.name], group.name))
    return tuple(
        replace(
            group,
            rank=1 + values.index(keys[group.name]),
            shared=values.count(keys[group.name]) > 1,
        )
        for group in ranked
    )


def _group(name: str, members: Sequence[Standing], counts: int) -> GroupStanding:
    """Return a group that has no rank yet."""
    counted = tuple(row for row in members if row.rank is not None)[:counts]
    totals = _sum_totals([row.totals for row in counted])
    return GroupStanding(
        rank=0, shared=False, name=name, totals=totals, members=tuple(members), counted=counted
    )


def _sum_totals(totals: Sequence[Totals]) -> Totals:
    return Totals(
        table_points=sum((member.table_points for member in totals), Fraction(0)),
        game_points=sum(member.game_points for member in totals),
        best_session=max((member.best_session for member in totals), default=0),
        hands_won=sum(member.hands_won for member in totals),
        wins_by_discard=sum(member.wins_by_discard for member in totals),
        deal_ins=sum(member.deal_ins for member in totals),
    )
