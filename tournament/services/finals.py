"""Setting up the finals: the best play on, in groups, with all, half or none of their points."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from typing import Final as Constant

from scoring.engine.problems import Problem
from tournament import access, log
from tournament.access import Actor, Audience
from tournament.engine.finals import Carry, Cut, Stage, finalists, groups, straddling
from tournament.engine.seating.finals import final_sessions
from tournament.errors import Refused, refuse
from tournament.models import Final, Session, Tournament
from tournament.selectors.seatings import seats_of_all
from tournament.selectors.standings import current_standings
from tournament.services.draw import Plan, plan_problems
from tournament.services.reseating import Again, reseat

MOST_SESSIONS: Constant = 16
SIZES: Constant = {"4": (4, 4), "8": (8, 8), "16": (16, 16), "16/4": (16, 4)}
"""What may be wished: how many go on, and how large their groups are."""


@dataclass(frozen=True)
class FinalsWish:
    """`first`: who of those that share the last place goes on; the others follow by number."""

    stage: Stage
    sessions: int
    seed: str
    first: tuple[int, ...] = ()


def chosen(said: Mapping[str, Any]) -> FinalsWish:
    """The wish as a form and the API both ask for it: size (of SIZES), carry, sessions, seed, first."""
    stage = Stage(*SIZES[said["size"]], Carry(said["carry"]))
    return FinalsWish(stage, said["sessions"], said["seed"], tuple(said["first"]))


@dataclass(frozen=True)
class Proposed:
    """A final as it would be, its sessions, and who shares the last place that goes on."""

    cut: Cut
    sessions: tuple[int, ...]
    tied: tuple[int, ...]
    again: Again


def proposed(tournament: Tournament, wish: FinalsWish) -> Proposed:
    """The final after the newest session closed; stores nothing.

    Sessions planned beyond those of the final lose their seats: a further final may use them. Refused while a session
    is being played, before any was, a second time after the same session, and without enough players.
    """
    after = _last_closed(tournament)
    now, stage = current_standings(tournament, Audience.STAFF, closed_only=True), wish.stage
    try:
        going = groups(finalists(now, stage, wish.first), stage)
    except ValueError:
        raise refuse("too_few_finalists", "size", top=stage.top) from None
    before = seats_of_all(tournament)
    seats = final_sessions(going, wish.sessions, seed=wish.seed, played=before[:after])
    end = max(len(before), after + wish.sessions)
    emptied = end - after - wish.sessions
    return Proposed(
        cut=Cut(after, going, stage.carry),
        sessions=tuple(range(after + 1, after + wish.sessions + 1)),
        tied=straddling(now, stage),
        again=Again(before, [*before[:after], *seats, *[[]] * emptied], tuple(range(after + 1, end + 1))),
    )


def set_up_final(tournament: Tournament, actor: Actor, wish: FinalsWish, *, seen: str = "") -> Final:
    """Seat the finalists of `proposed`, in sessions that are added when there are too few. `seen`: as `reseat` has it.

    `undo_reseating` takes it back until its first session begins.
    """
    access.require_organiser(actor, tournament)
    with log.write(tournament, actor, "finals_set") as entry:
        found = proposed(entry.tournament, wish)
        return _stored(entry, found.cut, found.sessions, found.again, wish.seed, seen)


def take_final(
    tournament: Tournament, actor: Actor, carry: Carry, groups: Sequence[Sequence[int]], seats: Plan
) -> Final:
    """The final of an event that is played again: who is in it is a fact by now, and so is where they sit.

    `seats`: its sessions. In a refusal `where` is "session <n>, table <m>" where it is about one table.
    """
    access.require_organiser(actor, tournament)
    with log.write(tournament, actor, "finals_set") as entry:
        after, before = _last_closed(entry.tournament), seats_of_all(entry.tournament)
        cut = Cut(after, tuple(map(tuple, groups)), carry)
        known = set(entry.tournament.players.values_list("number", flat=True))
        finalists = {number for group in groups for number in group}
        if problems := [*_faults(cut, known), *plan_problems(seats, finalists, after + 1)]:
            raise Refused(problems)
        sessions = tuple(range(after + 1, after + len(seats) + 1))
        return _stored(entry, cut, sessions, Again(before, [*before[:after], *seats], sessions))


def _faults(cut: Cut, known: Collection[int]) -> Iterator[Problem]:
    """What is wrong with groups that somebody else wrote down."""
    named = Counter(number for group in cut.groups for number in group)
    for number, times in named.items():
        if number not in known:
            yield Problem("unknown_player", "", {"player": number})
        elif times > 1:
            yield Problem("player_twice", "", {"player": number})
    sizes = {len(group) for group in cut.groups}
    if len(sizes) != 1 or 0 in sizes or any(size % 4 for size in sizes):
        yield Problem("final_groups_uneven")


def _stored(
    entry: log.Write, cut: Cut, sessions: Sequence[int], again: Again, seed: str = "", seen: str = ""
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


def _last_closed(tournament: Tournament) -> int:
    begun = list(tournament.sessions.exclude(state=Session.State.PLANNED))
    if not begun:
        raise refuse("finals_too_early")
    if begun[-1].state == Session.State.RUNNING:
        raise refuse("session_still_running", session=begun[-1].number)
    if tournament.finals.filter(after_session=begun[-1].number).exists():
        raise refuse("finals_set_already", session=begun[-1].number)
    return begun[-1].number
