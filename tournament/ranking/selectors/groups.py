"""The standings of teams and nations."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from tournament.base.engine.notices import Audience
from tournament.base.models.people import Player
from tournament.base.models.tournament import Tournament
from tournament.ranking.engine.standings import (
    NATION_COUNTS,
    TEAM_COUNTS,
    GroupStanding,
    Standing,
    group_standings,
)
from tournament.ranking.selectors.ranking import Ranking
from tournament.ranking.selectors.standings import current_standings, standings_after

GroupKind = Literal["teams", "nations"]
_COUNTS: Mapping[GroupKind, int] = {"teams": TEAM_COUNTS, "nations": NATION_COUNTS}


@dataclass(frozen=True)
class Member:
    player: Player
    standing: Standing
    counts: bool


@dataclass(frozen=True)
class GroupRow:
    standing: GroupStanding
    moved: int | None
    """Places gained or lost since `Ranking.since`; None if nobody can have moved."""
    members: tuple[Member, ...]


def counted_members(kind: GroupKind) -> int:
    """Return how many members count for a team or a nation."""
    return _COUNTS[kind]


def current_groups(tournament: Tournament, audience: Audience, kind: GroupKind) -> tuple[GroupStanding, ...]:
    """Return the standings of teams or nations; a running session counts as if it ended now."""
    rows = _rows_for_all(tournament, audience, current_standings(tournament, audience).rows)
    return _ranked_groups(tournament, kind, rows, _group_by_player(tournament.players.all(), kind))


def group_rows(ranking: Ranking, kind: GroupKind) -> tuple[GroupRow, ...]:
    """Return the lines of teams or nations of a ranking, with movements and members."""
    tournament, audience = ranking.tournament, ranking.audience
    players = {row.player.number: row.player for row in ranking.rows}
    names = _group_by_player(players.values(), kind)
    ranks_before: dict[str, int] = {}
    if ranking.since:
        rows = _rows_for_all(tournament, audience, standings_after(tournament, audience, ranking.since).rows)
        ranks_before = {group.name: group.rank for group in _ranked_groups(tournament, kind, rows, names)}
    rows = _rows_for_all(tournament, audience, tuple(row.standing for row in ranking.rows))
    groups = _ranked_groups(tournament, kind, rows, names)
    return tuple(
        GroupRow(
            standing=group,
            moved=ranks_before[group.name] - group.rank if ranks_before else None,
            members=tuple(
                Member(players[member.number], member, member in group.counted) for member in group.members
            ),
        )
        for group in groups
    )


def _rows_for_all(
    tournament: Tournament, audience: Audience, rows: tuple[Standing, ...]
) -> tuple[Standing, ...]:
    """Return the lines before the first final, as a final gives points to some members only."""
    first = tournament.finals.first()
    if first is None or not any(row.tier for row in rows):
        return rows
    return standings_after(tournament, audience, first.after_session).rows


def _group_by_player(players: Iterable[Player], kind: GroupKind) -> dict[int, str]:
    return {player.number: player.team if kind == "teams" else player.country for player in players}


def _ranked_groups(
    tournament: Tournament, kind: GroupKind, rows: Iterable[Standing], names: Mapping[int, str]
) -> tuple[GroupStanding, ...]:
    return group_standings(rows, names, _COUNTS[kind], tournament.rules.criteria)
