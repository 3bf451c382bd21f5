"""Hidden results: hiding and opening, what the public sees, and the ceremony that announces them."""

from collections.abc import Callable
from itertools import product
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from tests.support.checks import newest_sentence, refused_codes
from tests.support.factories import (
    SYSTEM,
    hand_entry,
    make_card,
    make_organiser,
    make_tournament,
    make_umpire,
    play_session,
    record,
    seats_for,
)
from tournament.base.access import Actor, audience_of
from tournament.base.engine.notices import Audience
from tournament.base.errors import Refused
from tournament.base.log import first_broken_link
from tournament.base.models.log import LogEntry
from tournament.base.models.play import Session, Table
from tournament.base.models.tournament import Tournament
from tournament.base.selectors import by_version, publications_for, version_for
from tournament.exchange.audit import audit
from tournament.fouls.selectors import objections
from tournament.fouls.services.appeals import open_appeal
from tournament.fouls.services.penalties import give_penalty
from tournament.play.engine.statements import Accusation
from tournament.play.selectors.public import last_change
from tournament.play.services.absences import record_absence
from tournament.play.services.hands import record_hand
from tournament.play.services.sessions import close_session, raise_call
from tournament.play.services.tables import hand_in, reopen, set_extra_time, sign
from tournament.ranking.selectors.ranking import ranking
from tournament.ranking.selectors.standings import current_standings
from tournament.ranking.services import hide_results, open_results, publish_standings, show_results
from tournament.screens.models import Ceremony
from tournament.screens.selectors import ceremony_kinds, current_ceremony, is_out_of_date, past_ceremonies
from tournament.screens.services import announce_next_place, end_ceremony, start_ceremony, undo_place
from tournament.seating.engine.swiss import SeatingMethod
from tournament.seating.selectors.changes import SessionOptions
from tournament.seating.selectors.draws import single_sessions, stored_plan
from tournament.seating.services.seatings import seat_players, seat_session, swap_players, undo_plan_change
from tournament.web.selectors import log_words

pytestmark = pytest.mark.stored


@pytest.fixture
def playing() -> Tournament:
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


def test_hiding_and_opening_write_one_log_entry(playing: Tournament) -> None:
    before = playing.log.count()
    for _ in range(2):
        hide_results(session(playing, 2), SYSTEM)
    assert playing.log.count() == before + 1
    entry = playing.log.get(seq=before + 1)
    assert log_words(playing).sentence(entry) == "Results hidden from the public: session 2."
    assert [hide_results(session(playing, number), SYSTEM).hidden for number in (1, 2, 3)] == [True] * 3
    assert not show_results(session(playing, 3), SYSTEM).hidden
    assert session(playing, 2).hidden
    before = playing.log.count()
    assert open_results(playing, SYSTEM) == [1, 2]
    assert open_results(playing, SYSTEM) == []
    assert playing.log.count() == before + 1


def test_public_results_cannot_be_hidden(playing: Tournament) -> None:
    """Opened since play began, or published; a session that has not begun can be hidden and opened at will."""
    for number in (2, 3):
        hide_results(session(playing, number), SYSTEM)
    open_results(playing, SYSTEM)
    assert refused_codes(hide_results, session(playing, 2), SYSTEM) == ["results_are_public"]
    assert hide_results(session(playing, 3), SYSTEM).hidden
    published = make_tournament(players=8, sessions=3, played=1, name="Published")
    publish_standings(published, SYSTEM)
    assert refused_codes(hide_results, session(published, 1), SYSTEM) == ["results_are_public"]
    assert hide_results(session(published, 2), SYSTEM).hidden


def test_staff_are_organisers_and_umpires_in_person(playing: Tournament) -> None:
    umpire, card = make_umpire(playing), make_card(playing, 1)
    stranger = make_umpire(make_tournament(players=4, name="Elsewhere"), "ueli")
    for user, audience in (
        (make_organiser(playing), Audience.STAFF),
        (umpire, Audience.STAFF),
        (card, Audience.PUBLIC),
        (stranger, Audience.PUBLIC),
        (None, Audience.PUBLIC),
    ):
        assert audience_of(Actor.of(user), playing) is audience, user


