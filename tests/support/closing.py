"""A session that can be closed, its tables, and appeals."""

from uuid import uuid4

from tests.support.factories import SYSTEM, make_tournament
from tournament.base.models.play import Appeal, Session, Table
from tournament.fouls.services.appeals import open_appeal
from tournament.play.services.tables import hand_in


def session_all_in() -> Session:
    """Return a running session whose four tables are handed in after two hands each."""
    session = make_tournament(running=2).sessions.get(number=1)
    for table in session.tables.all():
        hand_in(table, SYSTEM)
    return session


def table_of(session: Session, number: int = 1) -> Table:
    return Table.objects.select_related("session__tournament").get(session=session, number=number)


def players_at(table: Table) -> list[int]:
    """Return the players' numbers by starting wind."""
    return list(table.seats.order_by("id").values_list("player__number", flat=True))


def appeal_at(table: Table, player: int | None = None, hand: int = 1) -> Appeal:
    """Open an appeal against a hand, by default of the first player."""
    appellant = player or players_at(table)[0]
    return open_appeal(table, SYSTEM, appellant, "It was not so.", hand, uuid=uuid4())
