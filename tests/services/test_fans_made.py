"""How often fans were made here: of what the public is told of, and at once otherwise when that changes."""

from collections import Counter
from typing import Any

import pytest

from scoring.book.made import MadeHere
from tests.support.factories import SYSTEM, make_tournament, play_hands
from tournament.models import Hand, Tournament
from tournament.selectors import fans_made as module
from tournament.selectors.fans_made import fans_made
from tournament.services.embargo import hide_results

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "FRESH", 0)


def counted(**of: Any) -> dict[str, int]:
    """The same, the slow way."""
    hands = Hand.objects.filter(is_current=True, **of)
    return dict(Counter(key for hand in hands for key in {fan["key"] for fan in hand.fans}))


def hands(here: MadeHere) -> dict[str, int]:
    return {key: fan.hands for key, fan in here.fans.items()}


def change(tournament: Tournament, **fields: Any) -> None:
    Tournament.objects.filter(pk=tournament.pk).update(**fields)


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
        change(other, **field)
        assert hands(fans_made()) == counted(table__session__tournament=shown) != both


def test_a_hand_is_counted_when_recorded_and_read_once(
    django_assert_num_queries: Any,
) -> None:
    tournament = make_tournament(players=4, sessions=1, played=0, running=1)
    before = fans_made().wins
    play_hands(tournament.sessions.get().tables.get(), 3)
    assert fans_made().wins > before
    assert hands(fans_made()) == counted()
    with django_assert_num_queries(2):
        fans_made()


def test_within_a_minute_only_hiding_changes_the_count(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
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
