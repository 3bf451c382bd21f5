"""Two people at the last place at the same moment: one has it, the other waits."""

from pathlib import Path

import pytest

from tests.support.processes import make_place

TOGETHER = """
from datetime import date
from threading import Barrier, Thread
from django.db import connection
from tests.support.registrations import VISITOR, make_plan, register_one, states
from tournament.models import Tournament
from tournament.services.registrations import cancel_registration, confirm_registration
from tournament.services.tournaments import create_tournament
from tournament.selectors.particulars import Particulars
from tests.support.factories import SYSTEM

day = date(2026, 5, 1)
event = create_tournament(SYSTEM, Particulars("Open", "Hall", day, day))
make_plan(event, places={places}, waiting_places={waiting})
people = [register_one(event, number) for number in range(1, {people} + 1)]
together = Barrier({people})

def do(one, what):
    together.wait()
    what(one, VISITOR)
    connection.close()

def all_at_once(what, some):
    threads = [Thread(target=do, args=[one, what]) for one in some]
    for one in threads:
        one.start()
    for one in threads:
        one.join()

all_at_once(confirm_registration, people)
found = list(states(event).values())
print(found.count("accepted"), found.count("waiting"), found.count("declined"))
"""


@pytest.mark.parametrize(
    ("people", "places", "waiting", "became"),
    [
        pytest.param(2, 1, 5, "1 1 0", marks=pytest.mark.thorough),
        (12, 5, 4, "5 4 3"),
    ],
)
@pytest.mark.thorough
def test_of_all_who_confirm_in_the_same_moment_as_many_have_a_place_as_there_are(
    migrated: Path, people: int, places: int, waiting: int, became: str
) -> None:
    with make_place(migrated) as place:
        code = TOGETHER.format(people=people, places=places, waiting=waiting)
        assert place.python(code).strip() == became
