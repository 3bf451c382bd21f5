"""The log: one entry a write, numbered without gaps, chained; a refused write leaves nothing."""

import pytest

from tests.support.factories import SYSTEM, make_tournament, play_hands
from tournament.errors import Refused
from tournament.log import first_broken_link
from tournament.models import Tournament
from tournament.services.sessions import close_session

pytestmark = pytest.mark.django_db


@pytest.fixture
def played() -> Tournament:
    return make_tournament(players=8, sessions=1, running=1)


def test_every_write_is_one_numbered_entry(played: Tournament) -> None:
    before = played.version
    play_hands(played.sessions.get(number=1).tables.get(number=1), 3)
    played.refresh_from_db()
    assert list(played.log.values_list("seq", flat=True)) == list(range(1, played.version + 1))
    assert played.version == before + 3


def test_a_refused_write_leaves_no_entry(played: Tournament) -> None:
    before = played.version
    with pytest.raises(Refused):
        close_session(played.sessions.get(number=1), SYSTEM)
    played.refresh_from_db()
    assert (played.version, played.log.count()) == (before, before)


def test_the_chain_holds(played: Tournament) -> None:
    assert first_broken_link(played) is None


def test_a_changed_entry_breaks_the_chain_at_its_number(played: Tournament) -> None:
    played.log.filter(seq=3).update(actor_code="somebody else")
    assert first_broken_link(played) == 3


def test_a_removed_last_entry_is_noticed(played: Tournament) -> None:
    played.log.filter(seq=played.version).delete()
    assert first_broken_link(played) == played.version
