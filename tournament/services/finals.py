"""Setting up the finals: the best play on, in groups, with all, half or none of their points."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from typing import Final as Constant

from tournament import access, log
from tournament.access import Actor, Audience
from tournament.engine.finals import Carry, Cut, Stage, finalists, groups, straddling
from tournament.engine.seating.finals import final_sessions
from tournament.errors import refuse
from tournament.models import Final, Session, Tournament
from tournament.selectors.seatings import seats_of_all
from tournament.selectors.standings import current_standings
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
        locked = entry.tournament
        found = proposed(locked, wish)
        final = Final.objects.create(
            tournament=locked,
            after_session=found.cut.after,
            carry=found.cut.carry.value,
            groups=[list(group) for group in found.cut.groups],
        )
        entry.data = reseat(locked, found.again, seen) | {
            "after": final.after_session,
            "carry": final.carry,
            "groups": final.groups,
            "seed": wish.seed,
            "how": "finals",
            "planned": locked.sessions_planned,
        }
        locked.sessions_planned = max(locked.sessions_planned, found.sessions[-1])
        locked.save(update_fields=["sessions_planned"])
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
