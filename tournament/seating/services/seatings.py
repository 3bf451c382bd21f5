"""Drawing the seats, setting up finals, and seating sessions that have not begun."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from scoring.engine.problems import Problem, problem_code
from tournament.base import access, log
from tournament.base.access import Actor
from tournament.base.engine.finals import Carry, Cut
from tournament.base.engine.rules import WINDS
from tournament.base.errors import Refused
from tournament.base.models.log import LogEntry
from tournament.base.models.people import LEFT, Player
from tournament.base.models.play import Final, Seat, Session, Table
from tournament.base.models.tournament import Tournament
from tournament.base.problems import SESSION_ALREADY_BEGUN
from tournament.base.selectors import Assignment, assignments
from tournament.ranking.engine.finals import FinalsWish
from tournament.seating import texts as actions
from tournament.seating.engine.draw import PLAYER_TWICE, DrawInputs, DrawOptions
from tournament.seating.engine.plans import UNKNOWN_PLAYER, Plan, fingerprint, plan_problems
from tournament.seating.selectors.changes import (
    PlannedSessions,
    SessionWish,
    exchanged,
    last_closed,
    planned,
    planned_final,
    replanned,
    seated,
    streamed,
)
from tournament.seating.selectors.draws import (
    Reseating,
    draw_inputs,
    drawn,
    last_reseating,
    refuse_begun,
    seats_of_all,
    somebody_is_gone,
)
from tournament.seating.services.corrections import NO_SEATS_TO_RESTORE, SEATS_CHANGED

DRAW_CHANGED = problem_code(
    "draw_changed", "The players have changed since you looked at this draw. Look at it again."
)
FINAL_GROUPS_UNEVEN = problem_code(
    "final_groups_uneven", "The groups of a final are of one size, four players or a multiple."
)

# --- Drawing ---


def draw_seats(
    tournament: Tournament, actor: Actor, *, seed: str, wish: DrawOptions | None = None, seen: str = ""
) -> list[Session]:
    """Draw the sessions anew from a seed: the same players, wishes and seed give the same seats.

    `seen`: the fingerprint of the draw as it was looked at; refused when it would be another one by now.
    """
    access.require_organiser(actor, tournament)
    inputs = draw_inputs(tournament, seed, wish or DrawOptions())
    plan = drawn(inputs).sessions
    if seen and seen != fingerprint(plan):
        raise Refused(DRAW_CHANGED())
    return seat(tournament, actor, plan, inputs=inputs)


def seat(
    tournament: Tournament, actor: Actor, plan: Plan, *, inputs: DrawInputs | None = None
) -> list[Session]:
    """Put the planned seats in place of those there are. Refused once a session has begun.

    The log keeps the `inputs` they were drawn from, so that anybody can draw them again. In a refusal `where` is
    "session <n>, table <m>".
    """
    access.require_organiser(actor, tournament)
    with log.write(tournament, actor, actions.SEATS_DRAWN) as entry:
        locked = entry.tournament
        begun = locked.sessions.exclude(state=Session.State.PLANNED).first()
        if begun is not None:
            raise Refused(SESSION_ALREADY_BEGUN(session=begun.number))
        players = {player.number: player for player in locked.players.exclude(LEFT)}
        if problems := plan_problems(plan, set(players)):
            raise Refused(problems)
        umpires = assignments(locked)
        hidden = set(locked.sessions.filter(hidden=True).values_list("number", flat=True))
        locked.sessions.all().delete()
        seed = inputs.seed if inputs else ""
        planned = max(locked.sessions_planned, len(plan)) if inputs else len(plan)
        locked.sessions_planned, locked.draw_seed = planned, seed
        locked.save(update_fields=["sessions_planned", "draw_seed"])
        sessions = _store_sessions(locked, plan, players, hidden)
        restore(locked, umpires)
        entry.data = {"seed": seed, "sessions": len(plan), "players": len(players)}
        if hidden:
            entry.data["hidden"] = [session.number for session in sessions if session.hidden]
        if inputs:
            entry.data["inputs"] = inputs.to_json()
    return sessions


def _store_sessions(
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


# --- Sessions that have not begun ---


def seat_session(
    tournament: Tournament, actor: Actor, number: int, wish: SessionWish, *, seen: str = ""
) -> None:
    """Give a session the seats of `seated`. `seen`: as `reseat` has it."""
    access.require_organiser(actor, tournament)
    with log.write(tournament, actor, actions.SESSION_SEATED) as entry:
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
    with log.write(tournament, actor, actions.STREAM_SEATED) as entry:
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
    with log.write(tournament, actor, actions.SEATS_SWAPPED) as entry:
        again = exchanged(entry.tournament, one, other, sessions)
        entry.data = {"one": one, "other": other} | reseat(entry.tournament, again, seen)


def take_plan(tournament: Tournament, actor: Actor, sessions: PlannedSessions, *, seen: str = "") -> None:
    """Put the planned seats in place of those there are. `seen`: as `reseat` has it."""
    access.require_organiser(actor, tournament)
    with log.write(tournament, actor, actions.SEATS_PLANNED) as entry:
        again = planned(entry.tournament, sessions)
        entry.data = reseat(entry.tournament, again, seen)
        entry.tournament.sessions_planned = max(entry.tournament.sessions_planned, len(again.after))
        entry.tournament.save(update_fields=["sessions_planned"])
        for number in range(1, entry.tournament.sessions_planned + 1):
            Session.objects.get_or_create(tournament=entry.tournament, number=number)


def replan_seats(tournament: Tournament, actor: Actor, *, seen: str = "") -> None:
    """Put the seats of `replanned` in place of those there are. `seen`: as `reseat` has it."""
    access.require_organiser(actor, tournament)
    with log.write(tournament, actor, actions.SEATS_REPLANNED) as entry:
        again = replanned(entry.tournament)
        players = sum(len(seats) for seats in again.after[-1])
        entry.data = {"players": players} | reseat(entry.tournament, again, seen)


# --- Writing seats anew ---


def reseat(tournament: Tournament, again: Reseating, seen: str = "") -> dict[str, Any]:
    """Store the sessions that are seated anew; gives what the log keeps: which, and what was there before.

    `seen`: the fingerprint of all seats as they were shown to become; refused when they would be others by now.
    """
    if seen and seen != fingerprint(again.after):
        raise Refused(SEATS_CHANGED())
    refuse_begun(tournament, again.sessions)
    put(tournament, {number: again.after[number - 1] for number in again.sessions})
    return {"sessions": list(again.sessions), "before": [_tables_of(again.before, n) for n in again.sessions]}


def undo_reseating(tournament: Tournament, actor: Actor) -> LogEntry:
    """Give everybody the seats from before the newest change, as long as none of its sessions has begun."""
    access.require_organiser(actor, tournament)
    with log.write(tournament, actor, actions.SEATS_RESTORED) as entry:
        last = last_reseating(entry.tournament)
        if last is None or somebody_is_gone(entry.tournament, last):
            raise Refused(NO_SEATS_TO_RESTORE())
        sessions = last.data["sessions"]
        refuse_begun(entry.tournament, sessions)
        put(entry.tournament, dict(zip(sessions, last.data["before"], strict=True)))
        if last.action == actions.FINALS_SET.code:
            _forget_final(entry.tournament, last.data)
        about = {key: value for key, value in last.said.items() if key not in ("before", "inputs")}
        entry.data = about | {"undoes": last.seq, "action": last.action}
    return last


def _forget_final(tournament: Tournament, data: Mapping[str, Any]) -> None:
    """The final, and the sessions that were added for it."""
    tournament.finals.filter(after_session=data["after"]).delete()
    tournament.sessions.filter(number__gt=data["planned"]).delete()
    tournament.sessions_planned = data["planned"]
    tournament.save(update_fields=["sessions_planned"])


def put(tournament: Tournament, seats: Mapping[int, Sequence[Mapping[str, int]]]) -> None:
    """Replace the seats of these sessions: session number → tables; a session that there is not yet is made."""
    umpires = assignments(tournament)
    named = _stand_ins(tournament, seats)
    Table.objects.filter(session__tournament=tournament, session__number__in=seats).delete()
    sessions = [Session.objects.get_or_create(tournament=tournament, number=n)[0] for n in seats]
    players = {player.number: player for player in tournament.players.all()}
    store_tables(sessions, list(seats.values()), players)
    restore(tournament, umpires)
    for (session, player), name in named.items():
        here = {"table__session__tournament": tournament, "table__session__number": session}
        Seat.objects.filter(**here, player__number=player).update(stand_in=name)


def _stand_ins(tournament: Tournament, sessions: Collection[int]) -> dict[tuple[int, int], str]:
    """(session, player number) → who is named to play for them, wherever their seats come to be."""
    seats = Seat.objects.filter(
        table__session__tournament=tournament, table__session__number__in=sessions
    ).exclude(stand_in="")
    rows = seats.values_list("table__session__number", "player__number", "stand_in")
    return {(session, player): name for session, player, name in rows}


def _tables_of(plan: Plan, session: int) -> Sequence[Mapping[str, int]]:
    """The tables of a session (from 1); none beyond the plan's end."""
    return plan[session - 1] if session <= len(plan) else ()


