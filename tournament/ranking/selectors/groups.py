"""Teams and nations as people look at them: where each stands, whether it moved, and what its members brought."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from tournament.base.access import Audience
from tournament.base.models.people import Player
from tournament.base.models.tournament import Tournament
from tournament.ranking.engine.group_standings import (
    NATION_COUNTS,
    TEAM_COUNTS,
    GroupStanding,
    group_standings,
)
from tournament.ranking.engine.standings import Standing
from tournament.ranking.selectors.ranking import Ranking, standings_after
from tournament.ranking.selectors.standings import current_standings

Kind = Literal["teams", "nations"]
_COUNTS: Mapping[Kind, int] = {"teams": TEAM_COUNTS, "nations": NATION_COUNTS}


@dataclass(frozen=True)
class Member:
    player: Player
    standing: Standing
    counts: bool


@dataclass(frozen=True)
class GroupRow:
    standing: GroupStanding
    moved: int | None
    """Places won or lost since `Ranking.since`; None when nobody can have moved."""
    members: tuple[Member, ...]


def groups_now(tournament: Tournament, audience: Audience, kind: Kind) -> tuple[GroupStanding, ...]:
    """Teams or nations as if sessions being played ended now."""
    rows = _for_all(tournament, audience, current_standings(tournament, audience).rows)
    return _ranked(tournament, kind, rows, _groups(tournament.players.all(), kind))


def group_rows(ranking: Ranking, kind: Kind) -> tuple[GroupRow, ...]:
    """The same with movements and names, of a ranking already read."""
    tournament, audience = ranking.tournament, ranking.audience
    players = {row.player.number: row.player for row in ranking.rows}
    names = _groups(players.values(), kind)
    before: dict[str, int] = {}
    if ranking.since:
        rows = _for_all(tournament, audience, standings_after(tournament, audience, ranking.since).rows)
        before = {each.name: each.rank for each in _ranked(tournament, kind, rows, names)}
    rows = _for_all(tournament, audience, tuple(row.standing for row in ranking.rows))
    now = _ranked(tournament, kind, rows, names)
    return tuple(
        GroupRow(
            standing=group,
            moved=before[group.name] - group.rank if before else None,
            members=tuple(
                Member(players[member.number], member, member in group.counted) for member in group.members
            ),
        )
        for group in now
    )


def _for_all(tournament: Tournament, audience: Audience, rows: tuple[Standing, ...]) -> tuple[Standing, ...]:
    """The lines after the sessions that were for everybody: a final gives points to some members only."""
    first = tournament.finals.first()
    if first is None or not any(row.tier for row in rows):
        return rows
    return standings_after(tournament, audience, first.after_session).rows


def counted_members(kind: Kind) -> int:
    """How many of its members count for a team or a nation."""
    return _COUNTS[kind]


def _groups(players: Iterable[Player], kind: Kind) -> dict[int, str]:
    return {player.number: player.team if kind == "teams" else player.country for player in players}


def _ranked(
    tournament: Tournament, kind: Kind, rows: Iterable[Standing], names: Mapping[int, str]
) -> tuple[GroupStanding, ...]:
    return group_standings(rows, names, _COUNTS[kind], tournament.rules.criteria)
