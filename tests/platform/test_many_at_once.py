"""A hall full of people on PostgreSQL, which counts its connections."""

from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest

from tests.processes import make_place, status

PEOPLE, CONNECTIONS = 40, 4


@pytest.mark.postgres
def test_a_process_asks_for_no_more_connections_than_it_may(postgres_url: str) -> None:
    with make_place(DATABASE_URL=postgres_url, DATABASE_CONNECTIONS=str(CONNECTIONS)) as place:
        place.migrate()
        with place.web() as site, ThreadPoolExecutor(PEOPLE) as hall:
            unknown = [f"{site.url}/api/v1/tournaments/no-event-{number}/" for number in range(3 * PEOPLE)]
            assert set(hall.map(status, unknown)) == {404}
            assert 1 <= _connections(postgres_url) <= CONNECTIONS


def _connections(url: str) -> int:
    with psycopg.connect(url) as connection:
        query = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        found = connection.execute(query).fetchone()
        assert found is not None
        return int(found[0])
