"""Seating the sessions not yet begun again, when players have left or come; what has begun stays."""

from __future__ import annotations

from tournament import access, log
from tournament.access import Actor
from tournament.engine.seating import SeatingError, replan
from tournament.errors import Refused, refuse
from tournament.models import Session, Tournament
from tournament.selectors.draws import inputs_behind
from tournament.selectors.seatings import seats_of_all
from tournament.services.reseating import Again, reseat


def replanned(tournament: Tournament) -> Again:
    """The sessions left, seated for the players who have not withdrawn, near to the seats there are; stores nothing.

    A newcomer takes the seat of somebody who left. What the draw was asked for holds on: pairs and, if they never were
    to meet, team-mates apart; players at their tables; compatriots rarely. Refused when tables would not be full, or
    no session with seats is left to play, or finals are set up.
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
        found = replan(
            [player.number for player in players],
            before[:kept],
            before[kept:],
            seed=tournament.draw_seed or "replan",
            teams={p.number: p.team for p in players if p.team} if inputs and inputs.teams_first else {},
            countries={p.number: p.country for p in players if p.country}
            if inputs and inputs.countries
            else {},
            forbidden=inputs.forbidden if inputs else (),
            stay=inputs.stay if inputs else {},
        )
    except SeatingError as error:
        raise Refused(error.problems) from None
    return Again(before, (*before[:kept], *found.sessions), tuple(range(kept + 1, len(before) + 1)))


def replan_seats(tournament: Tournament, actor: Actor, *, seen: str = "") -> None:
    """Put the seats of `replanned` in place of those there are. `seen`: as `reseat` has it."""
    access.require_organiser(actor, tournament)
    with log.write(tournament, actor, "seats_replanned") as entry:
        again = replanned(entry.tournament)
        players = sum(len(seats) for seats in again.after[-1])
        entry.data = {"players": players} | reseat(entry.tournament, again, seen)
