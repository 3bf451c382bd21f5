"""Automatic, arranged and steered screens; the best hand of the day; and announcements."""

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone, translation

from tests.support.checks import refused_problems
from tests.support.factories import (
    SYSTEM,
    make_tournament,
    play_session,
    record,
    wash_out,
    win,
    write_something,
)
from tournament.base.engine.entries import WIN, HandEntry
from tournament.base.engine.notices import Audience
from tournament.base.models.events import TimetableItem
from tournament.base.models.play import Hand
from tournament.base.models.tournament import Tournament
from tournament.base.selectors import moments_passed
from tournament.messages.announcements.models import MAX_LENGTH, Announcement
from tournament.messages.announcements.selectors import (
    active_announcements,
    announcements_for_player,
    announcements_for_tables,
)
from tournament.messages.announcements.services import announce, cancel_announcement
from tournament.play.services.hands import correct_hand
from tournament.play.services.sessions import close_session
from tournament.play.services.tables import hand_in
from tournament.ranking.selectors.statistics import best_hand_of_day, highest_hand_of_day
from tournament.ranking.services import hide_results
from tournament.screens.engine import FRESH_SECONDS, Command, Kind, ScreenAction, Turn
from tournament.screens.models import MAIN_SCREEN, Ceremony, Screen
from tournament.screens.selectors import ScreenState, find_screen, programme_of, screen_state, screens_of
from tournament.screens.services import (
    add_screen,
    arrange_screen,
    control_screen,
    end_ceremony,
    remove_screen,
    start_ceremony,
)
from tournament.web.selectors import log_words
from tournament.web.views import build_id

SHORT = [Turn(Kind.RANKING, 10), Turn(Kind.BEST, 20)]
EVENT_WITH = {"sessions": 2, "running": 1}


def get_screen(event: Tournament, name: str = MAIN_SCREEN) -> Screen:
    event.refresh_from_db()
    screen = find_screen(event, name)
    assert screen is not None
    return screen


def state_of(event: Tournament, name: str = MAIN_SCREEN, seconds: float = 0) -> ScreenState:
    """Return what is shown in some seconds."""
    return screen_state(get_screen(event, name), timezone.now() + timedelta(seconds=seconds))


def shown_kinds(event: Tournament, name: str = MAIN_SCREEN) -> list[str]:
    """Return the kinds in the rotation, in order."""
    slides = programme_of(get_screen(event, name), timezone.now()).slides
    return list(dict.fromkeys(slide.kind.value for slide in slides))


def steer(
    event: Tournament, action: ScreenAction, name: str = MAIN_SCREEN, kind: Kind | None = None
) -> ScreenState:
    event.refresh_from_db()
    at = state_of(event, name).slide if action is ScreenAction.HOLD else None
    control_screen(event, SYSTEM, name, Command(action, at, kind))
    return state_of(event, name)


@pytest.mark.thorough
def test_an_automatic_screen_follows_the_phase_of_the_event(event: Tournament) -> None:
    assert [screen.name for screen in screens_of(event)] == [MAIN_SCREEN]
    assert not Screen.objects.exists()
    assert shown_kinds(make_tournament(name="Not drawn", drawn=False)) == ["welcome"]
    seated = make_tournament(sessions=2, name="Seated")
    assert shown_kinds(seated) == ["names", "tables", "welcome"]
    assert shown_kinds(event) == ["clock", "ranking"]
    play_session(seated.sessions.get(number=1))
    assert shown_kinds(seated) == ["ranking", "best", "names", "puzzle"]
    play_session(seated.sessions.get(number=2))
    assert shown_kinds(seated) == ["ranking", "best", "teams", "nations"]


def test_an_automatic_screen_shows_only_the_ceremony_during_it() -> None:
    over = make_tournament(sessions=1, played=1, name="Over")
    ceremony = start_ceremony(over, SYSTEM, Ceremony.Kind.PLAYERS)
    assert shown_kinds(over) == ["ceremony"]
    end_ceremony(ceremony, SYSTEM)
    assert "ranking" in shown_kinds(over)


