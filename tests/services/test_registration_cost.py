"""What a registration costs: so many statements, however many have registered."""

from collections.abc import Callable

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.support.factories import make_tournament
from tests.support.registrations import VISITOR, make_plan, register_one
from tournament.models import Registration
from tournament.services.registrations import cancel_registration, confirm_registration

pytestmark = pytest.mark.django_db


def statements(write: Callable[[], object]) -> int:
    with CaptureQueriesContext(connection) as made:
        write()
    return len(made)


def test_statements_do_not_grow_with_those_who_registered() -> None:
    event = make_tournament(players=0, drawn=False)
    make_plan(event, places=20)
    cost = []
    for number in range(1, 41):
        registering = statements(lambda n=number: register_one(event, n))  # type: ignore[misc]
        one = Registration.objects.get(number=number)
        cost.append((registering, statements(lambda one=one: confirm_registration(one, VISITOR))))  # type: ignore[misc]
    assert cost[0] == cost[19], "who gets a place"
    assert cost[20] == cost[-1], "who waits"
    assert max(max(pair) for pair in cost) <= 24
    leaving = event.registrations.get(number=1)
    assert statements(lambda: cancel_registration(leaving, VISITOR)) <= 36
