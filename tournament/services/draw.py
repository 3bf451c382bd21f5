"""Drawing the seats of every session, by seed or as given."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from scoring.engine.problems import Problem
from tournament import access, log
from tournament.access import Actor
from tournament.engine.rotation import WINDS
from tournament.engine.seating import Draw, Inputs, SeatingError, fingerprint
from tournament.errors import Refused, refuse
from tournament.models import Membership, Player, Seat, Session, Table, Tournament

Plan = Sequence[Sequence[Mapping[str, int]]]
"""Sessions → tables in order → starting wind → player number."""


@dataclass(frozen=True)
class Wanted:
    """What an organiser wishes of a draw: players by number; `stay` holds (player, table number from 1).

    Team-mates meet as rarely as goes without anybody meeting twice; with `teams` never, at that price if need be.
    With `clubs` club-mates, with `countries` compatriots meet late and rarely. `sessions`: so many are drawn in
    advance, the others later one by one; None for all of them.
    """

    teams: bool = False
    clubs: bool = False
    countries: bool = False
    forbidden: tuple[tuple[int, int], ...] = ()
    stay: tuple[tuple[int, int], ...] = ()
    sessions: int | None = None


def draw_seats(
    tournament: Tournament, actor: Actor, *, seed: str, wanted: Wanted = Wanted(), seen: str = ""
) -> list[Session]:
    """Draw the sessions anew from a seed: the same players, wishes and seed give the same seats.

    `seen`: the fingerprint of the draw as it was looked at; refused when it would be another one by now.
    """
    access.require_organiser(actor, tournament)
    inputs = inputs_of(tournament, seed, wanted)
    plan = drawn(inputs).sessions
    if seen and seen != fingerprint(plan):
        raise refuse("draw_changed")
    return seat(tournament, actor, plan, inputs=inputs)


def inputs_of(tournament: Tournament, seed: str, wanted: Wanted = Wanted()) -> Inputs:
    """Everything the draw follows from, for the players who have not withdrawn; stores nothing."""
    players = list(tournament.players.filter(withdrawn_at=None))
    sizes = Counter(player.team for player in players)
    # A team with more players than tables cannot be kept apart, so it is not asked for unless wished.
    most = len(players) if wanted.teams else len(players) // 4
    return Inputs(
        players=tuple(player.number for player in players),
        sessions=min(wanted.sessions or tournament.sessions_planned, tournament.sessions_planned),
        seed=seed,
        teams={p.number: p.team for p in players if p.team and sizes[p.team] <= most},
        clubs={p.number: p.club for p in players if p.club} if wanted.clubs else {},
        countries={p.number: p.country for p in players if p.country} if wanted.countries else {},
        forbidden=wanted.forbidden,
        stay=dict(wanted.stay),
        teams_first=wanted.teams,
    )


def drawn(inputs: Inputs) -> Draw:
    """The draw that follows from the inputs; `Refused` when there is none."""
    try:
        return inputs.draw()
    except SeatingError as error:
        raise Refused(error.problems) from None


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
            reaches(locked),
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


Reach = tuple[Membership, list[int], list[tuple[int, int]]]
"""An umpire, and by their numbers the sessions and the tables (session, table) given to that umpire."""


def reaches(tournament: Tournament) -> list[Reach]:
    """What the umpires who are not everywhere have been given."""
    return [
        (
            umpire,
            list(umpire.sessions.values_list("number", flat=True)),
            list(umpire.tables.values_list("session__number", "number")),
        )
        for umpire in tournament.memberships.filter(everywhere=False)
    ]


def restore(tournament: Tournament, umpires: list[Reach]) -> None:
    """Give the umpires the sessions and tables of the same numbers again; what is gone they lose."""
    for umpire, sessions, tables in umpires:
        umpire.sessions.set(tournament.sessions.filter(number__in=sessions))
        drawn = Table.objects.filter(session__tournament=tournament).select_related("session")
        umpire.tables.set([table for table in drawn if (table.session.number, table.number) in tables])


def plan_problems(plan: Plan, known: set[int], first: int = 1) -> list[Problem]:
    """Everything that keeps a plan from being stored; `first` is the number of its first session."""
    if not plan or not all(plan):
        return [Problem("no_seats")]
    return [fault for number, seating in enumerate(plan, first) for fault in _faults(number, seating, known)]


def _faults(session: int, seating: Sequence[Mapping[str, int]], known: set[int]) -> Iterator[Problem]:
    seen: set[int] = set()
    for table, seats in enumerate(seating, 1):
        where = f"session {session}, table {table}"
        if set(seats) != set(WINDS):
            yield Problem("seats_not_four_winds", where)
        for player in seats.values():
            if player not in known:
                yield Problem("unknown_player", where, {"player": player})
            elif player in seen:
                yield Problem("seated_twice", where, {"player": player})
            seen.add(player)