def test_the_clock_counts_down_to_the_planned_start() -> None:
    seated = make_tournament(sessions=2, name="Seated")
    begins = timezone.now().astimezone(seated.zone) + timedelta(minutes=10)
    TimetableItem.objects.create(tournament=seated, session=1, day=begins.date(), starts=begins.time())
    write_something(seated)
    assert "clock" in shown_kinds(seated)
    later = programme_of(get_screen(seated), timezone.now() + timedelta(minutes=11))
    assert Kind.CLOCK not in {slide.kind for slide in later.slides}


def test_the_start_of_a_session_restarts_an_automatic_rotation(event: Tournament) -> None:
    """Steering after the start of the session has an effect."""
    gong = event.sessions.get(number=1).started_at
    assert gong is not None
    assert screen_state(get_screen(event), gong).slide.kind is Kind.CLOCK
    assert screen_state(get_screen(event), gong + timedelta(seconds=21)).slide.kind is Kind.RANKING
    before = state_of(event).slide
    assert steer(event, ScreenAction.NEXT).slide != before


def test_an_arranged_screen_starts_with_its_first_turn(event: Tournament) -> None:
    add_screen(event, SYSTEM, "foyer")
    arrange_screen(event, SYSTEM, "foyer", SHORT)
    assert shown_kinds(event, "foyer") == ["ranking", "best"]
    foyer = get_screen(event, "foyer")
    times = [foyer.since + timedelta(seconds=seconds) for seconds in (0, 9, 11, 29, 31)]
    kinds = [screen_state(foyer, time).slide.kind.value for time in times]
    assert kinds == ["ranking", "ranking", "best", "best", "ranking"]


def test_turns_with_nothing_to_show_are_skipped(event: Tournament) -> None:
    """No announcement, nobody missing, no ceremony, hidden tables; the welcome page if nothing at all is left."""
    empty = [Turn(kind, 10) for kind in (Kind.ANNOUNCEMENTS, Kind.MISSING, Kind.CEREMONY, Kind.PROGRESS)]
    hide_results(event.sessions.get(number=1), SYSTEM)
    arrange_screen(event, SYSTEM, MAIN_SCREEN, [*empty, Turn(Kind.CLOCK, 10), *SHORT])
    assert shown_kinds(event) == ["clock"]
    arrange_screen(event, SYSTEM, MAIN_SCREEN, empty)
    assert state_of(event).slide.kind is Kind.WELCOME


def test_invalid_names_and_seconds_of_screens_are_refused(event: Tournament) -> None:
    add_screen(event, SYSTEM, "大厅-1")
    for name in ("大厅-1", MAIN_SCREEN):
        assert refused_problems(add_screen, event, SYSTEM, name)[0][0] == "screen_name_taken", name
    for name in ("a b", "", "x/y"):
        assert refused_problems(add_screen, event, SYSTEM, name)[0][0] == "screen_name_wrong", name
    turns = [Turn(Kind.CLOCK, 4), *SHORT, Turn(Kind.BEST, 301)]
    places = [where for _, where in refused_problems(arrange_screen, event, SYSTEM, MAIN_SCREEN, turns)]
    assert places == ["turns.0.seconds", "turns.3.seconds"]


def test_removing_a_screen_deletes_it_and_makes_the_main_screen_automatic(event: Tournament) -> None:
    add_screen(event, SYSTEM, "foyer")
    arrange_screen(event, SYSTEM, MAIN_SCREEN, SHORT)
    for name in ("foyer", MAIN_SCREEN):
        remove_screen(event, SYSTEM, name)
    assert [screen.name for screen in screens_of(event)] == [MAIN_SCREEN]
    assert get_screen(event).is_automatic
    version = Tournament.objects.get().version
    remove_screen(event, SYSTEM, MAIN_SCREEN)
    assert Tournament.objects.get().version == version
    assert refused_problems(remove_screen, event, SYSTEM, "foyer")


