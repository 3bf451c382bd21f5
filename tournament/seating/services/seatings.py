"""Draws, finals, and changes of seats in sessions that have not begun."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from scoring.engine.problems import Problem, problem_code
from tournament.base import access, log
from tournament.base.access import Actor, Right
from tournament.base.engine.finals import Carry, Cut
from tournament.base.engine.rules import WINDS
from tournament.base.errors import Refused
from tournament.base.models.log import LogEntry, Write
from tournament.base.models.people import HAS_LEFT, Player
from tournament.base.models.play import Final, Seat, Session, Table
from tournament.base.models.tournament import Tournament
from tournament.base.problems import SESSION_ALREADY_BEGUN
from tournament.base.selectors import Assignment, assignments
from tournament.ranking.engine.finals import FinalsOptions
from tournament.registration.services.registrations import close_at_draw
from tournament.seating import texts as actions
from tournament.seating.engine.draw import PLAYER_TWICE, DrawInputs, DrawOptions
from tournament.seating.engine.plans import UNKNOWN_PLAYER, Plan, fingerprint, plan_problems
from tournament.seating.selectors.changes import (
    PlannedSessions,
    SessionOptions,
    preview_plan,
    preview_replan,
    preview_session,
    preview_stream_table,
    preview_swap,
)
from tournament.seating.selectors.draws import (
    PlanChange,
    draw_inputs,
    has_deleted_players,
    last_plan_change,
    require_not_begun,
    run_draw,
    stored_plan,
)
from tournament.seating.selectors.finals import finalist_change, last_closed, preview_final
from tournament.seating.services.corrections import NO_SEATS_TO_RESTORE, SEATS_CHANGED

DRAW_CHANGED = problem_code("draw_changed", "The players have changed since this draw was made. Draw again.")
FINAL_GROUPS_UNEVEN = problem_code(
    "final_groups_uneven", "All groups of a final must have the same size: four players or a multiple."
)
FINALISTS_CHANGED = problem_code(
    "finalists_changed", "By now, other players would qualify. Check the finalists again."
)

# --- Drawing ---


def draw_seats(
    tournament: Tournament, actor: Actor, *, seed: str, options: DrawOptions | None = None, seen: str = ""
) -> list[Session]:
    """Draw the sessions from a seed: the same players, options and seed give the same seats.

    `seen`: the fingerprint of the draw as it was shown; raises `Refused` when it would be another draw now.
    """
    access.require(actor, tournament, Right.ORGANISE)
    inputs = draw_inputs(tournament, seed, options or DrawOptions())
    plan = run_draw(inputs).sessions
    if seen and seen != fingerprint(plan):
        raise Refused(DRAW_CHANGED())
    return seat_players(tournament, actor, plan, inputs=inputs)


def seat_players(
    tournament: Tournament, actor: Actor, plan: Plan, *, inputs: DrawInputs | None = None
) -> list[Session]:
    """Replace all seats by those of the plan. Raises `Refused` once a session has begun.

    The log stores the `inputs` that the plan was drawn from, so that anybody can draw it again. A problem's `where` is
    "session <n>, table <m>".
    """
    with log.write(tournament, actor, actions.SEATS_DRAWN, Right.ORGANISE) as entry:
        locked = entry.tournament
        begun = locked.sessions.exclude(state=Session.State.PLANNED).first()
        if begun is not None:
            raise Refused(SESSION_ALREADY_BEGUN(session=begun.number))
        players = {player.number: player for player in locked.players.exclude(HAS_LEFT)}
        if problems := plan_problems(plan, set(players)):
            raise Refused(problems)
        assigned = assignments(locked)
        hidden = set(locked.sessions.filter(hidden=True).values_list("number", flat=True))
        locked.sessions.all().delete()
        seed = inputs.seed if inputs else ""
        planned = max(locked.sessions_planned, len(plan)) if inputs else len(plan)
        locked.sessions_planned, locked.draw_seed = planned, seed
        locked.save(update_fields=["sessions_planned", "draw_seed"])
        sessions = _store_sessions(locked, plan, players, hidden)
        restore_umpires(locked, assigned)
        entry.data = {"seed": seed, "sessions": len(plan), "players": len(players)}
        if hidden:
            entry.data["hidden"] = [session.number for session in sessions if session.hidden]
        if inputs:
            entry.data["inputs"] = inputs.to_json()
        close_at_draw(entry)
    return sessions


def _store_sessions(
    tournament: Tournament, plan: Plan, players: Mapping[int, Player], hidden: Collection[int]
) -> list[Session]:
    """Create all sessions, those of the plan with their seats; `hidden` ones stay hidden."""
    sessions = Session.objects.bulk_create(
        Session(tournament=tournament, number=number, hidden=number in hidden)
        for number in range(1, tournament.sessions_planned + 1)
    )
    create_tables(sessions[: len(plan)], plan, players)
    return sessions


def create_tables(sessions: Sequence[Session], plan: Plan, players: Mapping[int, Player]) -> None:
    """Create tables and seats of sessions that have none."""
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


def restore_umpires(tournament: Tournament, umpires: list[Assignment]) -> None:
    """Assign the umpires again to the sessions and tables of the same numbers, as far as these exist."""
    for umpire, sessions, tables in umpires:
        umpire.sessions.set(tournament.sessions.filter(number__in=sessions))
        drawn = Table.objects.filter(session__tournament=tournament).select_related("session")
        umpire.tables.set([table for table in drawn if (table.session.number, table.number) in tables])


# --- Sessions that have not begun ---


def seat_session(
    tournament: Tournament, actor: Actor, number: int, options: SessionOptions, *, seen: str = ""
) -> None:
    """Seat one session as `preview_session` shows. `seen`: as `apply_plan_change` has it."""
    with log.write(tournament, actor, actions.SESSION_SEATS_SET, Right.ORGANISE) as entry:
        change, inputs = preview_session(entry.tournament, number, options)
        entry.data = apply_plan_change(entry.tournament, change, seen)
        entry.data |= {"how": options.method or "hand", "seed": options.seed}
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
    """Seat players, by number, at the filmed table: one in any of the sessions, several together in one.

    `seen`: as `apply_plan_change` has it.
    """
    with log.write(tournament, actor, actions.STREAM_SEATS_SET, Right.ORGANISE) as entry:
        change = preview_stream_table(entry.tournament, players, table, sessions)
        entry.data = apply_plan_change(entry.tournament, change, seen)
        entry.data |= {"players": list(players), "table": table, "at": sorted(sessions)}


def swap_players(
    tournament: Tournament, actor: Actor, first: int, second: int, sessions: Sequence[int], *, seen: str = ""
) -> None:
    """Exchange the seats of two players, by number, in sessions that have not begun.

    `seen`: as `apply_plan_change` has it.
    """
    with log.write(tournament, actor, actions.SEATS_SWAPPED, Right.ORGANISE) as entry:
        change = preview_swap(entry.tournament, first, second, sessions)
        entry.data = {"one": first, "other": second} | apply_plan_change(entry.tournament, change, seen)


def import_plan(tournament: Tournament, actor: Actor, sessions: PlannedSessions, *, seen: str = "") -> None:
    """Replace the seats of the sessions in the plan. `seen`: as `apply_plan_change` has it."""
    with log.write(tournament, actor, actions.SEATS_IMPORTED, Right.ORGANISE) as entry:
        change, is_first = preview_plan(entry.tournament, sessions), not entry.tournament.sessions.exists()
        entry.data = apply_plan_change(entry.tournament, change, seen)
        if is_first:
            close_at_draw(entry)
        entry.tournament.sessions_planned = max(entry.tournament.sessions_planned, len(change.after))
        entry.tournament.save(update_fields=["sessions_planned"])
        for number in range(1, entry.tournament.sessions_planned + 1):
            Session.objects.get_or_create(tournament=entry.tournament, number=number)


def replan_seats(tournament: Tournament, actor: Actor, *, seen: str = "") -> None:
    """Seat the remaining sessions as `preview_replan` shows. `seen`: as `apply_plan_change` has it."""
    with log.write(tournament, actor, actions.SEATS_REPLANNED, Right.ORGANISE) as entry:
        change = preview_replan(entry.tournament)
        players = sum(len(seats) for seats in change.after[-1])
        entry.data = {"players": players} | apply_plan_change(entry.tournament, change, seen)


# --- Storing changes ---


def apply_plan_change(tournament: Tournament, change: PlanChange, seen: str = "") -> dict[str, Any]:
    """Store the changed sessions; return the log data: their numbers, and their seats before.

    `seen`: the fingerprint of all seats as they were shown; raises `Refused` when they would be others now.
    """
    if seen and seen != fingerprint(change.after):
        raise Refused(SEATS_CHANGED())
    require_not_begun(tournament, change.sessions)
    replace_seats(tournament, {number: change.after[number - 1] for number in change.sessions})
    before = [_tables_of(change.before, number) for number in change.sessions]
    return {"sessions": list(change.sessions), "before": before}


def undo_plan_change(tournament: Tournament, actor: Actor) -> LogEntry:
    """Restore the seats from before the newest change, as long as none of its sessions has begun."""
    with log.write(tournament, actor, actions.SEATS_RESTORED, Right.ORGANISE) as entry:
        entry_to_undo = last_plan_change(entry.tournament)
        if entry_to_undo is None or has_deleted_players(entry.tournament, entry_to_undo):
            raise Refused(NO_SEATS_TO_RESTORE())
        sessions = entry_to_undo.data["sessions"]
        require_not_begun(entry.tournament, sessions)
        replace_seats(entry.tournament, dict(zip(sessions, entry_to_undo.data["before"], strict=True)))
        if entry_to_undo.action == actions.FINALS_SET.code:
            _undo_final(entry.tournament, entry_to_undo.data)
        data = {
            key: value for key, value in entry_to_undo.full_data.items() if key not in ("before", "inputs")
        }
        entry.data = data | {"undoes": entry_to_undo.seq, "action": entry_to_undo.action}
    return entry_to_undo


def _undo_final(tournament: Tournament, data: Mapping[str, Any]) -> None:
    """Delete the final and the sessions that were added for it; store the one that it replaced."""
    tournament.finals.filter(after_session=data["after"]).delete()
    if "replaced" in data:
        tournament.finals.create(after_session=data["after"], **data["replaced"])
    tournament.sessions.filter(number__gt=data["planned"]).delete()
    tournament.sessions_planned = data["planned"]
    tournament.save(update_fields=["sessions_planned"])


def replace_seats(tournament: Tournament, seats: Mapping[int, Sequence[Mapping[str, int]]]) -> None:
    """Replace the seats of these sessions: session number → tables. Missing sessions are created."""
    umpires = assignments(tournament)
    stand_ins = _stand_ins(tournament, seats)
    Table.objects.filter(session__tournament=tournament, session__number__in=seats).delete()
    sessions = [Session.objects.get_or_create(tournament=tournament, number=n)[0] for n in seats]
    players = {player.number: player for player in tournament.players.all()}
    create_tables(sessions, list(seats.values()), players)
    restore_umpires(tournament, umpires)
    for (session, player), name in stand_ins.items():
        in_session = {"table__session__tournament": tournament, "table__session__number": session}
        Seat.objects.filter(**in_session, player__number=player).update(stand_in=name)


def _stand_ins(tournament: Tournament, sessions: Collection[int]) -> dict[tuple[int, int], str]:
    """Return (session, player number) → name of the stand-in, who follows the player to other seats."""
    seats = Seat.objects.filter(
        table__session__tournament=tournament, table__session__number__in=sessions
    ).exclude(stand_in="")
    rows = seats.values_list("table__session__number", "player__number", "stand_in")
    return {(session, player): name for session, player, name in rows}


def _tables_of(plan: Plan, session: int) -> Sequence[Mapping[str, int]]:
    """Return the tables of a session (from 1); none after the end of the plan."""
    return plan[session - 1] if session <= len(plan) else ()


# --- Finals ---


def set_up_final(tournament: Tournament, actor: Actor, options: FinalsOptions, *, seen: str = "") -> Final:
    """Seat the finalists of `preview_final`, in sessions that are added when there are too few.

    `undo_plan_change` undoes it until its first session begins. `seen`: as `apply_plan_change` has it.
    """
    with log.write(tournament, actor, actions.FINALS_SET, Right.ORGANISE) as entry:
        final = preview_final(entry.tournament, options)
        return _store_final(entry, final.cut, final.sessions, final.change, options.seed, seen)


def restore_final(
    tournament: Tournament, actor: Actor, carry: Carry, groups: Sequence[Sequence[int]], seats: Plan
) -> Final:
    """Store the final of an event that is replayed: its groups and seats are given.

    `seats`: its sessions. A problem's `where` is "session <n>, table <m>" where it is about one table.
    """
    with log.write(tournament, actor, actions.FINALS_SET, Right.ORGANISE) as entry:
        after, before = last_closed(entry.tournament), stored_plan(entry.tournament)
        cut = Cut(after, tuple(map(tuple, groups)), carry)
        entered = set(entry.tournament.players.values_list("number", flat=True))
        finalists = {number for group in groups for number in group}
        if problems := [*_group_problems(cut, entered), *plan_problems(seats, finalists, after + 1)]:
            raise Refused(problems)
        sessions = tuple(range(after + 1, after + len(seats) + 1))
        return _store_final(entry, cut, sessions, PlanChange(before, [*before[:after], *seats], sessions))


def _group_problems(cut: Cut, entered: Collection[int]) -> Iterator[Problem]:
    """Yield what is wrong with groups that were not computed here."""
    counts = Counter(number for group in cut.groups for number in group)
    for number, times in counts.items():
        if number not in entered:
            yield UNKNOWN_PLAYER(player=number)
        elif times > 1:
            yield PLAYER_TWICE(player=number)
    sizes = {len(group) for group in cut.groups}
    if len(sizes) != 1 or 0 in sizes or any(size % 4 for size in sizes):
        yield FINAL_GROUPS_UNEVEN()


def _store_final(
    entry: Write, cut: Cut, sessions: Sequence[int], change: PlanChange, seed: str = "", seen: str = ""
) -> Final:
    """Store the final, its seats, and its log entry."""
    tournament = entry.tournament
    replaced = tournament.finals.filter(after_session=cut.after)
    stored_before = replaced.values("carry", "groups", "confirmed").first()
    replaced.delete()
    final = tournament.finals.create(
        after_session=cut.after,
        carry=cut.carry.value,
        groups=[list(group) for group in cut.groups],
    )
    entry.data = apply_plan_change(tournament, change, seen) | {
        "after": final.after_session,
        "carry": final.carry,
        "groups": final.groups,
        "seed": seed,
        "how": "finals",
        "planned": tournament.sessions_planned,
    }
    if stored_before:
        entry.data["replaced"] = stored_before
    tournament.sessions_planned = max(tournament.sessions_planned, sessions[-1])
    tournament.save(update_fields=["sessions_planned"])
    return final


def confirm_finalists(tournament: Tournament, actor: Actor, *, seen: str) -> None:
    """Confirm the finalists although others would qualify now. Idempotent.

    `seen`: of the `FinalistChange` as it was shown; raises `Refused` when others would qualify now.
    """
    with log.write(tournament, actor, actions.FINALISTS_CONFIRMED, Right.ORGANISE) as entry:
        change = finalist_change(entry.tournament)
        if change is None:
            entry.mark_unchanged()
            return
        if seen != change.seen:
            raise Refused(FINALISTS_CHANGED())
        change.final.confirmed = [list(group) for group in change.groups]
        change.final.save(update_fields=["confirmed"])
        entry.data = {"after": change.final.after_session, "groups": change.final.confirmed}
