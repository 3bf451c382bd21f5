"""The sessions not yet begun, seated again as they would be when players have left or come."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import TypeAlias

from tournament.base.errors import Refused, refuse
from tournament.base.models.play import Session
from tournament.base.models.tournament import Tournament
from tournament.seating.engine import Replan, SeatingError, replan
from tournament.seating.engine.plans import as_plan, as_sessions
from tournament.seating.engine.shapes import Sessions
from tournament.seating.selectors.draws import inputs_behind
from tournament.seating.selectors.seatings import Reseating, seats_of_all

Named: TypeAlias = tuple[tuple[int, str], ...]


def replanned(tournament: Tournament) -> Reseating:
    """The sessions left, seated for the players who have not withdrawn, near to the seats there are; stores nothing.

    A newcomer takes the seat of somebody who left. What the draw was asked for holds on: pairs and, if they never were
    to meet, team-mates apart; players at their tables; club-mates and compatriots rarely. Refused when tables would
    not be full, or no session with seats is left to play, or finals are set up.
    """
    if tournament.finals.exists():
        raise refuse("finals_not_replanned")
    before = seats_of_all(tournament)
    kept = tournament.sessions.exclude(state=Session.State.PLANNED).count()
    if kept >= len(before):
        raise refuse("nothing_left_to_play")
    players = list(tournament.players.filter(withdrawn_at=None))
    inputs = inputs_behind(tournament)
    try:
        found = _searched(
            tuple(player.number for player in players),
            as_sessions(before[:kept]),
            as_sessions(before[kept:]),
            tournament.draw_seed or "replan",
            teams=_named((p.number, p.team) for p in players if inputs and inputs.teams_first),
            clubs=_named((p.number, p.club) for p in players if inputs and inputs.clubs),
            countries=_named((p.number, p.country) for p in players if inputs and inputs.countries),
            forbidden=tuple(inputs.forbidden) if inputs else (),
            stay=tuple(inputs.stay.items()) if inputs else (),
        )
    except SeatingError as error:
        raise Refused(error.problems) from None
    return Reseating(before, (*before[:kept], *found.sessions), tuple(range(kept + 1, len(before) + 1)))


@lru_cache(maxsize=8)
def _searched(
    players: tuple[int, ...],
    played: Sessions,
    planned: Sessions,
    seed: str,
    *,
    teams: Named,
    clubs: Named,
    countries: Named,
    forbidden: tuple[tuple[int, int], ...],
    stay: tuple[tuple[int, int], ...],
) -> Replan:
    """`replan`, remembered: what was looked at is not searched for anew while its confirmation holds the tournament."""
    return replan(
        players,
        as_plan(played),
        as_plan(planned),
        seed=seed,
        teams=dict(teams),
        clubs=dict(clubs),
        countries=dict(countries),
        forbidden=forbidden,
        stay=dict(stay),
    )


def _named(groups: Iterable[tuple[int, str]]) -> Named:
    return tuple((number, name) for number, name in groups if name)