def test_a_held_screen_and_a_single_kind_stay_and_the_rotation_resumes_there(event: Tournament) -> None:
    arrange_screen(event, SYSTEM, MAIN_SCREEN, SHORT)
    first = state_of(event).slide
    state = steer(event, ScreenAction.HOLD)
    assert (state.slide, state.until) == (first, None)
    assert state_of(event, seconds=500).slide == first
    assert steer(event, ScreenAction.NEXT).slide.kind is Kind.BEST
    assert state_of(event, seconds=500).slide.kind is Kind.BEST
    back = steer(event, ScreenAction.ROTATION)
    assert back.slide.kind is Kind.BEST
    assert state_of(event, seconds=21).slide == first
    assert steer(event, ScreenAction.ONLY, kind=Kind.CLOCK).slide.kind is Kind.CLOCK
    assert state_of(event, seconds=500).slide.kind is Kind.CLOCK
    assert steer(event, ScreenAction.ROTATION).slide.kind is Kind.RANKING


@pytest.mark.thorough
def test_next_and_previous_go_through_the_pages_of_a_hundred_players() -> None:
    large = make_tournament(players=100, sessions=1, name="Large")
    arrange_screen(large, SYSTEM, MAIN_SCREEN, [Turn(Kind.NAMES, 15), Turn(Kind.TABLES, 15)])
    pages = [steer(large, ScreenAction.NEXT).slide for _page in range(8)]
    positions = [(slide.kind.value, slide.page, slide.pages) for slide in pages]
    assert positions[:3] == [("names", 2, 3), ("names", 3, 3), ("tables", 1, 5)]
    assert positions[-1] == ("names", 1, 3)
    assert steer(large, ScreenAction.PREVIOUS).slide.kind is Kind.TABLES


def test_a_command_without_page_or_kind_is_refused(event: Tournament) -> None:
    def code(name: str, command: Command) -> str:
        return refused_problems(control_screen, event, SYSTEM, name, command)[0][0]

    assert code(MAIN_SCREEN, Command(ScreenAction.HOLD)) == "screen_page_missing"
    assert code(MAIN_SCREEN, Command(ScreenAction.ONLY)) == "screen_kind_missing"
    assert code("nowhere", Command(ScreenAction.NEXT))


def test_a_fresh_announcement_interrupts_a_steered_screen(event: Tournament) -> None:
    steer(event, ScreenAction.ONLY, kind=Kind.CLOCK)
    announce(Announcement(tournament=event, text="Lunch"), SYSTEM)
    state = state_of(event)
    assert (state.slide.kind, state.is_interrupted) == (Kind.ANNOUNCEMENTS, True)
    assert state_of(event, seconds=FRESH_SECONDS + 1).slide.kind is Kind.CLOCK
    Announcement.objects.update(cancelled_at=timezone.now())
    write_something(event)
    assert state_of(event).slide.kind is Kind.CLOCK


def test_the_best_hand_is_that_of_the_newest_day(event: Tournament) -> None:
    table = event.sessions.get(number=1).tables.get(number=1)
    player = table.seats.get(wind="E").player.number
    yesterday = record(table, win(player, tiles="pure_straight"))
    type(yesterday).objects.update(recorded_at=datetime(2026, 11, 13, 12, tzinfo=UTC))
    best = best_hand_of_day(event, Audience.PUBLIC)
    assert best is not None
    assert best.points == max(hand.points for hand in Hand.objects.filter(is_current=True))
    today = record(table, win(player, tiles="mixed_triple_chow"))
    assert best_hand_of_day(event, Audience.PUBLIC) == today
    assert best_hand_of_day(make_tournament(name="Nobody has won"), Audience.PUBLIC) is None


def test_the_best_hand_is_known_by_tiles_else_by_fans_else_by_points_alone() -> None:
    event = make_tournament(sessions=1, running=0)
    table = event.sessions.get().tables.get(number=1)
    east, south = (table.seats.get(wind=wind).player.number for wind in "ES")
    points_only = HandEntry(WIN, east, south, points=88)
    with_fans = HandEntry(WIN, east, south, fans={"full_flush": 1})
    with_tiles = win(east, tiles="mixed_triple_chow")
    hands = [record(table, points_only)]
    for entry in (with_fans, with_tiles):
        assert best_hand_of_day(event, Audience.PUBLIC) == hands[-1]
        hands.append(record(table, entry))
        assert hands[-1].points < hands[-2].points
    assert best_hand_of_day(event, Audience.PUBLIC) == hands[-1]
    assert highest_hand_of_day(event, Audience.PUBLIC) == hands[0]


