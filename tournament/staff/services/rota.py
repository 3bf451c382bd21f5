"""The rota of the umpires: who is at which tables in which session."""

from __future__ import annotations

from tournament.base import access, log
from tournament.base.access import Actor, Right
from tournament.base.errors import Refused
from tournament.base.models.play import Table
from tournament.base.models.tournament import Membership, Tournament
from tournament.staff.models import Watch
from tournament.staff.selectors.rota import Rows, rota_problems


def set_rota(tournament: Tournament, actor: Actor, rows: Rows) -> list[Watch]:
    """The whole rota, in the place of the one before. It plans and permits nothing: who may write where stays."""
    access.require(actor, tournament, Right.RULE)
    with log.write(tournament, actor, "rota_set") as entry:
        if problems := rota_problems(entry.tournament, rows):
            raise Refused(problems)
        wanted = {(session, table, umpire) for (session, table), all_ in rows.items() for umpire in all_}
        watches = Watch.objects.filter(membership__tournament=entry.tournament)
        now = set(watches.values_list("table__session__number", "table__number", "membership_id"))
        if wanted == now:
            entry.unchanged()
            return list(watches)
        watches.delete()
        tables = Table.objects.filter(session__tournament=entry.tournament)
        keys = {
            (session, number): pk
            for session, number, pk in tables.values_list("session__number", "number", "pk")
        }
        made = Watch.objects.bulk_create(
            Watch(membership_id=umpire, table_id=keys[session, table])
            for session, table, umpire in sorted(wanted)
        )
        users = dict(Membership.objects.filter(tournament=tournament).values_list("pk", "user"))
        entry.data = {"rota": [[session, table, users[one]] for session, table, one in sorted(wanted)]}
    return made
