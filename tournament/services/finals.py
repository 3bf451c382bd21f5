"""Setting up the finals: the best play on, in groups, with all, half or none of their points."""

from __future__ import annotations

from tournament import access, log
from tournament.access import Actor
from tournament.engine.finals import FinalsWish
from tournament.models import Final, Tournament
from tournament.selectors.final_plans import planned_final
from tournament.services.reseating import reseat


def set_up_final(tournament: Tournament, actor: Actor, wish: FinalsWish, *, seen: str = "") -> Final:
    """Seat the finalists of `proposed`, in sessions that are added when there are too few. `seen`: as `reseat` has it.

    `undo_reseating` takes it back until its first session begins.
    """
    access.require_organiser(actor, tournament)
    with log.write(tournament, actor, "finals_set") as entry:
        locked = entry.tournament
        found = planned_final(locked, wish)
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
