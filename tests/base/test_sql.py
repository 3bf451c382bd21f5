"""The reads in SQL return what the ORM returns (docs/adr/0036-read-by-sql-in-a-save.md)."""

from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.db.models import Model
from django.test.utils import CaptureQueriesContext

from tests.support.factories import SYSTEM, hand_entry, make_organiser, make_tournament, play_hands
from tournament.accounts.services import make_token
from tournament.base import sql
from tournament.base.models.play import Hand, Seat, Table
from tournament.base.models.tournament import Membership, Tournament
from tournament.play.services.hands import correct_hand
from tournament.play.services.tables import sign

pytestmark = [pytest.mark.django_db, pytest.mark.stored]


@pytest.fixture
def table() -> Table:
    make_tournament(name="Spring Open", players=8, sessions=2, played=1, running=1)
    table = Table.objects.select_related("session__tournament").get(session__number=2, number=2)
    play_hands(table, 3)
    return table


def columns(row: Model) -> dict[str, Any]:
    return {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}


def test_a_table_is_found_with_session_and_tournament(table: Table) -> None:
    expected = Table.objects.get(pk=table.pk)
    with CaptureQueriesContext(connection) as queries:
        row = sql.find_table("spring-open", 2, 2)
        rows = (row, row.session, row.session.tournament)
    assert len(queries) == 3
    assert [columns(row) for row in rows] == [
        columns(row) for row in (expected, expected.session, expected.session.tournament)
    ]


@pytest.mark.parametrize(
    "where",
    [("spring-open", 3, 1), ("spring-open", 1, 3), ("' OR 1=1 --", 1, 1), ("spring-open", 2**63, 10**30)],
)
def test_what_does_not_exist_is_not_found(table: Table, where: tuple[str, int, int]) -> None:
    with pytest.raises(Table.DoesNotExist):
        sql.find_table(*where)


def test_a_sheet_is_read_as_stored(table: Table) -> None:
    stale = Table.objects.get(pk=table.pk)
    play_hands(table, 2)
    third = table.hands.get(number=3)
    correct_hand(third, SYSTEM, hand_entry(table, 1), reason="misheard", uuid=uuid4())
    Hand.objects.filter(pk=third.pk).update(version=9)  # so that the order of the keys is another
    fresh, hands = sql.reread_sheet(stale)
    seats = Seat.objects.filter(table=table).select_related("player").order_by("id")
    assert columns(fresh) == columns(Table.objects.get(pk=table.pk)) != columns(stale)
    assert columns(fresh.session) == columns(table.session)
    assert [(columns(seat), columns(seat.player)) for seat in fresh.seated] == [
        (columns(seat), columns(seat.player)) for seat in seats
    ]
    assert list(map(columns, hands)) == list(
        map(columns, Hand.objects.filter(table=table).order_by("number", "version"))
    )


def test_a_sheet_knows_what_it_has_none_of(table: Table) -> None:
    def has() -> tuple[bool, bool, bool]:
        fresh, _hands = sql.reread_sheet(table)
        return fresh.has_absences, fresh.has_penalties, fresh.has_signatures

    assert has() == (False, False, False)
    sign(table, SYSTEM, table.seated[0].player.number)
    assert has() == (False, False, True)


def test_a_tournament_is_locked_and_read_as_stored(table: Table) -> None:
    stale = table.session.tournament
    Tournament.objects.filter(pk=stale.pk).update(venue="Town hall")
    with transaction.atomic():
        assert columns(sql.lock_tournament(stale)) == columns(Tournament.objects.get(pk=stale.pk))
    with pytest.raises(Tournament.DoesNotExist):
        sql.lock_tournament(Tournament(pk=0))


def test_roles_and_tokens_are_those_of_the_account(table: Table) -> None:
    tournament, other = table.session.tournament, make_tournament(name="Autumn Open", players=4)
    olga, oskar = make_organiser(tournament, "olga"), make_organiser(other, "oskar")
    assert sql.list_memberships(tournament, olga) == list(Membership.objects.filter(user=olga))
    assert sql.list_memberships(tournament, oskar) == []
    token, _text = make_token(oskar)
    row = sql.find_token(token.pk)
    assert row is not None
    assert columns(row) == columns(token)
    assert columns(row.user) == columns(User.objects.get(pk=oskar.pk))
    assert sql.find_token("another") is None
