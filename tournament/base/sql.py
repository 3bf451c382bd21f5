"""The reads of every save, as SQL: Django takes five times as long to build these statements as to run them (ADR 36).

A test compares each with the ORM’s result.
"""

from typing import Any, Final, TypeVar

from django.contrib.auth.models import User
from django.db import connection
from django.db.models import Model

from tournament.base.models.people import ApiToken, Player
from tournament.base.models.play import Hand, Seat, Session, Table
from tournament.base.models.tournament import Membership, Tournament

Row = TypeVar("Row", bound=Model)
MAX_INTEGER: Final = 2**63 - 1
"""The largest integer that SQLite accepts."""


def find_table(slug: str, session: int, number: int) -> Table:
    """Return a table with its session and tournament; raise Table.DoesNotExist."""
    if max(session, number) > MAX_INTEGER:
        raise Table.DoesNotExist
    try:
        tournament = _get(Tournament, "SELECT * FROM tournament_tournament WHERE slug = %s", slug)
        where = "WHERE tournament_id = %s AND number = %s"
        session_row = _get(Session, f"SELECT * FROM tournament_session {where}", tournament.pk, session)
        where = "WHERE session_id = %s AND number = %s"
        table = _get(Table, f"SELECT * FROM tournament_table {where}", session_row.pk, number)
    except (Tournament.DoesNotExist, Session.DoesNotExist):
        raise Table.DoesNotExist from None
    table.session, table.session.tournament = session_row, tournament
    return table


def lock_tournament(tournament: Tournament) -> Tournament:
    """Return the tournament as it is stored now, locked for this transaction; raise Tournament.DoesNotExist."""
    lock = " FOR UPDATE" if connection.features.has_select_for_update else ""  # SQLite locks the whole file
    return _get(Tournament, f"SELECT * FROM tournament_tournament WHERE id = %s{lock}", tournament.pk)


def reread_table(table: Table) -> Table:
    """Return the table as it is stored now, with its session and seats; raise Table.DoesNotExist."""
    fresh = _get(Table, "SELECT * FROM tournament_table WHERE id = %s", table.pk)
    fresh.session = _get(Session, "SELECT * FROM tournament_session WHERE id = %s", fresh.session_id)
    fresh.seated = list_seats(table)
    return fresh


def reread_sheet(table: Table) -> tuple[Table, list[Hand]]:
    """Return the table as `reread_table` does, knowing what it has none of, and all versions of its hands in order."""
    fresh = reread_table(table)
    with connection.cursor() as cursor:
        cursor.execute(_HAS, [table.pk] * 3)
        fresh.has_absences, fresh.has_penalties, fresh.has_signatures = map(bool, cursor.fetchone())
    where = "WHERE table_id = %s ORDER BY number, version"
    hands = _list(Hand, f"SELECT * FROM tournament_hand {where}", table.pk)
    for hand in hands:
        hand.table = fresh
    return fresh, hands


_HAS: Final = """SELECT
    EXISTS(SELECT 1 FROM tournament_absence WHERE table_id = %s),
    EXISTS(SELECT 1 FROM penalties_penalty WHERE table_id = %s),
    EXISTS(SELECT 1 FROM tournament_signature WHERE table_id = %s)"""


def list_seats(table: Table) -> list[Seat]:
    """Return the seats with their players, in the order of their ids."""
    seats = _list(Seat, "SELECT * FROM tournament_seat WHERE table_id = %s ORDER BY id", table.pk)
    at_table = "id IN (SELECT player_id FROM tournament_seat WHERE table_id = %s)"
    players = _list(Player, f"SELECT * FROM tournament_player WHERE {at_table}", table.pk)
    player_of = {player.pk: player for player in players}
    for seat in seats:
        seat.player = player_of[seat.player_id]
    return seats


def list_memberships(tournament: Tournament, user: Any) -> list[Membership]:
    """Return a user's roles in a tournament."""
    where = "WHERE tournament_id = %s AND user_id = %s ORDER BY id"
    return _list(Membership, f"SELECT * FROM tournament_membership {where}", tournament.pk, user.pk)


def find_token(digest: str) -> ApiToken | None:
    """Return a token with its account."""
    tokens = _list(ApiToken, "SELECT * FROM tournament_apitoken WHERE digest = %s", digest)
    for token in tokens:
        token.user = _get(User, "SELECT * FROM auth_user WHERE id = %s", token.user_id)
    return next(iter(tokens), None)


def _get(model: type[Row], sql: str, *values: int | str) -> Row:
    rows = _list(model, sql, *values)
    if not rows:
        raise model.DoesNotExist  # type: ignore[attr-defined]
    return rows[0]


def _list(model: type[Row], sql: str, *values: int | str) -> list[Row]:
    return list(model._default_manager.raw(sql, values))
