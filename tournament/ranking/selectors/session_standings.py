"""The standings of one session: what was won in it alone."""

from __future__ import annotations

from dataclasses import dataclass

from tournament.base.access import Audience
from tournament.base.models.people import Player
from tournament.base.models.tournament import Tournament
from tournament.ranking.engine.results import PlayerRow, SeatResult, SessionScore
from tournament.ranking.engine.standings import Standing, standings
from tournament.ranking.selectors.standings import table_results


@dataclass(frozen=True)
class SessionRow:
    """A player's line. `seat`: what it is made of."""

    standing: Standing
    player: Player
    score: SessionScore
    seat: SeatResult


def session_rows(tournament: Tournament, audience: Audience, session: int) -> tuple[SessionRow, ...]:
    """Best first, by the rulebook's criteria, from the points of that session and no penalties of the tournament; a
    substitute is listed without a place. Empty before its first result, and for whom it is hidden from."""
    results = [table for table in table_results(tournament, audience) if table.session == session]
    seats = {seat.player: seat for table in results for seat in table.seats}
    players = {player.number: player for player in tournament.players.filter(number__in=seats)}
    found = standings(
        [PlayerRow(number, ranked=not player.is_substitute) for number, player in players.items()],
        results,
        criteria=tournament.rules.criteria,
        scale=tournament.rules.scale,
    )
    return tuple(
        SessionRow(row, players[row.number], row.sessions[0], seats[row.number])
        for row in found.rows
        if row.sessions
    )
