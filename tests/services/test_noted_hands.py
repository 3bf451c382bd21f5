"""A best hand that a sheet kept on paper names is a hand of the event, wherever the dearest is shown."""

from uuid import uuid4

import pytest

from tests.factories import SYSTEM, make_tournament, record, win
from tournament.access import Audience
from tournament.engine.totals import BestHand, TotalsEntry
from tournament.models import Table, Totals, Tournament
from tournament.selectors.best_hand import best_hand
from tournament.selectors.certificates import dearest_hand
from tournament.selectors.statistics import event_statistics
from tournament.services.embargo import hide_results
from tournament.services.totals import enter_totals

pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Tournament:
    """Table 1 has been played by hands, table 2 on paper; its dearest hand had 88 points."""
    tournament = make_tournament(players=8, sessions=1, running=0)
    one, two = tournament.sessions.get().tables.order_by("number")
    east, south = (one.seats.get(wind=wind).player.number for wind in "ES")
    record(one, win(east, south))
    type_sheet(two, 88)
    return tournament


def type_sheet(table: Table, points: int) -> None:
    players = [seat.player.number for seat in table.seats.all()]
    scores = dict(zip(players[:3], (30, -10, -20), strict=True))
    scores = dict(zip((seat.player.number for seat in table.seats.all()), (30, -10, -10, -10), strict=True))
    entry = TotalsEntry(scores, hands=1, best=BestHand(players[0], points))
    enter_totals(table, SYSTEM, entry, uuid=uuid4())


def test_it_is_the_best_hand_of_the_day(event: Tournament) -> None:
    found = best_hand(event, Audience.PUBLIC)
    assert found is not None
    assert (found.points, found.table.number, found.tiles) == (88, 2, None)


def test_it_gets_the_certificate_and_leads_the_statistics(event: Tournament) -> None:
    found = dearest_hand(event)
    assert found is not None
    assert found.points == 88
    assert [one.points for one in event_statistics(event, Audience.STAFF).best] == sorted(
        [88, event.sessions.get().tables.get(number=1).hands.get().points], reverse=True
    )


def test_of_a_hidden_session_it_is_not_told(event: Tournament) -> None:
    hide_results(event.sessions.get(), SYSTEM)
    assert best_hand(event, Audience.PUBLIC) is None


def test_one_that_is_written_down_too_counts_once_with_all_that_is_known() -> None:
    tournament = make_tournament(players=4, sessions=1, running=0)
    table = tournament.sessions.get().tables.get()
    east, south = (table.seats.get(wind=wind).player.number for wind in "ES")
    points = (30, -10, -10, -10)
    scores = dict(zip((seat.player.number for seat in table.seats.all()), points, strict=True))
    entry = TotalsEntry(scores, best=BestHand(east, 24), sure=True)
    enter_totals(table, SYSTEM, entry, uuid=uuid4(), hand_in=False)
    hand = record(table, win(east, south))
    Totals.objects.update(best={"player": east, "points": hand.points})
    tournament.refresh_from_db()
    assert best_hand(tournament, Audience.STAFF) == hand
    assert event_statistics(tournament, Audience.STAFF).best == (hand,)
