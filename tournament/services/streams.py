"""Bringing players to the table that is filmed, in sessions not yet begun."""

from __future__ import annotations

from collections.abc import Sequence

from tournament import access, log
from tournament.access import Actor
from tournament.engine.seating import SeatingError
from tournament.engine.seating.stream import at_stream_table
from tournament.errors import Refused, refuse
from tournament.models import Session, Tournament
from tournament.selectors.seatings import seats_of_all
from tournament.services.reseating import Again, refuse_begun, reseat


def streamed(tournament: Tournament, players: Sequence[int], table: int, sessions: Sequence[int]) -> Again:
    """The seats as they would be; stores nothing. Refused as `seat_at_stream`."""
    if not sessions:
        raise refuse("nothing_left_to_play", "sessions")
    refuse_begun(tournament, sessions)
    before = seats_of_all(tournament)
    begun = tournament.sessions.exclude(state=Session.State.PLANNED).count()
    try:
        after = at_stream_table(before, players, table, sessions, begun=begun)
    except SeatingError as error:
        raise Refused(error.problems) from None
    changed = tuple(n for n, (old, new) in enumerate(zip(before, after, strict=True), 1) if old != list(new))
    if not changed:
        raise refuse("plan_changes_nothing")
    return Again(before, after, changed)


def seat_at_stream(
    tournament: Tournament,
    actor: Actor,
    players: Sequence[int],
    table: int,
    sessions: Sequence[int],
    *,
    seen: str = "",
) -> None:
    """The players, by number, sit at the table in the sessions named: one in any, several together in one.

    `seen`: as `reseat` has it.
    """
    access.require_organiser(actor, tournament)
    with log.write(tournament, actor, "stream_seated") as entry:
        again = streamed(entry.tournament, players, table, sessions)
        about = {"players": list(players), "table": table, "at": sorted(sessions)}
        entry.data = about | reseat(entry.tournament, again, seen)
