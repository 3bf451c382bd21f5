"""Setting up the finals: the best play on, in groups, with all, half or none of their points."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from scoring.engine.problems import Problem
from tournament.base import access, log
from tournament.base.access import Actor
from tournament.base.errors import Refused
from tournament.base.models.tournament import Tournament
from tournament.ranking.engine.finals import Carry, Cut, FinalsWish
from tournament.seating.engine.plans import Plan, plan_problems
from tournament.seating.models import Final
from tournament.seating.selectors.final_plans import last_closed, planned_final
from tournament.seating.selectors.seatings import Reseating, seats_of_all
from tournament.seating.services.reseating import reseat


def set_up_final(tournament: Tournament, actor: Actor, wish: FinalsWish, *, seen: str = "") -> Final:
    """Seat the finalists of `proposed`, in sessions that are added when there are too few. `seen`: as `reseat` has it.

    `undo_reseating` takes it back until its first session begins.
    """
    access.require_organiser(actor, tournament)
    with log.write(tournament, actor, "finals_set") as entry:
        found = planned_final(entry.tournament, wish)
        return _stored(entry, found.cut, found.sessions, found.again, wish.seed, seen)


def take_final(
    tournament: Tournament, actor: Actor, carry: Carry, groups: Sequence[Sequence[int]], seats: Plan
) -> Final:
    """The final of an event that is played again: who is in it is a fact by now, and so is where they sit.

    `seats`: its sessions. In a refusal `where` is "session <n>, table <m>" where it is about one table.
    """
    access.require_organiser(actor, tournament)
    with log.write(tournament, actor, "finals_set") as entry:
        after, before = last_closed(entry.tournament), seats_of_all(entry.tournament)
        cut = Cut(after, tuple(map(tuple, groups)), carry)
        known = set(entry.tournament.players.values_list("number", flat=True))
        finalists = {number for group in groups for number in group}
        if problems := [*_faults(cut, known), *plan_problems(seats, finalists, after + 1)]:
            raise Refused(problems)
        sessions = tuple(range(after + 1, after + len(seats) + 1))
        return _stored(entry, cut, sessions, Reseating(before, [*before[:after], *seats], sessions))


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