# --- Finals ---


def set_up_final(tournament: Tournament, actor: Actor, wish: FinalsWish, *, seen: str = "") -> Final:
    """Seat the finalists of `planned_final`, in sessions that are added when there are too few.

    `undo_reseating` takes it back until its first session begins. `seen`: as `reseat` has it.
    """
    access.require_organiser(actor, tournament)
    with log.write(tournament, actor, actions.FINALS_SET) as entry:
        final = planned_final(entry.tournament, wish)
        return _store_final(entry, final.cut, final.sessions, final.again, wish.seed, seen)


def take_final(
    tournament: Tournament, actor: Actor, carry: Carry, groups: Sequence[Sequence[int]], seats: Plan
) -> Final:
    """The final of an event that is played again: who is in it is a fact by now, and so is where they sit.

    `seats`: its sessions. In a refusal `where` is "session <n>, table <m>" where it is about one table.
    """
    access.require_organiser(actor, tournament)
    with log.write(tournament, actor, actions.FINALS_SET) as entry:
        after, before = last_closed(entry.tournament), seats_of_all(entry.tournament)
        cut = Cut(after, tuple(map(tuple, groups)), carry)
        known = set(entry.tournament.players.values_list("number", flat=True))
        finalists = {number for group in groups for number in group}
        if problems := [*_group_problems(cut, known), *plan_problems(seats, finalists, after + 1)]:
            raise Refused(problems)
        sessions = tuple(range(after + 1, after + len(seats) + 1))
        return _store_final(entry, cut, sessions, Reseating(before, [*before[:after], *seats], sessions))


