"""Screens: what they show by themselves, as arranged and as steered; and announcements, each said once, none lost."""

from datetime import UTC, datetime, timedelta
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
from tournament.base.access import Audience
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
from tournament.messages.announcements.services import announce, withdraw_announcement
from tournament.play.services.hands import correct_hand
from tournament.play.services.sessions import close_session
from tournament.play.services.tables import hand_in
from tournament.ranking.selectors.statistics import best_hand_of_day
from tournament.ranking.services import hide_results
from tournament.screens.engine import FRESH_SECONDS, Command, Kind, ScreenAction, Turn
from tournament.screens.models import MAIN_SCREEN, Ceremony, Screen
from tournament.screens.selectors import ScreenState, find_screen, programme_of, screen_state, screens_of
from tournament.screens.services import (
    add_screen,
    arrange_screen,
    end_ceremony,
    remove_screen,
    start_ceremony,
    steer_screen,
)
from tournament.web.selectors import log_words

pytestmark = pytest.mark.stored

SHORT = [Turn(Kind.RANKING, 10), Turn(Kind.BEST, 20)]
EVENT_WITH = {"sessions": 2, "running": 1}


def screen(event: Tournament, name: str = MAIN_SCREEN) -> Screen:
    event.refresh_from_db()
    screen = find_screen(event, name)
    assert screen is not None
    return screen


def on(event: Tournament, name: str = MAIN_SCREEN, seconds: float = 0) -> ScreenState:
    """What is shown so many seconds from now."""
    return screen_state(screen(event, name), timezone.now() + timedelta(seconds=seconds))


def kinds(event: Tournament, name: str = MAIN_SCREEN) -> list[str]:
    """The kinds that take turns, in order."""
    slides = programme_of(screen(event, name), timezone.now()).slides
    return list(dict.fromkeys(slide.kind.value for slide in slides))


def steer(
    event: Tournament, action: ScreenAction, name: str = MAIN_SCREEN, kind: Kind | None = None
) -> ScreenState:
    event.refresh_from_db()
    at = on(event, name).slide if action is ScreenAction.HOLD else None
    steer_screen(event, SYSTEM, name, Command(action, at, kind))
    return on(event, name)


@pytest.mark.thorough
def test_before_a_session_seats_during_it_the_clock_after_it_the_ranking(event: Tournament) -> None:
    """Nobody need arrange anything."""
    assert [each.name for each in screens_of(event)] == [MAIN_SCREEN]
    assert not Screen.objects.exists()
    assert kinds(make_tournament(name="Not drawn", drawn=False)) == ["welcome"]
    seated = make_tournament(sessions=2, name="Seated")
    assert kinds(seated) == ["names", "tables", "welcome"]
    assert kinds(event) == ["clock", "ranking"]
    play_session(seated.sessions.get(number=1))
    assert kinds(seated) == ["ranking", "best", "names", "puzzle"]
    play_session(seated.sessions.get(number=2))
    assert kinds(seated) == ["ranking", "best", "teams", "nations"]


def test_while_a_ceremony_is_on_nothing_else_is_to_be_looked_at() -> None:
    over = make_tournament(sessions=1, played=1, name="Over")
    ceremony = start_ceremony(over, SYSTEM, Ceremony.Kind.PLAYERS)
    assert kinds(over) == ["ceremony"]
    end_ceremony(ceremony, SYSTEM)
    assert "ranking" in kinds(over)


def test_a_planned_beginning_is_counted_down_to_until_it_is_there() -> None:
    seated = make_tournament(sessions=2, name="Seated")
    begins = timezone.now().astimezone(seated.zone) + timedelta(minutes=10)
    TimetableItem.objects.create(tournament=seated, session=1, day=begins.date(), starts=begins.time())
    write_something(seated)
    assert "clock" in kinds(seated)
    later = programme_of(screen(seated), timezone.now() + timedelta(minutes=11))
    assert Kind.CLOCK not in {slide.kind for slide in later.slides}


def test_at_the_gong_it_begins_anew_with_the_clock(event: Tournament) -> None:
    """What the organiser does after the gong counts."""
    gong = event.sessions.get(number=1).started_at
    assert gong is not None
    assert screen_state(screen(event), gong).slide.kind is Kind.CLOCK
    assert screen_state(screen(event), gong + timedelta(seconds=21)).slide.kind is Kind.RANKING
    before = on(event).slide
    assert steer(event, ScreenAction.NEXT).slide != before


def test_an_arranged_screen_begins_with_its_first_part(event: Tournament) -> None:
    add_screen(event, SYSTEM, "foyer")
    arrange_screen(event, SYSTEM, "foyer", SHORT)
    assert kinds(event, "foyer") == ["ranking", "best"]
    foyer = screen(event, "foyer")
    times = [foyer.since + timedelta(seconds=seconds) for seconds in (0, 9, 11, 29, 31)]
    shown = [screen_state(foyer, time).slide.kind.value for time in times]
    assert shown == ["ranking", "ranking", "best", "best", "ranking"]


