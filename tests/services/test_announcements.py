"""Announcements: to everybody or to tables, until an end or by hand; each said once, none lost."""

from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.utils import timezone, translation

from tests.support.checks import refused_problems
from tests.support.factories import SYSTEM, make_tournament
from tournament.engine.statements import Message
from tournament.models import Announcement, Tournament
from tournament.models.announcements import LONGEST
from tournament.selectors.announcements import heard_at, heard_by, standing
from tournament.selectors.clock import moments_passed
from tournament.selectors.log_words import log_words
from tournament.services.announcements import announce, withdraw_announcement
from tournament.services.sessions import close_session
from tournament.services.tables import hand_in


@pytest.fixture
def event() -> Tournament:
    return make_tournament(running=1)


def say(
    event: Tournament, text: str = "Lunch at 12:30", *, uuid: UUID | None = None, **more: Any
) -> Announcement:
    announcement = announce(event, SYSTEM, Message(text, **more), uuid=uuid or uuid4())
    event.refresh_from_db()
    return announcement


def texts(announcements: tuple[Announcement, ...]) -> list[str]:
    return [announcement.text for announcement in announcements]


def test_one_to_a_table_is_heard_there_alone_and_not_in_the_next_session(event: Tournament) -> None:
    say(event, "Please wait for the umpire", tables=[4, 2])
    assert texts(heard_at(event)) == []
    heard = [texts(heard_at(event, [(1, table)])) != [] for table in (1, 2, 3, 4)]
    assert heard == [False, True, False, True]
    seats = event.sessions.get(number=1).tables.get(number=4).seats.all()
    assert all(texts(heard_by(seat.player)) for seat in seats)
    others = event.sessions.get(number=1).tables.get(number=1).seats.all()
    assert [texts(heard_by(seat.player)) for seat in others] == [[]] * 4
    for table in event.sessions.get(number=1).tables.all():
        hand_in(table, SYSTEM)
    close_session(event.sessions.get(number=1), SYSTEM)
    event.refresh_from_db()
    assert texts(heard_at(event, [(2, 4)])) == []
    assert say(event, "Move to the foyer", tables=[4]).session == 2


def test_it_ends_by_hand_once_or_by_itself_and_pages_count_the_moment(event: Tournament) -> None:
    lunch = say(event)
    withdraw_announcement(lunch, SYSTEM)
    version = withdraw_announcement(lunch, SYSTEM).tournament.version
    event.refresh_from_db()
    assert (standing(event), event.version) == ((), version)
    assert event.log.filter(action="announcement_withdrawn").count() == 1
    lunch = say(event, minutes=5)
    assert texts(standing(event)) == [lunch.text]
    before = moments_passed(event)
    Announcement.objects.filter(pk=lunch.pk).update(ends_at=timezone.now() - timedelta(seconds=1))
    Tournament.objects.update(version=event.version + 1)
    event.refresh_from_db()
    assert standing(event) == ()
    assert moments_passed(event) == before + 1


def test_the_same_uuid_is_the_same_announcement_in_this_tournament(event: Tournament) -> None:
    uuid = uuid4()
    first = say(event, uuid=uuid)
    assert say(event, "Something else", uuid=uuid) == first
    assert event.log.filter(action="announcement_made").count() == 1
    assert say(make_tournament(name="Elsewhere"), uuid=uuid) != first


def test_everything_that_is_wrong_is_said_at_once(event: Tournament) -> None:
    assert refused_problems(
        say, event, "  ", tables=[9, 1, 17], minutes=0, translations={"fr": "x", "zh-hans": "字" * 300}
    ) == [
        ("announcement_missing", "text"),
        ("text_too_long", "zh-hans"),
        ("unknown_language", "fr"),
        ("announcement_minutes", "minutes"),
        ("no_such_table", "tables"),
        ("no_such_table", "tables"),
    ]
    assert refused_problems(say, event, "x" * (LONGEST + 1)) == [("text_too_long", "text")]
    undrawn = make_tournament(name="Not drawn", drawn=False)
    assert refused_problems(say, undrawn, tables=[1]) == [("no_such_table", "tables")]


def test_readers_get_their_language_or_the_first_text(event: Tournament) -> None:
    lunch = say(event, translations={"zh-hans": "12:30 午餐", "zh-hant": " "})
    shown = {code: lunch.text_in(code) for code in ("en", "zh-hans", "zh-hant")}
    assert shown == {"en": "Lunch at 12:30", "zh-hans": "12:30 午餐", "zh-hant": "Lunch at 12:30"}


def test_the_newer_stands_first_and_the_log_says_what_was_said_to_whom(event: Tournament) -> None:
    say(event)
    wait = say(event, "Please wait", tables=[1, 3])
    assert texts(standing(event)) == ["Please wait", "Lunch at 12:30"]
    withdraw_announcement(wait, SYSTEM)
    words = log_words(event)
    with translation.override("en"):
        lines = [words.sentence(entry) for entry in event.log.filter(action__startswith="announcement")]
    assert lines == [
        "Announced to everybody: “Lunch at 12:30”",
        "Announced, tables 1, 3 of session 1: “Please wait”",
        "Announcement withdrawn: “Please wait”",
    ]
