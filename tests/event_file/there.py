"""An event that leaves as a file and comes into another installation."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db import connection

from tests.support.factories import SYSTEM
from tournament.backup import tables
from tournament.exchange.tournament_file import bring_in
from tournament.models import Person, Tournament


def emptied() -> None:
    """An installation in which nothing is left, and everything that comes gets other keys than it had."""
    with connection.cursor() as cursor:
        for model in tables.emptied():
            cursor.execute(f"DELETE FROM {connection.ops.quote_name(model._meta.db_table)}")
    for number in range(3):
        User.objects.create_user(f"somebody-{number}")
        Person.objects.create(last_name=f"Somebody {number}", key=f"somebody {number}")


def elsewhere(content: bytes) -> Tournament:
    emptied()
    return bring_in(content, SYSTEM)