def test_names_and_times_of_screens_are_checked(event: Tournament) -> None:
    add_screen(event, SYSTEM, "大厅-1")
    for name in ("大厅-1", MAIN_SCREEN):
        assert refused_problems(add_screen, event, SYSTEM, name)[0][0] == "screen_name_taken", name
    for name in ("a b", "", "x/y"):
        assert refused_problems(add_screen, event, SYSTEM, name)[0][0] == "screen_name_wrong", name
    turns = [Turn(Kind.CLOCK, 4), *SHORT, Turn(Kind.BEST, 301)]
    places = [where for _, where in refused_problems(arrange_screen, event, SYSTEM, MAIN_SCREEN, turns)]
    assert places == ["turns.0.seconds", "turns.3.seconds"]


def test_a_removed_screen_is_gone_and_the_main_one_chooses_by_itself_again(event: Tournament) -> None:
    add_screen(event, SYSTEM, "foyer")
    arrange_screen(event, SYSTEM, MAIN_SCREEN, SHORT)
    for name in ("foyer", MAIN_SCREEN):
        remove_screen(event, SYSTEM, name)
    assert [each.name for each in screens_of(event)] == [MAIN_SCREEN]
    assert screen(event).is_automatic
    version = Tournament.objects.get().version
    remove_screen(event, SYSTEM, MAIN_SCREEN)
    assert Tournament.objects.get().version == version
    assert refused_problems(remove_screen, event, SYSTEM, "foyer")


def test_held_or_showing_one_thing_alone_it_stands_still_and_goes_on_from_there(event: Tournament) -> None:
    arrange_screen(event, SYSTEM, MAIN_SCREEN, SHORT)
    first = on(event).slide
    held = steer(event, ScreenAction.HOLD)
    assert (held.slide, held.until) == (first, None)
    assert on(event, seconds=500).slide == first
    assert steer(event, ScreenAction.NEXT).slide.kind is Kind.BEST
    assert on(event, seconds=500).slide.kind is Kind.BEST
    back = steer(event, ScreenAction.ROTATION)
    assert back.slide.kind is Kind.BEST
    assert on(event, seconds=21).slide == first
    assert steer(event, ScreenAction.ONLY, kind=Kind.CLOCK).slide.kind is Kind.CLOCK
    assert on(event, seconds=500).slide.kind is Kind.CLOCK
    assert steer(event, ScreenAction.ROTATION).slide.kind is Kind.RANKING


@pytest.mark.thorough
def test_a_hundred_players_are_paged_and_next_and_previous_go_page_by_page() -> None:
    large = make_tournament(players=100, sessions=1, name="Large")
    arrange_screen(large, SYSTEM, MAIN_SCREEN, [Turn(Kind.NAMES, 15), Turn(Kind.TABLES, 15)])
    pages = [steer(large, ScreenAction.NEXT).slide for _page in range(8)]
    shown = [(slide.kind.value, slide.page, slide.pages) for slide in pages]
    assert shown[:3] == [("names", 2, 3), ("names", 3, 3), ("tables", 1, 5)]
    assert shown[-1] == ("names", 1, 3)
    assert steer(large, ScreenAction.PREVIOUS).slide.kind is Kind.TABLES


def test_a_button_that_says_nothing_is_refused(event: Tournament) -> None:
    def code(name: str, command: Command) -> str:
        return refused_problems(steer_screen, event, SYSTEM, name, command)[0][0]

    assert code(MAIN_SCREEN, Command(ScreenAction.HOLD)) == "screen_page_missing"
    assert code(MAIN_SCREEN, Command(ScreenAction.ONLY)) == "screen_kind_missing"
    assert code("nowhere", Command(ScreenAction.NEXT))


def test_a_fresh_announcement_takes_the_screen_held_or_not(event: Tournament) -> None:
    steer(event, ScreenAction.ONLY, kind=Kind.CLOCK)
    announce(Announcement(tournament=event, text="Lunch"), SYSTEM)
    taken = on(event)
    assert (taken.slide.kind, taken.is_interrupted) == (Kind.ANNOUNCEMENTS, True)
    assert on(event, seconds=FRESH_SECONDS + 1).slide.kind is Kind.CLOCK
    Announcement.objects.update(withdrawn_at=timezone.now())
    write_something(event)
    assert on(event).slide.kind is Kind.CLOCK


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


def test_a_hand_corrected_the_next_day_stays_a_hand_of_its_day(event: Tournament) -> None:
    """Yesterday's dearest hand, whose discarder is put right this morning, is not the best hand of today."""
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


