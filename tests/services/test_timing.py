"""The clock: warning and end from the gong, what becomes of the last hand, extra time for one table."""

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.support.factories import (
    SYSTEM,
    make_card,
    make_organiser,
    make_tournament,
    make_umpire,
    play_hands,
)
from tournament.access import Actor
from tournament.audit import audit
from tournament.engine.rules import Rules, rules_named
from tournament.engine.timing import LastHand, Timing
from tournament.errors import Forbidden, Refused
from tournament.models import Session, Table, Tournament
from tournament.selectors.clock import Clock, clock_of, moments_passed
from tournament.services.tables import hand_in
from tournament.services.timing import set_extra_time

pytestmark = pytest.mark.django_db


@pytest.fixture
def table() -> Table:
    return make_tournament(running=1).sessions.get(number=1).tables.get(number=1)


def after(table: Table, minutes: int) -> Table:
    """The same table, so long after the gong."""
    Session.objects.filter(pk=table.session.pk).update(started_at=timezone.now() - timedelta(minutes=minutes))
    return Table.objects.select_related("session__tournament").get(pk=table.pk)


def clock(table: Table) -> Clock:
    clock = clock_of(table.session, table)
    assert clock is not None
    return clock


def test_the_warning_comes_fifteen_minutes_before_the_end_and_pages_change_at_each(table: Table) -> None:
    version = table.session.tournament.version
    stages = ((0, "playing"), (104, "playing"), (105, "warning"), (119, "warning"), (120, "over"))
    for minutes, stage in stages:
        assert clock(after(table, minutes)).stage == stage
    for passed, minutes in enumerate((1, 106, 121)):
        after(table, minutes)
        Tournament.objects.update(version=version + minutes)
        assert moments_passed(Tournament.objects.get()) == passed
    late = after(table, 125)
    play_hands(late, 1)
    assert late.hands_played == 2, "a hand noted late is still recorded"


def test_extra_time_moves_warning_and_end_of_that_table_alone(table: Table) -> None:
    other = Table.objects.get(session=table.session, number=2)
    set_extra_time(table, SYSTEM, 10, reason="The wall had to be built twice")
    assert [clock(after(each, 121)).stage for each in (table, other)] == ["warning", "over"]
    assert [clock(after(each, 121)).extra for each in (table, other)] == [10, 0]


def test_extra_time_counts_in_all_can_be_taken_back_and_makes_no_hand_stale(table: Table) -> None:
    before = table.version
    for minutes in (10, 5, 0):
        assert set_extra_time(table, SYSTEM, minutes, reason="Lost tile").extra_minutes == minutes
    version = Tournament.objects.get().version
    set_extra_time(table, SYSTEM, 0, reason="Lost tile")
    assert Tournament.objects.get().version == version
    table.refresh_from_db()
    assert table.version == before


def test_extra_time_needs_a_figure_that_makes_sense_a_reason_and_a_table_that_plays(table: Table) -> None:
    with pytest.raises(Refused) as refused:
        set_extra_time(table, SYSTEM, 61, reason=" ")
    assert [problem.where for problem in refused.value.problems] == ["minutes", "reason"]
    hand_in(table, SYSTEM)
    with pytest.raises(Refused):
        set_extra_time(table, SYSTEM, 5, reason="Lost tile")


def test_umpires_and_organisers_give_time_and_the_tables_own_card_does_not(table: Table) -> None:
    tournament = table.session.tournament
    for user in (make_organiser(tournament), make_umpire(tournament)):
        set_extra_time(table, Actor.of(user), user.pk % 50 + 1, reason="Lost tile")
    card = make_card(tournament, 1)
    with pytest.raises(Forbidden):
        set_extra_time(table, Actor.of(card), 30, reason="We are slow")


def test_the_audit_compares_extra_time_with_the_log(table: Table) -> None:
    set_extra_time(table, SYSTEM, 5, reason="Lost tile")
    assert list(audit(Tournament.objects.get())) == []
    Table.objects.filter(pk=table.pk).update(extra_minutes=9)
    assert ["longer" in str(finding) for finding in audit(Tournament.objects.get())] == [True]


def test_the_rules_keep_their_timing_and_older_snapshots_have_the_usual_one() -> None:
    european = Timing(warning=10, last_hand=LastHand.FINISHED)
    rules = rules_named("mcr")
    snapshot = rules.to_json() | {"timing": european.to_json()}
    assert Rules.from_json(snapshot).timing == european
    del snapshot["timing"]
    assert Rules.from_json(snapshot).timing == Timing(15, LastHand.VOID)
