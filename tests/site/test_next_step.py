"""What now: one thing to do in every state of an event, and it follows from the state and the time alone."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import product

import pytest
from django.urls import reverse
from django.utils import timezone

from tests.support.factories import SYSTEM, entrant, make_tournament, play_hands, play_session
from tournament.base.models.play import HallClock, Pause, Table
from tournament.base.models.tournament import Tournament
from tournament.play.services.absences import name_stand_in
from tournament.play.services.sessions import close_session, raise_call, start_session
from tournament.play.services.tables import hand_in
from tournament.players.services.players import add_players, add_substitutes, withdraw_player
from tournament.ranking.services import hide_results, publish_standings
from tournament.screens.models import Ceremony
from tournament.screens.services import announce_next_place, end_ceremony, start_ceremony
from tournament.seating.services.seatings import replan_seats
from tournament.site.selectors.next_step import (
    AppealState,
    Code,
    Coming,
    EventState,
    Registered,
    Running,
    Step,
    TableState,
    event_state,
    next_step,
    step_of,
)
from tournament.site.texts.next_step import ALSO, BUTTONS, TEXTS, step_text

GONG = datetime(2026, 11, 14, 14, 0, tzinfo=UTC)


def step_now(tournament: Tournament) -> Step:
    tournament.refresh_from_db()
    return next_step(tournament)


def after(minutes: float) -> datetime:
    return GONG + timedelta(minutes=minutes)


def played(*hands: int, minutes: int = 120) -> Running:
    """A session two hours long with so many hands at its tables."""
    return Running(
        1, HallClock(GONG), minutes, tuple(TableState(number, n) for number, n in enumerate(hands, 1))
    )


def playing(running: Running) -> EventState:
    return EventState(0, 0, sessions=2, closed=0, running=running)


def text_of(step: Step, tournament: Tournament) -> str:
    return step_text(step.code.value, step.params, tournament).text


@pytest.mark.django_db
class TestBeforeTheFirstHand:
    def test_players_are_imported_until_they_fill_tables_and_then_drawn(self) -> None:
        assert step_now(make_tournament(players=0)).code is Code.IMPORT
        event = make_tournament(players=6, drawn=False)
        step = step_now(event)
        assert (step.code, step.params["missing"]) == (Code.FILL, 2)
        assert text_of(step, event) == "2 more players are needed to fill the last table."
        add_substitutes(event, SYSTEM, "Substitute")
        assert step_now(event).code is Code.DRAW
        assert step_now(make_tournament(players=8, drawn=False)).code is Code.DRAW

    def test_drawn_seats_are_printed_and_the_first_session_started(self) -> None:
        event = make_tournament(players=8)
        step = step_now(event)
        assert (step.code, step.params["session"]) == (Code.START, 1)
        assert text_of(step, event) == "The seats are drawn. Everybody can see them."
        event.is_public = False
        assert text_of(step, event) == "The seats are drawn."
        assert step.also is not None
        assert step.also.url_name == "organiser_documents"

    def test_who_withdraws_leaves_a_seat_to_fill_and_a_stand_in_fills_it(self) -> None:
        event = make_tournament(players=8, sessions=1)
        withdraw_player(event.players.get(number=1), SYSTEM)
        step = step_now(event)
        assert step.code is Code.LEFT
        assert text_of(step, event) == f"{event.players.get(number=1).name} has left: fill the seat."
        table = Table.objects.get(session__tournament=event, seats__player__number=1)
        name_stand_in(table, SYSTEM, 1, "Olga")
        assert step_now(event).code is Code.START

    def test_players_who_came_after_the_draw_are_planned_in(self) -> None:
        event = make_tournament(players=8, sessions=1)
        add_players(event, SYSTEM, [entrant(number) for number in range(9, 13)])
        assert step_now(event).code is Code.REPLAN
        replan_seats(event, SYSTEM)
        assert step_now(event).code is Code.START


def at_tables(*tables: TableState) -> EventState:
    return playing(replace(played(0), tables=tables))


FINISHED = TableState(1, 16, is_in=True)
TYPED = replace(FINISHED, hands=0, on_paper=True)
PAPERS = TableState(2, 0, on_paper=True), TableState(3, 0, on_paper=True)
WHILE_PLAYING = {
    "tables in time ask for nothing": (playing(played(7, 8)), 60, Code.PLAYING),
    "a table two hands behind the clock": (playing(played(7, 8)), 75, Code.BEHIND),
    "extra time is time": (at_tables(TableState(1, 4, extra=60)), 60, Code.PLAYING),
    "behind without extra time": (playing(played(4)), 60, Code.BEHIND),
    "sixteen hands are all there are": (playing(played(16, 16)), 119, Code.PLAYING),
    "the time is up": (playing(played(14, 15)), 120, Code.TIME_UP),
    "a table without hands in time": (at_tables(FINISHED, TableState(2, 0)), 10, Code.PLAYING),
    "a table where nobody plays": (at_tables(FINISHED, TableState(2, 0)), 130, Code.UNPLAYED),
    "the first sheet is typed": (at_tables(TYPED, *PAPERS), 60, Code.TOTALS),
    "no sheet is typed yet": (at_tables(*PAPERS), 60, Code.PLAYING),
    "no sheet is typed and the time is up": (at_tables(*PAPERS), 130, Code.TOTALS),
    "every table is in": (at_tables(FINISHED, TableState(2, 9, is_in=True, late=(9,))), 130, Code.CLOSE),
    "an open appeal": (replace(at_tables(FINISHED), appeals=(AppealState(1, 1, "a"),)), 60, Code.APPEAL),
    "a hand to be ruled on": (replace(at_tables(FINISHED), disputes=((1, 7),)), 60, Code.DISPUTE),
    "an appeal to be ruled on": (
        *(replace(at_tables(FINISHED), appeals=(AppealState(1, 1, "a", is_pending=True),)), 60, Code.RULING),
    ),
}


class TestWhileTheHallPlays:
    def test_each_state_has_its_step(self) -> None:
        steps = {
            name: step_of(state, after(minutes)).code for name, (state, minutes, _) in WHILE_PLAYING.items()
        }
        assert steps == {name: code for name, (_, _, code) in WHILE_PLAYING.items()}

    def test_a_slow_tables_delay_is_rounded_to_five_minutes(self) -> None:
        step = step_of(playing(played(8, 4, 5)), after(60))
        assert (step.code, step.params["table"], step.params["minutes"]) == (Code.BEHIND, 2, 20)
        assert step.params["more"] == 1
        step = step_of(playing(played(8, 4)), after(59))
        assert (step.params["minutes"], step.until) == (20, after(62.5))

    def test_no_table_is_behind_while_the_clock_is_paused(self) -> None:
        step = step_of(playing(played(7, 8)), after(60))
        assert (step.is_quiet, step.until) == (True, after(75))
        paused = replace(played(7, 8), clock=HallClock(GONG, (Pause(after(60)),)))
        step = step_of(playing(paused), after(110))
        assert (step.code, step.until) == (Code.PAUSED, None)

    def test_a_call_comes_before_a_slow_table_and_a_late_hand_is_looked_at(self) -> None:
        step = step_of(replace(playing(played(8, 4)), calls=(7, 2)), after(60))
        assert (step.code, step.params["table"], step.params["more"]) == (Code.CALL, 7, 1)
        step = step_of(at_tables(TableState(1, 15, late=(15,))), after(130))
        assert (step.code, step.params["hand"]) == (Code.AFTER_TIME, 15)

    @pytest.mark.django_db
    def test_a_call_is_the_step_until_somebody_is_on_the_way(self) -> None:
        event = make_tournament(running=1)
        raise_call(Table.objects.get(session__number=1, number=3), SYSTEM, "score")
        assert (step_now(event).code, step_now(event).params["table"]) == (Code.CALL, 3)


@pytest.mark.django_db
class TestBetweenSessionsAndAfterwards:
    def test_a_session_played_is_closed_published_and_the_next_started(self) -> None:
        event = make_tournament(players=8, sessions=2, drawn=True)
        session = event.sessions.get(number=1)
        start_session(session, SYSTEM)
        for table in session.tables.all():
            play_hands(table)
            hand_in(table, SYSTEM)
        assert step_now(event).code is Code.CLOSE
        close_session(session, SYSTEM)
        assert step_now(event).code is Code.PUBLISH
        publish_standings(event, SYSTEM)
        step = step_now(event)
        assert (step.code, text_of(step, event)) == (Code.START, "Session 2 is ready.")

    def test_a_session_without_seats_is_seated(self) -> None:
        event = make_tournament(players=8, sessions=2, played=1)
        publish_standings(event, SYSTEM)
        event.sessions.get(number=2).tables.all().delete()
        step = step_now(event)
        assert (step.code, step.link.args) == (Code.SEAT, (2,))

    def test_the_final_standings_are_published_then_appeals_end_then_papers_are_kept(self) -> None:
        event = make_tournament(players=8, sessions=1, played=1)
        step = step_now(event)
        assert step.code is Code.PUBLISH_FINAL
        assert text_of(step, event).startswith("All sessions are closed. Appeals are taken until")
        publish_standings(event, SYSTEM)
        assert step_now(event).code is Code.APPEALS
        event.refresh_from_db()
        tomorrow = timezone.now() + timedelta(days=1)
        assert step_of(event_state(event), tomorrow).code is Code.ARCHIVE

    def test_hidden_results_are_not_published_between_sessions_and_wait_for_the_ceremony(self) -> None:
        event = make_tournament(players=8, sessions=2)
        hide_results(event.sessions.get(number=1), SYSTEM)
        play_session(event.sessions.get(number=1))
        assert (step_now(event).code, step_now(event).params["session"]) == (Code.START, 2)
        hide_results(event.sessions.get(number=2), SYSTEM)
        play_session(event.sessions.get(number=2))
        assert step_now(event).code is Code.CEREMONY
        ceremony = start_ceremony(event, SYSTEM, Ceremony.Kind.PLAYERS, 1)
        assert step_now(event).code is Code.ANNOUNCE
        announce_next_place(ceremony, SYSTEM, seen=0)
        ceremony.refresh_from_db()
        end_ceremony(ceremony, SYSTEM)
        assert step_now(event).code is Code.REVEAL


TABLES = (
    (TableState(1, 0), TableState(2, 0)),
    (TableState(1, 3), TableState(2, 16, is_in=True)),
    (TableState(1, 0), TableState(2, 16, is_in=True)),
    (TableState(1, 15, late=(14, 15)), TableState(2, 16)),
    (TableState(1, 16, is_in=True), TableState(2, 16, is_in=True)),
)
COMING = (
    None,
    Coming(2, is_seated=False),
    Coming(2, is_seated=True, starts_at=after(600)),
    Coming(2, is_seated=True, vacant=1),
    Coming(2, is_seated=True, unseated=4),
    Coming(2, is_seated=True, vacant=1, is_final=True),
    Coming(2, is_seated=True, is_final=True, finalists_differ=True),
)
CLOCKS = (HallClock(GONG), HallClock(GONG, (Pause(GONG),)))
HALLS = (None, *(Running(2, clock, 120, tables) for clock in CLOCKS for tables in TABLES))
CALLS: tuple[tuple[int, ...], ...] = ((), (1, 2))
APPEALS: tuple[tuple[AppealState, ...], ...] = (
    (),
    (AppealState(1, 2, "a"), AppealState(1, 2, "b")),
    (AppealState(1, 2, "c", is_pending=True),),
)
BARE = [
    EventState(players, missing, sessions, closed, running, coming, to_publish)
    for players, missing, sessions, closed, running, coming, to_publish in product(
        (0, 6), (0, 2), (0, 3), (0, 1, 3), HALLS, COMING, (False, True)
    )
    if not (running and coming) and closed <= sessions
]
REGISTERED = tuple(
    Registered(pending, to_enter, is_open, opens_at, closes_at)
    for pending, to_enter, is_open, opens_at, closes_at in product(
        (0, 2), (0, 3), (False, True), (None, after(30)), (None, after(50), after(500))
    )
)
BARE += [
    EventState(players, 0, 0, 0, registered=registered) for players, registered in product((0, 6), REGISTERED)
]
BARE.append(EventState(8, 0, sessions=1, closed=1, has_ceremony=True))
BARE.append(EventState(8, 0, sessions=3, closed=3, is_announced=True))
BARE.append(playing(replace(played(0), tables=(TableState(1, 0, on_paper=True),))))
BARE.append(replace(playing(played(16)), disputes=((1, 7), (1, 8))))
STATES = [
    replace(state, hidden=(3,) if hidden else (), calls=calls, appeals=appeals, appeals_until=until)
    for state, hidden, calls, appeals, until in product(
        BARE, (False, True), CALLS, APPEALS, (None, after(150))
    )
]


def test_every_state_has_one_step_with_a_sentence_a_button_and_an_address() -> None:
    event = Tournament(slug="x", time_zone="Europe/Paris", starts_on=GONG.date(), ends_on=GONG.date())
    seen = set()
    for state, minutes in product(STATES, (5, 60, 130)):
        step = step_of(state, after(minutes))
        assert step.until is None or step.until > after(minutes)
        if step.code in seen:
            continue
        seen.add(step.code)
        assert step == step_of(state, after(minutes)), "it follows from the state and the time alone"
        words = step_text(step.code.value, step.params, event)
        assert words.text
        assert words.button
        assert bool(words.also) >= (step.also is not None)
        assert reverse(step.link.url_name, args=["x", *step.link.args])
    assert seen == set(Code)
    assert set(TEXTS) == set(BUTTONS) == {code.value for code in Code} >= set(ALSO)


def test_registration_is_waited_for_while_it_is_switched_on() -> None:
    registered = Registered(0, 0, is_open=True, opens_at=after(30), closes_at=after(500))
    state = EventState(0, 0, 0, 0, registered=registered)
    steps = [step_of(state, after(minutes)) for minutes in (5, 30, 500)]
    assert [(step.code, step.until) for step in steps] == [
        (Code.OPENING, after(30)),
        (Code.REGISTERING, after(500)),
        (Code.IMPORT, None),
    ]
    registered = Registered(0, 0, is_open=False, opens_at=after(30), closes_at=None)
    step = step_of(EventState(0, 0, 0, 0, registered=registered), after(5))
    assert (step.code, step.until) == (Code.OPEN, None), "its places are planned"
