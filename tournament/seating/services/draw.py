"""Drawing the seats of every session, by seed or as given."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from tournament.base import access, log
from tournament.base.access import Actor
from tournament.base.engine.rotation import WINDS
from tournament.base.errors import Refused, refuse
from tournament.base.models.people import Player
from tournament.base.models.play import Seat, Session, Table
from tournament.base.models.tournament import Tournament
from tournament.base.selectors.reach import Assignment, assignments
from tournament.seating.engine import Inputs, Plan, fingerprint
from tournament.seating.engine.inputs import DrawWish
from tournament.seating.engine.plans import plan_problems
from tournament.seating.selectors.draws import draw_inputs, drawn


def draw_seats(
    tournament: Tournament, actor: Actor, *, seed: str, wish: DrawWish | None = None, seen: str = ""
) -> list[Session]:
    """Draw the sessions anew from a seed: the same players, wishes and seed give the same seats.

    `seen`: the fingerprint of the draw as it was looked at; refused when it would be another one by now.
    """
    access.require_organiser(actor, tournament)
    inputs = draw_inputs(tournament, seed, wish or DrawWish())
    plan = drawn(inputs).sessions
    if seen and seen != fingerprint(plan):
        raise refuse("draw_changed")
    return seat(tournament, actor, plan, inputs=inputs)


def seat(tournament: Tournament, actor: Actor, plan: Plan, *, inputs: Inputs | None = None) -> list[Session]:
    """Put the planned seats in place of those there are. Refused once a session has begun.

    The log keeps the `inputs` they were drawn from, so that anybody can draw them again. In a refusal `where` is
    "session <n>, table <m>".
    """
    access.require_organiser(actor, tournament)
    with log.write(tournament, actor, "seats_drawn") as entry:
        locked = entry.tournament
        begun = locked.sessions.exclude(state=Session.State.PLANNED).first()
        if begun is not None:
            raise refuse("session_already_begun", session=begun.number)
        players = {player.number: player for player in locked.players.filter(withdrawn_at=None)}
        if problems := plan_problems(plan, set(players)):
            raise Refused(problems)
        umpires, hidden = (
            assignments(locked),
            set(locked.sessions.filter(hidden=True).values_list("number", flat=True)),
        )
        locked.sessions.all().delete()
        seed = inputs.seed if inputs else ""
        planned = max(locked.sessions_planned, len(plan)) if inputs else len(plan)
        locked.sessions_planned, locked.draw_seed = planned, seed
        locked.save(update_fields=["sessions_planned", "draw_seed"])
        sessions = _store(locked, plan, players, hidden)
        restore(locked, umpires)
        entry.data = {"seed": seed, "sessions": len(plan), "players": len(players)}
        if hidden:
            entry.data["hidden"] = [session.number for session in sessions if session.hidden]
        if inputs:
            entry.data["inputs"] = inputs.to_json()
    return sessions


def _store(
    tournament: Tournament, plan: Plan, players: Mapping[int, Player], hidden: Collection[int]
) -> list[Session]:
    """Every session that is planned, those that the plan covers with their seats; `hidden` ones stay so."""
    sessions = Session.objects.bulk_create(
        Session(tournament=tournament, number=number, hidden=number in hidden)
        for number in range(1, tournament.sessions_planned + 1)
    )
    store_tables(sessions[: len(plan)], plan, players)
    return sessions


def store_tables(sessions: Sequence[Session], plan: Plan, players: Mapping[int, Player]) -> None:
    """Tables and seats of sessions that have none yet."""
    tables = Table.objects.bulk_create(
        Table(session=session, number=number)
        for session, seating in zip(sessions, plan, strict=True)
        for number in range(1, len(seating) + 1)
    )
    seatings = [seats for seating in plan for seats in seating]
    Seat.objects.bulk_create(
        Seat(table=table, wind=wind, player=players[seats[wind]])
        for table, seats in zip(tables, seatings, strict=True)
        for wind in WINDS
    )


def restore(tournament: Tournament, umpires: list[Assignment]) -> None:
    """Give the umpires the sessions and tables of the same numbers again; what is gone they lose."""
    for umpire, sessions, tables in umpires:
        umpire.sessions.set(tournament.sessions.filter(number__in=sessions))
        drawn = Table.objects.filter(session__tournament=tournament).select_related("session")
        umpire.tables.set([table for table in drawn if (table.session.number, table.number) in tables])
