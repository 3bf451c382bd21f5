"""A query that is written once finds what the same query finds that is written anew each time."""

from threading import Thread

import pytest
from django.db import connection
from django.db.models import Exists, OuterRef
from django.test.utils import CaptureQueriesContext

from tournament.base.database import MAX_INTEGER, PreparedQuery
from tournament.base.models.play import Seat, Table
from tournament.base.models.tournament import Tournament

pytestmark = pytest.mark.django_db
EVENT_WITH = {"players": 8, "sessions": 2}


def tables() -> PreparedQuery[Table]:
    return PreparedQuery(
        lambda slug, session: (
            Table.objects.filter(session__tournament__slug=slug, session__number=session)
            .select_related("session")
            .annotate(has_seats=Exists(Seat.objects.filter(table=OuterRef("pk"))))
            .order_by("number")
        ),
        *(str, int),
    )


def test_the_query_returns_the_rows_of_each_parameter(event: Tournament) -> None:
    ask = tables()
    for session in (1, 2, 1):
        rows = ask(event.slug, session)
        assert rows == list(Table.objects.filter(session__number=session).order_by("number"))
        assert {table.session.number for table in rows} == {session}
    assert ask("elsewhere", 1) == ask(event.slug, 3) == []


def test_what_is_related_and_worked_out_comes_with_them(event: Tournament) -> None:
    ask = tables()
    with CaptureQueriesContext(connection) as queries:
        rows = ask(event.slug, 1)
        assert [(table.session.number, table.has_seats) for table in rows] == [(1, True)] * 2  # type: ignore[attr-defined]
    assert len(queries) == 1


def test_rows_are_new_each_time(event: Tournament) -> None:
    ask = tables()
    first = ask(event.slug, 1)[0]
    Table.objects.filter(pk=first.pk).update(version=7)
    assert (first.version, ask(event.slug, 1)[0].version) == (0, 7)


def test_a_missing_row_raises_does_not_exist(event: Tournament) -> None:
    ask = tables()
    assert ask.get(event.slug, 1) == Table.objects.get(session__number=1, number=1)
    Table.objects.all().delete()
    assert ask.first(event.slug, 1) is None
    with pytest.raises(Table.DoesNotExist):
        ask.get(event.slug, 1)


@pytest.mark.parametrize("session", [MAX_INTEGER + 1, -MAX_INTEGER - 1, 10**30])
def test_a_too_large_number_finds_nothing(event: Tournament, session: int) -> None:
    assert tables()(event.slug, session) == []


def test_typed_text_is_a_parameter_and_no_sql(event: Tournament) -> None:
    assert tables()("' OR 1=1 --", 1) == []
    assert tables()("stand-in 0", 1) == []


@pytest.mark.django_db(transaction=True)
def test_threads_query_on_their_own_connections(event: Tournament) -> None:
    ask, numbers = tables(), list[int]()

    def count() -> None:
        numbers.append(len(ask(event.slug, 1)))
        connection.connection.close()  # Django leaves a database in memory open

    threads = [Thread(target=count) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert numbers == [2] * 4
