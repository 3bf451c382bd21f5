"""A hall full of people: PostgreSQL counts its connections, SQLite lets one writer in."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest

from tests.support.processes import make_place, status

PEOPLE, CONNECTIONS = 40, 4
WRITERS = 24
WRITE = """
from contextlib import nullcontext
from datetime import date
from threading import Barrier, Thread
from django.db import connection, transaction
from tournament import log
from tournament.access import Actor
from tournament.models import Tournament

day = date(2026, 5, 1)
event = Tournament.objects.create(slug="open", name="open", rules_snapshot={{}}, starts_on=day, ends_on=day)
together = Barrier({writers})

def write(number):
    together.wait()
    with transaction.atomic() if number % 3 == 0 else nullcontext():
        with log.write(event, Actor.system("test"), "hand_recorded") as entry:
            entry.data = {{"hand": number}}
    connection.close()

writers = [Thread(target=write, args=[number]) for number in range({writers})]
for one in writers:
    one.start()
for one in writers:
    one.join()
event.refresh_from_db()
print(event.version, log.first_broken_link(event))
"""
"""Some within a transaction of their own, which they have begun before they write."""


@pytest.mark.postgres
@pytest.mark.thorough
def test_a_process_asks_for_no_more_connections_than_it_may(postgres_url: str) -> None:
    with make_place(DATABASE_URL=postgres_url, DATABASE_CONNECTIONS=str(CONNECTIONS)) as place:
        place.migrate()
        with place.web() as site, ThreadPoolExecutor(PEOPLE) as hall:
            unknown = [f"{site.url}/api/v1/tournaments/no-event-{number}/" for number in range(3 * PEOPLE)]
            assert set(hall.map(status, unknown)) == {404}
            assert 1 <= _connections(postgres_url) <= CONNECTIONS


@pytest.mark.thorough
def test_all_who_write_in_the_same_moment_get_their_turn(migrated: Path) -> None:
    with make_place(migrated) as place:
        assert place.python(WRITE.format(writers=WRITERS)).split() == [str(WRITERS), "None"]


def _connections(url: str) -> int:
    with psycopg.connect(url) as connection:
        query = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        found = connection.execute(query).fetchone()
        assert found is not None
        return int(found[0])