class TestThePublicRanking:
    def test_stands_still_after_the_last_visible_session(self, playing: Tournament) -> None:
        after_first = current_standings(playing, Audience.PUBLIC, closed_only=True)
        hide_results(session(playing, 3), SYSTEM)
        assert ranking(again(playing), Audience.PUBLIC).withheld_sessions == (), "it has not begun"
        hide_results(session(playing, 2), SYSTEM)
        public, staff = (ranking(again(playing), audience) for audience in (Audience.PUBLIC, Audience.STAFF))
        assert tuple(row.standing for row in public.rows) == after_first.rows
        assert (public.withheld_sessions, staff.withheld_sessions) == ((2,), ())
        assert [session.number for session in staff.sessions] == [1, 2]
        hide_results(session(playing, 1), SYSTEM)
        assert objections(again(playing), Audience.PUBLIC).until is not None, "one may appeal even so"

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


def test_seats_by_standing_do_not_tell_the_order_of_a_hidden_session() -> None:
    tournament = make_tournament(players=8, sessions=3, played=2)
    seat_session(tournament, SYSTEM, 3, SessionOptions(SeatingMethod.STANDING, "seed"))
    hide_results(session(tournament, 2), SYSTEM)
    tournament = again(tournament)
    plan = stored_plan(tournament)
    (public,), (staff,) = (
        single_sessions(tournament, each, plan) for each in (Audience.PUBLIC, Audience.STAFF)
    )
    assert (public.method, public.inputs) == ("standing", None)
    assert staff.inputs is not None


@pytest.fixture
def spring() -> Tournament:
    """Session 1 is closed; session 2 is being played, two hands in at each table, and hidden."""
    tournament = make_tournament(players=8, sessions=3, played=1, running=2)
    hide_results(tournament.sessions.get(number=2), SYSTEM)
    return again(tournament)


def versions(tournament: Tournament) -> tuple[int, int]:
    now = again(tournament)
    return version_for(Audience.STAFF, now), version_for(Audience.PUBLIC, now)


def at(tournament: Tournament, number: int = 1) -> Table:
    tables = Table.objects.select_related("session__tournament")
    return tables.get(session__tournament=tournament, session__number=2, number=number)


def first_player(table: Table) -> int:
    return table.seats.order_by("id")[0].player.number


def false_hu(table: Table) -> Any:
    return give_penalty(table, SYSTEM, Accusation(first_player(table), "false_hu", 1), uuid=uuid4())


def appeal(table: Table) -> Any:
    return open_appeal(table, SYSTEM, first_player(table), "Hand 1.", uuid=uuid4())


PLAY: dict[str, Callable[[Table], Any]] = {
    "a hand": lambda table: record(table, hand_entry(table, 3)),
    "a penalty": false_hu,
    "an appeal": appeal,
    "a signature": lambda table: sign(table, SYSTEM, first_player(table)),
    "a call": lambda table: raise_call(table, SYSTEM, "tiles"),
    "a sheet handed in": lambda table: hand_in(table, SYSTEM),
    "a sheet taken back": lambda table: reopen(hand_in(table, SYSTEM), SYSTEM),
}


@pytest.mark.thorough
def test_play_of_a_hidden_session_moves_no_public_version(
    spring: Tournament, subtests: pytest.Subtests
) -> None:
    open_session = make_tournament(players=8, sessions=3, played=1, running=2, name="Open")
    for (name, act), tournament in product(PLAY.items(), (spring, open_session)):
        before = versions(tournament)
        with subtests.test(name, tournament=tournament.name), transaction.atomic():
            act(at(tournament))
            staff, public = versions(tournament)
            assert staff > before[0]
            assert public == (before[1] if tournament == spring else staff)
            transaction.set_rollback(True)


def test_seats_and_clock_of_a_hidden_session_are_public() -> None:
    tournament = make_tournament(players=8, sessions=3, played=1, running=0)
    hide_results(tournament.sessions.get(number=2), SYSTEM)
    for act in (
        lambda table: record_absence(table, SYSTEM, first_player(table), uuid=uuid4()),
        lambda table: set_extra_time(table, SYSTEM, 5, reason="A tile was missing"),
    ):
        staff, public = versions(tournament)
        act(at(tournament))
        assert versions(tournament) == (staff + 1, public + 1)


