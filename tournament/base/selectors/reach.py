"""Where somebody may be let write: the tables of the hall, and sessions and tables by their numbers."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from tournament.base.models.play import Table
from tournament.base.models.tournament import Membership, Tournament

Assignment = tuple[Membership, list[int], list[tuple[int, int]]]
"""An umpire, and by their numbers the sessions and the tables (session, table) given to that umpire."""


def tables_of(tournament: Tournament) -> list[int]:
    """The numbers of the hall's tables: those drawn, or as many as the players who take part need."""
    players = tournament.players.filter(withdrawn_at=None).count()
    return sorted(drawn_in(tournament)) or list(range(1, -(-players // 4) + 1))


def drawn_in(tournament: Tournament, sessions: Collection[int] = ()) -> set[int]:
    """The numbers of the tables drawn in these sessions, or in any when none is named."""
    drawn = Table.objects.filter(session__tournament=tournament)
    if sessions:
        drawn = drawn.filter(session__number__in=sessions)
    return set(drawn.values_list("number", flat=True))


def scope_of(tournament: Tournament, sessions: Collection[int], tables: Collection[int]) -> dict[str, Any]:
    """The sessions and the tables of these numbers, as `give_role` takes them; none named means all of them."""
    known = list(tournament.sessions.all())
    chosen = [session for session in known if session.number in sessions]
    if not tables:
        return {"sessions": chosen}
    at = Table.objects.filter(session__in=chosen or known, number__in=tables)
    return {"tables": list(at.order_by("session__number", "number")), "every_session": not chosen}


def assignments(tournament: Tournament) -> list[Assignment]:
    """What the umpires who are not everywhere have been given."""
    return [
        (
            umpire,
            list(umpire.sessions.values_list("number", flat=True)),
            list(umpire.tables.values_list("session__number", "number")),
        )
        for umpire in tournament.memberships.filter(everywhere=False)
    ]
