"""Drawing the seats of every session, by seed or as given."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from scoring.engine.problems import Problem
from tournament import access, log
from tournament.access import Actor
from tournament.engine.rotation import WINDS
from tournament.engine.seating import Draw, SeatingError, draw
from tournament.errors import Refused, refuse
from tournament.models import Membership, Player, Seat, Session, Table, Tournament

Plan = Sequence[Sequence[Mapping[str, int]]]
"""Sessions → tables in order → starting wind → player number."""


def draw_seats(tournament: Tournament, actor: Actor, *, seed: str) -> list[Session]:
    """Draw every session anew from a seed: the same players and seed give the same seats."""
    access.require_organiser(actor, tournament)
    return seat(tournament, actor, drawn(tournament, seed).sessions, seed=seed)


def drawn(tournament: Tournament, seed: str) -> Draw:
    """The draw that a seed gives the players who have not withdrawn; stores nothing.

    Nobody meets twice where that is possible; team-mates meet as rarely as that leaves room for.
    """
    players = list(tournament.players.filter(withdrawn_at=None))
    numbers = [player.number for player in players]
    sizes = Counter(player.team for player in players)
    # A team with more players than tables cannot be kept apart, so it is not asked for.
    teams = {p.number: p.team for p in players if p.team and sizes[p.team] <= len(players) // 4}
    try:
        return draw(numbers, tournament.sessions_planned, seed=seed, teams=teams, teams_first=False)
    except SeatingError as error:
        raise Refused(error.problems) from None


def seat(tournament: Tournament, actor: Actor, plan: Plan, *, seed: str = "") -> list[Session]:
    """Put the planned seats in place of those there are. Refused once a session has begun.

    In a refusal `where` is "session <n>, table <m>".
    """
    access.require_organiser(actor, tournament)
    with log.write(tournament, actor, "seats_drawn") as entry:
        locked = entry.tournament
        begun = locked.sessions.exclude(state=Session.State.PLANNED).first()
        if begun is not None:
            raise refuse("session_already_begun", session=begun.number)
        players = {player.number: player for player in locked.players.filter(withdrawn_at=None)}
        if problems := _problems(plan, set(players)):
            raise Refused(problems)
        reaches = _reaches(locked)
        locked.sessions.all().delete()
        locked.sessions_planned, locked.draw_seed = len(plan), seed
        locked.save(update_fields=["sessions_planned", "draw_seed"])
        sessions = _store(locked, plan, players)
        _restore(locked, reaches)
        entry.data = {"seed": seed, "sessions": len(plan), "players": len(players)}
    return sessions


def _store(tournament: Tournament, plan: Plan, players: Mapping[int, Player]) -> list[Session]:
    sessions = Session.objects.bulk_create(
        Session(tournament=tournament, number=number) for number in range(1, len(plan) + 1)
    )
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
    return sessions


Reach = tuple[Membership, list[int], list[tuple[int, int]]]
"""An umpire, and by their numbers the sessions and the tables (session, table) given to that umpire."""


def _reaches(tournament: Tournament) -> list[Reach]:
    return [
        (
            umpire,
            list(umpire.sessions.values_list("number", flat=True)),
            list(umpire.tables.values_list("session__number", "number")),
        )
        for umpire in tournament.memberships.filter(everywhere=False)
    ]


def _restore(tournament: Tournament, reaches: list[Reach]) -> None:
    """Give the umpires the sessions and tables of the same numbers again; what is gone they lose."""
    for umpire, sessions, tables in reaches:
        umpire.sessions.set(tournament.sessions.filter(number__in=sessions))
        drawn = Table.objects.filter(session__tournament=tournament).select_related("session")
        umpire.tables.set([table for table in drawn if (table.session.number, table.number) in tables])


def _problems(plan: Plan, known: set[int]) -> list[Problem]:
    if not plan or not all(plan):
        return [Problem("no_seats")]
    found = []
    for session, seating in enumerate(plan, 1):
        seen: set[int] = set()
        for table, seats in enumerate(seating, 1):
            where = f"session {session}, table {table}"
            if set(seats) != set(WINDS):
                found.append(Problem("seats_not_four_winds", where))
            for player in seats.values():
                if player not in known:
                    found.append(Problem("unknown_player", where, {"player": player}))
                elif player in seen:
                    found.append(Problem("seated_twice", where, {"player": player}))
                seen.add(player)
    return found
