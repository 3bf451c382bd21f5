"""Play the sessions of an event one by one."""

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
    """Start a session; return its tables."""
    return tables_of(start_session(tournament.sessions.get(number=number), SYSTEM))


def tables_of(session: Session) -> list[Table]:
    return list(Table.objects.filter(session=session).select_related("session__tournament"))


def scores(table: Table) -> dict[int, int]:
    """Return the game points at the table by player number."""
    return dict(table.seats.values_list("player__number", "game_points"))


def end(tables: list[Table]) -> None:
    """Play two more hands at each table, hand the tables in and close the session."""
    for table in tables:
        table.refresh_from_db()
        play_hands(table, 2)
        hand_in(table, SYSTEM)
    close_session(tables[0].session, SYSTEM, reason="It is late.")


def correct_hand_of(tournament: Tournament, session: int) -> None:
    """Correct hand 1 at every table, so that other players would reach the final."""
    for table in Table.objects.filter(session__tournament=tournament, session__number=session):
        seats = players_at(table)
        entry = HandEntry(WIN, min(seats), max(seats), points=88)
        correct_hand(table.hands.get(number=1), SYSTEM, entry, reason="Seen.", uuid=uuid4())
