"""Hiding a session's results and opening them: one write each, by organisers, whenever it is."""

import pytest

from tests.support.factories import (
    SYSTEM,
    make_card,
    make_organiser,
    make_tournament,
    make_umpire,
    play_session,
    seats_for,
)
from tournament.access import Actor, Audience, audience_of
from tournament.engine.seating import How
from tournament.errors import Forbidden
from tournament.models import Session, Tournament
from tournament.selectors.appeals import objections
from tournament.selectors.changes import last_change
from tournament.selectors.embargo import publications_for
from tournament.selectors.log_words import log_words
from tournament.selectors.ranking import ranking
from tournament.selectors.seatings import seated_alone, seats_of_all
from tournament.selectors.session_seats import SessionWish
from tournament.selectors.standings import current_standings
from tournament.services.draw import seat
from tournament.services.embargo import hide_results, open_results, show_results
from tournament.services.seatings import seat_session
from tournament.services.tournaments import publish_standings

pytestmark = pytest.mark.django_db


@pytest.fixture
def spring() -> Tournament:
    """Session 1 is closed, session 2 being played."""
    return make_tournament(players=8, sessions=3, played=1, running=2)


def session(tournament: Tournament, number: int) -> Session:
    return tournament.sessions.select_related("tournament").get(number=number)


def again(tournament: Tournament) -> Tournament:
    return Tournament.objects.get(pk=tournament.pk)


def newest(tournament: Tournament) -> int:
    publication = publications_for(Audience.PUBLIC, again(tournament)).first()
    assert publication is not None
    return publication.after_session


class TestHiding:
    def test_goes_before_while_and_after_it_is_played(self, spring: Tournament) -> None:
        assert [hide_results(session(spring, number), SYSTEM).hidden for number in (1, 2, 3)] == [True] * 3

    def test_is_one_entry_of_the_log_however_often_it_is_asked_for(self, spring: Tournament) -> None:
        before = spring.log.count()
        for _ in range(2):
            hide_results(session(spring, 2), SYSTEM)
        assert spring.log.count() == before + 1
        entry = spring.log.get(seq=before + 1)
        assert log_words(spring).sentence(entry) == "Results hidden from the public: session 2."

    def test_is_for_organisers(self, spring: Tournament) -> None:
        umpire = Actor.of(make_umpire(spring))
        with pytest.raises(Forbidden):
            hide_results(session(spring, 2), umpire)
        with pytest.raises(Forbidden):
            open_results(spring, umpire)

    def test_outlives_a_new_draw(self) -> None:
        tournament = make_tournament(players=8, sessions=2)
        hide_results(session(tournament, 2), SYSTEM)
        seat(tournament, SYSTEM, seats_for(8, 2))
        assert list(tournament.sessions.values_list("hidden", flat=True)) == [False, True]


def test_opening_opens_what_is_named_or_all_in_one_entry(spring: Tournament) -> None:
    for number in (1, 2, 3):
        hide_results(session(spring, number), SYSTEM)
    assert not show_results(session(spring, 3), SYSTEM).hidden
    assert session(spring, 2).hidden
    before = spring.log.count()
    assert open_results(spring, SYSTEM) == [1, 2]
    assert open_results(spring, SYSTEM) == []
    assert spring.log.count() == before + 1


def test_staff_are_organisers_and_umpires_in_person(spring: Tournament) -> None:
    umpire, card = make_umpire(spring), make_card(spring, 1)
    stranger = make_umpire(make_tournament(players=4, name="Elsewhere"), "ueli")
    for user, audience in (
        (make_organiser(spring), Audience.STAFF),
        (umpire, Audience.STAFF),
        (card, Audience.PUBLIC),
        (stranger, Audience.PUBLIC),
        (None, Audience.PUBLIC),
    ):
        assert audience_of(Actor.of(user), spring) is audience, user


class TestThePublicRanking:
    def test_stands_still_after_the_last_visible_session(self, spring: Tournament) -> None:
        after_first = current_standings(spring, Audience.PUBLIC, closed_only=True)
        hide_results(session(spring, 3), SYSTEM)
        assert ranking(again(spring), Audience.PUBLIC).kept_back == (), "it has not begun"
        hide_results(session(spring, 2), SYSTEM)
        public, staff = (ranking(again(spring), audience) for audience in (Audience.PUBLIC, Audience.STAFF))
        assert tuple(row.standing for row in public.rows) == after_first.rows
        assert (public.kept_back, staff.kept_back) == ((2,), ())
        assert [session.number for session in staff.sessions] == [1, 2]

    def test_keeps_the_publication_before_and_gets_the_newest_when_opened(self) -> None:
        tournament = make_tournament(players=8, sessions=3, played=1)
        publish_standings(tournament, SYSTEM)
        tournament = again(tournament)
        hide_results(session(tournament, 2), SYSTEM)
        play_session(session(tournament, 2), 2)
        publish_standings(tournament, SYSTEM)
        assert newest(tournament) == 1
        change = last_change(again(tournament), Audience.PUBLIC)
        assert change is not None
        assert change.action == "session_closed"
        open_results(tournament, SYSTEM)
        assert newest(tournament) == 2

    def test_tells_until_when_one_may_appeal_even_so(self, spring: Tournament) -> None:
        hide_results(session(spring, 1), SYSTEM)
        assert objections(again(spring), Audience.PUBLIC).until is not None


def test_seats_by_standing_do_not_tell_the_order_of_a_hidden_session() -> None:
    tournament = make_tournament(players=8, sessions=3, played=2)
    seat_session(tournament, SYSTEM, 3, SessionWish(How.STANDING, "seed"))
    hide_results(session(tournament, 2), SYSTEM)
    tournament = again(tournament)
    plan = seats_of_all(tournament)
    (public,), (staff,) = (seated_alone(tournament, each, plan) for each in (Audience.PUBLIC, Audience.STAFF))
    assert (public.how, public.inputs) == ("standing", None)
    assert staff.inputs is not None
