"""Sessions of an event played one by one, for what is written down of them."""

from uuid import uuid4

from tests.support.closing import players_at
from tests.support.factories import SYSTEM, play_hands
from tournament.base.engine.entries import WIN, HandEntry
from tournament.base.models.play import Session, Table
from tournament.base.models.tournament import Tournament
from tournament.play.services.hands import correct_hand
from tournament.play.services.sessions import close_session, start_session
from tournament.play.services.tables import hand_in


def begin(tournament: Tournament, number: int) -> list[Table]:
    """The session begins; its tables."""
    return tables_of(start_session(tournament.sessions.get(number=number), SYSTEM))


def tables_of(session: Session) -> list[Table]:
    return list(Table.objects.filter(session=session).select_related("session__tournament"))


def scores(table: Table) -> dict[int, int]:
    """Player → game points at the table."""
    return dict(table.seats.values_list("player__number", "game_points"))


def end(tables: list[Table]) -> None:
    """Two hands more at each table, and the session is closed."""
    for table in tables:
        table.refresh_from_db()
        play_hands(table, 2)
        hand_in(table, SYSTEM)
    close_session(tables[0].session, SYSTEM, reason="It is late.")


def correct_hand_of(tournament: Tournament, session: int) -> None:
    """So that others would go on by now than those who did."""
    for table in Table.objects.filter(session__tournament=tournament, session__number=session):
        seats = players_at(table)
        entry = HandEntry(WIN, min(seats), max(seats), points=88)
        correct_hand(table.hands.get(number=1), SYSTEM, entry, reason="Seen.", uuid=uuid4())
