"""Two players exchange seats in sessions not yet begun."""

from __future__ import annotations

from collections.abc import Sequence

from tournament import access, log
from tournament.access import Actor
from tournament.engine.seating import SeatingError
from tournament.engine.seating.swap import swapped
from tournament.errors import Refused, refuse
from tournament.models import Tournament
from tournament.selectors.seatings import seats_of_all
from tournament.services.reseating import Again, refuse_begun, reseat


def after_swap(tournament: Tournament, one: int, other: int, sessions: Sequence[int]) -> Again:
    """The seats as they would be; stores nothing. Refused as `swap_players`."""
    if not sessions:
        raise refuse("nothing_left_to_play")
    refuse_begun(tournament, sessions)
    before = seats_of_all(tournament)
    try:
        return Again(before, swapped(before, one, other, set(sessions)), tuple(sorted(sessions)))
    except SeatingError as error:
        raise Refused(error.problems) from None


def swap_players(
    tournament: Tournament, actor: Actor, one: int, other: int, sessions: Sequence[int], *, seen: str = ""
) -> None:
    """The two players, by number, change seats in the sessions named; none of them may have begun.

    `seen`: as `reseat` has it.
    """
    access.require_organiser(actor, tournament)
    with log.write(tournament, actor, "seats_swapped") as entry:
        again = after_swap(entry.tournament, one, other, sessions)
        entry.data = {"one": one, "other": other} | reseat(entry.tournament, again, seen)