def test_hidden_writes_move_no_public_version_and_opening_moves_it_once(spring: Tournament) -> None:
    hide_results(spring.sessions.get(number=3), SYSTEM)
    PLAY["a hand"](at(spring))
    _staff, public = versions(spring)
    show_results(Session.objects.select_related("tournament").get(tournament=spring, number=3), SYSTEM)
    assert versions(spring)[1] == public + 1
    for number in (1, 2):
        PLAY["a hand"](at(spring, number))
    open_results(spring, SYSTEM)
    now = again(spring)
    assert now.public_version == now.version
    assert spring.log.filter(action="results_opened").latest("seq").public_seq == now.version


class TestCheck:
    """`manage.py check` derives the numbers anew."""

    def test_agrees_with_what_was_written(self, spring: Tournament) -> None:
        for act in ("a hand", "a penalty", "a call"):
            PLAY[act](at(spring))
        for number in (1, 2):
            hand_in(at(spring, number), SYSTEM)
        close_session(at(spring).session, SYSTEM)
        assert list(audit(again(spring))) == []
        open_results(spring, SYSTEM, reason="Ruled tonight")
        assert list(audit(again(spring))) == []

    def test_agrees_after_a_new_draw_of_fewer_sessions(self) -> None:
        tournament = make_tournament(players=8, sessions=3)
        for number in (2, 3):
            hide_results(tournament.sessions.get(number=number), SYSTEM)
        seat_players(tournament, SYSTEM, seats_for(8, 2))
        hidden = list(tournament.sessions.values_list("hidden", flat=True))
        assert hidden == [False, True], "hiding outlives a new draw"
        swap_players(tournament, SYSTEM, 1, 5, [2])
        undo_plan_change(tournament, SYSTEM)
        assert list(audit(again(tournament))) == []
        open_results(tournament, SYSTEM)
        now = again(tournament)
        assert now.public_version == now.version
        assert list(audit(now)) == []

    def test_finds_numbers_that_were_changed_past_the_services(self, spring: Tournament) -> None:
        PLAY["a hand"](at(spring))
        entry = spring.log.latest("seq")
        LogEntry.objects.filter(pk=entry.pk).update(public_seq=entry.seq)
        line = f"spring-open, log entry {entry.seq}: is missing from the public figures"
        assert [str(finding) for finding in audit(again(spring))] == [line]
        LogEntry.objects.filter(pk=entry.pk).update(public_seq=entry.public_seq)
        Tournament.objects.filter(pk=spring.pk).update(public_version=99)
        assert len(list(audit(again(spring)))) == 1
        LogEntry.objects.filter(tournament=spring).update(public_seq=None)
        assert first_broken_link(again(spring)) is None, "the chain is the same whatever the public is told"


def test_a_hand_does_not_ask_what_is_hidden() -> None:
    make_tournament(players=8, sessions=2, running=1)
    table = Table.objects.select_related("session__tournament").get(session__number=1, number=1)
    with CaptureQueriesContext(connection) as queries:
        record_hand(table, SYSTEM, hand_entry(table, 2), number=2, uuid=uuid4())
    conditions = [query["sql"].partition("WHERE")[2] for query in queries.captured_queries]
    assert [condition for condition in conditions if '"hidden"' in condition] == [], "its session is at hand"


class Counted:
    """A selector that notes how often it is really asked."""

    def __init__(self, maximum: int = 8) -> None:
        self.asked: list[str] = []
        self.select = by_version(maximum)(self._select)

    def _select(self, tournament: Tournament, what: str) -> str:
        self.asked.append(what)
        return f"{what} of {tournament.version}"


def test_a_version_is_asked_once_for_each_thing_and_the_newest_answers_are_kept() -> None:
    event, counted = make_tournament(played=1), Counted()
    first = [counted.select(event, what) for what in ("rows", "rows", "teams", "rows")]
    assert first == [f"{what} of {event.version}" for what in ("rows", "rows", "teams", "rows")]
    assert counted.asked == ["rows", "teams"]
    hide_results(event.sessions.get(number=1), SYSTEM)
    event.refresh_from_db()
    assert counted.select(event, "rows") == f"rows of {event.version}"
    assert counted.asked == ["rows", "teams", "rows"]
    counted = Counted(maximum=2)
    for what in ("one", "two", "three", "three", "one"):
        counted.select(event, what)
    assert counted.asked == ["one", "two", "three", "one"]


