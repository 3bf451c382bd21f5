"""How often fans were made here, and the best hand that a sheet kept on paper names."""

from collections import Counter
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from scoring.book.made import MadeHere
from tests.support.factories import SYSTEM, make_tournament, play_hands, record, win
from tournament.access import Audience
from tournament.engine.totals import BestHand, TotalsEntry
from tournament.models import Hand, Person, Seat, Totals, Tournament
from tournament.selectors import fans_made as module
from tournament.selectors.best_hand import best_hand
from tournament.selectors.certificates import dearest_hand
from tournament.selectors.fans_made import fans_made
from tournament.selectors.persons import person_page
from tournament.selectors.player_page import player_page
from tournament.selectors.statistics import event_statistics
from tournament.services.embargo import hide_results
from tournament.services.people import link_several
from tournament.services.totals import enter_totals


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "FRESH", 0)


def counted(**of: Any) -> dict[str, int]:
    """The same, the slow way."""
    hands = Hand.objects.filter(is_current=True, **of)
    return dict(Counter(key for hand in hands for key in {fan["key"] for fan in hand.fans}))


def hands(here: MadeHere) -> dict[str, int]:
    return {key: fan.hands for key, fan in here.fans.items()}


@pytest.mark.thorough
def test_each_fan_is_counted_once_a_hand_over_all_tournaments() -> None:
    make_tournament(name="One", players=8, sessions=2, played=2, hands=6)
    make_tournament(name="Two", players=4, sessions=1, played=1, hands=6)
    here = fans_made()
    assert hands(here) == counted() != {}
    assert here.tournaments == 2
    assert here.wins == sum(bool(hand.fans) for hand in Hand.objects.filter(is_current=True))
    assert max(fan.tournaments for fan in here.fans.values()) == 2


def test_nothing_is_told_of_a_private_tournament_or_an_invented_one() -> None:
    shown = make_tournament(name="One", players=4, sessions=1, played=1, hands=3)
    other = make_tournament(name="Two", players=4, sessions=1, played=1, hands=6)
    both = hands(fans_made())
    for field in ({"is_public": False}, {"is_public": True, "is_trial": True}):
        Tournament.objects.filter(pk=other.pk).update(**field)
        assert hands(fans_made()) == counted(table__session__tournament=shown) != both


def test_a_hand_is_counted_when_recorded_and_read_once(django_assert_num_queries: Any) -> None:
    tournament = make_tournament(players=4, sessions=1, played=0, running=1)
    before = fans_made().wins
    play_hands(tournament.sessions.get().tables.get(), 3)
    assert fans_made().wins > before
    assert hands(fans_made()) == counted()
    with django_assert_num_queries(2):
        fans_made()


def test_within_a_minute_only_hiding_changes_the_count(monkeypatch: pytest.MonkeyPatch) -> None:
    tournament = make_tournament(players=4, sessions=2, played=1, running=2)
    before = fans_made()
    monkeypatch.setattr(module, "FRESH", 60)
    play_hands(tournament.sessions.get(number=2).tables.get(), 3)
    assert fans_made() == before
    hide_results(tournament.sessions.get(number=2), SYSTEM)
    assert hands(fans_made()) == counted(table__session__number=1) != {}


def test_a_write_reads_the_hands_of_its_own_session_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    tournament = make_tournament(players=4, sessions=2, played=1, running=1, hands=4)
    fans_made()
    read: list[int] = []
    known = module._wins
    monkeypatch.setattr(module, "_wins", lambda sessions: known(read.extend(sessions) or sessions))
    session = tournament.sessions.get(number=2)
    play_hands(session.tables.get(), 1)
    fans_made()
    assert read == [session.pk]


@pytest.fixture
def event() -> Tournament:
    """Table 1 has been played by hands, table 2 on paper; its dearest hand had 88 points."""
    tournament = make_tournament(players=8, sessions=1, running=0)
    one, two = tournament.sessions.get().tables.order_by("number")
    east, south = (one.seats.get(wind=wind).player.number for wind in "ES")
    record(one, win(east, south))
    players = [seat.player.number for seat in two.seats.all()]
    scores = dict(zip(players, (30, -10, -10, -10), strict=True))
    entry = TotalsEntry(scores, hands=1, best=BestHand(players[0], 88))
    enter_totals(two, SYSTEM, entry, uuid=uuid4())
    return tournament


def test_a_noted_hand_gets_the_certificate_and_leads_the_statistics(event: Tournament) -> None:
    best, dearest = best_hand(event, Audience.PUBLIC), dearest_hand(event)
    assert best is not None
    assert dearest is not None
    assert (best.points, best.table.number, best.tiles) == (88, 2, None)
    assert dearest.points == 88
    recorded = event.sessions.get().tables.get(number=1).hands.get().points
    points = [hand.points for hand in event_statistics(event, Audience.STAFF).best]
    assert points == sorted([88, recorded], reverse=True)


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


def test_it_is_its_winners_own_and_of_a_hidden_session_nobodys(event: Tournament) -> None:
    seats = event.sessions.get().tables.get(number=2).seats.select_related("player")
    best = [player_page(event, Audience.PUBLIC, seat.player).best for seat in seats]
    assert [hand.points if hand else None for hand in best] == [88, None, None, None]
    hide_results(event.sessions.get(), SYSTEM)
    event.refresh_from_db()
    assert best_hand(event, Audience.PUBLIC) is None
    assert player_page(event, Audience.PUBLIC, seats[0].player).best is None


@pytest.mark.parametrize("stand_in_from", [None, 1, 9])
def test_it_is_the_persons_unless_a_stand_in_may_have_won(
    event: Tournament, stand_in_from: int | None
) -> None:
    link_several(event, SYSTEM, dict.fromkeys(range(1, 9)))
    seat = event.sessions.get().tables.get(number=2).seats.select_related("player__person").all()[0]
    Seat.objects.filter(pk=seat.pk).update(stand_in_from=stand_in_from)
    person = seat.player.person
    assert person is not None
    assert [one.points for one in person_page(person).best] == ([] if stand_in_from else [88])
    others = [one for one in Person.objects.exclude(pk=person.pk) if person_page(one).best]
    assert len(others) == 1, "who won the hand of table 1"


def test_the_pages_say_that_it_is_noted(client: Client, event: Tournament) -> None:
    link_several(event, SYSTEM, dict.fromkeys(range(1, 9)))
    player = event.sessions.get().tables.get(number=2).seats.select_related("player").all()[0].player
    person = str(client.get(reverse("person", args=[player.person_id]))["Location"])
    for address in (reverse("player_page", args=[event.slug, player.number]), person):
        text = client.get(address).text
        assert "noted on the sheet" in text
        assert "#hNone" not in text