def _group_problems(cut: Cut, known: Collection[int]) -> Iterator[Problem]:
    """What is wrong with groups that somebody else wrote down."""
    named = Counter(number for group in cut.groups for number in group)
    for number, times in named.items():
        if number not in known:
            yield UNKNOWN_PLAYER(player=number)
        elif times > 1:
            yield PLAYER_TWICE(player=number)
    sizes = {len(group) for group in cut.groups}
    if len(sizes) != 1 or 0 in sizes or any(size % 4 for size in sizes):
        yield FINAL_GROUPS_UNEVEN()


def _store_final(
    entry: log.Write, cut: Cut, sessions: Sequence[int], again: Reseating, seed: str = "", seen: str = ""
) -> Final:
    """The final, its seats, and its line in the log."""
    tournament = entry.tournament
    final = Final.objects.create(
        tournament=tournament,
        after_session=cut.after,
        carry=cut.carry.value,
        groups=[list(group) for group in cut.groups],
    )
    entry.data = reseat(tournament, again, seen) | {
        "after": final.after_session,
        "carry": final.carry,
        "groups": final.groups,
        "seed": seed,
        "how": "finals",
        "planned": tournament.sessions_planned,
    }
    tournament.sessions_planned = max(tournament.sessions_planned, sessions[-1])
    tournament.save(update_fields=["sessions_planned"])
    return final
