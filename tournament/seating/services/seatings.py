"""Seating sessions that have not begun: one by itself, one table filmed, two players swapped, a plan, the rest anew."""

from __future__ import annotations

from collections.abc import Sequence

from tournament.base import access, log
from tournament.base.access import Actor
from tournament.base.models.play import Session
from tournament.base.models.tournament import Tournament
from tournament.seating.selectors.replans import replanned
from tournament.seating.selectors.reseatings import PlannedSessions, exchanged, planned, streamed
from tournament.seating.selectors.session_seats import SessionWish, seated
from tournament.seating.services.reseating import reseat


def seat_session(
    tournament: Tournament, actor: Actor, number: int, wish: SessionWish, *, seen: str = ""
) -> None:
    """Give a session the seats of `seated`. `seen`: as `reseat` has it."""
    access.require_organiser(actor, tournament)
    with log.write(tournament, actor, "session_seated") as entry:
        again, inputs = seated(entry.tournament, number, wish)
        entry.data = reseat(entry.tournament, again, seen) | {"how": wish.how or "hand", "seed": wish.seed}
        if inputs is not None:
            entry.data["inputs"] = inputs.to_json()


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


def swap_players(
    tournament: Tournament, actor: Actor, one: int, other: int, sessions: Sequence[int], *, seen: str = ""
) -> None:
    """The two players, by number, change seats in the sessions named; none of them may have begun.

    `seen`: as `reseat` has it.
    """
    access.require_organiser(actor, tournament)
    with log.write(tournament, actor, "seats_swapped") as entry:
        again = exchanged(entry.tournament, one, other, sessions)
        entry.data = {"one": one, "other": other} | reseat(entry.tournament, again, seen)


def take_plan(tournament: Tournament, actor: Actor, sessions: PlannedSessions, *, seen: str = "") -> None:
    """Put the planned seats in place of those there are. `seen`: as `reseat` has it."""
    access.require_organiser(actor, tournament)
    with log.write(tournament, actor, "seats_planned") as entry:
        again = planned(entry.tournament, sessions)
        entry.data = reseat(entry.tournament, again, seen)
        entry.tournament.sessions_planned = max(entry.tournament.sessions_planned, len(again.after))
        entry.tournament.save(update_fields=["sessions_planned"])
        for number in range(1, entry.tournament.sessions_planned + 1):
            Session.objects.get_or_create(tournament=entry.tournament, number=number)


def replan_seats(tournament: Tournament, actor: Actor, *, seen: str = "") -> None:
    """Put the seats of `replanned` in place of those there are. `seen`: as `reseat` has it."""
    access.require_organiser(actor, tournament)
    with log.write(tournament, actor, "seats_replanned") as entry:
        again = replanned(entry.tournament)
        players = sum(len(seats) for seats in again.after[-1])
        entry.data = {"players": players} | reseat(entry.tournament, again, seen)
