"""Who plays in which session once there are finals."""

from __future__ import annotations

from dataclasses import dataclass

from tournament.base.access import Audience
from tournament.base.engine.finals import Cut
from tournament.base.models.play import Session
from tournament.base.models.tournament import Tournament
from tournament.ranking.engine.standings import Standing
from tournament.ranking.selectors.standings import current_standings, standings_with, table_results


@dataclass(frozen=True)
class Place:
    """Where a player goes from here when a final is set up."""

    now: Standing
    group: int | None
    """In the final, from 1."""
    then: Standing
    """Before the final's first hand: the rank that who is not in it keeps, and the points that count."""
    above_the_cut: bool


def places_with(tournament: Tournament, cut: Cut) -> list[Place]:
    """Everybody's place with this final: the finalists, group by group, then all others."""
    now = {row.number: row for row in current_standings(tournament, Audience.STAFF, closed_only=True).rows}
    results = table_results(tournament, Audience.STAFF, closed_only=True)
    rows = standings_with(tournament, Audience.STAFF, results, proposed=[cut]).rows
    group = {number: at for at, members in enumerate(cut.groups, 1) for number in members}
    last = [row.number for row in rows if row.number in group][-1]
    return [Place(now[row.number], group.get(row.number), row, row.number == last) for row in rows]


def may_have_finals(tournament: Tournament) -> bool:
    """Whether a final can be set up now: after the newest session closed, none being played."""
    newest = tournament.sessions.exclude(state=Session.State.PLANNED).last()
    if newest is None or newest.state != Session.State.CLOSED:
        return False
    return not tournament.finals.filter(after_session=newest.number).exists()


def last_for_everybody(tournament: Tournament) -> int | None:
    """The last session before the first final; None when there is no final."""
    first = tournament.finals.first()
    return first.after_session if first else None
