"""Teams and nations: ranked by the best results of their members (RULES §8: a team is the sum of its four, a nation
its best three).

EMA ranks countries by "the top 3 players (or zero scores)" (European Ranking System, country ranking); a group with
fewer members therefore counts nothing for those it lacks, and a sum ranks as the mean would.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

from tournament.base.engine.criteria import DEFAULT_ORDER, Totals, find_criteria
from tournament.ranking.engine.standings import Standing

TEAM_COUNTS: Final = 4
NATION_COUNTS: Final = 3


@dataclass(frozen=True, slots=True)
class GroupStanding:
    """One line: `totals` of the `counted` members added up; `members` are all of them, best first.

    ``shared`` says that another group has the same rank.
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
        """How many members count nothing."""
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

    `group_of`: player → group; players without one, or with an empty one, are in none. Members who are not ranked count
    nothing. Equal groups share the place and stand in the order of their names.
    """
    members: defaultdict[str, list[Standing]] = defaultdict(list)
    for row in rows:
        if group := group_of.get(row.number):
            members[group].append(row)
    order = find_criteria(criteria)
    found = [_group(name, standing, counts) for name, standing in members.items()]
    keys = {group.name: tuple(-criterion.value(group.totals) for criterion in order) for group in found}
    values = sorted(keys.values())
    found.sort(key=lambda group: (keys[group.name], group.name))
    return tuple(
        replace(
            group,
            rank=1 + values.index(keys[group.name]),
            shared=values.count(keys[group.name]) > 1,
        )
        for group in found
    )


def _group(name: str, members: Sequence[Standing], counts: int) -> GroupStanding:
    """A group among others; its rank is not known yet."""
    counted = tuple(row for row in members if row.rank is not None)[:counts]
    totals = _sum([row.totals for row in counted])
    return GroupStanding(
        rank=0, shared=False, name=name, totals=totals, members=tuple(members), counted=counted
    )


def _sum(totals: Sequence[Totals]) -> Totals:
    return Totals(
        table_points=sum((each.table_points for each in totals), Fraction(0)),
        game_points=sum(each.game_points for each in totals),
        best_session=max((each.best_session for each in totals), default=0),
        hands_won=sum(each.hands_won for each in totals),
        wins_by_discard=sum(each.wins_by_discard for each in totals),
        deal_ins=sum(each.deal_ins for each in totals),
    )