PLAYERS = Ceremony.Kind.PLAYERS


@pytest.fixture
def over() -> Tournament:
    """Eight players, both sessions closed."""
    return make_tournament(players=8, sessions=2, played=2)


def tell_all(ceremony: Ceremony) -> list[int]:
    """The ranks in the order they were told."""
    ranks = []
    while ceremony.left:
        ceremony = announce_next_place(ceremony, SYSTEM, seen=ceremony.announced_steps)
        ranks.append(ceremony.rank)
    return ranks


@pytest.mark.thorough
def test_players_teams_and_nations_are_told_from_the_last_to_the_winner(over: Tournament) -> None:
    for kind in Ceremony.Kind:
        ceremony = start_ceremony(over, SYSTEM, kind)
        assert (ceremony.places, bool(ceremony.left), ceremony.rank) == ((), True, 0), (
            "nothing is told when it begins"
        )
        ranks = tell_all(ceremony)
        assert ranks == sorted(ranks, reverse=True)
        assert ranks[-1] == 1
    assert max(tell_all(start_ceremony(over, SYSTEM, PLAYERS, 3))) <= 3


def test_each_step_of_a_ceremony_is_told_once_taken_back_and_logged(over: Tournament) -> None:
    ceremony, before = start_ceremony(over, SYSTEM, PLAYERS), over.log.count()
    announce_next_place(ceremony, SYSTEM, seen=0)
    ceremony = announce_next_place(ceremony, SYSTEM, seen=0)
    assert ceremony.announced_steps == 1
    assert over.log.count() == before + 1
    newest = ceremony.newest
    ceremony = undo_place(ceremony, SYSTEM, seen=1)
    assert ceremony.places == ()
    assert announce_next_place(ceremony, SYSTEM, seen=0).newest == newest
    ceremony = start_ceremony(over, SYSTEM, PLAYERS, 3)
    before = over.log.count()
    assert undo_place(ceremony, SYSTEM, seen=0).announced_steps == 0
    assert over.log.count() == before
    tell_all(ceremony)
    ceremony.refresh_from_db()
    last = ceremony.announced_steps
    assert announce_next_place(ceremony, SYSTEM, seen=last).announced_steps == last
    ceremony = announce_next_place(start_ceremony(over, SYSTEM, PLAYERS, 3), SYSTEM, seen=0)
    line = ceremony.places[0][0]
    assert newest_sentence(over) == f"Announced in the ceremony: place {line.rank}."


def test_a_correction_during_a_ceremony_moves_nobody_and_is_said(over: Tournament) -> None:
    ceremony = start_ceremony(over, SYSTEM, PLAYERS)
    assert not is_out_of_date(ceremony)
    table = over.sessions.get(number=2).tables.get(number=1)
    winner = table.seats.order_by("-game_points")[0].player.number
    give_penalty(table, SYSTEM, Accusation(winner, "false_hu", 1), uuid=uuid4())
    fresh = Ceremony.objects.get(pk=ceremony.pk)
    assert fresh.lines == ceremony.lines
    assert is_out_of_date(fresh)


def test_another_ceremony_ends_the_one_before_and_what_was_told_stays(over: Tournament) -> None:
    first = start_ceremony(over, SYSTEM, Ceremony.Kind.TEAMS)
    announce_next_place(first, SYSTEM, seen=0)
    second = start_ceremony(over, SYSTEM, PLAYERS)
    assert current_ceremony(over) == second
    assert [(stage.kind, len(stage.places)) for stage in past_ceremonies(over)] == [("teams", 1)]
    with pytest.raises(Refused, match="ceremony_over"):
        announce_next_place(first, SYSTEM, seen=1)
    end_ceremony(second, SYSTEM)
    assert current_ceremony(over) is None


def test_a_ceremony_waits_for_the_session_being_played() -> None:
    assert ceremony_kinds(make_tournament(players=8, sessions=2, name="Fresh")) == [], (
        "there is nobody to call"
    )
    playing = make_tournament(players=8, sessions=2, played=1, running=1)
    with pytest.raises(Refused, match="session_still_running"):
        start_ceremony(playing, SYSTEM, PLAYERS)