def test_the_log_says_who_did_what_to_which_screen(event: Tournament) -> None:
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
        "Screen foyer held: Best hand of the day, page 1.",
        "Screen foyer shows only: Clock.",
        "Screen foyer: rotation resumed.",
        "Screen foyer: automatic rotation.",
        "Screen foyer removed.",
    ]


def say(
    event: Tournament, text: str = "Lunch at 12:30", *, minutes: int | None = None, **more: Any
) -> Announcement:
    announcement = announce(Announcement(tournament=event, text=text, **more), SYSTEM, minutes=minutes)
    event.refresh_from_db()
    return announcement


def texts(announcements: tuple[Announcement, ...]) -> list[str]:
    return [announcement.text for announcement in announcements]


def test_one_to_a_table_is_heard_there_alone_and_not_in_the_next_session(event: Tournament) -> None:
    say(event, "Please wait for the umpire", tables=[4, 2])
    assert texts(announcements_for_tables(event)) == []
    heard = [texts(announcements_for_tables(event, [(1, table)])) != [] for table in (1, 2, 3, 4)]
    assert heard == [False, True, False, True]
    seats = event.sessions.get(number=1).tables.get(number=4).seats.all()
    assert all(texts(announcements_for_player(seat.player)) for seat in seats)
    others = event.sessions.get(number=1).tables.get(number=1).seats.all()
    assert [texts(announcements_for_player(seat.player)) for seat in others] == [[]] * 4
    for table in event.sessions.get(number=1).tables.all():
        hand_in(table, SYSTEM)
    close_session(event.sessions.get(number=1), SYSTEM)
    event.refresh_from_db()
    assert texts(announcements_for_tables(event, [(2, 4)])) == []
    assert say(event, "Move to the foyer", tables=[4]).session == 2


def test_it_ends_by_hand_once_or_by_itself_and_pages_count_the_moment(event: Tournament) -> None:
    lunch = say(event)
    withdraw_announcement(lunch, SYSTEM)
    version = withdraw_announcement(lunch, SYSTEM).tournament.version
    event.refresh_from_db()
    assert (active_announcements(event), event.version) == ((), version)
    assert event.log.filter(action="announcement_withdrawn").count() == 1
    lunch = say(event, minutes=5)
    assert texts(active_announcements(event)) == [lunch.text]
    before = moments_passed(event)
    Announcement.objects.filter(pk=lunch.pk).update(ends_at=timezone.now() - timedelta(seconds=1))
    write_something(event)
    event.refresh_from_db()
    assert active_announcements(event) == ()
    assert moments_passed(event) == before + 1


def test_an_announcement_is_one_by_its_uuid_and_read_in_ones_own_language(event: Tournament) -> None:
    uuid = uuid4()
    first = say(event, uuid=uuid)
    assert say(event, "Something else", uuid=uuid) == first
    assert event.log.filter(action="announcement_made").count() == 1
    assert say(make_tournament(name="Elsewhere"), uuid=uuid) != first
    lunch = say(event, translations={"zh-hans": "12:30 午餐", "zh-hant": " "})
    shown = {code: lunch.text_in(code) for code in ("en", "zh-hans", "zh-hant")}
    assert shown == {"en": "Lunch at 12:30", "zh-hans": "12:30 午餐", "zh-hant": "Lunch at 12:30"}


def test_everything_that_is_wrong_is_said_at_once(event: Tournament) -> None:
    assert refused_problems(
        say, event, "  ", tables=[9, 1, 17], minutes=0, translations={"fr": "x", "zh-hans": "字" * 300}
    ) == [
        ("value_missing", "text"),
        ("unknown_language", "translations"),
        ("text_too_long", "translations.zh-hans"),
        ("announcement_minutes", "ends_at"),
        ("no_such_table", "tables"),
        ("no_such_table", "tables"),
    ]
    assert refused_problems(say, event, "x" * (MAX_LENGTH + 1)) == [("text_too_long", "text")]
    undrawn = make_tournament(name="Not drawn", drawn=False)
    assert refused_problems(say, undrawn, tables=[1]) == [("no_such_table", "tables")]


def test_the_newer_stands_first_and_the_log_says_what_was_said_to_whom(event: Tournament) -> None:
    say(event)
    wait = say(event, "Please wait", tables=[1, 3])
    assert texts(active_announcements(event)) == ["Please wait", "Lunch at 12:30"]
    withdraw_announcement(wait, SYSTEM)
    words = log_words(event)
    with translation.override("en"):
        lines = [words.sentence(entry) for entry in event.log.filter(action__startswith="announcement")]
    assert lines == [
        "Announced to everybody: “Lunch at 12:30”",
        "Announced, tables 1, 3 of session 1: “Please wait”",
        "Announcement withdrawn: “Please wait”",
    ]