def test_a_hand_corrected_the_next_day_stays_a_hand_of_its_day(event: Tournament) -> None:
    """Yesterday's best hand, whose discarder is corrected today, is not the best hand of today."""
    table = event.sessions.get(number=1).tables.get(number=1)
    east, south, west = (table.seats.get(wind=wind).player.number for wind in "ESW")
    dear = record(table, win(east, south))
    Hand.objects.update(recorded_at=timezone.now() - timedelta(days=1))
    today = record(table, win(east, tiles="mixed_triple_chow"))
    assert today.points < dear.points
    correct_hand(dear, SYSTEM, win(east, west), reason="The discarder was another", uuid=uuid4())
    assert best_hand_of_day(event, Audience.PUBLIC) == today


def test_neither_a_superseded_version_nor_a_wash_out_is_the_best_hand(event: Tournament) -> None:
    table = event.sessions.get(number=1).tables.get(number=1)
    dear = record(table, win(table.seats.get(wind="E").player.number, tiles="two_concealed_kongs"))
    hide_results(event.sessions.get(number=1), SYSTEM)
    assert best_hand_of_day(Tournament.objects.get(pk=event.pk), Audience.PUBLIC) is None
    corrected = correct_hand(dear, SYSTEM, wash_out(), reason="Not won", uuid=uuid4())
    best = best_hand_of_day(event, Audience.STAFF)
    assert isinstance(best, Hand)
    assert best.is_current
    assert best.pk not in (dear.pk, corrected.pk)
    washed = make_tournament(name="Washed", sessions=1, running=0)
    record(washed.sessions.get(number=1).tables.get(number=1), wash_out())
    assert Hand.objects.filter(table__session__tournament=washed).exists()
    assert best_hand_of_day(washed, Audience.PUBLIC) is None


def test_the_log_names_the_screen_and_what_was_done(event: Tournament) -> None:
    add_screen(event, SYSTEM, "foyer")
    arrange_screen(event, SYSTEM, "foyer", SHORT)
    for action in (ScreenAction.NEXT, ScreenAction.HOLD, ScreenAction.ONLY, ScreenAction.ROTATION):
        steer(event, action, "foyer", Kind.CLOCK if action is ScreenAction.ONLY else None)
    arrange_screen(event, SYSTEM, "foyer", [])
    remove_screen(event, SYSTEM, "foyer")
    sentences = log_words(event)
    with translation.override("en"):
        lines = [sentences.sentence(entry) for entry in event.log.filter(action__startswith="screen")]
    assert lines == [
        "Screen foyer added.",
        "Screen foyer arranged: Ranking, Best hand of the day.",
        "Screen foyer: next page.",
        "Screen foyer paused: Best hand of the day, page 1.",
        "Screen foyer shows only: Clock.",
        "Screen foyer: rotation resumed.",
        "Screen foyer: automatic rotation.",
        "Screen foyer removed.",
    ]


def make_announcement(
    event: Tournament, text: str = "Lunch at 12:30", *, minutes: int | None = None, **more: Any
) -> Announcement:
    announcement = announce(Announcement(tournament=event, text=text, **more), SYSTEM, minutes=minutes)
    event.refresh_from_db()
    return announcement


def texts_of(announcements: tuple[Announcement, ...]) -> list[str]:
    return [announcement.text for announcement in announcements]


def test_an_announcement_to_tables_reaches_only_these_in_this_session(event: Tournament) -> None:
    make_announcement(event, "Please wait for the umpire", tables=[4, 2])
    assert texts_of(announcements_for_tables(event)) == []
    is_reached = [texts_of(announcements_for_tables(event, [(1, table)])) != [] for table in (1, 2, 3, 4)]
    assert is_reached == [False, True, False, True]
    seats = event.sessions.get(number=1).tables.get(number=4).seats.all()
    assert all(texts_of(announcements_for_player(seat.player)) for seat in seats)
    others = event.sessions.get(number=1).tables.get(number=1).seats.all()
    assert [texts_of(announcements_for_player(seat.player)) for seat in others] == [[]] * 4
    for table in event.sessions.get(number=1).tables.all():
        hand_in(table, SYSTEM)
    close_session(event.sessions.get(number=1), SYSTEM)
    event.refresh_from_db()
    assert texts_of(announcements_for_tables(event, [(2, 4)])) == []
    assert make_announcement(event, "Move to the foyer", tables=[4]).session == 2


