"""A database that is locked for longer than a request waits: everybody is asked to come back, nobody gets an error."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.db import OperationalError, connection
from django.test import Client, RequestFactory

from config.front.errors import server_error
from tests.support.factories import PASSWORD, make_user

pytestmark = pytest.mark.django_db

SIGN_IN = {"username": "olga", "password": PASSWORD}


@pytest.fixture
def client() -> Client:
    make_user("olga")
    return Client(raise_request_exception=False)


@pytest.fixture
def lock(tmp_path: Path) -> sqlite3.Error:
    """What SQLite raises while another program writes."""
    path = tmp_path / "locked.sqlite3"
    with closing(sqlite3.connect(path)) as other, closing(sqlite3.connect(path, timeout=0)) as mine:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(sqlite3.OperationalError) as error:
            mine.execute("BEGIN IMMEDIATE")
    return error.value


@contextmanager
def writes_raise(cause: sqlite3.Error) -> Iterator[None]:
    def execute_or_raise(execute: Any, sql: str, *rest: Any) -> Any:
        if sql.startswith(("INSERT", "UPDATE", "DELETE")):
            raise OperationalError from cause
        return execute(sql, *rest)

    with connection.execute_wrapper(execute_or_raise):
        yield


def test_a_locked_database_is_503_for_pages_and_programs(client: Client, lock: sqlite3.Error) -> None:
    with writes_raise(lock):
        page = client.post("/login/", SIGN_IN)
        program = client.post("/api/v1/token/", SIGN_IN, content_type="application/json")
    assert (page.status_code, page["Retry-After"]) == (503, "5")
    assert "Nothing was saved." in page.text
    assert (program.status_code, program["Retry-After"]) == (503, "5")
    assert (program["Content-Type"], program.json()["status"]) == ("application/problem+json", 503)


def test_a_locked_database_is_503_for_middleware(lock: sqlite3.Error) -> None:
    """Django calls the handler of 500 for what middleware raises, as when it stores a session."""
    try:
        raise OperationalError from lock
    except OperationalError:
        assert server_error(RequestFactory().get("/")).status_code == 503


def test_any_other_error_is_500_and_a_problem_for_programs(client: Client) -> None:
    with pytest.raises(sqlite3.Error) as error:
        sqlite3.connect(":memory:").execute("SELECT * FROM missing")
    with writes_raise(error.value):
        assert client.post("/login/", SIGN_IN).status_code == 500
        program = client.post("/api/v1/token/", SIGN_IN, content_type="application/json")
    assert (program.status_code, program["Content-Type"]) == (500, "application/problem+json")
