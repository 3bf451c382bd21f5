"""Penalties at a table: their points, their escalation, their cancelling."""

from typing import Any
from uuid import uuid4

import pytest

from tests.factories import SYSTEM, make_tournament
from tournament.errors import Refused
from tournament.models import Table
from tournament.selectors.standings import current_standings
from tournament.services.penalties import Foul, cancel_penalty, give_penalty

pytestmark = pytest.mark.django_db


@pytest.fixture
def table() -> Table:
    tournament = make_tournament(running=1)
    return tournament.sessions.get(number=1).tables.get(number=1)


def scores(table: Table) -> dict[int, int]:
    return dict(table.seats.values_list("player__number", "game_points"))


def give(table: Table, foul: str, player: int, **facts: object) -> dict[int, int]:
    """Give the penalty; what it changed at the table."""
    before = scores(table)
    victim = facts.pop("victim", None)
    stated = Foul(player, foul, hand_number=1, victim=victim, details=facts)  # type: ignore[arg-type]
    give_penalty(table, SYSTEM, stated, uuid=uuid4())
    return {number: points - before[number] for number, points in scores(table).items()}


def test_false_hu_pays_twenty_to_each_of_the_others(table: Table) -> None:
    offender, *others = scores(table)
    assert give(table, "false_hu", offender) == {offender: -60} | dict.fromkeys(others, 20)


def test_lateness_is_paid_to_nobody(table: Table) -> None:
    offender, *others = scores(table)
    assert give(table, "late", offender, minutes=16) == {offender: -40} | dict.fromkeys(others, 0)


def test_empty_calls_climb_from_a_warning(table: Table) -> None:
    offender = next(iter(scores(table)))
    climbed = [give(table, "empty_call", offender)[offender] for _ in range(4)]
    assert climbed == [0, -5, -10, -20]


def test_a_cancelled_penalty_gives_its_points_back_and_counts_no_more(table: Table) -> None:
    offender = next(iter(scores(table)))
    give(table, "empty_call", offender)
    before = scores(table)
    second = give_penalty(table, SYSTEM, Foul(offender, "empty_call", 1), uuid=uuid4())
    cancel_penalty(second, SYSTEM, reason="misheard")
    assert scores(table) == before
    assert give(table, "empty_call", offender)[offender] == -5


def test_the_same_uuid_twice_is_one_penalty(table: Table) -> None:
    offender, uuid = next(iter(scores(table))), uuid4()
    first = give_penalty(table, SYSTEM, Foul(offender, "false_hu", 1), uuid=uuid)
    after = scores(table)
    assert give_penalty(table, SYSTEM, Foul(offender, "false_hu", 1), uuid=uuid) == first
    assert scores(table) == after


@pytest.mark.parametrize(
    ("foul", "details", "code"),
    [
        ("late", {}, "minutes_missing"),
        ("rules_violation", {"points": 7}, "points_not_on_scale"),
        ("knocked_tiles", {"points": 30}, "victim_missing"),
        ("shown_tiles", {}, "hu_was_valid_missing"),
        ("no_such_foul", {}, "foul_unknown"),
    ],
)
def test_what_a_foul_needs_is_asked_for(table: Table, foul: str, details: dict[str, Any], code: str) -> None:
    offender, before = next(iter(scores(table))), scores(table)
    with pytest.raises(Refused) as refused:
        give_penalty(table, SYSTEM, Foul(offender, foul, 1, details=details), uuid=uuid4())
    assert code in [problem.code for problem in refused.value.problems]
    assert scores(table) == before


def test_a_disqualified_player_has_no_rank(table: Table) -> None:
    offender = next(iter(scores(table)))
    give_penalty(table, SYSTEM, Foul(offender, "severe_disturbance", 1), uuid=uuid4())
    tournament = table.session.tournament
    tournament.refresh_from_db()
    assert current_standings(tournament).find(offender).rank is None