def test_an_announcement_is_withdrawn_once_or_expires_and_pages_notice(event: Tournament) -> None:
    lunch = make_announcement(event)
    cancel_announcement(lunch, SYSTEM)
    version = cancel_announcement(lunch, SYSTEM).tournament.version
    event.refresh_from_db()
    assert (active_announcements(event), event.version) == ((), version)
    assert event.log.filter(action="announcement_withdrawn").count() == 1
    lunch = make_announcement(event, minutes=5)
    assert texts_of(active_announcements(event)) == [lunch.text]
    before = moments_passed(event)
    Announcement.objects.filter(pk=lunch.pk).update(ends_at=timezone.now() - timedelta(seconds=1))
    write_something(event)
    event.refresh_from_db()
    assert active_announcements(event) == ()
    assert moments_passed(event) == before + 1


def test_an_announcement_is_unique_by_uuid_and_shown_in_the_readers_language(event: Tournament) -> None:
    uuid = uuid4()
    first = make_announcement(event, uuid=uuid)
    assert make_announcement(event, "Something else", uuid=uuid) == first
    assert event.log.filter(action="announcement_made").count() == 1
    assert make_announcement(make_tournament(name="Elsewhere"), uuid=uuid) != first
    lunch = make_announcement(event, translations={"zh-hans": "12:30 午餐", "zh-hant": " "})
    text_by_language = {code: lunch.text_in(code) for code in ("en", "zh-hans", "zh-hant")}
    assert text_by_language == {"en": "Lunch at 12:30", "zh-hans": "12:30 午餐", "zh-hant": "Lunch at 12:30"}


def test_all_problems_of_an_announcement_are_reported_at_once(event: Tournament) -> None:
    assert refused_problems(
        make_announcement,
        event,
        "  ",
        tables=[9, 1, 17],
        minutes=0,
        translations={"fr": "x", "zh-hans": "字" * 300},
    ) == [
        ("value_missing", "text"),
        ("unknown_language", "translations"),
        ("text_too_long", "translations.zh-hans"),
        ("announcement_minutes", "ends_at"),
        ("no_such_table", "tables"),
        ("no_such_table", "tables"),
    ]
    assert refused_problems(make_announcement, event, "x" * (MAX_LENGTH + 1)) == [("text_too_long", "text")]
    undrawn = make_tournament(name="Not drawn", drawn=False)
    assert refused_problems(make_announcement, undrawn, tables=[1]) == [("no_such_table", "tables")]


def test_announcements_are_newest_first_and_logged_with_text_and_tables(event: Tournament) -> None:
    make_announcement(event)
    wait = make_announcement(event, "Please wait", tables=[1, 3])
    assert texts_of(active_announcements(event)) == ["Please wait", "Lunch at 12:30"]
    cancel_announcement(wait, SYSTEM)
    words = log_words(event)
    with translation.override("en"):
        lines = [words.sentence(entry) for entry in event.log.filter(action__startswith="announcement")]
    assert lines == [
        "Announced to everybody: “Lunch at 12:30”",
        "Announced, tables 1, 3 of session 1: “Please wait”",
        "Announcement withdrawn: “Please wait”",
    ]


def test_a_new_source_file_reloads_the_screens_and_compiled_bytecode_does_not(
    tmp_path: Path, settings: Any
) -> None:
    settings.BASE_DIR = tmp_path
    source, bytecode = (
        tmp_path / "tournament/urls.py",
        tmp_path / "tournament/__pycache__/urls.cpython-311.pyc",
    )
    for path, modified in ((source, 1_000), (bytecode, 2_000)):
        path.parent.mkdir(exist_ok=True)
        path.touch()
        os.utime(path, (modified, modified))
    assert build_id.__wrapped__() == 1_000 * 10**9
    os.utime(source, (3_000, 3_000))
    assert build_id.__wrapped__() == 3_000 * 10**9
