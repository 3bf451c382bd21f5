"""What now: one thing to do in every state of an event, and it follows from the state and the time alone."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import product

import pytest
from django.urls import reverse
from django.utils import timezone

from tests.support.factories import (
    SYSTEM,
    entrant,
    make_tournament,
    play_hands,
    play_session,
)
from tournament.models import Table, Tournament
from tournament.models.hall_clock import HallClock, Pause
from tournament.selectors.event_state import (
    AppealState,
    Coming,
    EventState,
    Registered,
    Running,
    TableState,
    event_state,
)
from tournament.selectors.next_step import next_step, step_of
from tournament.selectors.steps import Code, Step
from tournament.services.calls import raise_call
from tournament.services.embargo import hide_results
from tournament.services.players import add_players, add_substitutes, withdraw_player
from tournament.services.seatings import replan_seats
from tournament.services.sessions import close_session, start_session
from tournament.services.tables import hand_in
from tournament.services.tournaments import publish_standings
from tournament.services.vacancies import name_stand_in
from tournament.words.next_step import ALSO, BUTTONS, TEXTS, told

GONG = datetime(2026, 11, 14, 14, 0, tzinfo=UTC)


def now_of(tournament: Tournament) -> Step:
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


def said(step: Step, tournament: Tournament) -> str:
    return told(step.code.value, step.params, tournament).text


@pytest.mark.django_db
class TestBeforeTheFirstHand:
    def test_without_players_a_list_is_imported(self) -> None:
        assert now_of(make_tournament(players=0)).code is Code.IMPORT

    def test_players_that_do_not_fill_tables_want_more(self) -> None:
        event = make_tournament(players=6, drawn=False)
        step = now_of(event)
        assert (step.code, step.params["missing"]) == (Code.FILL, 2)
        assert said(step, event) == "2 more players make the last table full."

    def test_substitutes_fill_tables(self) -> None:
        event = make_tournament(players=6, drawn=False)
        add_substitutes(event, SYSTEM, "Substitute")
        assert now_of(event).code is Code.DRAW

    def test_full_tables_are_drawn(self) -> None:
        assert now_of(make_tournament(players=8, drawn=False)).code is Code.DRAW

    def test_drawn_seats_are_printed_and_the_first_session_started(self) -> None:
        step = now_of(make_tournament(players=8))
        assert (step.code, step.params["session"]) == (Code.START, 1)
        assert step.also is not None
        assert step.also.address == "organiser_draw"

    def test_who_withdraws_leaves_a_seat_to_fill(self) -> None:
        event = make_tournament(players=8)
        withdraw_player(event.players.get(number=1), SYSTEM)
        assert now_of(event).code is Code.FILL

    def test_a_stand_in_in_that_seat_lets_the_session_start(self) -> None:
        event = make_tournament(players=8, sessions=1)
        withdraw_player(event.players.get(number=1), SYSTEM)
        table = Table.objects.get(session__tournament=event, seats__player__number=1)
        name_stand_in(table, SYSTEM, 1, "Olga")
        assert now_of(event).code is Code.START

    def test_players_who_came_after_the_draw_are_planned_in(self) -> None:
        event = make_tournament(players=8)
        add_players(event, SYSTEM, [entrant(number) for number in range(9, 13)])
        assert now_of(event).code is Code.REPLAN
        replan_seats(event, SYSTEM)
        assert now_of(event).code is Code.START


class TestWhileTheHallPlays:
    def test_tables_in_time_ask_for_nothing(self) -> None:
        step = step_of(playing(played(7, 8)), after(60))
        assert (step.code, step.is_quiet) == (Code.PLAYING, True)

    def test_a_table_two_hands_behind_the_clock_is_looked_after(self) -> None:
        step = step_of(playing(played(8, 4, 5)), after(60))
        assert (step.code, step.params["table"], step.params["minutes"]) == (Code.BEHIND, 2, 20)
        assert step.params["more"] == 1

    def test_while_the_clock_is_paused_nobody_falls_behind(self) -> None:
        paused = replace(played(7, 8), clock=HallClock(GONG, (Pause(after(60)),)))
        step = step_of(playing(paused), after(110))
        assert (step.code, step.until) == (Code.PAUSED, None)

    def test_it_is_said_to_five_minutes_and_holds_until_the_next_five(self) -> None:
        step = step_of(playing(played(8, 4)), after(59))
        assert (step.params["minutes"], step.until) == (20, after(62.5))

    def test_what_is_quiet_now_is_looked_at_again_when_a_table_falls_behind(self) -> None:
        step = step_of(playing(played(7, 8)), after(60))
        assert step.until == after(75)
        assert step_of(playing(played(7, 8)), after(75)).code is Code.BEHIND

    def test_extra_time_is_time(self) -> None:
        slow = replace(played(4), tables=(TableState(1, 4, extra=60),))
        assert step_of(playing(played(4)), after(60)).code is Code.BEHIND
        assert step_of(playing(slow), after(60)).code is Code.PLAYING

    def test_a_table_that_has_played_its_sixteen_hands_is_not_behind(self) -> None:
        assert step_of(playing(played(16, 16)), after(119)).code is Code.PLAYING

    def test_when_the_time_is_up_the_tables_are_brought_in(self) -> None:
        assert step_of(playing(played(14, 15)), after(120)).code is Code.TIME_UP

    def test_a_hand_saved_after_time_is_looked_at(self) -> None:
        late = replace(played(14), tables=(TableState(1, 15, late=(15,)),))
        step = step_of(playing(late), after(130))
        assert (step.code, step.params["hand"]) == (Code.AFTER_TIME, 15)

    def test_a_table_where_nobody_plays_does_not_hold_up_the_session(self) -> None:
        tables = (TableState(1, 16, is_in=True), TableState(2, 0))
        assert step_of(playing(replace(played(0), tables=tables)), after(60)).code is Code.UNPLAYED

    def test_sheets_on_paper_are_typed_once_the_first_is_or_the_time_is_up(self) -> None:
        still = (TableState(2, 0, on_paper=True), TableState(3, 0, on_paper=True))
        some = playing(replace(played(0), tables=(TableState(1, 0, is_in=True, on_paper=True), *still)))
        none = playing(replace(played(0), tables=still))
        assert step_of(some, after(60)).code is Code.TOTALS
        assert step_of(none, after(60)).code is Code.PLAYING
        assert step_of(none, after(130)).code is Code.TOTALS

    def test_when_every_table_is_in_the_session_is_closed(self) -> None:
        tables = (TableState(1, 16, is_in=True), TableState(2, 9, is_in=True, late=(9,)))
        assert step_of(playing(replace(played(0), tables=tables)), after(130)).code is Code.CLOSE

    def test_a_table_that_calls_comes_before_a_slow_one(self) -> None:
        state = replace(playing(played(8, 4)), calls=(7, 2))
        step = step_of(state, after(60))
        assert (step.code, step.params["table"], step.params["more"]) == (Code.CALL, 7, 1)

    def test_an_open_appeal_comes_before_closing(self) -> None:
        tables = (TableState(1, 16, is_in=True),)
        state = playing(replace(played(0), tables=tables))
        asked = replace(state, appeals=(AppealState(1, 1, "a"),))
        granted = replace(state, appeals=(AppealState(1, 1, "a", is_pending=True),))
        assert step_of(asked, after(60)).code is Code.APPEAL
        assert step_of(granted, after(60)).code is Code.RULING

    @pytest.mark.django_db
    def test_a_call_is_the_step_until_somebody_is_on_the_way(self) -> None:
        event = make_tournament(running=1)
        raise_call(Table.objects.get(session__number=1, number=3), SYSTEM, "score")
        assert (now_of(event).code, now_of(event).params["table"]) == (Code.CALL, 3)


@pytest.mark.django_db
class TestBetweenSessionsAndAfterwards:
    def test_a_session_played_is_closed_published_and_the_next_started(self) -> None:
        event = make_tournament(players=8, sessions=2, drawn=True)
        session = event.sessions.get(number=1)
        start_session(session, SYSTEM)
        for table in session.tables.all():
            play_hands(table)
            hand_in(table, SYSTEM)
        assert now_of(event).code is Code.CLOSE
        close_session(session, SYSTEM)
        assert now_of(event).code is Code.PUBLISH
        publish_standings(event, SYSTEM)
        assert (now_of(event).code, now_of(event).params["session"]) == (Code.START, 2)

    def test_a_session_without_seats_is_seated(self) -> None:
        event = make_tournament(players=8, sessions=2, played=1)
        publish_standings(event, SYSTEM)
        event.sessions.get(number=2).tables.all().delete()
        step = now_of(event)
        assert (step.code, step.way.where) == (Code.SEAT, (2,))

    def test_the_final_standings_are_published_then_appeals_end_then_papers_are_kept(self) -> None:
        event = make_tournament(players=8, sessions=1, played=1)
        step = now_of(event)
        assert step.code is Code.PUBLISH_FINAL
        assert said(step, event).startswith("All sessions are closed. Appeals are taken until")
        publish_standings(event, SYSTEM)
        assert now_of(event).code is Code.APPEALS
        event.refresh_from_db()
        tomorrow = timezone.now() + timedelta(days=1)
        assert step_of(event_state(event), tomorrow).code is Code.ARCHIVE

    def test_hidden_results_wait_for_the_ceremony(self) -> None:
        event = make_tournament(players=8, sessions=1)
        hide_results(event.sessions.get(), SYSTEM)
        play_session(event.sessions.get())
        assert now_of(event).code is Code.CEREMONY

    def test_between_sessions_hidden_results_are_not_published(self) -> None:
        event = make_tournament(players=8, sessions=2)
        hide_results(event.sessions.get(number=1), SYSTEM)
        play_session(event.sessions.get(number=1))
        assert (now_of(event).code, now_of(event).params["session"]) == (Code.START, 2)


# --- never none, never two ------------------------------------------------------------------------------------
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
BARE.append(playing(replace(played(0), tables=(TableState(1, 0, on_paper=True),))))
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
        words = told(step.code.value, step.params, event)
        assert words.text
        assert words.button
        assert bool(words.also) >= (step.also is not None)
        assert reverse(step.way.address, args=["x", *step.way.where])
    assert seen == set(Code)


def test_the_same_state_at_the_same_time_is_the_same_step() -> None:
    assert [step_of(state, after(60)) for state in STATES] == [step_of(state, after(60)) for state in STATES]


def test_every_code_has_its_words() -> None:
    codes = {code.value for code in Code}
    assert set(TEXTS) == set(BUTTONS) == codes
    assert set(ALSO) <= codes


def test_registration_is_waited_for_until_it_opens_and_then_until_it_closes() -> None:
    registered = Registered(0, 0, is_open=True, opens_at=after(30), closes_at=after(500))
    state = EventState(0, 0, 0, 0, registered=registered)
    steps = [step_of(state, after(minutes)) for minutes in (5, 30, 500)]
    assert [(step.code, step.until) for step in steps] == [
        (Code.OPENING, after(30)),
        (Code.REGISTERING, after(500)),
        (Code.IMPORT, None),
    ]


def test_registration_that_is_switched_off_is_not_waited_for() -> None:
    registered = Registered(0, 0, is_open=False, opens_at=after(30), closes_at=None)
    step = step_of(EventState(0, 0, 0, 0, registered=registered), after(5))
    assert (step.code, step.until) == (Code.IMPORT, None)
